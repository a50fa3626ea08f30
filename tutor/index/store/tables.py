"""The durable form of a generation: Parquet tables of chunks with vectors, and of texts.

`vectors_<strategy>.parquet` has a row per chunk: `chunk_id, strategy, source_id, path,
first_page, last_page, start, end, ordinal, section, text, vector`. `vectors_<strategy>.csv` has the
same rows for other tools: the traceability columns, then `v0 ... v<dim-1>`.
`texts.parquet` has a row per document: `source_id, text, page_starts`; `blocks.parquet` a row per
block, in the order of documents and positions: `source_id, kind, start, end, lead, level`.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq

from tutor.errors import StoreError
from tutor.i18n import _
from tutor.index.store.manifest import rebuild_command
from tutor.model import Block, BlockKind, Chunk, ChunkId, CleanText, SourceId, Strategy, Vectors

Held: TypeAlias = "Mapping[str, int]"
"""Descriptors, by name, of files that are open and may no longer be in their folder."""
_BLOCKS = pa.schema(
    {
        "source_id": pa.string(),
        "kind": pa.string(),
        **dict.fromkeys(("start", "end", "lead"), pa.int64()),
        "level": pa.int8(),
    }
)
TRACE_COLUMNS = ("chunk_id", "strategy", "source_id", "path", "first_page", "last_page")


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


def empty_table(strategy: Strategy, dim: int) -> ChunkTable:
    """A table without rows."""
    return ChunkTable(strategy, (), np.empty((0, dim), np.float32))


def write_chunks(folder: Path, table: ChunkTable, paths: Mapping[SourceId, str]) -> None:
    """Write a strategy's Parquet and CSV files. `paths` gives each document's path."""
    chunks, dim = table.chunks, table.vectors.shape[1]
    trace = {
        "chunk_id": [chunk.id for chunk in chunks],
        "strategy": [chunk.strategy.value for chunk in chunks],
        "source_id": [chunk.source_id for chunk in chunks],
        "path": [paths[chunk.source_id] for chunk in chunks],
        "first_page": pa.array([chunk.first_page for chunk in chunks], pa.int32()),
        "last_page": pa.array([chunk.last_page for chunk in chunks], pa.int32()),
    }
    flat = pa.array(table.vectors.reshape(-1), pa.float32())
    rows = pa.table(
        {
            **trace,
            "start": pa.array([chunk.start for chunk in chunks], pa.int64()),
            "end": pa.array([chunk.end for chunk in chunks], pa.int64()),
            "ordinal": pa.array([chunk.ordinal for chunk in chunks], pa.int32()),
            "section": pa.array([chunk.section for chunk in chunks], pa.string()),
            "text": pa.array([chunk.text for chunk in chunks], pa.string()),
            "vector": pa.FixedSizeListArray.from_arrays(flat, dim),
        }
    )
    name = f"vectors_{table.strategy.value}"
    pq.write_table(rows, folder / f"{name}.parquet")
    columns = {f"v{i}": table.vectors[:, i] for i in range(dim)}
    pa.csv.write_csv(pa.table({**trace, **columns}), folder / f"{name}.csv")


def read_chunks(folder: Path, strategy: Strategy, dim: int, held: Held | None = None) -> ChunkTable:
    """Read a strategy's table back. Raises `StoreError` when it is missing or damaged."""
    rows = _read(folder / f"vectors_{strategy.value}.parquet", held)
    flat = rows["vector"].combine_chunks().flatten().to_numpy(zero_copy_only=False)
    vectors = np.asarray(flat, np.float32).reshape(-1, dim)
    plain = rows.drop_columns(["vector", "path", "strategy", "chunk_id"]).to_pydict()
    ids = rows["chunk_id"].to_pylist()
    names = tuple(plain)
    chunks = tuple(
        Chunk(id=ChunkId(key), strategy=strategy, **dict(zip(names, values, strict=True)))
        for key, *values in zip(ids, *plain.values(), strict=True)
    )
    return ChunkTable(strategy, chunks, vectors)


def write_texts(folder: Path, texts: Iterable[CleanText]) -> None:
    """Write the documents' display texts and their blocks."""
    rows = list(texts)
    table = pa.table(
        {
            "source_id": pa.array([text.source_id for text in rows], pa.string()),
            "text": pa.array([text.text for text in rows], pa.large_string()),
            "page_starts": pa.array([text.page_starts for text in rows], pa.list_(pa.int64())),
        }
    )
    pq.write_table(table, folder / "texts.parquet")
    blocks = [(text.source_id, *astuple(block)) for text in rows for block in text.blocks]
    columns = zip(*blocks, strict=True) if blocks else [()] * len(_BLOCKS)
    arrays = [pa.array(c, kind) for c, kind in zip(columns, _BLOCKS.types, strict=True)]
    pq.write_table(pa.table(arrays, _BLOCKS), folder / "blocks.parquet")


def read_texts(
    folder: Path, only: SourceId | None = None, held: Held | None = None
) -> dict[SourceId, CleanText]:
    """Read the documents' display texts back with their blocks, all of them or one."""
    filters = [("source_id", "=", only)] if only else None
    rows = _read(folder / "texts.parquet", held, filters=filters).to_pylist()
    blocks: dict[str, list[Block]] = defaultdict(list)
    for source, kind, *places in _rows(_read(folder / "blocks.parquet", held, filters=filters)):
        blocks[source].append(Block(BlockKind(kind), *places))
    return {
        key: CleanText(key, row["text"], tuple(row["page_starts"]), tuple(blocks[key]))
        for row in rows
        if (key := SourceId(row["source_id"]))
    }


def _rows(table: Any) -> Iterator[tuple[Any, ...]]:
    return zip(*(column.to_pylist() for column in table.columns), strict=True)


def _read(path: Path, held: Held | None, **options: Any) -> Any:
    try:
        if held and path.name in held:
            with os.fdopen(os.dup(held[path.name]), "rb") as file:
                file.seek(0)
                return pq.read_table(file, **options)
        return pq.read_table(path, **options)
    except (OSError, pa.ArrowException) as error:
        raise StoreError(
            _("The index file %(path)s is missing or damaged.") % {"path": path},
            _("Rebuild the index: %(command)s") % {"command": rebuild_command(path.parent.parent)},
        ) from error
