"""The sentences and headings of a course with their vectors, shared by both strategies.

`sentences/` holds `vectors.npy` (float16, a row per sentence), `spans.npy` (start and end in the
display text), `keys.npy` (`text_key` of each), `sources.json` (each document's first and last row)
and `ranges_<strategy>.npy` (each chunk's first and last row, in the order of the chunk table).
`headings/` holds the same of what stands over the text: `vectors.npy`, `keys.npy` and the ranges.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from tutor.index.store.journal import text_key
from tutor.index.store.stored_rows import StoredRows, read_array
from tutor.model import Chunk, CleanText, SourceId, Strategy, Vectors

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tutor.index.store.tables import Contents

SENTENCES = "sentences"
MOST_CHARS = 1200
"""A longer statement is a table or a listing: it has no vector, its chunk's says as much, and to
make one for a question takes 0.4 s."""
LEAST_SENTENCE_LETTERS = 12
"""Page numbers and scraps of formulas are no evidence of their own."""
SENTENCES_VERSION = f"3/{LEAST_SENTENCE_LETTERS}-{MOST_CHARS}"
_HEADINGS = "headings"
_EDGE = 80
"""Characters of a chunk under a heading that are too few to count."""
Span = tuple[int, int]


def sentence_spans(document: CleanText) -> list[Span]:
    """The statements of a document's blocks that can be evidence, in order."""
    return [
        (statement.start, statement.end)
        for block in document.blocks
        for statement in document.statements(block)
        if len(statement.words) <= MOST_CHARS
        and sum(map(str.isalpha, statement.words)) >= LEAST_SENTENCE_LETTERS
    ]


@dataclass(frozen=True, slots=True)
class SentenceTable:
    """Sentences in the order of their documents and positions, row by row.

    `vectors` has shape (n, dim), float16, `spans` (n, 2): start and end in the display text;
    `sources` gives each document's first row and the row after its last; `ranges` the same for
    every chunk of a strategy, shape (chunks, 2), in the order of the chunk table. `headings` are
    the vectors of what stands over the text, shape (m, dim), `headed` each chunk's rows of them.
    """

    spans: NDArray[np.int64] | StoredRows
    vectors: NDArray[np.float16] | StoredRows
    sources: Mapping[SourceId, Span]
    ranges: Mapping[Strategy, NDArray[np.int32]]
    headings: NDArray[np.float16] | StoredRows
    headed: Mapping[Strategy, NDArray[np.int32]]

    def of_source(self, source: SourceId) -> tuple[NDArray[np.int64], Vectors]:
        """The sentences of a document: spans of shape (m, 2), vectors of shape (m, dim)."""
        first, last = self.sources.get(source, (0, 0))
        return self.spans[first:last], self.vectors[first:last].astype(np.float32)

    def nearest_spans(
        self, strategy: Strategy, rows: Sequence[int], vector: Vectors
    ) -> list[tuple[float, Span] | None]:
        """Of each chunk the sentence nearest to `vector`, with its cosine; None if it has none."""
        cosines, places = _nearest(self.vectors, self.ranges[strategy][list(rows)], vector)
        spans = iter(self.spans[places[places >= 0]].tolist())
        return [
            (float(cosine), tuple(next(spans))) if place >= 0 else None
            for cosine, place in zip(cosines, places, strict=True)
        ]

    def sentence_cosines(
        self, strategy: Strategy, rows: Sequence[int], vector: Vectors
    ) -> NDArray[np.float32]:
        """The cosine of `vector` and each chunk's nearest sentence, shape (n,); NaN of none.

        Without their places, to read which takes 0.2 ms of a large course.
        """
        return _nearest(self.vectors, self.ranges[strategy][list(rows)], vector)[0]

    def heading_cosines(
        self, strategy: Strategy, rows: Sequence[int], vector: Vectors
    ) -> NDArray[np.float32]:
        """The cosine of `vector` and the nearest of the headings over each chunk, shape (n,).

        NaN of one that stands under none.
        """
        return _nearest(self.headings, self.headed[strategy][list(rows)], vector)[0]


def _nearest(
    vectors: NDArray[np.float16] | StoredRows, ranges: NDArray[np.int32], vector: Vectors
) -> tuple[NDArray[np.float32], NDArray[np.intp]]:
    """Of each range of rows the largest cosine with `vector` and its row; NaN and -1 of none."""
    best, places = np.full(len(ranges), np.nan, np.float32), np.full(len(ranges), -1, np.intp)
    picked = np.concatenate([np.empty(0, np.intp), *(np.arange(*one) for one in ranges)])
    cosines = vectors[picked].astype(np.float32) @ vector
    start = 0
    for number, (first, last) in enumerate(ranges):
        end = start + int(last - first)
        if end > start:
            nearest = start + int(np.argmax(cosines[start:end]))
            best[number], places[number] = cosines[nearest], picked[nearest]
        start = end
    return best, places


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


class Sentences:
    """The sentences and headings of the documents of an index that is being made."""

    def __init__(self) -> None:
        self._sentences: dict[SourceId, tuple[list[Span], list[bytes]]] = {}
        self._headings: dict[SourceId, list[tuple[int, str]]] = {}

    def collect(self, texts: Iterable[CleanText]) -> list[str]:
        """The sentences and headings of these documents, each text once, the shortest first."""
        found: dict[str, None] = {}
        for text in texts:
            spans = sentence_spans(text)
            words = text.words_at(spans)
            self._sentences[text.source_id] = (spans, [text_key(said) for said in words])
            self._headings[text.source_id] = headings = text.headings()
            found.update(dict.fromkeys([*words, *(title for _start, title in headings)]))
        return sorted(found, key=len)  # a batch is padded to its longest text

    def keep(self, folder: Path, texts: Mapping[SourceId, CleanText]) -> None:
        """Take those of these documents, unchanged, from a generation's folder of this version.

        Raises `OSError` or `ValueError` where it is damaged.
        """
        spans, keys = np.load(folder / "spans.npy").tolist(), np.load(folder / "keys.npy")
        sources = json.loads((folder / "sources.json").read_text())
        for source in texts.keys() & sources.keys():
            own = slice(*sources[source])
            self._sentences[source] = (list(map(tuple, spans[own])), list(map(bytes, keys[own])))
            self._headings[source] = texts[source].headings()

    @property
    def sources(self) -> Set[SourceId]:
        """The documents whose sentences are known."""
        return self._sentences.keys()

    def write(self, folder: Path, contents: Contents, vectors: Mapping[bytes, Vectors]) -> None:
        """Write those of the documents of an index, all of which are known, into a folder.

        `vectors` has to hold those of all of them by their `text_key`.
        """
        spans: list[Span] = []
        keys: list[bytes] = []
        sources: dict[SourceId, Span] = {}
        for source in contents.texts:
            source_spans, source_keys = self._sentences[source]
            sources[source] = (len(spans), len(spans) + len(source_spans))
            spans += source_spans
            keys += source_keys
        headings = {source: self._headings[source] for source in contents.texts}
        titles = [text_key(title) for found in headings.values() for _start, title in found]
        starts = {source: [start for start, _title in found] for source, found in headings.items()}
        where: NDArray[np.int64] = np.array(spans, np.int64).reshape(-1, 2)
        tables = contents.tables
        ranges = {one: chunk_ranges(table.chunks, where, sources) for one, table in tables.items()}
        headed = {one: chunk_headings(table.chunks, starts) for one, table in tables.items()}
        dim = next(iter(tables.values())).vectors.shape[1]
        (folder / _HEADINGS).mkdir(parents=True)
        np.save(folder / "spans.npy", where)
        (folder / "sources.json").write_text(json.dumps(sources))
        for part, wanted, rows in (
            (folder, keys, ranges),
            (folder / _HEADINGS, titles, headed),
        ):
            found = np.array([vectors[key] for key in wanted], np.float16).reshape(-1, dim)
            np.save(part / "vectors.npy", found)
            np.save(part / "keys.npy", np.array(wanted, "V32"))
            for strategy, chunk_rows in rows.items():
                np.save(part / f"ranges_{strategy.value}.npy", chunk_rows)


def read_sentences(folder: Path) -> SentenceTable:
    """Open a table's files. Raises `OSError`, `EOFError` or `ValueError` when damaged."""
    sources = json.loads((folder / "sources.json").read_text())
    return SentenceTable(
        spans=read_array(folder / "spans.npy"),
        vectors=read_array(folder / "vectors.npy"),
        sources={SourceId(key): (first, last) for key, (first, last) in sources.items()},
        ranges=_ranges(folder),
        headings=read_array(folder / _HEADINGS / "vectors.npy"),
        headed=_ranges(folder / _HEADINGS),
    )


def read_known(folder: Path) -> dict[bytes, Vectors]:
    """The vectors of all sentences and headings by the `text_key` of their texts."""
    known: dict[bytes, Vectors] = {}
    for part in (folder, folder / _HEADINGS):
        vectors = np.load(part / "vectors.npy").astype(np.float32)
        known.update(zip(map(bytes, np.load(part / "keys.npy")), vectors, strict=True))
    return known


def _ranges(folder: Path) -> dict[Strategy, NDArray[np.int32]]:
    return {one: np.load(folder / f"ranges_{one.value}.npy") for one in Strategy}
