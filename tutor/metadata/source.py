"""One document's record, from everything that names it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tutor.metadata.authors import find_authors
from tutor.metadata.dates import date_in
from tutor.metadata.file_names import parse_file_name
from tutor.metadata.head import head_lines
from tutor.metadata.names import NameRules, common_words_of
from tutor.metadata.plain import plain
from tutor.metadata.titles import choose_title, find_heading
from tutor.types import Source

if TYPE_CHECKING:
    from tutor.metadata.people import NameFinder
    from tutor.types import CleanText, Document

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
    authors = find_authors(texts, plain(document.info.author), rules)
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
        authors=tuple(plain(name) for name in authors.names),
    )
