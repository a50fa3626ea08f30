"""The measures of one case: of its ranking, and of an answer's citations.

Their names are stable: files of results and comparisons with earlier runs are keyed by them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tutor.cleaning import index_form
from tutor.evaluation.agreement import values
from tutor.evaluation.ranking import hit_at, ndcg_at, recall_at, reciprocal_rank
from tutor.evaluation.relevance import relevant_chunks
from tutor.grounding.words import content_words, coverage

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tutor.evaluation.relevance import Relevance
    from tutor.types import Answer, Chunk, Citation, CleanText, SourceId

DEPTH = 10
"""Passages that are retrieved for the measures, whatever `k` is."""
HEADLINE = "snippet_mrr@10"
"""The measure that decides: how far up the passage is that holds the answer."""

READ_CHARS = 1600
"""Two passages' worth of text: what a reader, or a small model, takes in first."""
SNIPPET_READ = f"snippet_read@{READ_CHARS}"
"""The share of the snippet in so many characters: comparable between ways of cutting."""

_RANKED = ("hit@1", "hit@3", "hit@k", "recall@k", "mrr@10", "ndcg@k")
RETRIEVAL = (
    *(f"snippet_{name}" for name in _RANKED),
    SNIPPET_READ,
    *(f"page_{name}" for name in _RANKED),
)
RUBRIC = "rubric"
REFUSED = "refused"
REFUSAL_PRECISION = "refusal_precision"
FALSE_REFUSAL = "false_refusal"
ANSWERING = (
    "acceptable",
    RUBRIC,
    "correctness",
    "faithfulness",
    "answer_relevance",
    "context_precision",
    "context_recall",
    "citation_precision",
    "citation_recall",
    "place_cited",
    REFUSAL_PRECISION,
    "refusal_recall",
    FALSE_REFUSAL,
)
SECONDS = ("retrieval_s", "total_s")
"""Whole seconds; the stages below are parts of them, in the order in which they happen."""
STAGES = (
    "rewrite",
    "embed_query",
    "lexical",
    "search",
    "rerank",
    "judge",
    "prompt",
    "answer",
    "check",
)
LESS_IS_BETTER = frozenset({*SECONDS, *STAGES, FALSE_REFUSAL})
RATIOS = frozenset({REFUSAL_PRECISION})
"""Measures that are defined on other cases in each setting, so that cases cannot be paired."""

CARRIED = 0.8
"""The share of a sentence's words (weighted) from which a page says it."""
_LEAST_WORDS = 3


def ranking_measures(
    found: Sequence[Chunk], relevance: Relevance, chunks: Sequence[Chunk], k: int
) -> dict[str, float]:
    """The measures of a ranking of which `chunks` are all there is to find.

    Relevant are the chunks on a page of the case, and those that hold its snippet; a case without
    snippet has measures by page only.
    """
    measures: dict[str, float] = {}
    on_page, holding = relevant_chunks(found, relevance)
    pages, snippets = relevance.totals(chunks)
    levels = [("page", on_page, pages)]
    if relevance.has_snippet:
        levels.append(("snippet", holding, snippets))
        measures[SNIPPET_READ] = relevance.snippet_read(found, READ_CHARS)
    for level, relevant, total in levels:
        measures |= {
            f"{level}_hit@1": hit_at(relevant, 1),
            f"{level}_hit@3": hit_at(relevant, 3),
            f"{level}_hit@k": hit_at(relevant, k),
            f"{level}_recall@k": recall_at(relevant, k, total),
            f"{level}_mrr@10": reciprocal_rank(relevant, DEPTH),
            f"{level}_ndcg@k": ndcg_at(relevant, k, total),
        }
    return measures


def citation_measures(
    answer: Answer,
    text_of: Callable[[SourceId], CleanText],
    split: Callable[[str], list[tuple[int, int]]],
    relevance: Relevance | None,
) -> dict[str, float]:
    """Citation precision and recall (Gao and others, ALCE, 2023) by what the cited pages say.

    A citation is right when its page says its sentence: in the same words, or most of them and
    every number. Precision is the share of right citations, recall the share of the sentences
    that have one. `place_cited` says whether a page is cited that people named for the case
    (`relevance`). None of this asks the verifier that made the citations.
    """
    measures: dict[str, float] = {}
    right = [_page_says(answer.text[c.start : c.end], c, text_of) for c in answer.citations]
    if right:
        measures["citation_precision"] = sum(right) / len(right)
    claims = [
        (start, end)
        for start, end in split(answer.text)
        if len(content_words(answer.text[start:end])) >= _LEAST_WORDS
    ]
    if claims:
        good = [c for c, fine in zip(answer.citations, right, strict=True) if fine]
        tied = [any(c.start < end and start < c.end for c in good) for start, end in claims]
        measures["citation_recall"] = sum(tied) / len(claims)
    if relevance is not None:
        pages = [(c.hit.source.id, page) for c in answer.citations for page in _pages(c)]
        measures["place_cited"] = float(any(relevance.is_place(*page) for page in pages))
    return measures


def _page_says(sentence: str, citation: Citation, text_of: Callable[[SourceId], CleanText]) -> bool:
    text = text_of(citation.hit.source.id)
    page = "\n".join(_page_text(text, number) for number in _pages(citation))
    said = index_form(sentence)
    if said and said in index_form(page):
        return True
    known = coverage(content_words(sentence), content_words(page), across=True)
    return known >= CARRIED and values(sentence) <= values(page)


def _pages(citation: Citation) -> range:
    return range(citation.first_page, citation.last_page + 1)


def _page_text(text: CleanText, number: int) -> str:
    starts = (*text.page_starts, len(text.text))
    return text.text[starts[number - 1] : starts[number]] if number < len(starts) else ""
