"""Question -> passages: the dense leg, cosine between question and chunks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tutor.types import Hit, LegScore

if TYPE_CHECKING:
    from tutor.ports import Embedder, PassageStore
    from tutor.timing import Stopwatch
    from tutor.types import Strategy

DENSE = "dense"


def retrieve(
    question: str,
    store: PassageStore,
    embedder: Embedder,
    *,
    strategy: Strategy,
    k: int,
    stopwatch: Stopwatch,
) -> list[Hit]:
    """The `k` passages nearest to the question, best first; scores are cosines.

    Times the stages `embed_query` and `search`. Raises `StoreError`, `EmbedderError`.
    """
    with stopwatch.stage("embed_query"):
        vector = embedder.embed_queries([question])[0]
    with stopwatch.stage("search"):
        found = store.search(strategy, vector, k)
    return [
        Hit(chunk, store.sources[chunk.source_id], score, rank, {DENSE: LegScore(rank, score)})
        for rank, (chunk, score) in enumerate(found, start=1)
    ]
