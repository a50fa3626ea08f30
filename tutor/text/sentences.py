"""Sentence boundaries: layout first, then Punkt, then what Punkt cannot know of abbreviations."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from tutor.text.language import Language, detect_language, words

if TYPE_CHECKING:
    import punkt

_MODEL_NAMES: dict[Language, str] = {"es": "spanish", "en": "english"}

# Punkt decides from the next word whether one of these ends its sentence, as "etc." may.
_ABBREVIATIONS = words(
    "a.c al aprox approx apdo art coord d.c def desv dim ed eds ee.uu esp est etc excl ibid ibíd"
    " incl máx max mín min op cit prop ref refs resp ss std tel teor trad var"
)

# These always announce what follows, so no sentence ends after them, whatever the next word is.
_BINDING = words(
    "av avda cap caps cf cfr ch dña dpto depto dr dra dras drs e.g ec ecs ej eq eqs excmo fig figs"
    " gral i.e ilmo ing lic mr mrs ms mtra mtro núm núms num nro p.ej pág págs pag pags prof profa"
    " sec secc sr sra sras sres srta sta sto univ viz vol vols vs"
)

# These are abbreviations only before a number: "p. 12", "no. 5", but "Dijo que no. Luego ...".
_BINDING_BEFORE_NUMBER = words("art c ed l ll n no p pp ref t tab tabla v")

# Symbol fonts put their bullets into the private use area.
_BULLET = "•◦▪▫■□●○‣⁃∙·❒❑➢➤►▶✓✔→⇒*+–—-"
_MARKER = (
    rf"(?:[{re.escape(_BULLET)}\ue000-\uf8ff]|\(?(?:\d{{1,3}}|[a-zA-Z]|[ivxIVX]{{1,5}})\)"
    r"|\d{1,3}(?:\.\d{1,3}){0,4}\.?|[a-zA-Z]\.)"
)
_LIST_MARKER = re.compile(_MARKER + r"[^\S\n]+")

# A single line break is only layout, unless the line before it is a heading or the next one
# begins a list item. Spanish opening marks begin a sentence even after an abbreviation; Punkt,
# trained on case, does not see that, nor does it know the one-character ellipsis.
_HARD_BREAK = re.compile(
    rf"\n[^\S\n]*\n|[\f\v\x1c-\x1e\x85\u2028\u2029]|\n(?=[^\S\n]*{_MARKER}[^\S\n])"
    r"|(?<=[.!?…])\s(?=\s*[¿¡])|(?<=…)\s(?=\s*[A-ZÁÉÍÓÚÜÑ«“])"
)
_HEADING = re.compile(r"(?:[A-ZÁÉÍÓÚÜÑ¿¡]|\d{1,2}(?:\.\d{1,2}){0,3}\.?[^\S\n])[^\n]{0,79}\Z")
_LINE_START = re.compile(r"[^\S\n]*[A-ZÁÉÍÓÚÜÑ¿¡«“\"(]")
_WORD_BEFORE_PERIOD = re.compile(r"([^\s([{«“\"'¿¡]+)\.[)\]»”\"']?\Z")
# "Tema 1." and "Figura 3.2." label what follows them.
_LABEL = re.compile(r"[A-ZÁÉÍÓÚÜÑ][^\W\d_]+ \d{1,3}(?:\.\d{1,3}){0,3}\.")
_MAX_LABEL_CHARS = 40
_CLOSING = "»”\"')]?!"
_NUMBER = re.compile(r"[(\[]?(?:\d|[IVXLC]+\b)")
_WITHIN = re.compile(r"[,;:)\]}+]|\.(?!\w)")
"""No sentence begins so; one may begin with ".sty"."""
_ERA = re.compile(r"[aAdD]\. ?C\b")
"""Before or after Christ: "en el 31 a. C."."""
_SPACED_DOTS = re.compile(r"\. \.(?: \.)?\Z")


@cache
def punkt_parameters(language: Language) -> punkt.PunktParameters:
    """Punkt's learned parameters for `language` with the abbreviations of course notes added.

    Single letters are taken out of the learned abbreviations: a newspaper's are initials, but in
    notes "la clase C." ends a sentence. Punkt's own rule for initials still serves "J. Pérez".
    """
    import punkt  # noqa: PLC0415 - 0.04 s, not needed to quote whole blocks

    learned = punkt.load_model(_MODEL_NAMES[language])
    several_letters = {word for word in learned.abbrev_types if len(word) > 1}
    return replace(learned, abbrev_types=several_letters | _ABBREVIATIONS | _BINDING)


@cache
def _tokenizer(language: Language) -> punkt.PunktSentenceTokenizer:
    import punkt  # noqa: PLC0415 - as above

    return punkt.PunktSentenceTokenizer(punkt_parameters(language))


def split_sentences(text: str, language: Language | None = None) -> list[tuple[int, int]]:
    """Spans of the sentences of `text`, in order, disjoint, without white space at their ends.

    Every non-space character lies in exactly one span. Paragraphs, headings and list items end a
    sentence; inside them Punkt decides (Kiss & Strunk 2006, "Unsupervised Multilingual Sentence
    Boundary Detection", Computational Linguistics 32:4). The language is detected unless given.
    """
    tokenizer = _tokenizer(language or detect_language(text))
    return [
        span
        for start, end in _blocks(text)
        for span in _joined(text, _block_sentences(tokenizer, text, start, end))
    ]


def _blocks(text: str) -> Iterator[tuple[int, int]]:
    """Spans between layout boundaries, trimmed."""
    start = 0
    for match in _HARD_BREAK.finditer(text):
        yield from _without_heading(text, start, match.start())
        start = match.end()
    yield from _without_heading(text, start, len(text))


def _without_heading(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The block, its heading apart: a short first line that stops without punctuation."""
    start, end = trimmed(text, start, end)
    line_end = text.find("\n", start, end)
    if (
        line_end != -1
        and text[line_end - 1] not in ".,;:!?…-"
        and _HEADING.match(text, start, line_end)
        and _LINE_START.match(text, line_end + 1, end)
    ):
        yield trimmed(text, start, line_end)
        start, end = trimmed(text, line_end, end)
    if start < end:
        yield start, end


def _block_sentences(
    tokenizer: punkt.PunktSentenceTokenizer, text: str, start: int, end: int
) -> Iterator[tuple[int, int]]:
    """Punkt's sentences of one block; a list marker such as "1." stays with its item."""
    marker = _LIST_MARKER.match(text, start, end)
    body = marker.end() if marker else start
    previous_end = start
    for _, sentence_end in tokenizer.span_tokenize(text[body:end]):
        span = trimmed(text, previous_end, body + sentence_end)
        previous_end = body + sentence_end
        if span[0] < span[1]:
            yield span
    if previous_end < end:
        yield trimmed(text, previous_end, end)


def _joined(text: str, spans: Iterator[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The spans with those rejoined that an abbreviation has torn apart."""
    start, end = next(spans, (0, 0))
    for next_start, next_end in spans:
        if not _binds(text, start, end, next_start):
            yield start, end
            start = next_start
        end = next_end
    if start < end:
        yield start, end


def _binds(text: str, start: int, end: int, next_start: int) -> bool:
    """Whether what follows belongs to the same sentence: after an abbreviation, label or quote,
    or within a formula.
    """
    labelled = end - start <= _MAX_LABEL_CHARS and _LABEL.fullmatch(text, start, end)
    dotted = _WITHIN.match(text, next_start) or _SPACED_DOTS.search(text, max(start, end - 5), end)
    if labelled or dotted:  # "Tema 1.", "x₁, . . . , xₙ"
        return True
    if text[next_start].islower() and text[end - 1] in _CLOSING:
        return True  # «¿Pueden pensar las máquinas?» por un juego
    match = _WORD_BEFORE_PERIOD.search(text, max(start, end - 16), end)
    if match is None:
        return False
    word = match[1].lower()
    if word in _BINDING or _ERA.match(text, end - 2):
        return True
    if word in _BINDING_BEFORE_NUMBER and _NUMBER.match(text, next_start):
        return True
    # An unlisted abbreviation ("km. de", "ptos. por"): no sentence begins in lower case.
    return len(word) <= 4 and word.isalpha() and text[next_start : next_start + 2].islower()


def trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """A span of a text without white space at its ends."""
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end
