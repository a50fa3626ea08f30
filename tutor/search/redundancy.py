"""Passages that say the same: overlapping windows, and several versions of the same notes.

Two passages are one where the shorter shares most of its runs of words with the longer
(containment of shingles; Broder, "On the resemblance and containment of documents", 1997).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from tutor.model import Hit, Source

SHINGLE_WORDS = 4
SAME = 0.5
"""Share of the shorter passage's shingles from which two passages count as one."""
_WORD = re.compile(r"\w+")


@dataclass(slots=True)
class _Kept:
    hit: Hit
    shingles: frozenset[tuple[str, ...]]


def distinct(hits: Iterable[Hit], k: int) -> list[Hit]:
    """The first `k` passages that say different things, ranked anew from 1.

    Of two that say the same the better one stays in its place; but of two versions of the same
    day's notes it is the newer one's passage, with its own score.
    """
    kept: list[_Kept] = []
    for hit in hits:
        found = _Kept(hit, shingles(hit.chunk.text))
        twin = next((one for one in kept if _same(one, found)), None)
        if twin is None:
            if len(kept) == k:
                continue  # a newer version of one that is kept may still come
            kept.append(found)
        elif _is_newer_version(hit.source, twin.hit.source):
            twin.hit, twin.shingles = hit, found.shingles
    return [replace(one.hit, rank=rank) for rank, one in enumerate(kept, start=1)]


def shingles(text: str) -> frozenset[tuple[str, ...]]:
    """The runs of `SHINGLE_WORDS` words of a text, in lower case; a shorter text is one run."""
    words = _WORD.findall(text.lower())
    runs = zip(*(words[start:] for start in range(SHINGLE_WORDS)), strict=False)
    return frozenset(runs) or frozenset([tuple(words)])


def _same(one: _Kept, other: _Kept) -> bool:
    shorter = min(len(one.shingles), len(other.shingles))
    return len(one.shingles & other.shingles) >= SAME * shorter


def _is_newer_version(one: Source, other: Source) -> bool:
    """Whether both are the notes of the same day, `one` in a later version."""
    if one.date is None or (one.week, one.date) != (other.week, other.date):
        return False
    return _version(one) > _version(other)


def _version(source: Source) -> tuple[int, str]:
    """Versions as numbers where they are: 10 comes after 9."""
    text = source.version or ""
    return (int(text) if text.isdigit() else 0, text)
