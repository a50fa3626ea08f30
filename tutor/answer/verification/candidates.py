"""Which sentences of the passages may support a claim, by their words alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from tutor.answer.verification import formulas
from tutor.answer.verification.numbers import numbers
from tutor.answer.verification.words import content_words, coverage
from tutor.text.language import detect_language
from tutor.text.sentences import split_sentences

if TYPE_CHECKING:
    from tutor.answer.verification.numbers import Number
    from tutor.answer.verification.words import Word

SINGLES = 5
"""Passage sentences that are compared with a claim in the same language."""
SINGLES_ACROSS = 24
"""The same across languages, where shared words tell little."""
FEWEST_WORDS = 2
"""Content words of a passage sentence below which it is a heading or debris."""
PAIRS = 2
"""Pairs of neighbouring sentences that are compared with it besides."""
PAIR_GAIN = 0.12
"""By how much more of the claim's words a pair must have than its better half."""
_NUMBER_SHARE = 0.3
_FORMULA_SHARE = 0.6


@dataclass(frozen=True)
class Candidate:
    """A sentence of a passage, or two neighbouring ones: `passage[start:end]`.

    `near` is the text of it and of the sentences beside it. `foreign` texts are in another
    language than the claim.
    """

    passage: int
    start: int
    end: int
    text: str
    near: str
    language: str

    @cached_property
    def words(self) -> list[Word]:
        """Its content words."""
        return content_words(self.text)

    @cached_property
    def near_words(self) -> list[Word]:
        """Its content words and those beside it."""
        return content_words(self.near)

    @cached_property
    def values(self) -> frozenset[str]:
        """Its numbers."""
        return _values(numbers(self.text))

    @cached_property
    def near_values(self) -> frozenset[str]:
        """Its numbers and those beside it."""
        return _values(numbers(self.near))


@dataclass(frozen=True)
class Claim:
    """A statement of an answer as plain text. `context` is what a list item belongs to."""

    text: str
    context: str
    language: str

    @cached_property
    def words(self) -> list[Word]:
        """Its content words."""
        return content_words(self.text)

    @cached_property
    def numbers(self) -> list[Number]:
        """Its numbers in order."""
        return numbers(self.text)

    @cached_property
    def values(self) -> frozenset[str]:
        """Every way that its numbers may be written."""
        return _values(self.numbers)

    def across(self, span: Candidate) -> bool:
        """Whether the passage is in another language."""
        return span.language != self.language


@dataclass(frozen=True)
class Sentences:
    """The sentences of all passages, and their neighbouring pairs by their first halves."""

    singles: tuple[Candidate, ...]
    pairs: dict[Candidate, Candidate]


def passage_sentences(passages: Sequence[str]) -> Sentences:
    """The sentences that may be quoted, passage by passage."""
    singles: list[Candidate] = []
    pairs: dict[Candidate, Candidate] = {}
    for index, passage in enumerate(passages):
        language = detect_language(passage)
        spans = split_sentences(passage)
        own = list(_spans(index, passage, spans, 1, language))
        joined = list(_spans(index, passage, spans, 2, language))
        singles += own
        pairs.update(zip(own, joined, strict=False))
    return Sentences(tuple(singles), pairs)


def candidates(claim: Claim, sentences: Sentences) -> list[Candidate]:
    """The spans worth comparing with the claim by meaning, most promising first."""
    scored = [(_promise(claim, span), span) for span in sentences.singles]
    scored = [(p, s) for p, s in scored if len(s.words) >= FEWEST_WORDS or p >= _FORMULA_SHARE]
    own = [(p, s) for p, s in scored if p > 0 and not claim.across(s)]
    foreign = [(p, s) for p, s in scored if claim.across(s)]
    chosen = [span for _, span in _best(own, SINGLES)]
    chosen += [span for _, span in _best(foreign, SINGLES_ACROSS)]
    gains = []
    for span in dict.fromkeys([*chosen, *_before(chosen, sentences)]):
        pair = sentences.pairs.get(span)
        if pair is None:
            continue
        second = sentences.singles[sentences.singles.index(span) + 1]
        halves = max(_promise(claim, span), _promise(claim, second))
        gain = _promise(claim, pair) - halves
        if gain >= PAIR_GAIN:
            gains.append((_promise(claim, pair), pair))
    return chosen + [pair for _, pair in _best(gains, PAIRS)]


def _before(chosen: Sequence[Candidate], sentences: Sentences) -> Iterator[Candidate]:
    places = {span: place for place, span in enumerate(sentences.singles)}
    for span in chosen:
        place = places[span]
        if place and sentences.singles[place - 1].passage == span.passage:
            yield sentences.singles[place - 1]


def _best(scored: Sequence[tuple[float, Candidate]], n: int) -> list[tuple[float, Candidate]]:
    return sorted(scored, key=lambda entry: -entry[0])[:n]


def _promise(claim: Claim, span: Candidate) -> float:
    """What words, numbers and formulas say for the span."""
    shared = coverage(claim.words, span.words, across=claim.across(span))
    if claim.values:
        shared += _NUMBER_SHARE * len(claim.values & span.values) / len(claim.values)
    return shared + _FORMULA_SHARE * formulas.related(claim.text, span.text)


def _spans(
    index: int, passage: str, spans: Sequence[tuple[int, int]], n: int, language: str
) -> Iterator[Candidate]:
    for first in range(len(spans) - n + 1):
        start, end = spans[first][0], spans[first + n - 1][1]
        before, after = spans[max(0, first - 1)][0], spans[min(len(spans) - 1, first + n)][1]
        yield Candidate(index, start, end, passage[start:end], passage[before:after], language)


def _values(found: Sequence[Number]) -> frozenset[str]:
    return frozenset(form for number in found for form in number.forms)
