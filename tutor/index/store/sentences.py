"""The sentences of a course with their vectors, shared by both strategies.

`sentences/` holds `vectors.npy` (float16, a row per sentence), `spans.npy` (start and end in the
display text), `keys.npy` (`text_key` of each), `sources.json` (each document's first and last row)
and `ranges_<strategy>.npy` (each chunk's first and last row, in the order of the chunk table).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tutor.index.store.mapping import let_go
from tutor.model import Chunk, SourceId, Strategy, Vectors

if TYPE_CHECKING:
    from numpy.typing import NDArray


SENTENCES = "sentences"
_HEADER = 128
"""Bytes of an NPY file that holds no row."""
Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class SentenceTable:
    """Sentences in the order of their documents and positions, row by row.

    `vectors` has shape (n, dim), float16, `spans` (n, 2): start and end in the display text;
    `sources` gives each document's first row and the row after its last; `ranges` the same for
    every chunk of a strategy, shape (chunks, 2), in the order of the chunk table.
    """

    spans: NDArray[np.int64]
    vectors: NDArray[np.float16]
    sources: Mapping[SourceId, Span]
    ranges: Mapping[Strategy, NDArray[np.int32]]

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


def write_sentences(folder: Path, table: SentenceTable, keys: Sequence[bytes]) -> None:
    """Write a table into a new folder; `keys` are the texts' `text_key`, row by row."""
    folder.mkdir()
    np.save(folder / "vectors.npy", table.vectors)
    np.save(folder / "spans.npy", table.spans)
    np.save(folder / "keys.npy", np.array(keys, "V32"))
    (folder / "sources.json").write_text(json.dumps(table.sources))
    for strategy, ranges in table.ranges.items():
        np.save(folder / f"ranges_{strategy.value}.npy", ranges)


def read_sentences(folder: Path) -> SentenceTable:
    """Map a table's files. Raises `OSError`, `EOFError` or `ValueError` when damaged."""
    sources = json.loads((folder / "sources.json").read_text())
    return SentenceTable(
        spans=_mapped(folder / "spans.npy"),
        vectors=_mapped(folder / "vectors.npy"),
        sources={SourceId(key): (first, last) for key, (first, last) in sources.items()},
        ranges={one: np.load(folder / f"ranges_{one.value}.npy") for one in Strategy},
    )


def read_known(folder: Path) -> dict[bytes, Vectors]:
    """The vectors of all sentences by the `text_key` of their texts."""
    keys = np.load(folder / "keys.npy")
    vectors = np.load(folder / "vectors.npy").astype(np.float32)
    return {bytes(key): vector for key, vector in zip(keys, vectors, strict=True)}


def _mapped(path: Path) -> NDArray[Any]:
    """An array whose file is mapped, not read; of an array without rows there is nothing to map."""
    has_rows = path.stat().st_size > _HEADER
    return np.asarray(np.load(path, mmap_mode="r" if has_rows else None))
