"""Candidates by meaning and by words, ranked by both and by their best sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from tutor.index.store.dense import largest
from tutor.model import Hit, RetrieverScore, SourceId, Strategy, Vectors
from tutor.search.fusion import fused, meaning, spread
from tutor.search.parts import DENSE, LEXICAL, RERANKER, SENTENCE
from tutor.timing import Stopwatch

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tutor.embedding.cross_encoder import CrossEncoderReranker
    from tutor.index.store.dense import DenseRows
    from tutor.search.parts import Hybrid


DENSE_CANDIDATES = 20
LEXICAL_CANDIDATES = 10


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """A question as it is searched for; `vector` has shape (dim,), the others (chunks,).

    `evidence` is what its words say of every chunk, `favoured` are those near by their language.
    """

    vector: Vectors
    evidence: NDArray[np.float32]
    favoured: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Candidates:
    """Rows and what each retriever says of them, every array of shape (n,).

    `evidence`, of shape (chunks,), is what the words say of the whole index.
    """

    rows: NDArray[np.intp]
    cosines: NDArray[np.float32]
    sentences: NDArray[np.float32]
    scores: NDArray[np.float32]
    evidence: NDArray[np.float32]

    def best_first(self) -> Candidates:
        """The same, in order of their scores."""
        order = np.lexsort((self.rows, -self.scores))
        return Candidates(
            self.rows[order],
            self.cosines[order],
            self.sentences[order],
            self.scores[order],
            self.evidence,
        )

    def retrievers(self, place: int) -> dict[str, RetrieverScore]:
        """What the retrievers say of one candidate; the lexical one only if it says anything."""
        retrievers = {DENSE: _among(self.cosines, place), SENTENCE: _among(self.sentences, place)}
        words = self.evidence[self.rows[place]]
        if words > 0:
            better = int(np.count_nonzero(self.evidence > words))
            retrievers[LEXICAL] = RetrieverScore(1 + better, float(words))
        return retrievers


@dataclass(frozen=True, slots=True)
class Search:
    """One strategy's index, of which the documents `only` are asked (None: all)."""

    hybrid: Hybrid
    rows: DenseRows
    strategy: Strategy
    stopwatch: Stopwatch
    only: frozenset[SourceId] | None = None

    def hits(self, question: str, vector: Vectors, k: int) -> list[Hit]:
        """The `k` best passages by all retrievers; `vector` is the question's, shape (dim,)."""
        asked = self.asked(question, vector)
        found = self.judged(self.candidates(asked, k), asked).best_first()
        return self.read_again(question, self.fetched(found, max(k, self.depth)))[:k]

    @property
    def depth(self) -> int:
        """How many hits a cross-encoder reads again; 0 without one."""
        return self.hybrid.reranker_depth if self.hybrid.reranker else 0

    def asked(self, question: str, vector: Vectors) -> SearchQuery:
        """A question with its vector, shape (dim,), and what its words and language say."""
        evidence, words = self.evidence(question), self.hybrid.lexical(self.strategy)
        favoured = words.speaking_as(question) if words else np.zeros(len(evidence), bool)
        return SearchQuery(vector, evidence, favoured)

    def evidence(self, question: str) -> NDArray[np.float32]:
        """What the question's words say of every chunk, shape (chunks,); 0 of what is not asked."""
        with self.stopwatch.stage("lexical"):
            retriever = self.hybrid.lexical(self.strategy)
            if retriever is None:
                return np.zeros(len(self.rows.vectors), np.float32)
            evidence = retriever.score(question).evidence
            if self.only is not None:
                evidence, everywhere = np.zeros_like(evidence), evidence
                evidence[self.wanted] = everywhere[self.wanted]
            return evidence

    @property
    def wanted(self) -> NDArray[np.intp] | slice:
        """The rows of the documents that are asked."""
        only = self.only
        return slice(None) if only is None else self.hybrid.store.rows_in(self.strategy, only)

    def candidates(self, asked: SearchQuery, k: int) -> list[int]:
        """Rows that are near by meaning or by words."""
        worded = most_evidence(asked.evidence, max(LEXICAL_CANDIDATES, k))
        among = None if isinstance(wanted := self.wanted, slice) else wanted
        most = max(DENSE_CANDIDATES, k)
        with self.stopwatch.stage("search"):
            near = self.hybrid.store.nearest(self.strategy, asked.vector, most, among)
        return list(dict.fromkeys([*near, *worded]))

    def judged(self, rows: Sequence[int], asked: SearchQuery) -> Candidates:
        """What the retrievers say of these rows, in the order given."""
        with self.stopwatch.stage("rerank"):
            picked = np.array(rows, np.intp)
            cosines = self.rows.cosines(picked, asked.vector)
            best = cosines.copy()
            if sentences := self.hybrid.store.sentences:
                nearest = sentences.best(self.strategy, [int(row) for row in rows], asked.vector)
                for place, sentence in enumerate(nearest):
                    if sentence:
                        best[place] = sentence[0]
                headings = sentences.under(self.strategy, picked.tolist(), asked.vector)
            else:
                headings = np.full_like(cosines, np.nan)
            scores = fused(
                meaning(cosines, best, headings),
                asked.evidence[picked],
                asked.favoured[picked],
                spread(self.rows.background, asked.vector),
            )
            return Candidates(picked, cosines, best, scores, asked.evidence)

    def fetched(self, found: Candidates, n: int) -> list[Hit]:
        """The first `n` candidates with their texts."""
        store = self.hybrid.store
        with self.stopwatch.stage("search"):
            chunks = store.fetch(self.strategy, [int(row) for row in found.rows[:n]])
        return [
            Hit(
                chunk,
                store.sources[chunk.source_id],
                float(found.scores[place]),
                place + 1,
                found.retrievers(place),
            )
            for place, chunk in enumerate(chunks)
        ]

    def read_again(self, question: str, hits: Sequence[Hit]) -> list[Hit]:
        """The hits in the order of the cross-encoder, where there is one."""
        reranker = self.hybrid.reranker
        if reranker is None:
            return list(hits)
        with self.stopwatch.stage("rerank"):
            return _read_again(question, hits, reranker)


def most_evidence(evidence: NDArray[np.float32], n: int) -> list[int]:
    """The rows with most evidence, best first; rows without any are none."""
    some = largest(evidence, n)
    some = some[evidence[some] > 0]
    return [int(row) for row in some[np.lexsort((some, -evidence[some]))]]


def _read_again(question: str, hits: Sequence[Hit], reranker: CrossEncoderReranker) -> list[Hit]:
    """The hits in the order of the cross-encoder."""
    scores = reranker.score(question, [hit.chunk.text for hit in hits])
    order = np.argsort(-scores, kind="stable")
    return [
        replace(
            hits[place],
            rank=rank,
            retrievers={
                **hits[place].retrievers,
                RERANKER: RetrieverScore(rank, float(scores[place])),
            },
        )
        for rank, place in enumerate(order, start=1)
    ]


def _among(scores: NDArray[np.float32], place: int) -> RetrieverScore:
    """A retriever's word on one candidate, ranked among all of them."""
    return RetrieverScore(1 + int(np.count_nonzero(scores > scores[place])), float(scores[place]))
