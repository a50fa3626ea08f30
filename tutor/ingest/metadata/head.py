"""The head of a document: the lines of its first page before its text proper begins."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from tutor.ingest.metadata.short_line import short_line
from tutor.model import CleanText, Document, Page, TextOrigin
from tutor.text.folding import letters, letters_with_offsets

MAX_LINES = 30
MAX_PAGE_CHARS = 6000
PAGES_LOOKED_AT = 3

_COLUMN_GAP = re.compile(r"[^\S\n]{4,}")
_BODY_BEGINS = re.compile(
    r"(?:[íi]ndice|tabla de contenidos?|contenidos?|(?:table of )?contents|resumen|abstract|sumario"
    r"|introducci[oó]n|introduction|objetivos?|agenda|temario|bibliograf[ií]a)\b.{0,12}\Z"
    r"|(?:1\s*\.?|I\.)\s+\w|1\.1\.?\s|.*(?:\.\s?){5}",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class HeadLine:
    """A line of the head in the display text.

    `kept` is false where cleaning dropped the line; `ocr` is true where it was recognised.
    """

    text: str
    kept: bool = True
    ocr: bool = False


def head_lines(document: Document, clean: CleanText) -> list[HeadLine]:
    """The head's lines, in order, at most `MAX_LINES`; empty where the first pages have no text.

    Lines are those of the page as read, since cleaning folds lines into paragraphs; each is
    spelled as in the display text, where broken accents and ligatures are mended.
    """
    page = next(
        (page for page in document.pages[:PAGES_LOOKED_AT] if page.text.strip()),
        None,
    )
    if page is None:
        return []
    return list(islice(_until_body(_page_lines(page, clean)), MAX_LINES))


def _page_lines(page: Page, clean: CleanText) -> Iterator[HeadLine]:
    start, end = _page_span(clean, page.number)
    reading = clean.text[start : min(end, start + MAX_PAGE_CHARS)]
    compared, offsets = letters_with_offsets(reading)
    position = 0
    ocr = page.origin is TextOrigin.OCR
    for raw in _raw_lines(page.text[:MAX_PAGE_CHARS]):
        wanted = letters(raw)
        if not wanted:
            continue
        found = compared.find(wanted, position)
        if found == -1:
            yield HeadLine(short_line(raw), kept=False, ocr=ocr)
            continue
        position = found + len(wanted)
        line = _with_punctuation(reading, offsets[found], offsets[position - 1] + 1)
        yield HeadLine(short_line(line), ocr=ocr)


def _raw_lines(text: str) -> Iterator[str]:
    for line in text.splitlines():
        yield from _COLUMN_GAP.split(line.strip())


def _page_span(clean: CleanText, number: int) -> tuple[int, int]:
    starts = clean.page_starts
    start = starts[number - 1] if number <= len(starts) else len(clean.text)
    end = starts[number] if number < len(starts) else len(clean.text)
    return start, end


def _with_punctuation(text: str, start: int, end: int) -> str:
    while start > 0 and not text[start - 1].isspace() and not text[start - 1].isalnum():
        start -= 1
    while end < len(text) and not text[end].isspace() and not text[end].isalnum():
        end += 1
    return text[start:end]


def _until_body(lines: Iterator[HeadLine]) -> Iterator[HeadLine]:
    """Lines before the first heading of the body or the second line of prose in a row."""
    prose: HeadLine | None = None
    for index, line in enumerate(lines):
        if index > 0 and _BODY_BEGINS.match(line.text):
            break
        wordy = _is_prose(line.text)
        if prose is not None:
            if wordy or line.text[:1].islower():
                return
            yield prose
        prose = line if wordy else None
        if not wordy:
            yield line
    if prose is not None:
        yield prose


def _is_prose(text: str) -> bool:
    """Many words, most of them in lower case; a line of names is no prose."""
    words = _WORD.findall(text)
    return len(words) >= 9 and sum(word.islower() for word in words) > 0.6 * len(words)
