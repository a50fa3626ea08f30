"""PDF to pages. The only package that reads PDFs; method and figures in docs/reading.md."""

from tutor.ingest.reading.document import Backend, Ocr, read_pdf, shows_something

__all__ = ["Backend", "Ocr", "read_pdf", "shows_something"]
