"""The measures of one case: of its ranking, and of an answer's citations.

Their names are stable: files of results and comparisons with earlier runs are keyed by them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence

from tutor.errors import NotesError
from tutor.evaluation.cases import Case, CasePlace, why_missing
from tutor.evaluation.wording import contained, words
from tutor.i18n import _
from tutor.index.store import StoreReader
from tutor.model import Answer, Chunk, Citation, CleanText, SourceId
from tutor.text.sentences import split_sentences

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
"""Of the whole retrieval and the whole answer; `tutor bench` measures their stages."""
LESS_IS_BETTER = frozenset({*SECONDS, FALSE_REFUSAL})
UNPAIRED = frozenset({REFUSAL_PRECISION})
"""Measures that are defined on other cases in each setting: they have no difference."""
HELD = 0.5
"""The share of a snippet that a chunk must hold: windows cut through the middle of things."""
CARRIED = 0.8
"""The share of a sentence's words from which a page says it."""
_LEAST_WORDS = 3


class Relevance:
    """What is relevant to one case, in any index of the same documents.

    Raises `NotesError` where the index lacks its file, its page or its snippet.

    The snippet is looked for on every page of the case, since several versions of the notes may
    hold it; it has to be on the first. White space may differ.

    `places` are the pages that answer the case, `spans` where its snippet stands there.
    """

    def __init__(self, case: Case, documents: StoreReader) -> None:
        by_path = {source.path: source for source in documents.sources.values()}
        pages = {path: source.pages for path, source in by_path.items()}
        self.places: set[tuple[SourceId, int]] = set()
        self.spans: list[tuple[SourceId, int, int]] = []
        for place in case.places:
            if reason := why_missing(place, pages):
                raise NotesError(reason)
            source = by_path[place.file].id
            self.places.add((source, place.page))
            if case.snippet:
                self._look_for(case, place, documents.text(source))

    def on_page(self, chunk: Chunk) -> bool:
        """Whether the chunk stands, at least in part, on a page that answers the case."""
        return any((chunk.source_id, page) in self.places for page in _pages(chunk))

    def holds_snippet(self, chunk: Chunk) -> bool:
        """Whether the chunk holds the case's snippet, or most of it."""
        return any(
            source == chunk.source_id
            and min(chunk.end, end) - max(chunk.start, start) >= HELD * (end - start)
            for source, start, end in self.spans
        )

    def snippet_read(self, chunks: Iterable[Chunk], chars: int) -> float:
        """The share of the snippet that the first `chars` characters of these chunks hold.

        Whatever cut them: overlapping windows and longer chunks gain nothing by being what they
        are. Of several versions' snippets the one that is read most counts.
        """
        read: list[set[int]] = [set() for _span in self.spans]
        for chunk in chunks:
            end = min(chunk.end, chunk.start + chars)
            for (source, first, last), offsets in zip(self.spans, read, strict=True):
                if source == chunk.source_id:
                    offsets.update(range(max(chunk.start, first), min(end, last)))
            chars -= end - chunk.start
        shares = zip(self.spans, read, strict=True)
        return max((len(n) / (last - first) for (_s, first, last), n in shares), default=0.0)

    def _look_for(self, case: Case, place: CasePlace, text: CleanText) -> None:
        words = re.compile(r"\s+".join(map(re.escape, case.snippet.split())))
        for match in words.finditer(text.text):
            if text.page_at(match.start()) == place.page:
                self.spans.append((text.source_id, *match.span()))
                return
        if not self.spans:
            raise NotesError(
                _("the snippet is not on page %(page)d of %(file)s")
                % {"page": place.page, "file": place.file}
            )


def relevance_measures(relevant: Sequence[bool], k: int, total: int) -> dict[str, float]:
    """The measures of a ranking, of which `relevant` says what each place is worth.

    `total` counts what is relevant in the whole index. Hits count one relevant passage; recall
    counts all; MRR is one over the rank of the first one; nDCG is the normalised discounted
    cumulative gain (Järvelin and Kekäläinen, 2002) with gains 0 and 1.
    """
    discounts = [1 / math.log2(rank + 1) for rank in range(1, k + 1)]
    gained = sum(discount for discount, hit in zip(discounts, relevant, strict=False) if hit)
    first = next((rank for rank, hit in enumerate(relevant[:DEPTH], start=1) if hit), math.inf)
    return {
        "hit@1": float(any(relevant[:1])),
        "hit@3": float(any(relevant[:3])),
        "hit@k": float(any(relevant[:k])),
        "recall@k": sum(relevant[:k]) / total if total else 0.0,
        "mrr@10": 1 / first,
        "ndcg@k": gained / sum(discounts[:total]) if total else 0.0,
    }


def ranking_measures(
    found: Sequence[Chunk], relevance: Relevance, chunks: Sequence[Chunk], k: int
) -> dict[str, float]:
    """The measures of a ranking of which `chunks` are all there is to find.

    Relevant are the chunks on a page of the case, and those that hold its snippet; a case without
    snippet has measures by page only.
    """
    measures: dict[str, float] = {}
    levels = [("page", relevance.on_page)]
    if relevance.spans:
        levels.append(("snippet", relevance.holds_snippet))
        measures[SNIPPET_READ] = relevance.snippet_read(found, READ_CHARS)
    for level, answers in levels:
        relevant = relevance_measures(list(map(answers, found)), k, sum(map(answers, chunks)))
        measures |= {f"{level}_{name}": value for name, value in relevant.items()}
    return measures


def citation_measures(
    answer: Answer, text_of: Callable[[SourceId], CleanText], relevance: Relevance | None
) -> dict[str, float]:
    """Citation precision and recall (Gao and others, ALCE, 2023) by what the cited pages say.

    A citation is right when its page has most of its sentence's words and every number. Precision
    is the share of right citations, recall the share of the sentences that have one. `place_cited`
    says whether a page is cited that people named for the case (`relevance`). None of this asks
    the verifier that made the citations.
    """
    measures: dict[str, float] = {}
    right = [_page_says(answer.text[c.start : c.end], c, text_of) for c in answer.citations]
    if right:
        measures["citation_precision"] = sum(right) / len(right)
    claims = [
        (start, end)
        for start, end in split_sentences(answer.text)
        if len(words(answer.text[start:end])) >= _LEAST_WORDS
    ]
    if claims:
        good = [c for c, fine in zip(answer.citations, right, strict=True) if fine]
        tied = [any(c.start < end and start < c.end for c in good) for start, end in claims]
        measures["citation_recall"] = sum(tied) / len(claims)
    if relevance is not None:
        cited = {(c.hit.source.id, page) for c in answer.citations for page in _pages(c)}
        measures["place_cited"] = float(not relevance.places.isdisjoint(cited))
    return measures


def _page_says(sentence: str, citation: Citation, text_of: Callable[[SourceId], CleanText]) -> bool:
    text = text_of(citation.hit.source.id)
    starts = (*text.page_starts, len(text.text))
    pages = [text.text[starts[n - 1] : starts[n]] for n in _pages(citation) if n < len(starts)]
    known = contained(sentence, pages)
    return known is None or known >= CARRIED


def _pages(of: Chunk | Citation) -> range:
    return range(of.first_page, of.last_page + 1)
