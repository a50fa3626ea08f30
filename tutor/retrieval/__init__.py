"""Question -> passages: by meaning alone, or by meaning, words and the best sentence together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tutor.retrieval.parts import (
    DENSE,
    LEXICAL,
    RERANKER,
    SENTENCE,
    Hybrid,
    LexicalLeg,
    Reranker,
    RowStore,
)
from tutor.retrieval.redundancy import distinct
from tutor.types import Hit, LegScore

if TYPE_CHECKING:
    from tutor.ports import Embedder, PassageStore
    from tutor.timing import Stopwatch
    from tutor.types import SourceId, Strategy

__all__ = [
    "DENSE",
    "LEXICAL",
    "RERANKER",
    "SENTENCE",
    "Hybrid",
    "LexicalLeg",
    "Reranker",
    "RowStore",
    "retrieve",
]

SPARE = 3
"""How many times `k` passages are ranked, so that some may turn out to say the same."""


def retrieve(
    question: str,
    store: PassageStore,
    embedder: Embedder,
    *,
    strategy: Strategy,
    k: int,
    stopwatch: Stopwatch,
    hybrid: Hybrid | None = None,
    only: frozenset[SourceId] | None = None,
) -> list[Hit]:
    """The `k` passages that answer the question best, best first.

    Without `hybrid`, or where the index was made without what it needs, these are the chunks of
    the highest cosine, and `Hit.score` is that cosine. With it, `Hit.score` is the mean of the
    chunk's and its best sentence's cosine (1:2), plus twice what the question's words say (0 to 2)
    times the standard deviation of the question's cosines over the course: it orders the hits of
    one question, and may exceed 1. `Hit.legs` has what the score is made of: `dense` (always, the
    chunk's cosine), `sentence` (the cosine of its best sentence), both ranked among the candidates,
    `lexical` (evidence of the words, ranked among all chunks; missing where there is none) and
    `reranker` (a cross-encoder's score, which then decides the order).

    Passages that say the same, as overlapping windows and versions of the same notes do, take one
    place then: the newest version's.

    `only` names the documents whose passages are wanted; None wants all. What words and cosines
    are worth is still measured over the whole course.

    Times the stages `embed_query`, `search`, `lexical` and `rerank`.
    Raises `StoreError`, `EmbedderError`.
    """
    with stopwatch.stage("embed_query"):
        vector = embedder.embed_queries([question])[0]
    rows = hybrid.store.dense(strategy) if hybrid else None
    if hybrid and rows and len(rows.vectors):
        from tutor.retrieval.hybrid import hybrid_hits  # noqa: PLC0415 - NumPy, 0.1 s

        ranked = hybrid_hits(
            question,
            vector,
            hybrid,
            rows,
            strategy=strategy,
            k=SPARE * k,
            stopwatch=stopwatch,
            only=only,
        )
        with stopwatch.stage("rerank"):
            return distinct(ranked, k)
    with stopwatch.stage("search"):
        found = store.search(strategy, vector, k, only)
    return [
        Hit(chunk, store.sources[chunk.source_id], score, rank, {DENSE: LegScore(rank, score)})
        for rank, (chunk, score) in enumerate(found, start=1)
    ]
