"""Whether a claim has exchanged what a passage keeps apart: who does what, what follows from what.

"A is on the left and B on the right" and "B is on the left and A on the right" have the same
words; only their order in parallel clauses, comparisons and conditions tells them apart.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from tutor.answer.verification.clauses import Clause
from tutor.answer.verification.words import KnownWords, content_words, same_word

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
_COMPARISON = re.compile(
    r"\b(?:mas|menos|mayor(?:es)?|menor(?:es)?|mejor(?:es)?|peor(?:es)?|more|less|fewer"
    r"|\w+er)\b(?P<between>[^.;,]{0,40}?)\b(?:que|than)\b(?P<than>[^.;,:]*)"
)
_CONDITION = re.compile(
    r"\b(?:si|cuando|siempre que|if|when|whenever)\b(?!\s+(?:bien|no\b.{0,3}$))"
)


def exchanged(claimed: str, passage: str) -> bool:
    """Whether the claim exchanges terms of the passage, as far as words tell."""
    ours, theirs = Clause(claimed), Clause(passage)
    return (
        parallel_exchanged(claimed, passage)
        or _comparison_turned(ours, theirs)
        or _condition_turned(ours, theirs)
    )


def parallel_exchanged(claimed: str, passage: str) -> bool:
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


def _comparison_turned(ours: Clause, theirs: Clause) -> bool:
    """Whether A has more than B here, and B more than A in the passage."""
    a, b = _compared(ours), _compared(theirs)
    return bool(a and b) and _turned(a, b)


def _compared(clause: Clause) -> tuple[list[Word], list[Word]] | None:
    match = _COMPARISON.search(clause.folded)
    if match is None:
        return None
    than = match.start("than")
    subject = [w for w in clause.words if w.end <= match.start()]
    return subject, [w for w in clause.words if than <= w.start < match.end("than")]


def _condition_turned(ours: Clause, theirs: Clause) -> bool:
    """Whether it is A if B here, and B if A in the passage."""
    a, b = _conditional(ours), _conditional(theirs)
    return bool(a and b) and _turned(a, b)


def _conditional(clause: Clause) -> tuple[list[Word], list[Word]] | None:
    """The consequence and the condition of a sentence that has one condition."""
    matches = list(_CONDITION.finditer(clause.folded))
    if len(matches) != 1:
        return None
    begin = matches[0].end()
    comma = clause.folded.find(",", begin)
    leading = not [w for w in clause.words if w.end <= matches[0].start()]
    if leading and comma < 0:
        return None
    end = comma if leading else len(clause.folded)
    condition = [w for w in clause.words if begin <= w.start < end]
    return [w for w in clause.words if w not in condition], condition


def _turned(
    one: tuple[list[Word], list[Word]] | None, other: tuple[list[Word], list[Word]] | None
) -> bool:
    if one is None or other is None:
        return False
    straight = _shared(one[0], other[0]) + _shared(one[1], other[1])
    crossed = _shared(one[0], other[1]) + _shared(one[1], other[0])
    both_ways = min(_shared(one[0], other[1]), _shared(one[1], other[0])) > 0
    return both_ways and crossed > straight


def _shared(words: Sequence[Word], others: Sequence[Word]) -> int:
    return sum(any(same_word(word, other) for other in others) for word in words)
