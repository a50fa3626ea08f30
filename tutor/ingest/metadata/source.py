"""One document's record, from everything that names it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from tutor.ingest.metadata.authors import find_authors
from tutor.ingest.metadata.file_names import date_in, parse_file_name, short_line, title_from_name
from tutor.ingest.metadata.people import NameFinder
from tutor.model import BlockKind, CleanText, Document, Page, Source, TextOrigin
from tutor.text.folding import letters, letters_with_offsets

BEGINNING_CHARS = 200_000
MAX_LINES = 30
MAX_PAGE_CHARS = 6000
PAGES_LOOKED_AT = 3

_COLUMN_GAP = re.compile(r"[^\S\n]{4,}")
_BODY_BEGINS = re.compile(
    r"(?:[íi]ndice|(?:tabla de )?contenidos?|contents|resumen|abstract"
    r"|introducci[oó]n|introduction)\b.{0,12}\Z"
    r"|(?:1\s*\.?|I\.)\s+\w|1\.1\.?\s|.*(?:\.\s?){5}",
    re.IGNORECASE,
)
_NO_TITLE = re.compile(
    r"universi|institut|facult|escuela|school|departamento|department|colegio|\S*(?:@|://|www\.)",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_]+")


def describe_source(
    path: str, sha256: str, document: Document, clean: CleanText, names: NameFinder | None
) -> Source:
    """What is known of the document at `path` (course-relative, forward slashes).

    The file's name gives week, date and version; where it has no date, the first page's counts.
    The title is the PDF's own if the page has it, too, else the page's, else the file's name.
    Without a name finder only names that the page or the PDF's properties call authors are found.
    Every string but `path` is fit for one line of a terminal.
    """
    file_name = path.rsplit("/", 1)[-1]
    fields = parse_file_name(file_name)
    page = next((page for page in document.pages[:PAGES_LOOKED_AT] if page.text.strip()), None)
    lines = list(islice(_until_body(_page_lines(page, clean)), MAX_LINES)) if page else []
    headings = _headings(page, clean) if page else []
    common = (word for word in _WORD.findall(clean.text[:BEGINNING_CHARS]) if word.islower())
    topics = {letters(word) for word in (*_WORD.findall(" ".join(headings)), *common)}
    authors, people_lines = find_authors(lines, topics, short_line(document.info.author), names)
    given = short_line(document.info.title)
    own = [line for line in lines if line not in people_lines]
    title = _title(given, page, (*headings, *own), clean) if page else ""
    return Source(
        id=document.source_id,
        path=path,
        title=title or title_from_name(file_name) or "PDF",
        sha256=sha256,
        pages=len(document.pages),
        week=fields.week,
        date=fields.date or date_in("\n".join(lines)),
        version=fields.version,
        authors=tuple(short_line(name) for name in authors),
    )


# --- The head: the lines of the first page before its text proper begins -------------------------


def _page_lines(page: Page, clean: CleanText) -> Iterator[str]:
    """Lines are those of the page as read, since cleaning folds lines into paragraphs.

    Each is spelled as in the display text, where broken accents and ligatures are mended.
    """
    start, end = _span(page, clean)
    reading = clean.text[start : min(end, start + MAX_PAGE_CHARS)]
    compared, offsets = letters_with_offsets(reading)
    position = 0
    for line in page.text[:MAX_PAGE_CHARS].splitlines():
        for raw in _COLUMN_GAP.split(line.strip()):
            wanted = letters(raw)
            found = compared.find(wanted, position)
            if wanted and found == -1:
                yield short_line(raw)
            elif wanted:
                position = found + len(wanted)
                yield short_line(
                    _with_punctuation(reading, offsets[found], offsets[position - 1] + 1)
                )


def _with_punctuation(text: str, start: int, end: int) -> str:
    while start > 0 and not text[start - 1].isspace() and not text[start - 1].isalnum():
        start -= 1
    while end < len(text) and not text[end].isspace() and not text[end].isalnum():
        end += 1
    return text[start:end]


def _until_body(lines: Iterator[str]) -> Iterator[str]:
    """Lines before the first heading of the body or the second line of prose in a row."""
    prose = ""
    for index, line in enumerate(lines):
        if index > 0 and _BODY_BEGINS.match(line):
            break
        wordy = _is_prose(line)
        if prose and (wordy or line[:1].islower()):
            return
        yield from filter(None, (prose, "" if wordy else line))
        prose = line if wordy else ""
    yield from filter(None, (prose,))


def _is_prose(text: str) -> bool:
    """Many words, most of them in lower case; a line of names is no prose."""
    words = _WORD.findall(text)
    return len(words) >= 9 and sum(word.islower() for word in words) > 0.6 * len(words)


# --- Titles --------------------------------------------------------------------------------------


def _title(given: str, page: Page, lines: Sequence[str], clean: CleanText) -> str:
    """What the PDF calls itself if its page says so, too, else the first heading or line; or "".

    What programs and templates leave as a title stands on no page.
    """
    start, end = _span(page, clean)
    reading = clean.text[start : min(end, start + MAX_PAGE_CHARS)]
    if " " in given and letters(given) in letters(reading):
        return given
    if page.origin is TextOrigin.OCR:
        # What recognition makes of handwriting and drawings often reads like a heading.
        return ""
    for text in lines:
        if sum(map(str.isalpha, text)) >= 3 and not _NO_TITLE.match(text):
            return text.strip(" .:,–—-")
    return ""


def _headings(page: Page, clean: CleanText) -> list[str]:
    _, end = _span(page, clean)
    return [
        short_line(clean.text[block.start : block.end])
        for block in clean.blocks
        if block.kind is BlockKind.HEADING and block.start < end
    ]


def _span(page: Page, clean: CleanText) -> tuple[int, int]:
    """Where the page's text begins and ends."""
    starts = (*clean.page_starts, len(clean.text))
    last = len(starts) - 1
    return starts[min(page.number - 1, last)], starts[min(page.number, last)]
