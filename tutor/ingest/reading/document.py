"""Read a whole PDF, and say what is wrong with one that cannot be read."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pypdfium2
import pypdfium2.raw as pdfium_c

from tutor.errors import UnreadablePdf, reason_of
from tutor.i18n import _
from tutor.ingest.reading import Backend, Ocr, Shown, pdfium
from tutor.ingest.reading.ocr import Tesseract, find_ocr
from tutor.model import Document, Page, PdfInfo, SourceId, TextOrigin

_HEAD = 1024
"""Bytes at the start in which `%PDF-` must stand (ISO 32000-1, annex H.3, note 13)."""
_TAIL = 2048
"""Bytes at the end in which `%%EOF` must stand; the standard's note says 1024."""

_PICTURES = {
    pdfium_c.FPDF_PAGEOBJ_IMAGE,
    pdfium_c.FPDF_PAGEOBJ_PATH,
    pdfium_c.FPDF_PAGEOBJ_SHADING,
}
_DEEPEST_FORM = 3
"""Pieces of a page within pieces are looked into so far: a bomb has millions."""


def read_pdf(
    path: Path,
    source_id: SourceId,
    *,
    backend: Backend = "pdfium",
    ocr: Ocr = "auto",
    max_pages: int = 2000,
) -> Document:
    """Read every page of a PDF, in order; depends on nothing but the file and its arguments.

    A page without a text layer, or one that is broken by itself, has no text and the origin
    `none`; with `ocr="auto"` and a Tesseract that reads Spanish, its picture is read instead.
    PDFium opens the file, counts its pages and reads its properties for both backends, and also
    the text where pdfminer finds another number of pages.

    Raises `UnreadablePdf` with one of the reasons `empty`, `not_pdf`, `truncated`, `broken`,
    `encrypted`, `no_pages`, `too_many_pages` and `unreadable`.
    """
    with opened_pdf(path) as pdf:
        count = len(pdf)
        if count == 0:
            raise _no_pages()
        if count > max_pages:
            raise UnreadablePdf(
                "too_many_pages",
                _("It has %(count)d pages; at most %(limit)d are read.")
                % {"count": count, "limit": max_pages},
                _("Raise reading.max_pages in tutor.toml, or split the file."),
            )
        tesseract = find_ocr() if ocr == "auto" else None
        texts = _pdfminer_texts(path, count) if backend == "pdfminer" else None
        pages = tuple(
            _page(pdf, source_id, n, texts[n - 1] if texts else None, tesseract)
            for n in range(1, count + 1)
        )
        title, author = (pdf.get_metadata_value(name).strip() for name in ("Title", "Author"))
        return Document(source_id, pages, PdfInfo(title, author))


def _page(
    pdf: pypdfium2.PdfDocument,
    source_id: SourceId,
    number: int,
    text: str | None,
    tesseract: Tesseract | None,
) -> Page:
    try:
        page = pdf[number - 1]
    except pypdfium2.PdfiumError:
        return Page(source_id, number, text or "", TextOrigin.LAYER if text else TextOrigin.NONE)
    try:
        if text is None:
            read = Page.of_lines(source_id, number, pdfium.lines_of(page))
        else:
            read = Page(source_id, number, text)
        if read.text.strip():
            return read
        text = tesseract.text_of(page) if tesseract else ""
    except pypdfium2.PdfiumError:
        text = ""
    finally:
        page.close()
    return Page(source_id, number, text, TextOrigin.OCR if text else TextOrigin.NONE)


def what_is_shown(path: Path) -> Shown:
    """What can be seen on any page, be it a picture of text; nothing where it is damaged.

    Raises `UnreadablePdf`.
    """
    with opened_pdf(path) as pdf:
        kinds = {kind for index in range(len(pdf)) for kind in _kinds(pdf, index)}
    if kinds & _PICTURES:
        return Shown.PICTURES
    return Shown.CHARACTERS if pdfium_c.FPDF_PAGEOBJ_TEXT in kinds else Shown.NOTHING


def _kinds(pdf: pypdfium2.PdfDocument, index: int) -> set[int]:
    try:
        page = pdf[index]
    except pypdfium2.PdfiumError:
        return set()
    try:
        return {shown.type for shown in page.get_objects(max_depth=_DEEPEST_FORM)}
    finally:
        page.close()


def _pdfminer_texts(path: Path, count: int) -> list[str] | None:
    """The text of every page; None where pdfminer does not find the `count` pages there are.

    Which of them it has skipped cannot be told, and a text under a wrong page number is worse
    than one read by the other backend.
    """
    from tutor.ingest.reading import pdfminer  # noqa: PLC0415 - 0.1 s, for this backend only

    try:
        texts = list(pdfminer.texts_of(path))
    except pdfminer.FAULTS:
        return None
    return texts if len(texts) == count else None


# --- Opening -----------------------------------------------------------------------------------


def opened_pdf(path: Path) -> pypdfium2.PdfDocument:
    """The PDF, open. Raises `UnreadablePdf` with the reason why it cannot be opened."""
    tail = _checked_tail(path)
    try:
        return pypdfium2.PdfDocument(path)
    except OSError as error:
        raise _unreadable(reason_of(error)) from None
    except pypdfium2.PdfiumError as error:
        raise _refusal(path, error.err_code, tail) from None


def _checked_tail(path: Path) -> bytes:
    """The last bytes of what must be a regular file that begins like a PDF."""
    try:
        # A named pipe would wait for its writer for ever.
        if not stat.S_ISREG(path.stat().st_mode):
            raise _unreadable(_("it is not a regular file"))
        with path.open("rb") as file:
            head = file.read(_HEAD)
            file.seek(max(0, file.seek(0, os.SEEK_END) - _TAIL))
            tail = file.read()
    except OSError as error:
        raise _unreadable(reason_of(error)) from None
    if not head:
        raise UnreadablePdf(
            "empty",
            _("It is empty (0 bytes)."),
            _("Download or copy it again, or delete it."),
        )
    if b"%PDF-" not in head:
        raise UnreadablePdf(
            "not_pdf",
            _("It is not a PDF, although it is named like one."),
            _("Open it to see what it is; export it as PDF, or delete it."),
        )
    return tail


def _refusal(path: Path, code: int | None, tail: bytes) -> UnreadablePdf:
    """Why PDFium refused to open the file."""
    # First: PDFium gives no code for a PDF without pages, but leaves that of an earlier file.
    if _has_no_pages(path):
        return _no_pages()
    if code in (pdfium_c.FPDF_ERR_PASSWORD, pdfium_c.FPDF_ERR_SECURITY):
        return UnreadablePdf(
            "encrypted",
            _("It is encrypted and needs a password."),
            _("Open it with its password and save a copy without one."),
        )
    if code == pdfium_c.FPDF_ERR_FILE:
        return _unreadable(_("the file cannot be opened"))
    if b"%%EOF" not in tail:
        return UnreadablePdf(
            "truncated",
            _("It is cut off: its end is missing."),
            _("Download or copy it again."),
        )
    return UnreadablePdf(
        "broken",
        _("It is damaged and cannot be opened."),
        _("Download it again, or open it in a PDF viewer and print it to a new PDF."),
    )


def _has_no_pages(path: Path) -> bool:
    from tutor.ingest.reading import pdfminer  # noqa: PLC0415 - 0.1 s, for broken files only

    try:
        return pdfminer.declared_pages(path) == 0
    except pdfminer.FAULTS:
        return False


def _no_pages() -> UnreadablePdf:
    return UnreadablePdf(
        "no_pages",
        _("It has no pages."),
        _("Export it again, or delete it."),
    )


def _unreadable(reason: str) -> UnreadablePdf:
    return UnreadablePdf(
        "unreadable",
        _("It cannot be read: %(reason)s.") % {"reason": reason},
        _("Check that the file is there and that you may read it."),
    )
