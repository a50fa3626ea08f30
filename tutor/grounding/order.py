"""Whether a claim has exchanged what a passage keeps apart: who does what, what follows from what.

"A is on the left and B on the right" and "B is on the left and A on the right" have the same
words; only their order in parallel clauses, comparisons and conditions tells them apart.
"""

from __future__ import annotations

import itertools
import re
from typing import TYPE_CHECKING

from tutor.grounding.clauses import Clause
from tutor.grounding.words import Vocabulary, content_words, same_word

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tutor.grounding.words import Word

_PARALLEL = re.compile(
    r";|(?<!\d)[.](?=\s)|,?\s+(?:y|e|pero|mientras(?: que)?|en cambio|and|but|while|whereas)\s+",
    re.IGNORECASE,
)
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
        _parallel_exchanged(claimed, theirs.words)
        or _comparison_turned(ours, theirs)
        or _condition_turned(ours, theirs)
    )


def _parallel_exchanged(claimed: str, passage: Sequence[Word]) -> bool:
    """Two clauses whose beginnings stand in the passage in one order, their ends in the other."""
    parts = [content_words(part) for part in _PARALLEL.split(claimed)]
    return any(_crossed(one, other, passage) for one, other in itertools.pairwise(parts))


def _crossed(one: Sequence[Word], other: Sequence[Word], passage: Sequence[Word]) -> bool:
    first = _places(_apart(one, other), passage)
    second = _places(_apart(other, one), passage)
    if not first or not second or len(first) + len(second) < 3:
        return False
    heads, ends = first[0] < second[0], first[-1] < second[-1]
    return heads != ends


def _apart(words: Sequence[Word], others: Sequence[Word]) -> list[Word]:
    """The words that only the first clause has."""
    among = Vocabulary(others)
    return [word for word in words if not among.has(word)]


def _places(words: Sequence[Word], passage: Sequence[Word]) -> list[int]:
    """Where the words stand in the passage; those that stand there more than once tell nothing."""
    places = []
    for word in words:
        found = [i for i, other in enumerate(passage) if other.stem == word.stem]
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
