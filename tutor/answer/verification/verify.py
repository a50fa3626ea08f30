"""An answer's sentences, each with the passage sentence that supports it best, or without one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from tutor.answer.verification.candidates import Claim, candidates, passage_sentences
from tutor.answer.verification.evidence import UNRELATED, weigh
from tutor.answer.verification.statements import parts, plain
from tutor.text.folding import fold
from tutor.text.language import detect_language

if TYPE_CHECKING:
    from tutor.answer.verification.candidates import Candidate, Sentences
    from tutor.answer.verification.evidence import Evidence
    from tutor.answer.verification.statements import AnswerPart
    from tutor.embedding.embedder import Embedder

_SHORT = 3
"""Content words up to which a list item is compared together with the line it belongs to, and any
other claim together with the question."""
_MIN_QUOTE = 3
"""Content words from which a sentence found in a passage word by word is a quotation."""

_ALMOST = 0.08
"""How much weaker than the strongest evidence another may be to take its place."""


class SupportVerdict(StrEnum):
    """What the passages say of a statement."""

    SUPPORTED = "supported"
    UNSUPPORTED = "unsupported"
    NEUTRAL = "neutral"
    """It claims nothing."""


@dataclass(frozen=True, slots=True)
class CheckedSentence:
    """`text[start:end]` of the answer and `passages[passage][quote_start:quote_end]`.

    `passage` is None, and the quote empty, unless it is supported. `support` is between 0 and 1
    (quoted); a supported statement has at least 0.5.
    """

    start: int
    end: int
    verdict: SupportVerdict
    passage: int | None = None
    quote_start: int = 0
    quote_end: int = 0
    support: float = 0.0


def verify(
    text: str,
    passages: Sequence[str],
    embedder: Embedder,
    question: str = "",
) -> list[CheckedSentence]:
    """Compare every sentence of an answer (Markdown without markers) with the passages.

    A few words ("1996") are compared as what they say to the question. The statements are in order
    and apart; what lies between them is blank or markup. Raises `EmbedderError`.
    """
    found = parts(text)
    sentences = passage_sentences(passages)
    language = detect_language(plain(text))
    claims = {part: _claim(text, part, language, question) for part in found if part.claims}
    quoted = {part: _quotation(claim, sentences) for part, claim in claims.items()}
    open_claims = {part: claim for part, claim in claims.items() if quoted[part] is None}
    weighed = _weighed(open_claims, sentences, passages, embedder)
    return [_statement(part, quoted.get(part), weighed.get(part)) for part in found]


def _claim(text: str, part: AnswerPart, language: str, question: str) -> Claim:
    sentence = plain(text[part.start : part.end])
    # A formula or a list item has too few words to tell a language by.
    own = detect_language(sentence) if len(sentence) > 40 else language
    claim = Claim(sentence, part.context, own)
    alone = question and not part.context and len(claim.words) <= _SHORT
    return replace(claim, context=question) if alone else claim


def _quotation(claim: Claim, sentences: Sentences) -> Candidate | None:
    """The span that has the claim word by word."""
    if len(claim.words) < _MIN_QUOTE:
        return None
    words = _bare(claim.text)
    for span in (*sentences.singles, *sentences.pairs.values()):
        if f" {words} " in f" {_bare(span.text)} ":
            return span
    return None


def _bare(text: str) -> str:
    """The text without accents, case and punctuation; what carries meaning in formulas stays."""
    kept = re.sub(r"[^\w\s+\-−*/=<>≤≥⋅·^|%√∑∏.,]", " ", fold(text))
    return " ".join(re.sub(r"(?<!\d)[.,]|[.,](?!\d)", " ", kept).split())


def _weighed(
    claims: dict[AnswerPart, Claim],
    sentences: Sentences,
    passages: Sequence[str],
    embedder: Embedder,
) -> dict[AnswerPart, Evidence]:
    """The best evidence for each claim that has any."""
    spans = {part: candidates(claim, sentences) for part, claim in claims.items()}
    spans = {part: found for part, found in spans.items() if found}
    if not spans:
        return {}
    vectors = embedder.embed_passages([*(_embedded(claims[part]) for part in spans), *UNRELATED])
    asked = vectors[: len(spans)]
    texts = list(dict.fromkeys(span.text for found in spans.values() for span in found))
    rows = {text: row for row, text in enumerate(texts)}
    cosines = asked @ embedder.embed_passages(texts).T
    unrelated = (asked @ vectors[len(spans) :].T).mean(axis=1)
    return {
        part: _best(
            [
                weigh(
                    claims[part],
                    span,
                    float(cosines[row, rows[span.text]]),
                    float(unrelated[row]),
                    passages[span.passage],
                )
                for span in found
            ]
        )
        for row, (part, found) in enumerate(spans.items())
    }


def _embedded(claim: Claim) -> str:
    short = len(claim.words) <= _SHORT and claim.context
    return f"{claim.context} {claim.text}" if short else claim.text


def _best(found: Sequence[Evidence]) -> Evidence:
    """The strongest evidence, unless that falls short where one almost as strong does not."""
    strongest = max(found, key=lambda evidence: evidence.margin)
    if strongest.contradicts:
        return strongest
    enough = [e for e in found if e.supports and e.margin >= strongest.margin - _ALMOST]
    return max(enough, key=lambda evidence: evidence.margin, default=strongest)


def _statement(
    part: AnswerPart, quoted: Candidate | None, evidence: Evidence | None
) -> CheckedSentence:
    if not part.claims:
        return CheckedSentence(part.start, part.end, SupportVerdict.NEUTRAL)
    if quoted is not None:
        return _supported(part, quoted, 1.0)
    if evidence is not None and evidence.supports:
        return _supported(part, evidence.span, evidence.support)
    support = min(evidence.support, 0.49) if evidence is not None else 0.0
    return CheckedSentence(part.start, part.end, SupportVerdict.UNSUPPORTED, support=support)


def _supported(part: AnswerPart, span: Candidate, support: float) -> CheckedSentence:
    return CheckedSentence(
        part.start,
        part.end,
        SupportVerdict.SUPPORTED,
        span.passage,
        span.start,
        span.end,
        support,
    )
