"""What a follow-up is answered with, beside what the answer before has told."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import TYPE_CHECKING

from tutor.answer.quoting.excerpts import excerpts
from tutor.answer.quoting.scoring import scored
from tutor.text.terms import content_words

if TYPE_CHECKING:
    from tutor.answer.quoting.scoring import Scored
    from tutor.embedding.embedder import Embedder

IN_DOCUMENT, IN_SECTION = 0.05, 0.03
"""What more speaks for a part of the document that the answer before began with, and for one of
that section."""
OPENING_CHARS = 40
"""Characters by which the beginning of a part is recognised."""
FARTHEST = 8000
"""Characters below what was told in which the notes go on with it."""
SAME = 0.8
"""Share of the shorter one's words that the longer one holds, from which they say the same."""


def _was_said(entry: Scored, said: Sequence[str]) -> bool:
    """Whether nearly all of it was, or how it begins: of a long list only the items' beginnings."""
    words, opening = content_words(entry.excerpt.text), entry.excerpt.text[:OPENING_CHARS]
    return any(
        opening in answer or len(words & content_words(answer)) >= SAME * len(words)
        for answer in said
    )


def near_first(ranked: Sequence[Scored], before: str, own: AbstractSet[str]) -> list[Scored]:
    """The parts with those raised that stand near what an answer `before` began with: a follow-up
    mostly stays in its section, or at least in its document.

    Not where a part of another document has more of its `own` words than any there.
    """
    told = [entry.excerpt for entry in ranked if _was_said(entry, [before])]
    if not told:
        return list(ranked)
    places = ((before.find(part.text[:OPENING_CHARS]), part) for part in told)
    first = min(places, key=lambda place: place[0] if place[0] >= 0 else len(before))[1]
    held = {True: 0, False: 0}
    raised = []
    for entry in ranked:
        part = entry.excerpt
        here = part.document is first.document
        held[here] = max(held[here], len(own & content_words(f"{part.title}\n{part.text}")))
        more = IN_DOCUMENT * here + IN_SECTION * (here and part.above == first.above)
        raised.append(replace(entry, evidence=entry.evidence + more))
    if held[False] > held[True]:
        return list(ranked)
    return sorted(raised, key=lambda entry: -entry.evidence)


def read_on(
    questions: Sequence[str], ranked: Sequence[Scored], said: Sequence[str], embedder: Embedder
) -> list[Scored]:
    """What stands next below the best part that was `said` before; where nothing was, or nothing
    more stands there, what is `ranked` and was not said, if anything.
    """
    others = [entry for entry in ranked if not _was_said(entry, said)] or list(ranked)
    told = next((entry.excerpt for entry in ranked if _was_said(entry, said)), None)
    if told is None or told.end == len(told.document.text):
        return others
    end = min(told.end + FARTHEST, len(told.document.text))
    below = excerpts([told.hit.spanning(told.document, told.end, end)], lambda _id: told.document)
    parts = [entry for entry in scored(questions, below, embedder) if not _was_said(entry, said)]
    return sorted(parts, key=lambda entry: entry.excerpt.start)[:1] or others
