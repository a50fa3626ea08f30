"""PDF to pages. The only package that reads PDFs; method and figures in docs/reading.md.

What stands here is known without loading PDFium, which is for the processes that read.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import Literal, TypeAlias

from tutor.ingest.reading.ocr import find_ocr

Backend: TypeAlias = Literal["pdfium", "pdfminer"]
Ocr: TypeAlias = Literal["auto", "off"]

READING_VERSION = 25
"""Raised whenever the readers give another text for the same PDF."""


class Shown(Enum):
    """What is drawn on the pages of a PDF, at most."""

    NOTHING = auto()
    CHARACTERS = auto()
    PICTURES = auto()
    """Pictures, lines or shades: a scan, or text as a drawing."""


def reader_identity(backend: Backend, ocr: Ocr) -> str:
    """Backend, version, and whether scanned pages are recognised here, as one short text."""
    recognised = ocr == "auto" and find_ocr() is not None
    return f"{backend}-{READING_VERSION}{'+ocr' if recognised else ''}"
