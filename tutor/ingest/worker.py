"""PDF -> clean text and description, in a worker process: imports nothing but the ingest."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from tutor.ingest.cleaning.document import clean
from tutor.ingest.metadata import NameFinder, describe_source
from tutor.ingest.metadata.people import ModelNeeded, has_name_model, not_loaded, spacy_name_finder
from tutor.ingest.metadata.source import PAGES_LOOKED_AT
from tutor.ingest.prepared import HashedFile, Prepared, ReadingOptions, WithoutTextError
from tutor.ingest.reading.document import read_pdf, what_is_shown
from tutor.ingest.reading.limits import limited
from tutor.model import CleanText, Document, Source, TextOrigin


def prepare(hashed: HashedFile, options: ReadingOptions) -> Prepared:
    """Read, clean and describe one file. Raises `UnreadablePdf` and `WithoutTextError`.

    A process that goes beyond the limits ends with a `LimitExit`.
    """
    with limited(options.memory_mb, options.timeout_s):
        document = read_pdf(
            hashed.file.path,
            hashed.id,
            backend=options.backend,
            ocr=options.ocr,
            max_pages=options.max_pages,
        )
        text = clean(document)
        if not text.text.strip():
            raise WithoutTextError(what_is_shown(hashed.file.path))
        head = None
        try:
            source = _described(hashed, document, text, _loaded_name_finder())
        except ModelNeeded:
            source = _described(hashed, document, text, None)
            head = replace(document, pages=document.pages[:PAGES_LOOKED_AT])
    by_ocr = tuple(page.number for page in document.pages if page.origin is TextOrigin.OCR)
    return Prepared(source, text, document.pages_without_text, by_ocr, head)


def describe_again(hashed: HashedFile, prepared: Prepared, options: ReadingOptions) -> Source:
    """Describe a document that has a `head` with the model that knows names, loaded at need.

    A process that goes beyond the limits ends with a `LimitExit`; loading the model is not in them.
    """
    finder = _name_finder()
    if prepared.head is None:
        return prepared.source
    with limited(options.memory_mb, options.timeout_s):
        described = _described(hashed, prepared.head, prepared.text, finder)
    return replace(described, pages=prepared.source.pages)


def _described(
    hashed: HashedFile, document: Document, text: CleanText, finder: NameFinder | None
) -> Source:
    return describe_source(hashed.file.relative, hashed.sha256, document, text, finder)


@cache
def _name_finder() -> NameFinder | None:
    return spacy_name_finder()


def _loaded_name_finder() -> NameFinder | None:
    """The finder if it is loaded, else one that says that it has to be."""
    return (
        _name_finder() if _name_finder.cache_info().currsize or not has_name_model() else not_loaded
    )
