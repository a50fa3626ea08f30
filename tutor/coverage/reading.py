"""What coverage needs to know of language: where sentences end, and which terms a text has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


@dataclass(frozen=True, slots=True)
class TextReader:
    """The project's own text functions, given by whoever puts the parts together.

    `split` gives the spans of a text's sentences, `language_of` a text's language;
    `passage_terms(text, language)` the terms of a passage, with repetitions, and
    `question_terms(text, language)` each term of a question as the forms that a passage may hold.
    """

    split: Callable[[str], Sequence[tuple[int, int]]]
    language_of: Callable[[str], str]
    passage_terms: Callable[[str, Any], Sequence[str]]
    question_terms: Callable[[str, Any], Sequence[tuple[str, ...]]]

    def terms(self, passage: str) -> frozenset[str]:
        """The terms of a passage, read in its own language."""
        return frozenset(self.passage_terms(passage, self.language_of(passage)))
