"""Passages: the chunks of documents, which documents are asked, and what a search finds."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from hashlib import sha256
from typing import TYPE_CHECKING, NewType, TypeAlias

from tutor.model.documents import Source, SourceId

if TYPE_CHECKING:  # NumPy takes 0.1 s that `tutor --help` need not pay
    import numpy as np
    from numpy.typing import NDArray

Vectors: TypeAlias = "NDArray[np.float32]"
"""float32, shape (n, dim), rows L2-normalised."""

ChunkId = NewType("ChunkId", str)


class Strategy(StrEnum):
    """How a text is cut into chunks."""

    FIXED = "fixed"
    """Windows of 800 characters, step 700."""
    SEMANTIC = "semantic"
    """Whole sentences, gathered up to 800 characters."""

    @property
    def collection(self) -> str:
        """Name of the Chroma collection that holds this strategy's chunks."""
        return f"chroma_{self.value}"


@dataclass(frozen=True, slots=True)
class Filter:
    """Which documents of a course a question is asked of; without conditions, all of them.

    A document passes if it fits every kind of condition that is given, and of each kind one
    value. `dates` are ranges, first and last day included; `authors` are names as `Source` has
    them.
    """

    weeks: tuple[int, ...] = ()
    dates: tuple[tuple[dt.date, dt.date], ...] = ()
    authors: tuple[str, ...] = ()
    documents: tuple[SourceId, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.weeks or self.dates or self.authors or self.documents)

    def passes(self, source: Source) -> bool:
        """Whether a document is among those that are asked."""
        day = source.date
        return (
            (not self.weeks or source.week in self.weeks)
            and (
                not self.dates
                or (day is not None and any(first <= day <= last for first, last in self.dates))
            )
            and (not self.authors or any(author in self.authors for author in source.authors))
            and (not self.documents or source.id in self.documents)
        )

    def select(self, sources: Iterable[Source]) -> frozenset[SourceId]:
        """The documents among `sources` that pass."""
        return frozenset(source.id for source in sources if self.passes(source))

    def overridden_by(self, other: Filter) -> Filter:
        """With the conditions of `other` in the place of its own of the same kind."""
        return Filter(
            other.weeks or self.weeks,
            other.dates or self.dates,
            other.authors or self.authors,
            other.documents or self.documents,
        )


@dataclass(frozen=True, slots=True)
class Chunk:
    """A span of a document: `clean.text[start:end] == text`. `ordinal` counts from 0 per source.

    `section` is the title of the innermost section at its middle; empty before the first heading.
    """

    id: ChunkId
    source_id: SourceId
    strategy: Strategy
    text: str
    start: int
    end: int
    first_page: int
    last_page: int
    ordinal: int
    section: str = ""


def chunk_id(source: SourceId, strategy: Strategy, start: int, end: int, text: str) -> ChunkId:
    """The identity of a chunk: a hash of its source, strategy, span and text."""
    key = "\x1f".join((source, strategy.value, str(start), str(end), text))
    return ChunkId(sha256(key.encode()).hexdigest()[:24])


@dataclass(frozen=True, slots=True)
class RetrieverScore:
    """What one retrieval retriever said of a chunk: its rank (from 1) and its own score."""

    rank: int
    score: float


@dataclass(frozen=True, slots=True)
class Hit:
    """A retrieved chunk. `rank` counts from 1; `retrievers` keeps what each of them said."""

    chunk: Chunk
    source: Source
    score: float
    rank: int
    retrievers: Mapping[str, RetrieverScore] = field(default_factory=dict)
