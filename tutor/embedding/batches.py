"""Texts in batches of similar length, made smaller when memory runs out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Batches:
    """Encodes any number of texts, `size` at a time, the longest first.

    A batch is padded to its longest text, so texts of one length belong together; with the longest
    first, memory runs out at once or never. `size` stays halved for later calls.
    """

    def __init__(self, size: int) -> None:
        self.size = size

    def encode(
        self, texts: Sequence[str], encode: Callable[[list[str]], NDArray[Any]]
    ) -> NDArray[Any]:
        """The rows of `encode`, in the order of `texts` (at least one).

        `encode` says with `MemoryError` that a batch was too large; a batch of one that is too
        large passes the error on.
        """
        order = sorted(range(len(texts)), key=lambda index: -len(texts[index]))
        parts: list[NDArray[Any]] = []
        done = 0
        while done < len(order):
            batch = [texts[index] for index in order[done : done + self.size]]
            try:
                parts.append(encode(batch))
            except MemoryError:
                if len(batch) == 1:
                    raise
                self.size = len(batch) // 2
            else:
                done += len(batch)
        rows = np.concatenate(parts)
        restored = np.empty_like(rows)
        restored[order] = rows
        return restored
