"""Arrays too large to be held: their rows are read from the file when they are asked for.

Mapping such a file would be slower for rows here and there, and count more of it as the process's
memory: the system maps up to 2 MB around each place that is read.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from threading import Lock
from typing import IO, TYPE_CHECKING, Any
from weakref import finalize

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

LARGE = 2**24
"""Bytes from which on an array is not held in memory."""


class StoredRows:
    """An array of at least one axis in a file, indexed by its rows; every index gives a copy.

    The file may be removed before, where the system allows that. Threads may share one. Reading
    raises `OSError`.
    """

    def __init__(self, file: IO[bytes], dtype: Any, shape: tuple[int, ...], offset: int) -> None:
        """The array begins at byte `offset` of an open file."""
        self.dtype = np.dtype(dtype)
        self.shape = shape
        self._offset = offset
        self._descriptor = os.dup(file.fileno())
        self._reading = Lock()
        finalize(self, os.close, self._descriptor)

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, rows: slice | Sequence[int] | NDArray[np.integer[Any]]) -> NDArray[Any]:
        if isinstance(rows, slice):
            start, stop, step = rows.indices(len(self))
            if step == 1:
                found = np.empty((max(0, stop - start), *self.shape[1:]), self.dtype)
                self._read_into(found, start)
                return found
            rows = np.arange(start, stop, step)
        places = np.asarray(rows, np.intp)
        found = np.empty((len(places), *self.shape[1:]), self.dtype)
        ends = np.flatnonzero(np.diff(places) != 1) + 1
        for first, last in pairwise([0, *ends.tolist(), len(places)]):
            self._read_into(found[first:last], int(places[first]) if last else 0)
        return found

    def _read_into(self, part: NDArray[Any], row: int) -> None:
        """Fill `part` with as many rows as it has, from `row` on."""
        if not part.size:
            return
        room = memoryview(part.data).cast("B")
        place = self._offset + row * (part.nbytes // len(part))
        while room:
            count = self._read_some(room, place)
            if not count:
                raise EOFError("the file has become shorter")
            room, place = room[count:], place + count

    def _read_some(self, room: memoryview, place: int) -> int:
        if hasattr(os, "preadv"):
            return os.preadv(self._descriptor, [room], place)
        with self._reading:  # on Windows a descriptor has one place at which it reads
            os.lseek(self._descriptor, place, os.SEEK_SET)
            data = os.read(self._descriptor, len(room))
            room[: len(data)] = data
            return len(data)


def read_array(path: Path) -> NDArray[Any] | StoredRows:
    """An array that `np.save` wrote; a large one is left where it is.

    Raises `OSError` or `ValueError` where it is damaged.
    """
    with path.open("rb") as file:
        if np.lib.format.read_magic(file) != (1, 0):
            raise ValueError("written by another version of NumPy")
        shape, _fortran, dtype = np.lib.format.read_array_header_1_0(file)
        if int(np.prod(shape)) * dtype.itemsize >= LARGE:
            return StoredRows(file, dtype, shape, file.tell())
        file.seek(0)
        whole: NDArray[Any] = np.load(file)
        return whole
