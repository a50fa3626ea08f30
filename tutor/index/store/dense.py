"""The vectors of a generation as arrays, so that any of them is at hand without a database: those
of chunks, with which rows are which document's, and those of sentences and headings, shared by both
strategies.

`sentences/` holds `vectors.npy` (float16, a row per sentence), `spans.npy` (start and end in the
display text), `keys.npy` (`text_key` of each), `sources.json` (each document's first and last row)
and `ranges_<strategy>.npy` (each chunk's first and last row, in the order of the chunk table).
`headings/` holds the same of what stands over the text: `vectors.npy`, `keys.npy` and the ranges.
"""

from __future__ import annotations

import json
import mmap
from bisect import bisect_right
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tutor.model import Chunk, SourceId, Strategy, Vectors

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tutor.embedding.products import Products
    from tutor.index.store.manifest import Indexed


LARGE = 2**24
"""Bytes from which on it matters whether a file is in memory."""
EXACT_ROWS = 10_000
"""Chunks of which every cosine is computed; of more, those that are near by rounded vectors."""
_SPARE = 64
"""Chunks that are looked at beyond those wanted: of 36 wanted among 150,000 none was missing."""
_BLOCK = 64
"""Numbers of which the largest ones are looked for only if the first of them is among the first."""
_AT_ONCE = 16
"""Parts in which rows far from each other are read: each row may bring 2 MB of its file along."""
BACKGROUND = 256
"""Chunks that stand for the whole course where a question's usual cosine is measured."""
SENTENCES = "sentences"
MOST_CHARS = 1200
"""A longer statement is a table or a listing: it has no vector, its chunk's says as much, and to
make one for a question takes 0.4 s."""
_HEADINGS = "headings"
_EDGE = 80
"""Characters of a chunk under a heading that are too few to count."""
_HEADER = 128
"""Bytes of an NPY file that holds no row."""
Span = tuple[int, int]


def let_go(array: NDArray[Any]) -> None:
    """Have what was read of a mapped array count as the process's memory no more.

    What is read brings up to 2 MB of its file along. Nothing happens to one that is small or not
    mapped, or where the system cannot do it (Windows).
    """
    base: object = array
    while isinstance(base, np.ndarray):
        base = base.base
    if isinstance(base, mmap.mmap) and len(base) >= LARGE and hasattr(base, "madvise"):
        base.madvise(mmap.MADV_DONTNEED)


def largest(scores: NDArray[np.float32], n: int) -> NDArray[np.intp]:
    """The places of the `n` largest numbers, in no order; all of fewer.

    Of 150,000 they are found in 0.1 ms, and in 1 ms by partitioning them all.
    """
    if n >= len(scores):
        return np.arange(len(scores))
    if n * _BLOCK >= len(scores):
        return np.argpartition(-scores, n)[:n]
    maxima = np.maximum.reduceat(scores, np.arange(0, len(scores), _BLOCK))
    places = largest(maxima, n)[:, np.newaxis] * _BLOCK + np.arange(_BLOCK)
    places = places[places < len(scores)]
    return places[np.argpartition(-scores[places], n)[:n]]


@dataclass(frozen=True)
class DenseRows:
    """The vectors of chunks by their row, in the order of the chunk table: float32, (n, dim).

    `products` are of the same vectors, where these are too many to be compared one by one.
    """

    vectors: Vectors
    products: Products | None = None

    @cached_property
    def background(self) -> Vectors:
        """At most `BACKGROUND` of the vectors, evenly spaced over the course."""
        step = max(1, -(-len(self.vectors) // BACKGROUND))
        parts = []
        for rows in np.array_split(np.arange(0, len(self.vectors), step), _AT_ONCE):
            parts.append(self.vectors[rows])
            let_go(self.vectors)
        return np.concatenate(parts)

    def cosines(self, rows: slice | Sequence[int] | NDArray[np.intp], vector: Vectors) -> Vectors:
        """Of these rows with a vector of shape (dim,), in the order given."""
        picked, parts = self.vectors[rows], list[Vectors]()
        for start in range(0, max(1, len(picked)), EXACT_ROWS):
            parts.append(picked[start : start + EXACT_ROWS] @ vector)
            let_go(self.vectors)
        return np.concatenate(parts)

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
            scores = np.einsum("ij,j->i", self.vectors, vector)
        else:
            scores = self._of_runs(among, vector)
            let_go(self.vectors)
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


class ChunkRows:
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


@dataclass(frozen=True, slots=True)
class SentenceTable:
    """Sentences in the order of their documents and positions, row by row.

    `vectors` has shape (n, dim), float16, `spans` (n, 2): start and end in the display text;
    `sources` gives each document's first row and the row after its last; `ranges` the same for
    every chunk of a strategy, shape (chunks, 2), in the order of the chunk table. `headings` are
    the vectors of what stands over the text, shape (m, dim), `headed` each chunk's rows of them.
    """

    spans: NDArray[np.int64]
    vectors: NDArray[np.float16]
    sources: Mapping[SourceId, Span]
    ranges: Mapping[Strategy, NDArray[np.int32]]
    headings: NDArray[np.float16]
    headed: Mapping[Strategy, NDArray[np.int32]]

    def of_source(self, source: SourceId) -> tuple[NDArray[np.int64], Vectors]:
        """The sentences of a document: spans of shape (m, 2), vectors of shape (m, dim)."""
        first, last = self.sources.get(source, (0, 0))
        vectors = self.vectors[first:last].astype(np.float32)
        let_go(self.vectors)
        return self.spans[first:last], vectors

    def best(
        self, strategy: Strategy, rows: Sequence[int], vector: Vectors
    ) -> list[tuple[float, Span] | None]:
        """Of each chunk the sentence nearest to `vector`, with its cosine; None if it has none."""
        ranges = [self.ranges[strategy][row] for row in rows]
        lengths = [int(last - first) for first, last in ranges]
        if not any(lengths):
            return [None] * len(lengths)
        picked = np.concatenate([np.arange(first, last) for first, last in ranges])
        cosines = self.vectors[picked].astype(np.float32) @ vector
        let_go(self.vectors)
        found: list[tuple[float, Span] | None] = []
        start = 0
        for length in lengths:
            if not length:
                found.append(None)
                continue
            nearest = start + int(np.argmax(cosines[start : start + length]))
            begin, end = self.spans[picked[nearest]]
            found.append((float(cosines[nearest]), (int(begin), int(end))))
            start += length
        return found

    def under(
        self, strategy: Strategy, rows: Sequence[int], vector: Vectors
    ) -> NDArray[np.float32]:
        """The cosine of `vector` and the nearest of the headings over each chunk, shape (n,).

        NaN of one that stands under none.
        """
        found = np.full(len(rows), np.nan, np.float32)
        for place, row in enumerate(rows):
            first, last = self.headed[strategy][row]
            if first < last:
                found[place] = (self.headings[first:last].astype(np.float32) @ vector).max()
        let_go(self.headings)
        return found


def chunk_headings(
    chunks: Sequence[Chunk], starts: Mapping[SourceId, Sequence[int]]
) -> NDArray[np.int32]:
    """Of every chunk the first row, and the row after the last, of the headings it stands under.

    `starts` are where they begin, document by document, in the order of their rows.
    """
    ranges = np.zeros((len(chunks), 2), np.int32)
    firsts = dict(zip(starts, np.cumsum([0, *map(len, starts.values())]).tolist(), strict=False))
    for row, chunk in enumerate(chunks):
        own = starts.get(chunk.source_id, ())
        at_start = bisect_right(own, min(chunk.start + _EDGE, chunk.end)) - 1
        last = max(bisect_right(own, chunk.end - _EDGE), at_start + 1)
        if last > 0:
            ranges[row] = firsts[chunk.source_id] + np.array((max(at_start, 0), last))
    return ranges


def chunk_ranges(
    chunks: Sequence[Chunk], spans: NDArray[np.int64], sources: Mapping[SourceId, Span]
) -> NDArray[np.int32]:
    """Of every chunk the first row, and the row after the last, of its sentences.

    A sentence belongs to a chunk that holds at least half of it.
    """
    ranges = np.zeros((len(chunks), 2), np.int32)
    middles = spans.sum(axis=1) / 2
    for row, chunk in enumerate(chunks):
        first, last = sources.get(chunk.source_id, (0, 0))
        inside = np.searchsorted(middles[first:last], (chunk.start, chunk.end))
        ranges[row] = first + inside
    return ranges


def write_sentences(
    folder: Path, table: SentenceTable, keys: Sequence[bytes], heading_keys: Sequence[bytes]
) -> None:
    """Write a table into a new folder; the keys are the texts' `text_key`, row by row."""
    headings = folder / _HEADINGS
    headings.mkdir(parents=True)
    np.save(folder / "spans.npy", table.spans)
    (folder / "sources.json").write_text(json.dumps(table.sources))
    for part, vectors, names, every in (
        (folder, table.vectors, keys, table.ranges),
        (headings, table.headings, heading_keys, table.headed),
    ):
        np.save(part / "vectors.npy", vectors)
        np.save(part / "keys.npy", np.array(names, "V32"))
        for strategy, ranges in every.items():
            np.save(part / f"ranges_{strategy.value}.npy", ranges)


def read_sentences(folder: Path) -> SentenceTable:
    """Map a table's files. Raises `OSError`, `EOFError` or `ValueError` when damaged.

    One of a former state has no headings.
    """
    sources = json.loads((folder / "sources.json").read_text())
    vectors, ranges, part = _mapped(folder / "vectors.npy"), _ranges(folder), folder / _HEADINGS
    known = part.is_dir()
    return SentenceTable(
        spans=_mapped(folder / "spans.npy"),
        vectors=vectors,
        sources={SourceId(key): (first, last) for key, (first, last) in sources.items()},
        ranges=ranges,
        headings=_mapped(part / "vectors.npy") if known else vectors[:0],
        headed=_ranges(part) if known else {one: np.zeros_like(own) for one, own in ranges.items()},
    )


def read_known(folder: Path) -> dict[bytes, Vectors]:
    """The vectors of all sentences and headings by the `text_key` of their texts."""
    known: dict[bytes, Vectors] = {}
    for part in (folder, folder / _HEADINGS):
        if part.is_dir():  # an index of a former state knows of no headings
            vectors = np.load(part / "vectors.npy").astype(np.float32)
            keys = map(bytes, np.load(part / "keys.npy"))
            known.update(zip(keys, vectors, strict=True))
    return known


def _ranges(folder: Path) -> dict[Strategy, NDArray[np.int32]]:
    return {one: np.load(folder / f"ranges_{one.value}.npy") for one in Strategy}


def _mapped(path: Path) -> NDArray[Any]:
    """An array whose file is mapped, not read; of an array without rows there is nothing to map."""
    has_rows = path.stat().st_size > _HEADER
    return np.asarray(np.load(path, mmap_mode="r" if has_rows else None))
