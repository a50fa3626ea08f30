"""Columns of Parquet that are left in their file.

The vectors and texts of a large course are left in the file: a column neither compressed nor
encoded stands at the end of its only page (https://parquet.apache.org/docs/file-format/data-pages/):
vectors as they do in memory, texts one after the other, each behind its length
(https://parquet.apache.org/docs/file-format/data-pages/encodings/). Decoding 150,000 vectors of 384
numbers takes pyarrow 0.9 s of processor time.
"""

from __future__ import annotations

from struct import Struct, error
from typing import IO, TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from tutor.index.store.rows import TextColumn
from tutor.index.store.stored_rows import LARGE, StoredRows

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tutor.model import Vectors

VECTOR = "vector"
TEXT = "text"
_LARGEST_PAGE = 2**30
"""Bytes in one page of a column; Parquet counts them in 31 bits."""
_MOST_HEADER = 64
_SIZE = Struct("<I")
"""Bytes of what follows: a text, or the levels that say which rows have one (all)."""


def vector_column(values: Vectors) -> pa.Array:
    """A vector of float32 in each row, shape (n, dim)."""
    flat = np.ascontiguousarray(values, np.float32).reshape(-1)
    return pa.FixedSizeListArray.from_arrays(pa.array(flat), values.shape[1])


def mappable(others: list[str], dim: int) -> dict[str, Any]:
    """Arguments for `pq.write_table` by which the columns `vector` and `text` stand as in memory.

    The columns `others` are compressed as usual.
    """
    rows = max(1, _LARGEST_PAGE // (4 * max(1, dim)))
    return {
        "row_group_size": rows,
        "max_rows_per_page": rows,
        "compression": {VECTOR: "none", TEXT: "none", **dict.fromkeys(others, "snappy")},
        "use_dictionary": others,
        "write_statistics": others,
        "data_page_size": _LARGEST_PAGE,
        "data_page_version": "1.0",
    }


def read_vectors(file: IO[bytes], dim: int) -> Vectors | StoredRows:
    """The column `vector` of a Parquet file, shape (rows, dim): decoded only if compressed.

    With a `dim` of 0 the file needs no such column.

    Raises `OSError` or `pyarrow.ArrowException` when it is damaged.
    """
    parquet = pq.ParquetFile(file)
    metadata = parquet.metadata
    if not dim:
        return np.empty((metadata.num_rows, 0), np.float32)
    groups = [metadata.row_group(number) for number in range(metadata.num_row_groups)]
    columns = [group.column(group.num_columns - 1) for group in groups if group.num_rows]
    if all(column.compression == "UNCOMPRESSED" for column in columns):
        stored = []
        for column in columns:
            rows = column.num_values // dim
            begin = column.data_page_offset + column.total_compressed_size - 4 * rows * dim
            stored.append(StoredRows(file, np.float32, (rows, dim), begin))
        if len(stored) == 1:
            return stored[0]
        parts = [one[:] for one in stored]
    else:
        parts = []
        for chunk in parquet.read([VECTOR])[VECTOR].chunks:
            flat = np.frombuffer(chunk.values.buffers()[1], np.float32, len(chunk) * dim)
            parts.append(flat.reshape(-1, dim))
    return np.concatenate([np.empty((0, dim), np.float32), *parts])


def read_text_column(file: IO[bytes]) -> TextColumn:
    """The column `text` of a Parquet file, decoded if it is laid out otherwise.

    Raises `OSError` or `pyarrow.ArrowException` when it is damaged.
    """
    parquet = pq.ParquetFile(file)
    if parquet.metadata.num_row_groups == 1:
        group = parquet.metadata.row_group(0)
        column = group.column(parquet.schema_arrow.names.index(TEXT))
        if column.compression == "UNCOMPRESSED" and not column.has_dictionary_page:
            begin, size = column.data_page_offset, column.total_compressed_size
            page = np.asarray(np.memmap(file, np.uint8, "r", offset=begin, shape=size))
            if places := _texts_in(page, group.num_rows):
                large = size >= LARGE
                data = StoredRows(file, np.uint8, (size,), begin) if large else page.copy()
                return TextColumn(data, *places)
    decoded = parquet.read([TEXT])[TEXT].combine_chunks()
    _valid, places, data = decoded.buffers()
    ends = np.frombuffer(places, np.int64, len(decoded) + 1) if len(decoded) else np.zeros(1, int)
    return TextColumn(np.frombuffer(data or b"", np.uint8), ends[:-1], ends[1:])


def _texts_in(
    page: NDArray[np.uint8], count: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]] | None:
    """Where so many texts begin and end in a page; None if these are not all that it holds.

    Before them stand a header and the levels: their size, twice the count (7 bits a byte), a 1.
    """
    levels = 1 + -(-(2 * count).bit_length() // 7)
    lengths = np.empty(count, np.int64)
    ends = np.empty(count, np.int64)
    end = page[:_MOST_HEADER].tobytes().find(_SIZE.pack(levels)) + _SIZE.size + levels
    data = page.data
    try:
        for row in range(count):
            (length,) = _SIZE.unpack_from(data, end)
            end += _SIZE.size + length
            ends[row], lengths[row] = end, length
    except error:  # beyond the end
        return None
    return (ends - lengths, ends) if end == len(page) else None
