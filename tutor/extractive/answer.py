"""The best sentences, quoted exactly and in reading order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tutor.extractive.scoring import Question
from tutor.extractive.sentences import distinct, quotable_sentences
from tutor.types import Citation

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tutor.extractive.scoring import Scored
    from tutor.extractive.sentences import SentenceSplitter
    from tutor.ports import Embedder
    from tutor.types import ChunkId, Hit, SourceId

MAX_SENTENCES = 5
"""Sentences in an answer: what one reads at a glance."""
NEAR_BEST = 0.06
"""Sentences whose evidence is this much below the best one's are left out."""
NEAR_COSINE = 0.03
"""The same for the cosine alone."""


@dataclass(frozen=True, slots=True)
class Quote:
    """`hit.chunk.text[start:end]`; `support` is its evidence, between 0 and 1."""

    hit: Hit
    start: int
    end: int
    support: float


def quote_answer(
    question: str,
    hits: Sequence[Hit],
    embedder: Embedder,
    split: SentenceSplitter,
    language_of: Callable[[str], str],
) -> list[Quote]:
    """The sentences that answer best, in reading order, given that the passages cover the question.

    Whether they do is decided before, in the same way for every engine. `split` gives the spans of
    a text's sentences, `language_of` a text's language. Empty when the passages hold no sentence
    that can be quoted. Raises `EmbedderError`.
    """
    sentences = distinct(quotable_sentences(hits, split))
    asked = Question(question, sentences, language_of)
    scored = asked.score(asked.shortlist(sentences), embedder)
    scored.sort(key=lambda entry: -entry.evidence)
    if not scored:
        return []
    best = scored[0]
    chosen = [
        entry
        for entry in scored[:MAX_SENTENCES]
        if entry.evidence >= best.evidence - NEAR_BEST and entry.cosine >= best.cosine - NEAR_COSINE
    ]
    return [
        Quote(s.sentence.hit, s.sentence.start, s.sentence.end, min(1.0, s.evidence))
        for s in _reading_order(chosen)
    ]


def best_sentences(
    question: str,
    hits: Sequence[Hit],
    embedder: Embedder,
    split: SentenceSplitter,
    language_of: Callable[[str], str],
) -> dict[ChunkId, tuple[int, int]]:
    """The span, in each hit's chunk, of the sentence that answers the question best."""
    sentences = list(quotable_sentences(hits, split))
    best: dict[ChunkId, Scored] = {}
    for entry in Question(question, sentences, language_of).score(sentences, embedder):
        key = entry.sentence.hit.chunk.id
        if key not in best or entry.evidence > best[key].evidence:
            best[key] = entry
    return {key: (entry.sentence.start, entry.sentence.end) for key, entry in best.items()}


def compose(
    quotes: Sequence[Quote], page_at: Callable[[SourceId, int], int]
) -> tuple[str, tuple[Citation, ...]]:
    """Join quoted sentences into an answer's text, a paragraph per document, with citations.

    `page_at` gives the page of an offset in a document.
    """
    text, citations, former = "", [], None
    for quote in quotes:
        source, chunk = quote.hit.source.id, quote.hit.chunk
        if former is not None:
            text += " " if source == former else "\n\n"
        former = source
        sentence = chunk.text[quote.start : quote.end]
        citations.append(
            Citation(
                start=len(text),
                end=len(text) + len(sentence),
                hit=quote.hit,
                quote_start=quote.start,
                quote_end=quote.end,
                first_page=page_at(source, chunk.start + quote.start),
                last_page=page_at(source, chunk.start + quote.end - 1),
                support=quote.support,
            )
        )
        text += sentence
    return text, tuple(citations)


def _reading_order(chosen: Sequence[Scored]) -> list[Scored]:
    """Documents by their best sentence, sentences of one document as they stand in it."""
    rank: dict[str, int] = {}
    for entry in chosen:
        rank.setdefault(entry.sentence.hit.source.id, len(rank))
    return sorted(
        chosen,
        key=lambda entry: (
            rank[entry.sentence.hit.source.id],
            entry.sentence.hit.chunk.start + entry.sentence.start,
        ),
    )
