"""Memory of arrays that are mapped from files."""

from __future__ import annotations

import mmap
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


LARGE = 2**24
"""Bytes from which on it matters whether a file is in memory."""


def let_go(array: NDArray[Any]) -> None:
    """Have what was read of a mapped array count as the process's memory no more.

    What is read brings up to 2 MB of its file along. Nothing happens to one that is small or not
    mapped, or where the system cannot do it (Windows).
    """
    base: object = array
    while isinstance(base, np.ndarray):
        base = base.base
    if isinstance(base, mmap.mmap) and len(base) >= LARGE and hasattr(base, "madvise"):
        base.madvise(mmap.MADV_DONTNEED)
