"""What hybrid retrieval works with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tutor.model import Strategy

if TYPE_CHECKING:
    from tutor.embedding.cross_encoder import CrossEncoderReranker
    from tutor.index.lexical import LexicalIndex
    from tutor.index.store import StoreReader

DENSE = "dense"
LEXICAL = "lexical"
SENTENCE = "sentence"
RERANKER = "reranker"


@dataclass(frozen=True, slots=True)
class Hybrid:
    """The parts of hybrid retrieval.

    `lexical` opens a strategy's index of words, or gives None where there is none. A `reranker`
    reads the best `reranker_depth` candidates again.
    """

    store: StoreReader
    lexical: Callable[[Strategy], LexicalIndex | None]
    reranker: CrossEncoderReranker | None = None
    reranker_depth: int = 20
