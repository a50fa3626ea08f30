"""Pages of plain text, for tests of what cleaning does with them."""

from __future__ import annotations

from collections.abc import Sequence

from tutor.ingest.cleaning.document import clean
from tutor.ingest.cleaning.running_headers import body_lines
from tutor.model import CleanText, Document, Page, SourceId

SID = SourceId("notas")


def cleaned(*pages: str) -> CleanText:
    """The document that these pages make."""
    return clean(Document(SID, tuple(Page(SID, n, text) for n, text in enumerate(pages, 1))))


def without_running_headers(pages: Sequence[str]) -> list[str]:
    """The pages with the lines that are no running headers."""
    lines = [page.split("\n") for page in pages]
    kept = body_lines(lines)
    return ["\n".join(page[i] for i in rest) for page, rest in zip(lines, kept, strict=True)]
