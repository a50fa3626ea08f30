"""The texts of a Parquet file one by one, without holding them all.

A column of texts that is neither compressed nor encoded is one text after the other in the file,
each behind its length (https://parquet.apache.org/docs/file-format/data-pages/encodings/).
"""

from __future__ import annotations

from dataclasses import dataclass
from struct import Struct, error
from typing import IO, TYPE_CHECKING, Any

import numpy as np
import pyarrow.parquet as pq

from tutor.index.store.mapping import LARGE, let_go
from tutor.index.store.vector_column import plain_page

if TYPE_CHECKING:
    from numpy.typing import NDArray

TEXT = "text"
_SIZE = Struct("<I")
"""Bytes of what follows: a text, or the levels that say which rows have one (all)."""


@dataclass(frozen=True, slots=True)
class TextColumn:
    """Texts by row: `data` holds them in UTF-8, each from one of `starts` to one of `ends`."""

    data: NDArray[np.uint8]
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]

    def text(self, row: int) -> str:
        """One of the texts."""
        return self.data[self.starts[row] : self.ends[row]].tobytes().decode()


def read_text_column(file: IO[bytes]) -> TextColumn:
    """The column `text` of a Parquet file of one row group, mapped or else decoded.

    Raises `OSError` or `pyarrow.ArrowException` when it is damaged.
    """
    parquet = pq.ParquetFile(file)
    metadata = parquet.metadata
    if metadata.num_row_groups == 1:
        page = plain_page(file, metadata.row_group(0), TEXT)
        if page and (column := _found(file, *page, metadata.num_rows)):
            return column
    return _decoded(parquet.read([TEXT])[TEXT].combine_chunks())


def _found(file: IO[bytes], begin: int, size: int, count: int) -> TextColumn | None:
    """A page's texts where they stand; None if it does not hold so many."""
    data = np.asarray(np.memmap(file, np.uint8, "r", offset=begin, shape=size))
    page = data.data
    ends = np.empty(count, np.int64)
    lengths = np.empty(count, np.int64)
    try:
        end = _SIZE.size + _SIZE.unpack_from(page)[0]
        for row in range(count):
            lengths[row] = _SIZE.unpack_from(page, end)[0]
            end = ends[row] = end + _SIZE.size + lengths[row]
    except error:  # beyond the end
        return None
    let_go(data)
    data = data if size >= LARGE else data.copy()
    return TextColumn(data, ends - lengths, ends) if end == size else None


def _decoded(texts: Any) -> TextColumn:
    """The texts of one of Arrow's arrays, by its buffers."""
    _valid, ends, data = texts.buffers()
    places = np.frombuffer(ends, np.int64, len(texts) + 1) if len(texts) else np.zeros(1, np.int64)
    return TextColumn(np.frombuffer(data or b"", np.uint8), places[:-1], places[1:])
