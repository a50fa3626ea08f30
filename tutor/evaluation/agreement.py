"""How far an answer says what a reference answer says: support both ways, numbers, choices.

A reference is short and leans on its question ("No: it is not symmetric", "45"), so what the
question already says counts for nothing, and a bare number or a bare "yes" can be an answer.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tutor.grounding.numbers import numbers
from tutor.grounding.order import exchanged
from tutor.grounding.polarity import opposed
from tutor.grounding.words import Vocabulary, content_words, coverage, fold

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tutor.grounding.words import Word

# Without its accent "si" is "if", unless a pause follows.
_YES = re.compile(
    r"\W*(?:sí|si(?=\s*(?:[,.:;!]|$))|yes|correcto|así es|claro|exacto)\b", re.IGNORECASE
)
_NO = re.compile(
    r"\W*(?:no|nunca|tampoco|casi nunca|not|never|almost never|hardly)\b", re.IGNORECASE
)
_CLAUSE = re.compile(r"(?<!\d)[:;,.(]|[:;,.(](?!\d)|\b(?:porque|ya que|pues|because|since)\b")
_ALTERNATIVES = re.compile(
    r"([\w*]+)(?:\s*,)?\s+(?:o|u|or|vs\.?|versus)\s+(?:(?:el|la|los|las|un|una|the|a)\s+)?([\w*]+)"
)


@dataclass(frozen=True, slots=True)
class Wording:
    """What words and numbers say of an answer beside its reference; shares are from 0 to 1.

    `covered` is the share of the reference's news (what its question does not say) that the
    answer has, `numbers_known` that of its numbers; `strange_numbers` counts the answer's numbers
    that neither reference nor question have. `same_side` is None where neither a yes or no nor a
    choice is asked for. It `contradicts` as far as words tell.
    """

    covered: float
    numbers_known: float
    has_numbers: bool
    strange_numbers: int
    same_side: bool | None
    contradicts: bool

    @property
    def wrong_number(self) -> bool:
        """Whether a number of the reference is missing and another stands for it."""
        return self.has_numbers and self.numbers_known < 1 and self.strange_numbers > 0

    @property
    def right_numbers(self) -> bool:
        """Whether the numbers alone make the answer right: most are there and no other."""
        return self.has_numbers and self.numbers_known >= 0.5 and self.strange_numbers == 0


def compare(question: str, reference: str, answer: str, *, across: bool) -> Wording:
    """Compare by words; `across` when answer and reference are in different languages."""
    said = content_words(answer)
    meant, given = _new_numbers(question, reference), _new_numbers(question, answer)
    side = _same_side(question, reference, answer)
    contradicts = opposed(answer, reference) or opposed(reference, answer)
    return Wording(
        covered=coverage(news(question, reference), said, across=across),
        numbers_known=1 - len(_missing(meant, given)) / len(meant) if meant else 1.0,
        has_numbers=bool(meant),
        strange_numbers=len(_missing(given, meant)),
        same_side=side,
        contradicts=side is False or contradicts or exchanged(answer, reference),
    )


def news(question: str, reference: str) -> list[Word]:
    """The reference's content words that the question lacks; all when it lacks none."""
    words = content_words(reference)
    asked = Vocabulary(content_words(question), across=True)
    return [word for word in words if not asked.has(word)] or words


def values(text: str) -> set[str]:
    """The numbers of a text, every way they may be read."""
    return {form for number in numbers(text) for form in number.forms}


def main_clause(text: str) -> str:
    """What stands before the first pause: a short answer's answer."""
    for piece in _CLAUSE.split(text):
        if content_words(piece):
            return piece.strip()
    return text


def _new_numbers(question: str, text: str) -> list[frozenset[str]]:
    """The numbers of a text that the question lacks, each as the ways it may be read."""
    asked = values(question)
    return [number.forms for number in numbers(text) if not number.forms & asked]


def _missing(
    wanted: Sequence[frozenset[str]], given: Sequence[frozenset[str]]
) -> list[frozenset[str]]:
    return [forms for forms in wanted if not any(forms & other for other in given)]


def _same_side(question: str, reference: str, answer: str) -> bool | None:
    """Whether yes or no, or the choice between two alternatives, is the same."""
    meant, said = _yes_or_no(reference), _yes_or_no(answer)
    if meant is not None and said is not None:
        return meant == said
    for match in _ALTERNATIVES.finditer(fold(question).replace("-", " ")):
        one, other = (content_words(side) for side in match.groups())
        chosen = [_chosen(main_clause(text), one, other) for text in (reference, answer)]
        if None not in chosen:
            return chosen[0] == chosen[1]
    return None


def _yes_or_no(text: str) -> bool | None:
    if _NO.match(text):
        return False
    return True if _YES.match(text) else None


def _chosen(clause: str, one: Sequence[Word], other: Sequence[Word]) -> int | None:
    there = Vocabulary(content_words(clause.replace("-", " ")))
    named = [bool(words) and all(there.has(word) for word in words) for words in (one, other)]
    return named.index(True) if sum(named) == 1 else None
