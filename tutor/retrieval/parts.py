"""What hybrid retrieval asks of an index and of a cross-encoder, as protocols."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from tutor.types import Chunk, Source, SourceId, Strategy, Vectors

DENSE = "dense"
LEXICAL = "lexical"
SENTENCE = "sentence"
RERANKER = "reranker"


class LexicalScores(Protocol):
    """What the words of a question say of every row of an index."""

    @property
    def evidence(self) -> NDArray[np.float32]:
        """Shape (rows,); 0 where a row holds none of the question's words, 2 at most."""
        ...


class LexicalLeg(Protocol):
    """An index of words whose rows are those of `RowStore.dense`."""

    def score(self, question: str) -> LexicalScores:
        """Score every row."""
        ...


class Rows(Protocol):
    """The chunks' vectors by row. `background` are some that stand for all, shape (m, dim)."""

    @property
    def vectors(self) -> Vectors:
        """Shape (rows, dim); may be mapped from a file."""
        ...

    @property
    def background(self) -> Vectors:
        """Vectors of chunks all over the course."""
        ...


class Sentences(Protocol):
    """The sentences of the chunks, with their vectors."""

    def best(
        self, strategy: Strategy, rows: Sequence[int], vector: Vectors
    ) -> list[tuple[float, tuple[int, int]] | None]:
        """Of each row the sentence nearest to `vector`: its cosine and its span; None if none."""
        ...


class RowStore(Protocol):
    """An index of a course whose chunks are known by row."""

    @property
    def sources(self) -> Mapping[SourceId, Source]:
        """The documents by their identity."""
        ...

    @property
    def sentences(self) -> Sentences | None:
        """The sentences; None where the index has none."""
        ...

    def dense(self, strategy: Strategy) -> Rows | None:
        """The chunks' vectors; None where the index was made without such files."""
        ...

    def nearest(
        self, strategy: Strategy, vector: Vectors, k: int, among: NDArray[np.intp] | None = None
    ) -> list[int]:
        """The rows of the `k` chunks nearest to a vector of shape (dim,), best first.

        With `among`, of those rows only.
        """
        ...

    def rows_in(self, strategy: Strategy, only: frozenset[SourceId]) -> NDArray[np.intp]:
        """The rows of the chunks of these documents, ascending."""
        ...

    def fetch(self, strategy: Strategy, rows: Sequence[int]) -> list[Chunk]:
        """The chunks of these rows, in the order given."""
        ...


class Reranker(Protocol):
    """A model that reads question and passage together."""

    def score(self, question: str, passages: Sequence[str]) -> NDArray[np.float32]:
        """How well each passage answers the question, shape (n,); only the order means anything."""
        ...


@dataclass(frozen=True, slots=True)
class Hybrid:
    """The parts of hybrid retrieval.

    `lexical` opens a strategy's index of words, or gives None where there is none. A `reranker`
    reads the best `reranker_depth` candidates again.
    """

    store: RowStore
    lexical: Callable[[Strategy], LexicalLeg | None]
    reranker: Reranker | None = None
    reranker_depth: int = 20
