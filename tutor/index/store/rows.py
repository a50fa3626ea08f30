"""Which rows of the chunk tables belong to which document, counted once."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import accumulate
from typing import TYPE_CHECKING

import numpy as np

from tutor.model import SourceId, Strategy

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tutor.index.store.manifest import Indexed


class ChunkRows:
    """The rows of each document by strategy: they are in order of document."""

    def __init__(self, indexed: Iterable[Indexed]) -> None:
        entries = sorted(indexed, key=lambda entry: entry.source.id)
        self._spans: dict[Strategy, dict[SourceId, tuple[int, int]]] = {}
        self._counts: dict[Strategy, int] = {}
        for strategy in Strategy:
            counts = [entry.chunks.get(strategy, 0) for entry in entries]
            self._counts[strategy] = sum(counts)
            self._spans[strategy] = {
                entry.source.id: (end - count, end)
                for entry, count, end in zip(entries, counts, accumulate(counts), strict=True)
            }

    def count(self, strategy: Strategy) -> int:
        """How many rows there are."""
        return self._counts[strategy]

    def of(self, strategy: Strategy, only: Collection[SourceId]) -> NDArray[np.intp]:
        """The rows of the chunks of these documents, ascending."""
        spans = self._spans[strategy]
        runs = sorted(spans[source] for source in only if source in spans)
        return np.concatenate([np.empty(0, np.intp), *(np.arange(*run) for run in runs)])
