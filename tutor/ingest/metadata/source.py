"""One document's record, from everything that names it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from tutor.ingest.metadata.authors import NameRules, common_words_of, find_authors
from tutor.ingest.metadata.file_names import date_in, parse_file_name, short_line, title_from_name
from tutor.ingest.metadata.people import NameFinder
from tutor.model import BlockKind, CleanText, Document, Page, Source, TextOrigin
from tutor.text.folding import letters, letters_with_offsets

BEGINNING_CHARS = 200_000
MAX_LINES = 30
MAX_PAGE_CHARS = 6000
PAGES_LOOKED_AT = 3
MAX_TITLE_LINES = 3

_COLUMN_GAP = re.compile(r"[^\S\n]{4,}")
_BODY_BEGINS = re.compile(
    r"(?:[íi]ndice|tabla de contenidos?|contenidos?|(?:table of )?contents|resumen|abstract|sumario"
    r"|introducci[oó]n|introduction|objetivos?|agenda|temario|bibliograf[ií]a)\b.{0,12}\Z"
    r"|(?:1\s*\.?|I\.)\s+\w|1\.1\.?\s|.*(?:\.\s?){5}",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_]+")
_NO_TITLE = re.compile(
    r"untitled|sin t[ií]tulo|documento?\s*\d*\Z|microsoft (?:word|powerpoint|office)"
    r"|presentaci[oó]n(?:\s+de powerpoint|\s*\d*)\Z|powerpoint presentation|slide \d+"
    r"|t[ií]t(?:le|ulo)\Z|.*\bsubtitle\b|.*\bhere comes\b|your title|print\Z|layout \d|about:blank"
    r"|https?://|.*\.(?:docx?|pptx?|odt|odp|tex|pdf|dvi|indd|rtf|txt|html?|ipynb|qxd)\Z",
    re.IGNORECASE,
)
_FILE_LIKE = re.compile(r"\S*[_\d]\S*|[a-z]+", re.ASCII)
_NO_HEADING = re.compile(
    r"\S*@\S*\Z|(?:https?://|www\.)\S+\Z|\W*\d*\W*\Z|p[aá]g(?:ina|\.)?\s*\d+|page\s+\d+"
    r"|versi[oó]n\b|semestre\b|(?:i|ii|primer|segundo)\s+(?:semestre|cuatrimestre)\b|fecha\b|date\b"
    r"|\d{4}\s*[-/]\s*\d{2,4}\Z|.*(?:https?://|www\.)",
    re.IGNORECASE,
)
_INSTITUTION = re.compile(
    r"(?:universidad|university|instituto|institute|facultad|faculty|escuela|school|departamento"
    r"|department|colegio|doble grado|grado en|m[aá]ster|licenciatura|maestr[ií]a|campus|sede)\b",
    re.IGNORECASE,
)
_UNFINISHED = re.compile(
    r"(?:\b(?:a|al|ante|con|de|del|e|el|en|entre|la|las|los|no|o|para|por|sin|sobre|su|un|una|y|and|for|in"
    r"|of|on|the|to|with)|[,:–—-])\Z",
    re.IGNORECASE,
)


def describe_source(
    path: str, sha256: str, document: Document, clean: CleanText, names: NameFinder | None
) -> Source:
    """What is known of the document at `path` (course-relative, forward slashes).

    The file's name gives week, date and version; where it has no date, the first page's counts.
    The title is the PDF's own if a person wrote it, else the page's, else the file's name.
    Without a name finder only names that the page or the PDF's properties call authors are found.
    Every string but `path` is fit for one line of a terminal.
    """
    file_name = path.rsplit("/", 1)[-1]
    fields = parse_file_name(file_name)
    page = next((page for page in document.pages[:PAGES_LOOKED_AT] if page.text.strip()), None)
    lines = list(islice(_until_body(_page_lines(page, clean)), MAX_LINES)) if page else []
    rules = NameRules(common_words_of(clean.text[:BEGINNING_CHARS]), names)
    authors, people_lines = find_authors(lines, short_line(document.info.author), rules)
    title = short_line(document.info.title)
    if not _is_sensible(title):
        # What recognition makes of handwriting and drawings often reads like a heading.
        is_recognised = page is not None and page.origin is TextOrigin.OCR
        heading = "" if is_recognised else _heading(lines, people_lines)
        title = _whole(heading, clean) or title_from_name(file_name) or "PDF"
    return Source(
        id=document.source_id,
        path=path,
        title=title,
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
    starts = (*clean.page_starts, len(clean.text))
    start, end = (starts[min(number, len(starts) - 1)] for number in (page.number - 1, page.number))
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


def _is_sensible(title: str) -> bool:
    """Whether a person gave this title, rather than a program its template or file."""
    worded = sum(char.isalpha() for char in title) >= 3
    return worded and not _NO_TITLE.match(title) and not _FILE_LIKE.fullmatch(title)


def _heading(lines: Sequence[str], people_lines: frozenset[str]) -> str:
    """The first line that reads like a heading, with the lines that finish it; else ""."""
    could_be_title = [line not in people_lines and _could_be_title(line) for line in lines]
    if True not in could_be_title:
        return ""
    first = could_be_title.index(True)
    title = lines[first]
    for place in range(first + 1, min(first + MAX_TITLE_LINES, len(lines))):
        goes_on = _UNFINISHED.search(title) or lines[place][:1].islower()
        if not goes_on or not could_be_title[place]:
            break
        title = f"{title} {lines[place]}"
    return short_line(title.strip(" .:,–—-"))


def _whole(title: str, clean: CleanText) -> str:
    """A title with all lines of its block, where the first block that begins so is a heading."""
    for block in clean.blocks[:MAX_LINES] if title else ():
        line = short_line(clean.text[block.start : block.end])
        if letters(line).startswith(letters(title)):
            return line.strip(" .:,–—-") if block.kind is BlockKind.HEADING else title
    return title


def _could_be_title(line: str) -> bool:
    return (
        sum(char.isalpha() for char in line) >= 3
        and len(line) <= 120
        and not _NO_HEADING.match(line)
        and not _INSTITUTION.match(line)
        and date_in(line) is None
    )
