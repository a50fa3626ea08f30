"""The chunks' vectors as an array, so that any of them is at hand without a database."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from tutor.model import ChunkId, Vectors

if TYPE_CHECKING:
    from numpy.typing import NDArray


EXACT_ROWS = 10_000
"""Chunks of which every cosine is computed sooner (0.3 ms) than Chroma is asked (1.5 ms)."""
_BLOCK = 64
"""Numbers of which the largest ones are looked for only if the first of them is among the first."""
BACKGROUND = 256
"""Chunks that stand for the whole course where a question's usual cosine is measured."""


def largest(scores: NDArray[np.float32], n: int) -> NDArray[np.intp]:
    """The places of the `n` largest numbers, in no order; all of fewer.

    Of 150,000 they are found in 0.1 ms, and in 1 ms by partitioning them all.
    """
    if n >= len(scores):
        return np.arange(len(scores))
    if n * _BLOCK >= len(scores):
        return np.argpartition(-scores, n)[:n]
    maxima = np.maximum.reduceat(scores, np.arange(0, len(scores), _BLOCK))
    places = largest(maxima, n)[:, np.newaxis] * _BLOCK + np.arange(_BLOCK)
    places = places[places < len(scores)]
    return places[np.argpartition(-scores[places], n)[:n]]


@dataclass(frozen=True)
class DenseRows:
    """Chunks by their row, in the order of the chunk table.

    `ids` are bytes, shape (n,); `vectors` float32, shape (n, dim).
    """

    ids: NDArray[np.bytes_]
    vectors: Vectors

    @cached_property
    def background(self) -> Vectors:
        """At most `BACKGROUND` of the vectors, evenly spaced over the course."""
        step = max(1, -(-len(self.vectors) // BACKGROUND))
        return np.array(self.vectors[::step])

    @cached_property
    def _order(self) -> NDArray[np.intp]:
        return np.argsort(self.ids)

    @cached_property
    def _sorted(self) -> NDArray[np.bytes_]:
        return self.ids[self._order]

    def rows_of(self, ids: Iterable[ChunkId]) -> list[int]:
        """The rows of chunks. Raises `KeyError` for a chunk that is not here."""
        wanted = np.array([key.encode() for key in ids], self.ids.dtype)
        if not len(wanted):
            return []
        places = np.minimum(np.searchsorted(self._sorted, wanted), len(self.ids) - 1)
        if not (len(self.ids) and (self._sorted[places] == wanted).all()):
            raise KeyError(wanted)
        return [int(row) for row in self._order[places]]

    def id_of(self, row: int) -> ChunkId:
        """The chunk of a row."""
        return ChunkId(self.ids[row].decode())

    def nearest(self, vector: Vectors, k: int, among: NDArray[np.intp] | None = None) -> list[int]:
        """The rows of the `k` chunks nearest to a vector of shape (dim,), best first.

        With `among`, ascending, of those rows only.
        """
        # Not `@`: on a busy machine its threads wait longer for each other than one takes for all.
        if among is None:
            scores = np.einsum("ij,j->i", self.vectors, vector)
        else:
            scores = self._cosines(among, vector)
        some = largest(scores, k)
        best = some[np.argsort(-scores[some], kind="stable")]
        return [int(row) for row in (best if among is None else among[best])]

    def _cosines(self, rows: NDArray[np.intp], vector: Vectors) -> Vectors:
        """Of these rows, ascending, run by run: a document's rows follow each other.

        Picking them one by one would copy them, which takes ten times as long.
        """
        ends = np.flatnonzero(np.diff(rows) != 1) + 1
        runs = [run for run in np.split(rows, ends) if len(run)]
        cosines = [self.vectors[run[0] : run[-1] + 1] @ vector for run in runs]
        return np.concatenate(cosines) if cosines else np.empty(0, np.float32)
