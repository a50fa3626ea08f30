"""Candidates by meaning and by words, ranked by both and by their best sentence."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from tutor.retrieval.fusion import fused, meaning, spread
from tutor.retrieval.parts import DENSE, LEXICAL, RERANKER, SENTENCE
from tutor.types import Hit, LegScore

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from tutor.retrieval.parts import Hybrid, Reranker, Rows, Sentences
    from tutor.timing import Stopwatch
    from tutor.types import SourceId, Strategy, Vectors


DENSE_CANDIDATES = 20
LEXICAL_CANDIDATES = 10


@dataclass(frozen=True, slots=True)
class Candidates:
    """Rows and what each leg says of them, every array of shape (n,), best first.

    `evidence`, of shape (chunks,), is what the words say of the whole index.
    """

    rows: NDArray[np.intp]
    cosines: NDArray[np.float32]
    sentences: NDArray[np.float32]
    scores: NDArray[np.float32]
    evidence: NDArray[np.float32]

    def legs(self, place: int) -> dict[str, LegScore]:
        """What the legs say of one candidate; the lexical one only if it says anything."""
        legs = {DENSE: _among(self.cosines, place), SENTENCE: _among(self.sentences, place)}
        words = self.evidence[self.rows[place]]
        if words > 0:
            better = int(np.count_nonzero(self.evidence > words))
            legs[LEXICAL] = LegScore(1 + better, float(words))
        return legs


def hybrid_hits(
    question: str,
    vector: Vectors,
    hybrid: Hybrid,
    rows: Rows,
    *,
    strategy: Strategy,
    k: int,
    stopwatch: Stopwatch,
    only: frozenset[SourceId] | None = None,
) -> list[Hit]:
    """The `k` best passages by all legs, of the documents `only` (None: of all).

    `vector` is the question's, shape (dim,).
    """
    among = None if only is None else hybrid.store.rows_in(strategy, only)
    with stopwatch.stage("lexical"):
        leg = hybrid.lexical(strategy)
        evidence = np.zeros(len(rows.vectors), np.float32)
        if leg:
            wanted = slice(None) if among is None else among
            evidence[wanted] = leg.score(question).evidence[wanted]
        worded = _best(evidence, max(LEXICAL_CANDIDATES, k))
    with stopwatch.stage("search"):
        nearest = hybrid.store.nearest(strategy, vector, max(DENSE_CANDIDATES, k), among)
    with stopwatch.stage("rerank"):
        both = np.array(list(dict.fromkeys([*nearest, *worded])), np.intp)
        found = _judged(both, evidence, vector, rows, hybrid.store.sentences, strategy=strategy)
    depth = max(k, hybrid.reranker_depth) if hybrid.reranker else k
    with stopwatch.stage("search"):
        chunks = hybrid.store.fetch(strategy, [int(row) for row in found.rows[:depth]])
        hits = [
            Hit(
                chunk,
                hybrid.store.sources[chunk.source_id],
                float(found.scores[place]),
                place + 1,
                found.legs(place),
            )
            for place, chunk in enumerate(chunks)
        ]
    if hybrid.reranker is None:
        return hits
    with stopwatch.stage("rerank"):
        return _read_again(question, hits, hybrid.reranker)[:k]


def _best(evidence: NDArray[np.float32], n: int) -> list[int]:
    """The rows with most evidence, best first; rows without any are none."""
    some = np.argpartition(-evidence, n)[:n] if n < len(evidence) else np.arange(len(evidence))
    some = some[evidence[some] > 0]
    return [int(row) for row in some[np.lexsort((some, -evidence[some]))]]


def _judged(
    rows: NDArray[np.intp],
    evidence: NDArray[np.float32],
    vector: Vectors,
    dense: Rows,
    sentences: Sentences | None,
    *,
    strategy: Strategy,
) -> Candidates:
    cosines: NDArray[np.float32] = dense.vectors[rows] @ vector
    best = cosines.copy()
    if sentences:
        nearest = sentences.best(strategy, [int(row) for row in rows], vector)
        for place, sentence in enumerate(nearest):
            if sentence:
                best[place] = sentence[0]
    scores = fused(meaning(cosines, best), evidence[rows], spread(dense.background, vector))
    order = np.lexsort((rows, -scores))
    return Candidates(rows[order], cosines[order], best[order], scores[order], evidence)


def _read_again(question: str, hits: Sequence[Hit], reranker: Reranker) -> list[Hit]:
    """The hits in the order of the cross-encoder."""
    scores = reranker.score(question, [hit.chunk.text for hit in hits])
    order = np.argsort(-scores, kind="stable")
    return [
        replace(
            hits[place],
            rank=rank,
            legs={**hits[place].legs, RERANKER: LegScore(rank, float(scores[place]))},
        )
        for rank, place in enumerate(order, start=1)
    ]


def _among(scores: NDArray[np.float32], place: int) -> LegScore:
    """A leg's word on one candidate, ranked among all of them."""
    return LegScore(1 + int(np.count_nonzero(scores > scores[place])), float(scores[place]))
