"""Memory of arrays that are mapped from files."""

from __future__ import annotations

import mmap
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


def let_go(array: NDArray[Any]) -> None:
    """Have what was read of a mapped array count as the process's memory no more.

    What is read brings up to 2 MB of its file along. Nothing happens to an array that is not mapped
    or where the system cannot do it (Windows).
    """
    base: object = array
    while isinstance(base, np.ndarray):
        base = base.base
    if isinstance(base, mmap.mmap) and hasattr(base, "madvise"):
        base.madvise(mmap.MADV_DONTNEED)
