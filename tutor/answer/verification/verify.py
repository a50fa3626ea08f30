"""An answer's sentences, each with the passage sentence that supports it best, or without one.

Evidence is a cosine and the share of the claim's words that stand in and beside a sentence of the
passages. The best one supports the claim if that is enough, and numbers, names and formulas agree
and nothing is said otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from tutor.answer.verification import contradiction, formulas, numbers
from tutor.answer.verification.statements import AnswerPart, parts, plain
from tutor.embedding.embedder import Embedder
from tutor.text.language import detect_language
from tutor.text.paragraphs import CELL_SEPARATOR
from tutor.text.sentences import split_sentences
from tutor.text.terms import content_words, content_words_of_both

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
WORDS_WEIGHT = 0.5
"""What all words shared are worth, where 1 is the distance from unrelated to equal meaning."""
ENOUGH = 0.83
"""Evidence from which a claim is supported in its own language."""
ENOUGH_ACROSS = 0.65
"""The same across languages."""
_SHORT = 3
"""Content words up to which a claim is compared together with the line that it belongs to, or with
the question."""
_FEWEST_WORDS = 2
"""Content words of a passage sentence below which it is a heading or debris."""
_LANGUAGE_CHARS = 40
"""A formula or a list item has too few words to tell a language by."""
_NAME = re.compile(r"(?<=[a-záéíóúüñ,;] )[A-ZÁÉÍÓÚÜÑ][a-záéíóúüñ]{2,}(?:[A-Z][a-z]+)*\b")
"""A capitalised word in mid-sentence."""
_LABEL = re.compile(r"\W*[^\W\d_]+(?: [\d.]+)? \([^()\n]+\)\.")
"""What stands before a definition, a theorem, an example: "Definición (Entropía)."."""
_LINE = re.compile(r"[^\n]*[^\s][^\n]*")
_EMPHASIS = re.compile(r"\*\*[^*\n]+\*\*")


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


class _Span(NamedTuple):
    """`passage[start:end]` of the passage `place`, between the beginning and the end of what is
    `beside` it: the sentences before and after.
    """

    place: int
    passage: str
    start: int
    end: int
    beside: tuple[int, int]
    language: str

    @property
    def text(self) -> str:
        return self.passage[self.start : self.end]

    @property
    def is_row(self) -> bool:
        """Whether it is a row of a table."""
        return CELL_SEPARATOR in self.text

    @property
    def near(self) -> str:
        return self.passage[slice(*self.beside)]


class _Claim(NamedTuple):
    """A statement of an answer as plain text. `context` is what a list item belongs to."""

    text: str
    context: str
    language: str


class _WeighedSpan(NamedTuple):
    """What a span says for a claim: by how much more (or less) than it needs, and a share."""

    margin: float
    support: float
    span: _Span


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
    spans = [
        span
        for place, passage in enumerate(passages)
        for span in _spans(place, passage, list(_statements(passage)))
    ]
    language = detect_language(plain(text))
    checked = []
    for part in parts(text):
        if not part.claims:
            checked.append(CheckedSentence(part.start, part.end, SupportVerdict.NEUTRAL))
            continue
        claim = _claim(text, part, language, question)
        checked.append(_judged(part, claim, _best(claim, spans, embedder)))
    return checked


def _statements(passage: str) -> Iterator[tuple[int, int]]:
    """Start and end of each sentence; of a table, each row is one."""
    for start, end in split_sentences(passage):
        if CELL_SEPARATOR not in passage[start:end]:
            yield start, end
            continue
        for line in _LINE.finditer(passage, start, end):
            yield line.span()


def _spans(place: int, passage: str, sentences: Sequence[tuple[int, int]]) -> Iterator[_Span]:
    """The sentences of a passage but headings, labels, heads of tables and debris."""
    language = detect_language(passage)
    rows = [False, *(CELL_SEPARATOR in passage[slice(*one)] for one in sentences), False]
    for index, (start, end) in enumerate(sentences):
        before, here, after = rows[index : index + 3]
        heads = (here and after and not before) or _LABEL.fullmatch(passage, start, end)
        if not heads and len(content_words(passage[start:end])) >= _FEWEST_WORDS:
            # Rows of a table say something of other things each.
            beside = sentences[max(0, index - 1) : index + 2] if not here else [(start, end)]
            yield _Span(place, passage, start, end, (beside[0][0], beside[-1][1]), language)


def _claim(text: str, part: AnswerPart, language: str, question: str) -> _Claim:
    sentence = plain(text[part.start : part.end])
    own = detect_language(sentence) if len(sentence) > _LANGUAGE_CHARS else language
    short = len(content_words(sentence)) <= _SHORT
    return _Claim(sentence, part.context or (question if short else ""), own)


def _best(claim: _Claim, spans: Sequence[_Span], embedder: Embedder) -> _WeighedSpan | None:
    """The strongest evidence."""
    if not spans:
        return None
    short = len(content_words(claim.text)) <= _SHORT
    said = f"{claim.context} {claim.text}" if short and claim.context else claim.text
    vectors = embedder.embed_passages([said, *UNRELATED, *(span.text for span in spans)])
    cosines = vectors[1:] @ vectors[0]
    unrelated = float(cosines[: len(UNRELATED)].mean())
    found = []
    for span, cosine in zip(spans, cosines[len(UNRELATED) :], strict=True):
        across = span.language != claim.language
        meaning = (float(cosine) - unrelated) / max(1e-6, 1 - unrelated)
        total = meaning + WORDS_WEIGHT * _shared(claim.text, span.near, across=across)
        enough = ENOUGH_ACROSS if across else ENOUGH
        margin = total - enough
        support = 0.5 + 0.5 * margin / (1 + WORDS_WEIGHT - enough)
        found.append(_WeighedSpan(margin, min(1.0, max(0.0, support)), span))
    return max(found, key=lambda evidence: evidence.margin)


def _shared(claim: str, passage: str, *, across: bool) -> float:
    """The share (0 to 1) of a claim's words that a passage has."""
    if across:
        known, words = content_words_of_both(passage), re.findall(r"\w+", claim)
        forms = list(filter(None, map(content_words_of_both, words)))
    else:
        known = content_words(passage)
        forms = [frozenset([word]) for word in content_words(claim)]
    return sum(not known.isdisjoint(form) for form in forms) / max(1, len(forms))


def _judged(part: AnswerPart, claim: _Claim, evidence: _WeighedSpan | None) -> CheckedSentence:
    if evidence is None:
        return CheckedSentence(part.start, part.end, SupportVerdict.UNSUPPORTED)
    span = evidence.span
    if evidence.margin < 0 or not _agrees(claim, span):
        support = min(evidence.support, 0.49)
        return CheckedSentence(part.start, part.end, SupportVerdict.UNSUPPORTED, support=support)
    return CheckedSentence(
        part.start,
        part.end,
        SupportVerdict.SUPPORTED,
        span.place,
        span.start,
        span.end,
        evidence.support,
    )


def _agrees(claim: _Claim, span: _Span) -> bool:
    """Whether nothing of a claim is missing or said otherwise, whatever the wording."""
    return (
        numbers.agree(claim.text, span.text, span.near)
        and formulas.agree(claim.text, span.passage)
        and _names(claim.text) <= content_words_of_both(f"{span.passage} {claim.context}")
        and not contradiction.contradicts(claim.text, span.text)
        and not contradiction.exchanged(claim.text, span.near)
    )


def _names(claim: str) -> frozenset[str]:
    """The words of a claim that are capitalised in mid-sentence."""
    running = _EMPHASIS.sub(lambda words: words[0].lower(), formulas.MATHS.sub(" ", claim))
    return content_words(" ".join(_NAME.findall(running)))
