"""What a process that prepares PDFs is asked to do, what it is given, and what it gives."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tutor.model import CleanText, Document, Source, SourceId

if TYPE_CHECKING:
    from tutor.ingest.reading import Backend, Ocr, Shown


@dataclass(frozen=True, slots=True)
class PdfFile:
    """A PDF to be read. `relative` is its path within the course, with forward slashes."""

    path: Path
    relative: str
    sha256: str
    id: SourceId


@dataclass(frozen=True, slots=True)
class ReadingOptions:
    """How a PDF is read, and how much memory and computing it may take."""

    backend: Backend
    ocr: Ocr
    max_pages: int
    memory_mb: int
    timeout_s: float


@dataclass(frozen=True, slots=True)
class Prepared:
    """A document, read, cleaned and described.

    `head` is there where its authors are still to be looked for, by `describe_again`: loading the
    model that knows names takes longer than reading most documents.
    """

    source: Source
    text: CleanText
    pages_without_text: tuple[int, ...]
    pages_by_ocr: tuple[int, ...]
    head: Document | None = None


class WithoutTextError(Exception):
    """A PDF can be opened and has no text; `shown` is what can be seen on its pages."""

    def __init__(self, shown: Shown) -> None:
        super().__init__(shown)
        self.shown = shown


def prepare(file: PdfFile, options: ReadingOptions) -> Prepared:
    """As `tutor.ingest.prepare.prepare`."""
    from tutor.ingest import prepare  # noqa: PLC0415 - 0.1 s, which who asks need not pay

    return prepare.prepare(file, options)


def describe_again(file: PdfFile, prepared: Prepared, options: ReadingOptions) -> Source:
    """As `tutor.ingest.prepare.describe_again`."""
    from tutor.ingest import prepare  # noqa: PLC0415 - as above

    return prepare.describe_again(file, prepared, options)
