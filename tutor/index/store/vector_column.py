"""The vectors of a Parquet file as an array, without a copy where the file is laid out for it.

A column of vectors that is neither compressed nor encoded stands in the file as it does in memory,
behind its page's header and the levels that say which value is whose
(https://parquet.apache.org/docs/file-format/data-pages/). Decoding 150,000 vectors of 384 numbers
takes pyarrow 0.9 s of processor time, mapping them nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import IO, TYPE_CHECKING, Any

import numpy as np
import pyarrow.parquet as pq

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tutor.model import Vectors

VECTOR = "vector"
_LARGEST_PAGE = 2**30
"""Bytes in one page of a column; Parquet counts them in 31 bits."""
_MOST_HEADER = 64
_PLAIN = {"PLAIN", "RLE"}
_DATA_PAGE = b"\x15\x00\x15"
"""A page header (Thrift's compact protocol): `type` 0, then the size of the page, a varint."""


def mappable(others: list[str], dim: int, plain: Sequence[str] = ()) -> dict[str, Any]:
    """Arguments for `pq.write_table` that lay `vector` and the columns `plain` out for mapping.

    The columns `others` are compressed as usual.
    """
    rows = max(1, _LARGEST_PAGE // (4 * max(1, dim)))
    return {
        "row_group_size": rows,
        "max_rows_per_page": rows,
        "compression": {
            **dict.fromkeys((VECTOR, *plain), "none"),
            **dict.fromkeys(others, "snappy"),
        },
        "use_dictionary": others,
        "write_statistics": others,  # they stand in a page's header, too, and texts may be long
        "data_page_size": _LARGEST_PAGE,
        "data_page_version": "1.0",
    }


def read_vectors(file: IO[bytes], dim: int) -> Vectors:
    """The column `vector` of a Parquet file, shape (rows, dim): mapped, or else decoded.

    With a `dim` of 0 the file needs no such column.

    Raises `OSError` or `pyarrow.ArrowException` when it is damaged.
    """
    parquet = pq.ParquetFile(file)
    metadata = parquet.metadata
    if not dim:
        return np.empty((metadata.num_rows, 0), np.float32)
    groups = [metadata.row_group(number) for number in range(metadata.num_row_groups)]
    parts = [_mapped(file, group, dim) for group in groups if group.num_rows]
    whole = [part for part in parts if part is not None]
    if len(whole) < len(parts) or not parts:
        return _decoded(parquet.read([VECTOR])[VECTOR].chunks, dim)
    return whole[0] if len(whole) == 1 else np.concatenate(whole)


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


def _mapped(file: IO[bytes], group: Any, dim: int) -> NDArray[np.float32] | None:
    """A row group's vectors, not aligned as a rule; None where they are not one plain page."""
    page, length = plain_page(file, group, VECTOR), 4 * group.num_rows * dim
    if page is None or length > page[1]:
        return None
    begin = sum(page) - length
    shape = (group.num_rows, dim)
    return np.asarray(np.memmap(file, np.float32, "r", offset=begin, shape=shape))


def plain_page(file: IO[bytes], group: Any, name: str) -> tuple[int, int] | None:
    """Where a column of a row group begins behind its header, and its bytes.

    They are the levels, then the values. None where the column is not one plain page.
    """
    columns = (group.column(number) for number in range(group.num_columns))
    column = next(column for column in columns if column.path_in_schema.startswith(name))
    plain = set(column.encodings) <= _PLAIN and column.compression == "UNCOMPRESSED"
    start, size = column.data_page_offset, column.total_compressed_size
    file.seek(start)
    page = _page_size(file.read(_MOST_HEADER))
    if not plain or page is None or not page < size <= page + _MOST_HEADER:
        return None
    return start + size - page, page


def _decoded(chunks: Sequence[Any], dim: int) -> Vectors:
    """The vectors of Arrow's arrays, by their buffers: its conversion imports pandas (0.35 s)."""
    parts = [
        np.frombuffer(chunk.values.buffers()[1], np.float32, len(chunk) * dim).reshape(-1, dim)
        for chunk in chunks
        if len(chunk)
    ]
    return np.concatenate(parts) if parts else np.empty((0, dim), np.float32)


def _page_size(header: bytes) -> int | None:
    """The size that a data page's header names; None if it is no such header."""
    if not header.startswith(_DATA_PAGE):
        return None
    number = 0
    for place, byte in enumerate(header[len(_DATA_PAGE) : len(_DATA_PAGE) + 5]):
        number |= (byte & 0x7F) << 7 * place
        if byte < 0x80:
            return number >> 1  # zigzag
    return None
