"""How well a span of a passage supports a claim: meaning, words, and what must agree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tutor.answer.verification import formulas, names, numbers, order, polarity
from tutor.answer.verification.words import coverage

if TYPE_CHECKING:
    from tutor.answer.verification.candidates import Candidate, Claim

UNRELATED = (
    "El equipo ganó el partido con dos goles en el segundo tiempo.",
    "Se añade la harina y se hornea la masa durante media hora.",
    "El tren a la costa sale por la mañana desde la estación central.",
    "The recipe needs two eggs and a cup of sugar.",
    "The king died and his brother took the throne.",
    "Heavy rain is expected in the mountains tomorrow.",
)
"""Sentences that no course claim means. Embedders differ in how near they put what has nothing
to do with each other (E5: 0.75 and more): a cosine counts from there."""
COVERAGE_WEIGHT = 0.5
"""What all words shared are worth, where 1 is the distance from unrelated to equal meaning."""
NEAR_SHARE = 0.5
"""What a word counts that stands not in the quoted sentence but beside it."""
MIN_EVIDENCE = 0.83
"""Evidence from which a claim is supported in its own language."""
MIN_EVIDENCE_ACROSS = 0.65
"""The same across languages."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a span says for a claim. `meaning` is 0 for unrelated and 1 for equal sentences.

    It is `complete` if it has all numbers and names of the claim.
    """

    span: Candidate
    meaning: float
    words: float
    complete: bool
    contradicts: bool
    across: bool

    @property
    def total(self) -> float:
        """What spans are compared by."""
        return self.meaning + COVERAGE_WEIGHT * self.words

    @property
    def supports(self) -> bool:
        """Whether it is enough, and nothing is missing or said otherwise."""
        return self.margin >= 0 and self.complete and not self.contradicts

    @property
    def margin(self) -> float:
        """By how much it is more (or less) than a claim needs."""
        return self.total - (MIN_EVIDENCE_ACROSS if self.across else MIN_EVIDENCE)

    @property
    def support(self) -> float:
        """The evidence between 0 (none) and 1 (quoted); 0.5 is just enough."""
        room = 1 + COVERAGE_WEIGHT - (self.total - self.margin)
        return min(1.0, max(0.0, 0.5 + 0.5 * self.margin / room))


def weigh(claim: Claim, span: Candidate, cosine: float, unrelated: float, passage: str) -> Evidence:
    """The evidence of a span; `unrelated` is the claim's mean cosine to what is unrelated."""
    across = claim.across(span)
    here = _shared(claim, coverage(claim.words, span.words, across=across), span.values)
    near = _shared(claim, coverage(claim.words, span.near_words, across=across), span.near_values)
    return Evidence(
        span,
        meaning=(cosine - unrelated) / max(1e-6, 1 - unrelated),
        words=here + NEAR_SHARE * (near - here),
        complete=numbers.agree(claim.text, span.text, span.near)
        and names.known(claim.text, f"{passage} {claim.context}", across=across),
        contradicts=_contradicts(claim.text, span, passage),
        across=across,
    )


def _shared(claim: Claim, words: float, values: frozenset[str]) -> float:
    """The share of the claim's words and numbers; a number counts like a word."""
    weight = sum(word.weight for word in claim.words)
    known = sum(bool(number.forms & values) for number in claim.numbers)
    whole = weight + len(claim.numbers)
    return (weight * words + known) / whole if whole else 0.0


def _contradicts(claim: str, span: Candidate, passage: str) -> bool:
    """Whether something is calculated, negated, reversed or exchanged in one and not the other."""
    return (
        not formulas.agree(claim, passage)
        or polarity.opposed(claim, span.text)
        or order.exchanged(claim, span.near)
    )
