"""Hits -> an answer made of the notes' own sentences, without a language model.

Every sentence of the passages is scored against the question by its vector's cosine and by the
share of the question's content words in it; the best ones are quoted exactly, in reading order.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import Stemmer

from tutor.types import Citation

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from tutor.ports import Embedder
    from tutor.types import ChunkId, Hit, SourceId, Vectors

    SentenceSplitter = Callable[[str], list[tuple[int, int]]]

MAX_SENTENCES = 5
"""Sentences in an answer: what one reads at a glance."""
SHORTLIST = 16
"""Sentences that are embedded to answer one question; each costs some 15 ms on a laptop's CPU."""
LEXICAL_WEIGHT = 0.12
"""Cosines of E5 models live in a narrow band, about 0.75 to 0.92; this makes the share of shared
words (0 to 1) worth about as much."""
DEFINITION_BONUS = 0.04
NEAR_BEST = 0.06
"""Sentences this much below the best one are left out."""
MIN_COSINE = 0.80
MIN_EVIDENCE = 0.86
"""Below these, the best sentence does not answer the question: the notes do not cover it."""
SAME_SENTENCE = 0.8
"""Share of common words from which two sentences count as one (versions, overlapping windows)."""

_WORD = re.compile(r"[^\W_]+")
_TERMINAL = (".", "!", "…", "»", '"', "”", ";", ")")
_OPENING = re.compile(r"[\W\d_]*[A-ZÁÉÍÓÚÜÑ]")
_DEFINING = re.compile(
    r"\b(es (un|una|el|la|aquel|aquella)|son (un|una|los|las)|se (define|llama|denomina|conoce)|"
    r"consiste en|is (a|an|the)|are (a|the)|refers to|is (called|defined))\b",
    re.IGNORECASE,
)
_ASKS_FOR_DEFINITION = re.compile(
    r"^\W*(qu[eé] (es|son|significa|se entiende)|defin|what (is|are|does)|define)", re.IGNORECASE
)
_STOP_WORDS = frozenset(
    """a al algo ante asi aun cada como con cual cuales cuando cuanto cuantos de del desde donde
    dos el ella ellas ellos en entre era eran es esa ese eso esta estan este esto fue ha hace hacer
    han hay la las le les lo los mas me mi muy nada ni no nos o para pero por porque que quien se
    sea segun ser si sin sirve sobre son su sus tambien tiene tienen todo un una uno unos unas usa
    y ya explica explicame dime describe define
    about an and are as at be between by can did do does for from has have how i if in into is it
    its me not of on or should so than that the their them there these this those to used was
    what when where which who why will with you explain tell""".split()
)


@dataclass(frozen=True, slots=True)
class _Candidate:
    hit: Hit
    start: int
    end: int
    words: frozenset[str]

    @property
    def text(self) -> str:
        return self.hit.chunk.text[self.start : self.end]


def quote_answer(
    question: str, hits: Sequence[Hit], embedder: Embedder, split: SentenceSplitter
) -> list[tuple[Hit, int, int, float]]:
    """The sentences that answer the question: (hit, start, end, support), in reading order.

    Spans are in the hit's chunk; `support` is the evidence, between 0 and 1. Empty when the
    passages do not answer the question. Raises `EmbedderError`.
    """
    asked = _content_words(question)
    candidates = _shortlist(_distinct(_candidates(hits, split)), asked)
    if not candidates:
        return []
    cosines = _cosines(question, candidates, embedder)
    definition = bool(_ASKS_FOR_DEFINITION.match(question))
    scored = [
        (
            float(cosine) + _lexical(candidate, asked, definition=definition),
            float(cosine),
            candidate,
        )
        for cosine, candidate in zip(cosines, candidates, strict=True)
    ]
    scored.sort(key=lambda entry: -entry[0])
    best, best_cosine, _best = scored[0]
    if best_cosine < MIN_COSINE or best < MIN_EVIDENCE:
        return []
    chosen = [entry for entry in scored[:MAX_SENTENCES] if entry[0] >= best - NEAR_BEST]
    return [(c.hit, c.start, c.end, min(1.0, score)) for score, _cos, c in _reading_order(chosen)]


def best_sentences(
    question: str, hits: Sequence[Hit], embedder: Embedder, split: SentenceSplitter
) -> dict[ChunkId, tuple[int, int]]:
    """The span, in each hit's chunk, of the sentence that answers the question best."""
    candidates = list(_candidates(hits, split))
    if not candidates:
        return {}
    cosines = _cosines(question, candidates, embedder)
    asked = _content_words(question)
    best: dict[ChunkId, tuple[float, tuple[int, int]]] = {}
    for candidate, cosine in zip(candidates, cosines, strict=True):
        entry = (
            float(cosine) + _lexical(candidate, asked, definition=False),
            (candidate.start, candidate.end),
        )
        key = candidate.hit.chunk.id
        best[key] = max(best.get(key, entry), entry)
    return {key: span for key, (_score, span) in best.items()}


def compose(
    quotes: Sequence[tuple[Hit, int, int, float]], page_at: Callable[[SourceId, int], int]
) -> tuple[str, tuple[Citation, ...]]:
    """Join quoted sentences into an answer's text, a paragraph per document, with citations.

    `page_at` gives the page of an offset in a document.
    """
    text, citations, former = "", [], None
    for hit, start, end, support in quotes:
        if former is not None:
            text += " " if hit.source.id == former else "\n\n"
        former = hit.source.id
        quote = hit.chunk.text[start:end]
        citations.append(
            Citation(
                start=len(text),
                end=len(text) + len(quote),
                hit=hit,
                quote_start=start,
                quote_end=end,
                first_page=page_at(hit.source.id, hit.chunk.start + start),
                last_page=page_at(hit.source.id, hit.chunk.start + end - 1),
                support=support,
            )
        )
        text += quote
    return text, tuple(citations)


def _candidates(hits: Sequence[Hit], split: SentenceSplitter) -> Iterable[_Candidate]:
    for hit in hits:
        text = hit.chunk.text
        for start, end in split(text):
            sentence = text[start:end]
            cut_before = start == 0 and hit.chunk.start > 0 and not _OPENING.match(sentence)
            if cut_before or not _is_quotable(sentence):
                continue
            yield _Candidate(hit, start, end, frozenset(_content_words(sentence)))


def _is_quotable(sentence: str) -> bool:
    """A whole statement: not a heading, a question, a formula's debris or a fragment."""
    words = _WORD.findall(sentence)
    letters = sum(map(str.isalpha, sentence))
    return (
        len(words) >= 5
        and letters >= 0.6 * len(sentence.replace(" ", ""))
        and sentence.endswith(_TERMINAL)
    )


def _distinct(candidates: Iterable[_Candidate]) -> list[_Candidate]:
    """One of each group of sentences that say the same; of two versions the newer one stays."""
    kept: list[_Candidate] = []
    for candidate in candidates:
        twin = next((i for i, other in enumerate(kept) if _same(candidate, other)), None)
        if twin is None:
            kept.append(candidate)
        elif _age(candidate.hit) > _age(kept[twin].hit):
            kept[twin] = candidate
    return kept


def _shortlist(candidates: list[_Candidate], asked: frozenset[str]) -> list[_Candidate]:
    """The candidates worth embedding: those that share words with the question, if any do.

    Those that share most come first, then those of the better passages.
    """
    sharing = [candidate for candidate in candidates if candidate.words & asked]
    sharing.sort(key=lambda candidate: -len(candidate.words & asked))
    return (sharing or candidates)[:SHORTLIST]


def _same(one: _Candidate, other: _Candidate) -> bool:
    if one.text == other.text:
        return True
    union = len(one.words | other.words)
    return union > 0 and len(one.words & other.words) >= SAME_SENTENCE * union


def _age(hit: Hit) -> tuple[str, str]:
    day = hit.source.date
    return (day.isoformat() if day else "", hit.source.version or "")


def _reading_order(
    chosen: Sequence[tuple[float, float, _Candidate]],
) -> list[tuple[float, float, _Candidate]]:
    """Documents by their best sentence, sentences of one document as they stand in it."""
    rank: dict[str, int] = {}
    for _score, _cosine, candidate in chosen:
        rank.setdefault(candidate.hit.source.id, len(rank))
    return sorted(
        chosen,
        key=lambda entry: (
            rank[entry[2].hit.source.id],
            entry[2].hit.chunk.start + entry[2].start,
        ),
    )


def _cosines(question: str, candidates: Sequence[_Candidate], embedder: Embedder) -> Vectors:
    asked = embedder.embed_queries([question])[0]
    cosines: Vectors = embedder.embed_passages([c.text for c in candidates]) @ asked
    return cosines


def _lexical(candidate: _Candidate, asked: frozenset[str], *, definition: bool) -> float:
    recall = len(asked & candidate.words) / len(asked) if asked else 0.0
    return LEXICAL_WEIGHT * recall + _bonus(candidate, asked, definition)


def _bonus(candidate: _Candidate, asked: frozenset[str], definition: bool) -> float:
    """A question for a definition is answered by a sentence that begins with its subject."""
    if not definition or not asked:
        return 0.0
    defining = _DEFINING.search(candidate.text)
    if not defining:
        return 0.0
    subject = _content_words(candidate.text[: defining.start()])
    return DEFINITION_BONUS if asked <= subject and len(subject) <= len(asked) + 3 else 0.0


def _content_words(text: str) -> frozenset[str]:
    """The stems of the words that carry meaning, without accents and case."""
    words = [word for word in _WORD.findall(_folded(text)) if word not in _STOP_WORDS]
    return frozenset(_stemmer().stemWords(words))


def _folded(text: str) -> str:
    decomposed = unicodedata.normalize("NFKD", text.lower())
    return "".join(c for c in decomposed if not unicodedata.combining(c))


@lru_cache(maxsize=1)
def _stemmer() -> Stemmer.Stemmer:
    return Stemmer.Stemmer("spanish")
