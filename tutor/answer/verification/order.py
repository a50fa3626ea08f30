"""Whether a claim has exchanged what a passage keeps apart: which of two does what.

"A is on the left and B on the right" and "B is on the left and A on the right" have the same
words; only their order in parallel clauses tells them apart.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from tutor.answer.verification.words import KnownWords, content_words

if TYPE_CHECKING:
    from tutor.answer.verification.words import Word

_PARALLEL = re.compile(
    r";|(?<!\d)[.](?=\s)|,?\s+(?:y|e|pero|mientras(?: que)?|en cambio|and|but|while|whereas)\s+",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r";|(?<!\d)[.](?=\s)|\n\s*\n|•")
_BULLET = re.compile(r"(?:^|\n)\s*[•◦▪*–-]\s")
_ENDS = 2
"""A clause has a beginning and an end if it has two words of its own."""


def exchanged(claimed: str, passage: str) -> bool:
    """Two clauses, each of which begins as one of the passage's and ends as the other."""
    divisions = [
        [content_words(part) for part in boundary.split(passage)]
        for boundary in (_SENTENCE, _PARALLEL, _BULLET)
    ]
    lines = [content_words(line) for line in passage.split("\n")]
    for boundary in (_SENTENCE, _PARALLEL):
        parts = [content_words(part) for part in boundary.split(claimed)]
        for one, other in pairwise(parts):
            first, second = _apart(one, other), _apart(other, one)
            if any(_crossed(first, second, division) for division in divisions):
                return True
            if _columns_crossed(first, second, lines):
                return True
    return False


def _crossed(
    first: Sequence[Word], second: Sequence[Word], division: Sequence[Sequence[Word]]
) -> bool:
    one = [place for place, _ in _places(first, division)]
    other = [place for place, _ in _places(second, division)]
    if len(one) < _ENDS or len(other) < _ENDS:
        return False
    return one[0] == other[-1] and other[0] == one[-1] and one[0] != other[0]


def _columns_crossed(
    first: Sequence[Word], second: Sequence[Word], lines: Sequence[Sequence[Word]]
) -> bool:
    """The same in a table: the heads stand in one line, what belongs to them in another."""
    one, other = _places(first, lines), _places(second, lines)
    if len(one) < _ENDS or len(other) < _ENDS:
        return False
    if one[0][0] != other[0][0] or one[-1][0] != other[-1][0] or one[0][0] == one[-1][0]:
        return False
    return (one[0] < other[0]) != (one[-1] < other[-1])


def _apart(words: Sequence[Word], others: Sequence[Word]) -> list[Word]:
    """The words that only the first clause has."""
    among = KnownWords(others)
    return [word for word in words if not among.has(word)]


def _places(words: Sequence[Word], division: Sequence[Sequence[Word]]) -> list[tuple[int, int]]:
    """In which part and where there the words stand; those that stand there twice tell nothing."""
    places = []
    for word in words:
        found = [
            (number, index)
            for number, part in enumerate(division)
            for index, other in enumerate(part)
            if other.stem == word.stem
        ]
        if len(found) == 1:
            places.append(found[0])
    return places
