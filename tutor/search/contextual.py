"""Query contextualisation: a follow-up is searched for by itself and behind the question before.

By itself `¿y qué multas hay?` is too little to find its page; behind its predecessor it finds the
predecessor's page again. So both forms are searched for, embedded in one call. The ranking of the
question as typed is raised by the documents that the longer form favours, since a follow-up stays
with its document more often than with its page. Both rankings are fused by their ranks (Cormack
and others, 2009, with k = 0). A question that stands alone is told by the words that it has of its
own, and by its best passage, which stands out more from the course than that of the longer form;
then the first ranking counts alone. A short one that points back ("why use it?") or names no
subject ("desventajas") never does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tutor.model import ChunkId, Hit, SourceId, Turn, Vectors
from tutor.search.follow_ups import JOINING, asks, named_instead, points_back
from tutor.search.hybrid import Candidates, Search, SearchQuery, cosine_std, deduplicated, fused
from tutor.text.terms import content_words

LONGER_WEIGHT = 0.5
"""What the longer form's ranking counts where that of the question as typed counts 1."""
STANDS_OUT = 2.0
"""How much more (in standard deviations of its scores over the course) the best passage for a
question as typed has to stand out for the question to stand alone, if it says nothing itself."""
LESS_A_WORD = 0.5
"""How much less, for each of its words that has a meaning."""
MORE_IF_JOINED = 2.0
"""How much more, where it begins as what goes on: "y la precisión"."""
BETWEEN = " · "
"""Between the earlier question and the follow-up, where a reader sees both."""
_LEAST_DEVIATION = 1e-6


@dataclass(frozen=True, slots=True)
class Found:
    """Passages, best first, and whether the question was read with the one before it."""

    hits: list[Hit]
    is_follow_up: bool


def earlier_question(history: Sequence[Turn], question: str) -> str:
    """What a `question` may lean on: the question before, behind the one that it leaned on unless
    both have a subject of their own. Empty without a conversation.
    """
    if not history:
        return ""
    latest = history[-1]
    opening, between, _rest = (latest.standalone or latest.question).partition(BETWEEN)
    if not between:
        return opening
    leans = points_back(question) or named_instead(question)
    if leans or points_back(latest.question) or not asks(latest.question):
        return opening + between + latest.question
    return latest.question


def longer(earlier: str, question: str) -> str:
    """The question behind the earlier one, as it is embedded."""
    return f"{earlier.replace(BETWEEN, ' ')} {question}" if earlier else question


def shown(earlier: str, question: str) -> str:
    """The same for a reader: the question that opened the topic, and the follow-up."""
    return earlier.partition(BETWEEN)[0] + BETWEEN + question


def hits_in_context(search: Search, texts: Sequence[str], vectors: Vectors, k: int) -> Found:
    """The `k` best passages for a question and its longer form, `texts`.

    `vectors` are theirs, shape (2, dim).
    """
    asked = [search.query(*one) for one in zip(texts, vectors, strict=True)]
    if not (points_back(texts[0]) or _leans(search, asked, _margin(texts[0]))):
        return Found(deduplicated(search.hits(texts[0], vectors[0], k), k), is_follow_up=False)
    rows = list(dict.fromkeys(row for one in asked for row in search.candidates(one, k)))
    typed, behind = (search.scored(rows, one) for one in asked)
    hits = search.hits_of(behind, np.arange(len(rows)))
    ranking = deduplicated(_ordered(hits, _raised(typed, behind, hits)), k)
    ranking = _fused_ranks(ranking, deduplicated(_ordered(hits, behind.scores), k), k)
    return Found(ranking, is_follow_up=True)


def _margin(question: str) -> float:
    """How much more than that of its longer form its best passage has to stand out."""
    parted = JOINING.fullmatch(question)
    joined = MORE_IF_JOINED if parted and parted["joining"] else 0.0
    return STANDS_OUT - LESS_A_WORD * len(content_words(question)) + joined


def _leans(search: Search, asked: Sequence[SearchQuery], margin: float) -> bool:
    """Whether the best passage for the question as typed does not stand out by a `margin` more
    from all passages asked than the one for its longer form.
    """
    wanted = search.wanted
    prominence = []
    for one in asked:
        cosines = search.rows.cosines(wanted, one.vector)
        if not len(cosines):
            return False
        scores = fused(
            cosines,
            one.evidence[wanted],
            one.favoured[wanted],
            cosine_std(search.rows.background, one.vector),
        )
        prominence.append((scores.max() - scores.mean()) / max(scores.std(), _LEAST_DEVIATION))
    return bool(prominence[1] > prominence[0] - margin)


def _raised(typed: Candidates, behind: Candidates, hits: Sequence[Hit]) -> NDArray[np.float32]:
    """The scores of the question as typed, each raised by the longer form's best score in the
    document; shape (n,), as `hits`.
    """
    best: dict[SourceId, float] = {}
    for hit, score in zip(hits, behind.scores, strict=True):
        source = hit.chunk.source_id
        best[source] = max(best.get(source, -np.inf), float(score))
    return typed.scores + np.array([best[hit.chunk.source_id] for hit in hits], np.float32)


def _ordered(hits: Sequence[Hit], scores: NDArray[np.float32]) -> list[Hit]:
    return [hits[place] for place in np.argsort(-scores, kind="stable")]


def _fused_ranks(typed: Sequence[Hit], behind: Sequence[Hit], k: int) -> list[Hit]:
    """Both rankings as one, by weighted reciprocal ranks."""
    worth: dict[ChunkId, float] = {}
    hits: dict[ChunkId, Hit] = {}
    for ranking, weight in ((typed, 1.0), (behind, LONGER_WEIGHT)):
        for hit in ranking:
            worth[hit.chunk.id] = worth.get(hit.chunk.id, 0.0) + weight / hit.rank
            hits.setdefault(hit.chunk.id, hit)
    return deduplicated([hits[key] for key in sorted(worth, key=lambda key: -worth[key])], k)
