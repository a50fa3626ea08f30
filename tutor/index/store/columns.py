"""Columns of Arrow and Parquet, made and read by their buffers.

`pyarrow.array` and its conversions import pandas (0.35 s), so arrays are made of NumPy's buffers.

The vectors of a large course are mapped: a column that is neither compressed nor encoded stands in
a file as it does in memory, at the end of its only page
(https://parquet.apache.org/docs/file-format/data-pages/). Decoding 150,000 vectors of 384 numbers
takes pyarrow 0.9 s of processor time, mapping them nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import IO, TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

if TYPE_CHECKING:
    from tutor.model import Vectors

VECTOR = "vector"
_LARGEST_PAGE = 2**30
"""Bytes in one page of a column; Parquet counts them in 31 bits."""


def numbers(values: Sequence[int], kind: pa.DataType) -> pa.Array:
    """Integers as an array of that kind."""
    array = np.array(values, kind.to_pandas_dtype())
    return pa.Array.from_buffers(kind, len(array), [None, pa.py_buffer(array)])


def strings(values: Sequence[str]) -> pa.Array:
    """Texts of any total length, in UTF-8."""
    encoded = [value.encode() for value in values]
    buffers = [None, pa.py_buffer(_ends(encoded)), pa.py_buffer(b"".join(encoded))]
    return pa.Array.from_buffers(pa.large_string(), len(encoded), buffers)


def lists(values: Sequence[Sequence[int]], kind: pa.DataType) -> pa.Array:
    """A list of integers of that kind in each row."""
    flat = numbers([number for row in values for number in row], kind)
    buffers = [None, pa.py_buffer(_ends(values))]
    return pa.Array.from_buffers(pa.large_list(kind), len(values), buffers, children=[flat])


def floats(values: Vectors) -> pa.Array:
    """Numbers of float32, shape (n,)."""
    column = np.ascontiguousarray(values, np.float32)
    return pa.Array.from_buffers(pa.float32(), len(column), [None, pa.py_buffer(column)])


def vectors(values: Vectors) -> pa.Array:
    """A vector in each row, shape (n, dim)."""
    kind = pa.list_(pa.float32(), values.shape[1])
    flat = floats(values.reshape(-1))
    return pa.Array.from_buffers(kind, len(values), [None], children=[flat])


def _ends(values: Sequence[bytes] | Sequence[Sequence[int]]) -> bytes:
    """Where each value begins among all of them, and where the last one ends, as int64."""
    return np.array([0, *accumulate(map(len, values))], np.int64).tobytes()


def mappable(others: list[str], dim: int) -> dict[str, Any]:
    """Arguments for `pq.write_table` by which the vectors of the column `vector` can be mapped.

    The columns `others` are compressed as usual.
    """
    rows = max(1, _LARGEST_PAGE // (4 * max(1, dim)))
    return {
        "row_group_size": rows,
        "max_rows_per_page": rows,
        "compression": {VECTOR: "none", **dict.fromkeys(others, "snappy")},
        "use_dictionary": others,
        "write_statistics": others,
        "data_page_size": _LARGEST_PAGE,
        "data_page_version": "1.0",
    }


def read_vectors(file: IO[bytes], dim: int) -> Vectors:
    """The column `vector` of a Parquet file, shape (rows, dim): mapped, or decoded if compressed.

    With a `dim` of 0 the file needs no such column.

    Raises `OSError` or `pyarrow.ArrowException` when it is damaged.
    """
    parquet = pq.ParquetFile(file)
    metadata = parquet.metadata
    if not dim:
        return np.empty((metadata.num_rows, 0), np.float32)
    groups = [metadata.row_group(number) for number in range(metadata.num_row_groups)]
    columns = [group.column(group.num_columns - 1) for group in groups if group.num_rows]
    parts = [np.empty((0, dim), np.float32)]
    if all(column.compression == "UNCOMPRESSED" for column in columns):
        for column in columns:
            rows = column.num_values // dim
            begin = column.data_page_offset + column.total_compressed_size - 4 * rows * dim
            found = np.memmap(file, np.float32, "r", offset=begin, shape=(rows, dim))
            parts.append(np.asarray(found))
    else:
        for chunk in parquet.read([VECTOR])[VECTOR].chunks:
            flat = np.frombuffer(chunk.values.buffers()[1], np.float32, len(chunk) * dim)
            parts.append(flat.reshape(-1, dim))
    return parts[1] if len(parts) == 2 else np.concatenate(parts)


def in_blocks(vectors: Vectors, file: IO[bytes], rows: int) -> Iterator[Vectors]:
    """What `read_vectors` gave of a file, so many rows at a time, each mapped for itself.

    All of a mapped array that has been read counts as the process's memory as long as it is mapped.
    """
    whole = vectors.base
    for start in range(0, len(vectors), rows):
        part = vectors[start : start + rows]
        if isinstance(whole, np.memmap):
            offset = whole.offset + start * vectors.strides[0]
            part = np.asarray(np.memmap(file, np.float32, "r", offset=offset, shape=part.shape))
        yield part
