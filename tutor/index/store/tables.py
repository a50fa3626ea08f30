"""The durable form of a generation: Parquet tables of chunks with vectors, and of texts.

`vectors_<strategy>.parquet` has a row per chunk: `chunk_id, strategy, source_id, path,
first_page, last_page, start, end, ordinal, section, text, vector`, the last two as they stand
in memory.
`vectors_<strategy>.csv` has the same rows for other tools: the traceability columns, then
`v0 ... v<dim-1>`. Where there are no vectors yet (`dim` 0) the column and that file are missing.
`texts.parquet` has a row per document: `source_id, text, page_starts`; `blocks.parquet` a row per
block, in the order of documents and positions: `source_id, kind, start, end, lead, level`.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from threading import Lock
from typing import IO, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq

from tutor.errors import StoreError
from tutor.i18n import _
from tutor.index.store.columns import (
    TEXT,
    VECTOR,
    mappable,
    read_text_column,
    read_vectors,
    vector_column,
)
from tutor.index.store.manifest import rebuild_command
from tutor.index.store.rows import COLUMNS, EXACT_ROWS, ChunkRecords, DenseRows
from tutor.model import Block, BlockKind, Chunk, CleanText, SourceId, Strategy, Vectors
from tutor.text.cells import no_formula

Held: TypeAlias = "Mapping[str, int]"
"""Descriptors, by name, of files that are open and may no longer be in their folder."""
_STRING = pa.large_string()
_TRACE = {
    **dict.fromkeys(("chunk_id", "strategy", "source_id", "path"), _STRING),
    **dict.fromkeys(("first_page", "last_page"), pa.int32()),
}
_OTHERS = {
    **dict.fromkeys(("start", "end"), pa.int64()),
    "ordinal": pa.int32(),
    "section": _STRING,
}
_CHUNKS = pa.schema({**_TRACE, **_OTHERS, TEXT: _STRING})
_TEXTS = pa.schema(
    {"source_id": _STRING, "text": _STRING, "page_starts": pa.large_list(pa.int64())}
)
_BLOCKS = pa.schema(
    {
        **dict.fromkeys(("source_id", "kind"), _STRING),
        **dict.fromkeys(("start", "end", "lead"), pa.int64()),
        "level": pa.int8(),
    }
)
_READING = Lock()
_ROWS_AT_ONCE = 4096
_TEXTS_A_GROUP = 16
_BLOCKS_A_GROUP = 4096
"""Rows that are read together where one document is asked for."""


@dataclass(frozen=True, slots=True)
class ChunkTable:
    """Chunks of one strategy and their vectors, row by row: `vectors` has shape (n, dim)."""

    strategy: Strategy
    chunks: tuple[Chunk, ...]
    vectors: Vectors

    def without(self, sources: Collection[SourceId]) -> ChunkTable:
        """The rows of all other documents."""
        kept = [row for row, chunk in enumerate(self.chunks) if chunk.source_id not in sources]
        return ChunkTable(
            self.strategy, tuple(self.chunks[row] for row in kept), self.vectors[kept]
        )

    def extended(self, chunks: Iterable[Chunk], vectors: Vectors) -> ChunkTable:
        """These rows, then the given ones, in order of document and position."""
        both = (*self.chunks, *chunks)
        stacked = np.vstack((self.vectors, vectors))
        order = sorted(range(len(both)), key=lambda row: (both[row].source_id, both[row].ordinal))
        return ChunkTable(self.strategy, tuple(both[row] for row in order), stacked[order])


@dataclass(frozen=True, slots=True)
class Contents:
    """Everything a generation holds besides its manifest."""

    tables: Mapping[Strategy, ChunkTable]
    texts: Mapping[SourceId, CleanText]

    def without_vectors(self) -> Contents:
        """The same, with vectors of shape (n, 0)."""
        tables = {
            strategy: ChunkTable(strategy, table.chunks, table.vectors[:, :0])
            for strategy, table in self.tables.items()
        }
        return Contents(tables, self.texts)


def empty_table(strategy: Strategy, dim: int) -> ChunkTable:
    """A table without rows."""
    return ChunkTable(strategy, (), np.empty((0, dim), np.float32))


def write_chunks(folder: Path, table: ChunkTable, paths: Mapping[SourceId, str]) -> None:
    """Write a strategy's Parquet and CSV files. `paths` gives each document's path."""
    chunks, dim = table.chunks, table.vectors.shape[1]
    fields = [name for name in _CHUNKS.names if name in Chunk.__slots__]
    values = {name: [getattr(chunk, name) for chunk in chunks] for name in fields}
    values["chunk_id"] = [chunk.id for chunk in chunks]
    values["strategy"] = [table.strategy.value] * len(chunks)
    values["path"] = [paths[chunk.source_id] for chunk in chunks]
    rows = pa.table(values, _CHUNKS)
    if not dim:
        pq.write_table(rows, folder / _parquet(table.strategy))
        return
    stored = rows.append_column(VECTOR, vector_column(table.vectors))
    pq.write_table(stored, folder / _parquet(table.strategy), **mappable([*_TRACE, *_OTHERS], dim))
    shown = pa.table({**values, "path": list(map(no_formula, values["path"]))}, _CHUNKS)
    twin = dict(zip(_TRACE, shown.columns, strict=False))
    twin |= {f"v{i}": pa.array(table.vectors[:, i]) for i in range(dim)}
    pa.csv.write_csv(pa.table(twin), folder / f"vectors_{table.strategy.value}.csv")


def read_chunks(folder: Path, strategy: Strategy, dim: int, held: Held | None = None) -> ChunkTable:
    """Read a strategy's table back. Raises `StoreError` when it is missing or damaged."""
    with _opened(folder / _parquet(strategy), held) as file:
        rows = read_vectors(file, dim)[:]
    return ChunkTable(strategy, read_records(folder, strategy, held).chunks(), rows)


def read_records(folder: Path, strategy: Strategy, held: Held | None = None) -> ChunkRecords:
    """A strategy's chunks without their vectors. Raises `StoreError` as `read_chunks`."""
    with _opened(folder / _parquet(strategy), held) as file:
        rows = pq.ParquetFile(file).read(COLUMNS, use_threads=False)
        pa.default_memory_pool().release_unused()
        return ChunkRecords(strategy, rows.combine_chunks(), read_text_column(file))


def read_dense(folder: Path, strategy: Strategy, dim: int, held: Held | None = None) -> DenseRows:
    """A strategy's vectors. Raises `StoreError` as `read_chunks`.

    Those of a large course are left in the file; of a smaller one all are compared with every
    question.
    """
    with _opened(folder / _parquet(strategy), held) as file:
        vectors = read_vectors(file, dim)
        if len(vectors) <= EXACT_ROWS or not dim:
            return DenseRows(vectors[:])
        from tutor.embedding.products import Products  # noqa: PLC0415 - for many only

        starts = range(0, len(vectors), _ROWS_AT_ONCE)
        blocks = (vectors[start : start + _ROWS_AT_ONCE] for start in starts)
        return DenseRows(vectors, Products(blocks, *vectors.shape))


def write_texts(folder: Path, texts: Iterable[CleanText]) -> None:
    """Write the documents' display texts and their blocks."""
    rows = list(texts)
    values = {name: [getattr(text, name) for text in rows] for name in _TEXTS.names}
    table = pa.table(values, _TEXTS)
    pq.write_table(table, folder / "texts.parquet", row_group_size=_TEXTS_A_GROUP)
    blocks = [
        {"source_id": text.source_id, **asdict(block), "kind": block.kind.value}
        for text in rows
        for block in text.blocks
    ]
    table = pa.Table.from_pylist(blocks, _BLOCKS)
    pq.write_table(table, folder / "blocks.parquet", row_group_size=_BLOCKS_A_GROUP)


def read_texts(
    folder: Path, only: SourceId | None = None, held: Held | None = None
) -> dict[SourceId, CleanText]:
    """Read the documents' display texts back with their blocks, all of them or one."""
    with _opened(folder / "texts.parquet", held) as file:
        rows = _of_source(file, only).to_pylist()
    blocks: dict[str, list[Block]] = defaultdict(list)
    with _opened(folder / "blocks.parquet", held) as file:
        columns = (column.to_pylist() for column in _of_source(file, only).columns)
        for source, kind, *places in zip(*columns, strict=True):
            blocks[source].append(Block(BlockKind(kind), *places))
    return {
        key: CleanText(key, row["text"], tuple(row["page_starts"]), tuple(blocks[key]))
        for row in rows
        if (key := SourceId(row["source_id"]))
    }


def _of_source(file: IO[bytes], only: SourceId | None) -> pa.Table:
    """The rows of a document, which follow each other, or all; reads hardly more than those.

    Not by pyarrow's filters, which import pandas (0.35 s).
    """
    parquet = pq.ParquetFile(file)
    if only is None:
        return parquet.read()
    sources = parquet.read(["source_id"])["source_id"].to_pylist()
    first = sources.index(only) if only in sources else len(sources)
    last = first + sources.count(only)
    groups, start, skipped = [], 0, 0
    for number in range(parquet.num_row_groups):
        end = start + parquet.metadata.row_group(number).num_rows
        if start < last and first < end:
            groups.append(number)
        elif end <= first:
            skipped = end
        start = end
    return parquet.read_row_groups(groups).slice(first - skipped, last - first)


def _parquet(strategy: Strategy) -> str:
    return f"vectors_{strategy.value}.parquet"


@contextmanager
def _opened(path: Path, held: Held | None) -> Iterator[IO[bytes]]:
    """The file, open for reading; what is wrong with it becomes a `StoreError`.

    One thread reads at a time: copies of a descriptor share the place at which they read.
    """
    try:
        with _READING:
            descriptor = os.dup(held[path.name]) if held and path.name in held else None
            with path.open("rb") if descriptor is None else os.fdopen(descriptor, "rb") as file:
                file.seek(0)
                yield file
    except (OSError, EOFError, ValueError, KeyError, pa.ArrowException) as error:
        raise StoreError(
            _("The index file %(path)s is missing or damaged.") % {"path": path},
            _("Rebuild the index: %(command)s") % {"command": rebuild_command(path.parent.parent)},
        ) from error
