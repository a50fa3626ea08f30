"""PDF to pages. The only package that reads PDFs; method and figures in docs/reading.md."""

from tutor.ingest.reading.document import (
    Backend,
    Ocr,
    Shown,
    read_pdf,
    reader_identity,
    what_is_shown,
)

__all__ = ["Backend", "Ocr", "Shown", "read_pdf", "reader_identity", "what_is_shown"]
