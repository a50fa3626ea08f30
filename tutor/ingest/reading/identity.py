"""What decides a document's text besides the document, so that a change makes it be read again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tutor.ingest.reading.ocr import find_recogniser

if TYPE_CHECKING:
    from tutor.ingest.reading.document import Backend, Ocr

READING_VERSION = 7
"""Raised whenever the readers give another text for the same PDF."""


def reader_identity(backend: Backend, ocr: Ocr) -> str:
    """Backend, version, and whether scanned pages are recognised here, as one short text."""
    recognised = ocr == "auto" and find_recogniser() is not None
    return f"{backend}-{READING_VERSION}{'+ocr' if recognised else ''}"
