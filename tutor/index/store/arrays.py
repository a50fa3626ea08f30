"""Arrays of Arrow, made of their buffers: `pyarrow.array` imports pandas, if there (0.35 s)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

import numpy as np
import pyarrow as pa

from tutor.model import Vectors


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
