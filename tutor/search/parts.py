"""What hybrid retrieval works with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from tutor.model import Strategy

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tutor.index.lexical import LexicalIndex
    from tutor.index.store import StoreReader

DENSE = "dense"
LEXICAL = "lexical"
SENTENCE = "sentence"
RERANKER = "reranker"


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

    store: StoreReader
    lexical: Callable[[Strategy], LexicalIndex | None]
    reranker: Reranker | None = None
    reranker_depth: int = 20
