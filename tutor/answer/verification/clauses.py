"""A sentence's clauses, each with its content words, and which of them speak of the same thing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from tutor.answer.verification.words import KnownWords, content_words
from tutor.text.folding import fold

if TYPE_CHECKING:
    from tutor.answer.verification.words import Word

_COARSE = re.compile(
    r"[;|•]|(?<!\d)\.(?:\s|$)|\n\s*\n|\b(?:mientras que|en cambio|while|whereas|en tanto que)\b",
    re.IGNORECASE,
)
_FINE = re.compile(
    r"[;|•:()—\n]|,(?!\d)|\.(?:\s|$)|"
    r"\b(?:y|e|o|u|pero|sino|mientras|aunque|porque|ya que|por lo que|and|or|but|while|whereas"
    r"|although|because|since|so|gracias al?|debido al?|thanks to|due to)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Clause:
    """A part of a sentence."""

    text: str

    @cached_property
    def words(self) -> list[Word]:
        """Its content words in order."""
        return content_words(self.text)

    @cached_property
    def vocabulary(self) -> KnownWords:
        """Its content words to look others up among."""
        return KnownWords(self.words)

    @cached_property
    def folded(self) -> str:
        """Its text without accents and case, of the same length."""
        return fold(self.text)


def sides(text: str) -> list[Clause]:
    """The parts that a contrast divides a sentence into."""
    return _parts(text, _COARSE)


def clauses(text: str) -> list[Clause]:
    """The parts between commas, conjunctions and the like."""
    return _parts(text, _FINE)


def counterparts(clause: Clause, others: Sequence[Clause], share: float = 0.4) -> list[Clause]:
    """The others that share most words with the clause, and at least that share of its words."""
    if not clause.words:
        return []
    shared = [sum(other.vocabulary.has(word) for word in clause.words) for other in others]
    most = max(shared, default=0)
    if most == 0 or most < share * len(clause.words):
        return []
    return [other for other, n in zip(others, shared, strict=True) if n == most]


def _parts(text: str, boundary: re.Pattern[str]) -> list[Clause]:
    parts, begin = [], 0
    for match in boundary.finditer(text):
        parts.append(text[begin : match.start()])
        begin = match.end()
    return [Clause(part) for part in (*parts, text[begin:]) if part.strip()]
