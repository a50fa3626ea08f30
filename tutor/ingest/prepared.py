"""What a worker process that prepares PDFs is given, and what it gives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tutor.model import CleanText, Document, Source, SourceId

if TYPE_CHECKING:
    from tutor.courses import NoteFile
    from tutor.ingest.reading import Backend, Ocr, Shown


@dataclass(frozen=True, slots=True)
class HashedFile:
    """A PDF of a course, the SHA-256 of its bytes and how many they are."""

    file: NoteFile
    sha256: str
    size: int

    @property
    def id(self) -> SourceId:
        """The document's identity."""
        return self.file.id


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
