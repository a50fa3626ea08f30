"""One document's record, from everything that names it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tutor.ingest.metadata.authors import find_authors
from tutor.ingest.metadata.dates import date_in
from tutor.ingest.metadata.file_names import parse_file_name
from tutor.ingest.metadata.head import head_lines
from tutor.ingest.metadata.names import NameRules, common_words_of
from tutor.ingest.metadata.short_line import short_line
from tutor.ingest.metadata.titles import choose_title, find_heading
from tutor.model import CleanText, Document, Source

if TYPE_CHECKING:
    from tutor.ingest.metadata.people import NameFinder

BEGINNING_CHARS = 200_000


def describe_source(
    path: str, sha256: str, document: Document, clean: CleanText, names: NameFinder | None
) -> Source:
    """What is known of the document at `path` (course-relative, forward slashes).

    The file's name gives week, date and version; where it has no date, the first page's counts.
    Without a name finder only names that the page or the PDF's properties call authors are found.
    Every string but `path` is fit for one line of a terminal.
    """
    file_name = path.rsplit("/", 1)[-1]
    fields = parse_file_name(file_name)
    lines = head_lines(document, clean)
    texts = [line.text for line in lines]
    rules = NameRules(common_words_of(clean.text[:BEGINNING_CHARS]), names)
    authors = find_authors(texts, short_line(document.info.author), rules)
    heading = find_heading(lines, authors.people_lines)
    return Source(
        id=document.source_id,
        path=path,
        title=choose_title(document.info.title, heading, file_name),
        sha256=sha256,
        pages=len(document.pages),
        week=fields.week,
        date=fields.date or date_in("\n".join(texts)),
        version=fields.version,
        authors=tuple(short_line(name) for name in authors.names),
    )
