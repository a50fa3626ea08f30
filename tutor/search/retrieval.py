"""Question -> passages: by meaning alone, or by meaning, words and the best sentence together; by
words alone while the vectors of a course are still being made.
"""

from __future__ import annotations

from collections.abc import Iterable

from tutor.embedding.embedder import Embedder
from tutor.errors import StoreError
from tutor.i18n import _
from tutor.index.store import StoreReader
from tutor.model import Chunk, Hit, RetrieverScore, SourceId, Strategy
from tutor.search.contextual import LONGER_WEIGHT, Found, hits_in_context, longer
from tutor.search.follow_ups import points_back
from tutor.search.hybrid import DENSE, LEXICAL, Hybrid, Search, deduplicated, most_evidence
from tutor.timing import Stopwatch

CANDIDATE_FACTOR = 3
"""How many times `k` passages are ranked, so that some may turn out to say the same."""


def retrieve(
    question: str,
    store: StoreReader,
    embedder: Embedder,
    *,
    strategy: Strategy,
    k: int,
    stopwatch: Stopwatch,
    hybrid: Hybrid | None = None,
    only: frozenset[SourceId] | None = None,
    earlier: str = "",
) -> Found:
    """The `k` passages that answer the question best, best first.

    Without `hybrid`, or where the index has no chunks, these are the chunks of the highest cosine,
    and `Hit.score` is that cosine. With it, `Hit.score` is the mean of the chunk's and its best
    sentence's cosine (1:2), plus twice what the question's words say (0 to 2) times the standard
    deviation of the question's cosines over the course, less that deviation for a passage in the
    question's language where most are in another: it orders the hits of one question, and may
    exceed 1. `Hit.retrievers` has what the score is made of: `dense` (always, the chunk's cosine),
    `sentence` (the cosine of its best sentence), both ranked among the candidates, and `lexical`
    (evidence of the words, ranked among all chunks; missing where there is none).

    Passages that say the same, as overlapping windows and versions of the same notes do, take one
    place then: the newest version's.

    `only` names the documents whose passages are wanted; None wants all. What words and cosines
    are worth is still measured over the whole course.

    A question may lean on an `earlier` one (empty where there is none): it is searched for as typed
    and behind that one, both embedded in one call; `Found.is_follow_up` says whether it does.
    Without `hybrid` the form whose best passage has the higher cosine counts alone.

    A course whose vectors are still being made is searched by words alone (`hits_by_words`); only
    what points back is a follow-up then.

    Times the stages `embed_query`, `search`, `lexical` and `rerank`.
    Raises `StoreError`, `EmbedderError`.
    """
    if hybrid and hybrid.store.words_only:
        search = _hybrid_search(strategy, stopwatch, hybrid, only)
        worded = hits_by_words(search, question, earlier, CANDIDATE_FACTOR * k) if search else []
        return Found(deduplicated(worded, k), is_follow_up=bool(earlier) and points_back(question))
    texts = [question, longer(earlier, question)] if earlier else [question]
    with stopwatch.stage("embed_query"):
        vectors = embedder.embed_queries(texts)
    search = _hybrid_search(strategy, stopwatch, hybrid, only)
    if search and earlier:
        found = hits_in_context(search, texts, vectors, CANDIDATE_FACTOR * k)
        return Found(found.hits[:k], found.is_follow_up)
    if search:
        ranked = search.hits(question, vectors[0], CANDIDATE_FACTOR * k)
        with stopwatch.stage("rerank"):
            return Found(deduplicated(ranked, k), is_follow_up=False)
    with stopwatch.stage("search"):
        typed, *others = (
            as_hits(store, store.search(strategy, vector, k, only), DENSE) for vector in vectors
        )
    behind = others[0] if others else []
    leans = bool(typed and behind and behind[0].score >= typed[0].score)
    return Found(behind if leans else typed, leans)


def _hybrid_search(
    strategy: Strategy,
    stopwatch: Stopwatch,
    hybrid: Hybrid | None,
    only: frozenset[SourceId] | None,
) -> Search | None:
    """Hybrid retrieval, where it is wanted and the index has chunks."""
    if hybrid is None:
        return None
    hybrid.store.check_built(strategy)
    rows = hybrid.store.dense(strategy)
    if not len(rows.vectors):
        return None
    return Search(hybrid, rows, strategy, stopwatch, only)


def as_hits(store: StoreReader, scored: Iterable[tuple[Chunk, float]], retriever: str) -> list[Hit]:
    """Passages as hits in the order given, each with the score that this retriever alone gives."""
    return [
        Hit(
            chunk,
            store.sources[chunk.source_id],
            score,
            rank,
            {retriever: RetrieverScore(rank, score)},
        )
        for rank, (chunk, score) in enumerate(scored, start=1)
    ]


def hits_by_words(search: Search, question: str, earlier: str, k: int) -> list[Hit]:
    """The `k` passages that hold most of a question's words, best first; none without any of them.

    The words of an `earlier` question, empty where there is none, count less. `Hit.score` is the
    evidence of the words, from 0 to 2, or to 3 with an earlier question.
    Raises `StoreError` where the index of words is gone, since the vectors have come.
    """
    if search.hybrid.lexical_of(search.strategy) is None:
        raise StoreError(_("The index has just been replaced by a newer one."), _("Ask again."))
    evidence = search.evidence(question)
    if earlier:
        evidence += LONGER_WEIGHT * search.evidence(earlier)
    rows = most_evidence(evidence, k)
    store = search.hybrid.store
    with search.stopwatch.stage("search"):
        chunks = store.fetch(search.strategy, rows)
    scored = zip(chunks, map(float, evidence[rows]), strict=True)
    return as_hits(store, scored, LEXICAL)
