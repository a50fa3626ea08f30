"""A document's title: the PDF's own if a person wrote it, else the page's, else the file's name."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tutor.ingest.metadata.dates import date_in
from tutor.ingest.metadata.file_names import file_stem, title_from_name
from tutor.ingest.metadata.short_line import short_line
from tutor.text.folding import letters

if TYPE_CHECKING:
    from tutor.ingest.metadata.head import HeadLine

MAX_TITLE_LINES = 3

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


def choose_title(pdf_title: str, heading: str, file_name: str) -> str:
    """The title as one plain line, never empty."""
    wanted = short_line(pdf_title)
    if _is_sensible(wanted, file_name):
        return wanted
    return heading or title_from_name(file_name) or "PDF"


def _is_sensible(title: str, file_name: str) -> bool:
    """Whether a person gave this title, rather than a program its template or file."""
    if sum(char.isalpha() for char in title) < 3 or _NO_TITLE.match(title):
        return False
    same_as_file = letters(title) == letters(file_stem(file_name))
    return not _FILE_LIKE.fullmatch(title) and not (same_as_file and " " not in title)


def find_heading(lines: Sequence[HeadLine], people_lines: frozenset[str]) -> str:
    """The first line that reads like a heading, with the lines that finish it; else "".

    Lines that cleaning dropped as running headers are looked at last. Recognised lines are not
    looked at: what recognition makes of handwriting and drawings often reads like a heading.
    """
    for kept in (True, False):
        for index, line in enumerate(lines):
            if line.kept is kept and _could_be_title(line, people_lines):
                return short_line(_finished(lines[index : index + MAX_TITLE_LINES], people_lines))
    return ""


def _could_be_title(line: HeadLine, people_lines: frozenset[str]) -> bool:
    return (
        sum(char.isalpha() for char in line.text) >= 3
        and len(line.text) <= 120
        and line.text not in people_lines
        and not _NO_HEADING.match(line.text)
        and not _INSTITUTION.match(line.text)
        and date_in(line.text) is None
        and not line.ocr
    )


def _finished(lines: Sequence[HeadLine], people_lines: frozenset[str]) -> str:
    title = lines[0].text
    for line in lines[1:]:
        goes_on = _UNFINISHED.search(title) or line.text[:1].islower()
        if not goes_on or not _could_be_title(line, people_lines):
            break
        title = f"{title} {line.text}"
    return title.strip(" .:,–—-")
