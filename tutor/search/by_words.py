"""Retrieval by words alone, for a course whose vectors are still being made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tutor.errors import StoreError
from tutor.i18n import _
from tutor.model import Hit, RetrieverScore
from tutor.search.contextual import LONGER_WEIGHT
from tutor.search.hybrid import most_evidence
from tutor.search.parts import LEXICAL

if TYPE_CHECKING:
    from tutor.search.hybrid import Search


def hits_by_words(search: Search, question: str, earlier: str, k: int) -> list[Hit]:
    """The `k` passages that hold most of a question's words, best first; none without any of them.

    The words of an `earlier` question, empty where there is none, count less. `Hit.score` is the
    evidence of the words, from 0 to 2, or to 3 with an earlier question.
    Raises `StoreError` where the index of words is gone, since the vectors have come.
    """
    if search.hybrid.lexical(search.strategy) is None:
        raise StoreError(_("The index has just been replaced by a newer one."), _("Ask again."))
    evidence = search.evidence(question)
    if earlier:
        evidence += LONGER_WEIGHT * search.evidence(earlier)
    rows = most_evidence(evidence, max(k, search.depth))
    store = search.hybrid.store
    with search.stopwatch.stage("search"):
        chunks = store.fetch(search.strategy, rows)
    hits = [
        Hit(
            chunk,
            store.sources[chunk.source_id],
            score,
            rank,
            {LEXICAL: RetrieverScore(rank, score)},
        )
        for rank, (chunk, score) in enumerate(
            zip(chunks, map(float, evidence[rows]), strict=True), start=1
        )
    ]
    return search.read_again(question, hits)[:k]
