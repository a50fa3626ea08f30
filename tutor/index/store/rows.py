"""The chunks of a strategy row by row: their vectors and texts, and which are of which document."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING

import numpy as np

from tutor.model import Chunk, ChunkId, SourceId, Strategy, Vectors

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray

    from tutor.embedding.products import Products
    from tutor.index.store.manifest import Indexed
    from tutor.index.store.stored_rows import StoredRows

COLUMNS = [
    "chunk_id",
    "source_id",
    "start",
    "end",
    "first_page",
    "last_page",
    "ordinal",
    "section",
]
"""What is stored of a chunk besides its text and its vector."""
EXACT_ROWS = 10_000
"""Chunks of which every cosine is computed; of more, those that are near by rounded vectors."""
_SPARE = 64
"""Chunks that are looked at beyond those wanted: of 36 wanted among 150,000 none was missing."""
_BLOCK = 64
"""How many parts many numbers are laid upon each other in, to have a bound of the largest ones."""
BACKGROUND = 256
"""Chunks that stand for the whole course where a question's usual cosine is measured."""


def largest(scores: NDArray[np.float32], n: int) -> NDArray[np.intp]:
    """The places of the `n` largest numbers, in no order; all of fewer.

    Of 150,000 they are found in 0.06 ms, and in 1 ms by partitioning them all.
    """
    if n >= len(scores):
        return np.arange(len(scores))
    if n * _BLOCK >= len(scores):
        return np.argpartition(-scores, n)[:n]
    apart = len(scores) // _BLOCK
    maxima = scores[: apart * _BLOCK].reshape(_BLOCK, apart).max(axis=0)
    least = np.partition(maxima, apart - n)[apart - n]  # so large are at least `n` of them
    above = np.flatnonzero(scores > least)
    if len(above) >= n:
        return above[largest(scores[above], n)]
    return np.append(above, np.flatnonzero(scores == least)[: n - len(above)])


@dataclass(frozen=True)
class DenseRows:
    """The vectors of chunks by their row, in the order of the chunk table: float32, (n, dim).

    `products` are of the same vectors, where these are too many to be compared one by one.
    """

    vectors: Vectors | StoredRows
    products: Products | None = None

    @cached_property
    def background(self) -> Vectors:
        """At most `BACKGROUND` of the vectors, evenly spaced over the course."""
        step = max(1, -(-len(self.vectors) // BACKGROUND))
        return self.vectors[::step]

    def cosines(self, rows: slice | Sequence[int] | NDArray[np.intp], vector: Vectors) -> Vectors:
        """Of these rows with a vector of shape (dim,), in the order given."""
        if not isinstance(rows, slice):
            found: Vectors = self.vectors[rows] @ vector
            return found
        start, stop, step = rows.indices(len(self.vectors))
        stride = step * EXACT_ROWS  # all of a large course would take 230 MB at once
        parts = [
            self.vectors[first : min(stop, first + stride) : step] @ vector
            for first in range(start, stop, stride)
        ]
        return np.concatenate([np.empty(0, np.float32), *parts])

    def nearest(self, vector: Vectors, k: int, among: NDArray[np.intp] | None = None) -> list[int]:
        """The rows of the `k` chunks nearest to a vector of shape (dim,), best first.

        With `among`, ascending, of those rows only.
        """
        if self.products and (among is None or len(among) > EXACT_ROWS):
            rounded = self.products.of(vector)
            near = np.sort(largest(rounded if among is None else rounded[among], k + _SPARE))
            among = near if among is None else among[near]
            scores = self.cosines(among, vector)
        elif among is None:
            # Not `@`, whose threads wait for each other on a busy machine
            scores = np.einsum("ij,j->i", self.vectors[:], vector)
        else:
            scores = self._of_runs(among, vector)
        some = largest(scores, k)
        best = some[np.argsort(-scores[some], kind="stable")]
        return [int(row) for row in (best if among is None else among[best])]

    def _of_runs(self, rows: NDArray[np.intp], vector: Vectors) -> Vectors:
        """Of these rows, ascending, run by run: a document's rows follow each other.

        Picking them one by one would copy them, which takes ten times as long.
        """
        ends = np.flatnonzero(np.diff(rows) != 1) + 1
        runs = [run for run in np.split(rows, ends) if len(run)]
        cosines = [self.vectors[run[0] : run[-1] + 1] @ vector for run in runs]
        return np.concatenate(cosines) if cosines else np.empty(0, np.float32)


@dataclass(frozen=True, slots=True)
class TextColumn:
    """Texts by row: `data` holds them in UTF-8, each from one of `starts` to one of `ends`."""

    data: NDArray[np.uint8] | StoredRows
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]

    def text(self, row: int) -> str:
        """One of the texts."""
        return self.data[self.starts[row] : self.ends[row]].tobytes().decode()


@dataclass(frozen=True, slots=True)
class ChunkRecords:
    """The chunks of one strategy, row by row, none of which is made before it is asked for."""

    strategy: Strategy
    columns: pa.Table
    texts: TextColumn

    def chunks(self, rows: Sequence[int] | None = None) -> tuple[Chunk, ...]:
        """The chunks of these rows, in the order given; all without any."""
        columns = [self.columns[name] for name in COLUMNS]
        chunks = []
        for row in range(len(self.columns)) if rows is None else rows:
            key, *values = (column[row].as_py() for column in columns)
            text, others = self.texts.text(row), dict(zip(COLUMNS[1:], values, strict=True))
            chunks.append(Chunk(id=ChunkId(key), strategy=self.strategy, text=text, **others))
        return tuple(chunks)


class RowsByDocument:
    """The rows of each document by strategy: they are in order of document."""

    def __init__(self, indexed: Iterable[Indexed]) -> None:
        entries = sorted(indexed, key=lambda entry: entry.source.id)
        self._spans: dict[Strategy, dict[SourceId, tuple[int, int]]] = {}
        self._counts: dict[Strategy, int] = {}
        for strategy in Strategy:
            counts = [entry.chunks.get(strategy, 0) for entry in entries]
            self._counts[strategy] = sum(counts)
            self._spans[strategy] = {
                entry.source.id: (end - count, end)
                for entry, count, end in zip(entries, counts, accumulate(counts), strict=True)
            }

    def count(self, strategy: Strategy) -> int:
        """How many rows there are."""
        return self._counts[strategy]

    def of(self, strategy: Strategy, only: Collection[SourceId]) -> NDArray[np.intp]:
        """The rows of the chunks of these documents, ascending."""
        spans = self._spans[strategy]
        runs = sorted(spans[source] for source in only if source in spans)
        return np.concatenate([np.empty(0, np.intp), *(np.arange(*run) for run in runs)])
