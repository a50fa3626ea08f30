"""Rankings to compare the product's own with: one leg alone, plain fusion."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias, cast

import numpy as np

from tutor.retrieval import DENSE, LEXICAL, retrieve
from tutor.types import Hit, LegScore

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from tutor.answering import Agent
    from tutor.lexical import LexicalScores
    from tutor.retrieval import Hybrid
    from tutor.timing import Stopwatch

    Ranking: TypeAlias = Callable[[str, Agent, int, Stopwatch], list[Hit]]
    """Question, who is asked, how many passages, what times the stages -> passages."""

PRODUCT = "product"
FUSED = 50
"""Rows of each leg that plain fusion looks at."""
FUSION_CONSTANT = 60
"""The constant of the published method."""


def by_product(question: str, agent: Agent, k: int, stopwatch: Stopwatch) -> list[Hit]:
    """What `tutor ask` finds."""
    return retrieve(
        question,
        agent.store,
        agent.embedder,
        strategy=agent.strategy,
        k=k,
        stopwatch=stopwatch,
        hybrid=agent.hybrid,
    )


def by_words(question: str, agent: Agent, k: int, stopwatch: Stopwatch) -> list[Hit]:
    """BM25 alone."""
    hybrid = _hybrid(agent)
    with stopwatch.stage("lexical"):
        rows, scores = _worded(question, agent, k)
    return _hits(hybrid, agent, {LEXICAL: rows}, rows, scores)


def by_reciprocal_ranks(question: str, agent: Agent, k: int, stopwatch: Stopwatch) -> list[Hit]:
    """Plain fusion of BM25 and dense cosines by their ranks (Cormack and others, 2009)."""
    hybrid = _hybrid(agent)
    with stopwatch.stage("embed_query"):
        vector = agent.embedder.embed_queries([question])[0]
    with stopwatch.stage("lexical"):
        worded, _scores = _worded(question, agent, FUSED)
    with stopwatch.stage("search"):
        nearest = hybrid.store.nearest(agent.strategy, vector, FUSED)
    fused: dict[int, float] = {}
    for leg in (nearest, worded):
        for rank, row in enumerate(leg, start=1):
            fused[row] = fused.get(row, 0.0) + 1 / (FUSION_CONSTANT + rank)
    best = sorted(fused, key=lambda row: (-fused[row], row))[:k]
    return _hits(hybrid, agent, {DENSE: nearest, LEXICAL: worded}, best, [fused[r] for r in best])


RANKINGS: Mapping[str, Ranking] = {
    PRODUCT: by_product,
    "words": by_words,
    "rrf": by_reciprocal_ranks,
}


def _hybrid(agent: Agent) -> Hybrid:
    assert agent.hybrid is not None  # noqa: S101 - `Workshop` refuses the setting otherwise
    return agent.hybrid


def _worded(question: str, agent: Agent, k: int) -> tuple[list[int], list[float]]:
    """The rows that share most with the question's words, best first, and their BM25."""
    leg = _hybrid(agent).lexical(agent.strategy)
    if leg is None:
        return [], []
    scores = cast("LexicalScores", leg.score(question)).bm25
    rows = [int(row) for row in np.argsort(-scores, kind="stable")[:k] if scores[row] > 0]
    return rows, [float(scores[row]) for row in rows]


def _hits(
    hybrid: Hybrid,
    agent: Agent,
    legs: Mapping[str, Sequence[int]],
    rows: Sequence[int],
    scores: Sequence[float],
) -> list[Hit]:
    chunks = hybrid.store.fetch(agent.strategy, rows)
    return [
        Hit(
            chunk,
            hybrid.store.sources[chunk.source_id],
            score,
            rank,
            {name: LegScore(leg.index(row) + 1, score) for name, leg in legs.items() if row in leg},
        )
        for rank, (row, chunk, score) in enumerate(zip(rows, chunks, scores, strict=True), start=1)
    ]
