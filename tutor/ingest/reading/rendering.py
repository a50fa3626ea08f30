"""A page as a picture, with the words of a quote found on it."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import pypdfium2
import pypdfium2.raw as pdfium_c

from tutor.errors import UnreadablePdf
from tutor.i18n import _
from tutor.ingest.reading.document import opened_pdf
from tutor.ingest.reading.marking import Box, PlacedCharacter, quote_boxes

_MOST_GLYPHS = 50_000
"""On a page with more of them no quote is looked for."""
_LARGEST_SCALE = 6.0
"""Pixels per point: a page of the size of a stamp is not blown up to a poster."""


@dataclass(frozen=True, slots=True)
class PageRequest:
    """Which page to draw, and the quote to find on it; `before` is the page's text up to it."""

    path: Path
    number: int
    quote: str = ""
    before: str = ""


@dataclass(frozen=True, slots=True)
class PagePicture:
    """A page as rows of RGB pixels, three bytes each, and the boxes of the quote in pixels."""

    width: int
    height: int
    pixels: bytes
    boxes: tuple[Box, ...]


def draw_page(wanted: PageRequest, width: int, height: int) -> PagePicture:
    """Draw a page as large as fits into `width` x `height` pixels, in this process.

    Raises `UnreadablePdf` for a file or a page that cannot be drawn.
    """
    with _opened(wanted) as pdf:
        if not 1 <= wanted.number <= len(pdf):
            raise _no_such_page(wanted)
        try:
            page = pdf[wanted.number - 1]
        except pypdfium2.PdfiumError:
            raise _no_such_page(wanted) from None
        try:
            return _drawn(page, wanted, width, height)
        except pypdfium2.PdfiumError:
            raise undrawable(wanted) from None
        finally:
            page.close()


def _opened(wanted: PageRequest) -> pypdfium2.PdfDocument:
    """The document; why it cannot be opened is said with its name, as for its pages."""
    try:
        return opened_pdf(wanted.path)
    except UnreadablePdf as error:
        told = f"{wanted.path.name}: {error.message}"
        raise UnreadablePdf(error.reason, told, error.remedy) from None


def _drawn(page: pypdfium2.PdfPage, wanted: PageRequest, width: int, height: int) -> PagePicture:
    points = page.get_size()
    scale = min(width / max(points[0], 1), height / max(points[1], 1), _LARGEST_SCALE)
    # In RGB, on paper that is not transparent.
    image = page.render(scale=scale, rev_byteorder=True, prefer_bgrx=False).to_pil()
    if image.mode != "RGB":
        raise undrawable(wanted)
    boxes = _boxes(page, wanted, image.size) if wanted.quote else ()
    return PagePicture(image.width, image.height, image.tobytes(), tuple(boxes))


def _boxes(page: pypdfium2.PdfPage, wanted: PageRequest, size: tuple[int, int]) -> list[Box]:
    """Where the quote stands; on a turned page PDFium may take the last line for the first."""
    boxes: list[Box] = []
    for rotation in dict.fromkeys((page.get_rotation(), 0)):
        boxes = boxes or quote_boxes(_glyphs(page, size, rotation), wanted.quote, wanted.before)
    return boxes


def _glyphs(page: pypdfium2.PdfPage, size: tuple[int, int], rotation: int) -> list[PlacedCharacter]:
    """The page's characters as PDFium orders them in a page turned by `rotation` degrees.

    Boxes are in pixels of a picture of `size`, of the page turned as it is.
    """
    turned = page.get_rotation()
    page.set_rotation(rotation)
    textpage = page.get_textpage()
    page.set_rotation(turned)
    try:
        count = pdfium_c.FPDFText_CountChars(textpage.raw)
        if not 0 < count <= _MOST_GLYPHS:
            return []
        codes = [pdfium_c.FPDFText_GetUnicode(textpage.raw, at) for at in range(count)]
        return [
            (text, box)
            for at, text in enumerate(_characters(codes))
            if text.strip() and (box := _box(page, textpage, at, size))
        ]
    finally:
        textpage.close()


def _characters(codes: Sequence[int]) -> list[str]:
    """What stands at each place; PDFium counts letters of mathematics as two halves."""
    texts = [chr(code) if code <= sys.maxunicode else "" for code in codes]
    for at, (high, low) in enumerate(pairwise(codes)):
        if 0xD800 <= high < 0xDC00 <= low < 0xE000:
            texts[at] = chr(0x10000 + ((high - 0xD800) << 10) + low - 0xDC00)
            texts[at + 1] = ""
    return texts


def _box(
    page: pypdfium2.PdfPage, textpage: pypdfium2.PdfTextPage, at: int, size: tuple[int, int]
) -> Box | None:
    rectangle = pdfium_c.FS_RECTF()
    if not pdfium_c.FPDFText_GetLooseCharBox(textpage.raw, at, rectangle):
        return None
    x, y = ctypes.c_int(), ctypes.c_int()
    corners = []
    for across, up in ((rectangle.left, rectangle.top), (rectangle.right, rectangle.bottom)):
        # Knows of rotated pages and of crop boxes.
        pdfium_c.FPDF_PageToDevice(page.raw, 0, 0, *size, 0, across, up, x, y)
        corners.append((x.value, y.value))
    (left, top), (right, bottom) = corners
    return min(left, right), min(top, bottom), max(left, right), max(top, bottom)


def _no_such_page(wanted: PageRequest) -> UnreadablePdf:
    return UnreadablePdf(
        "no_such_page",
        _("%(file)s has no page %(page)d that can be opened.")
        % {"file": wanted.path.name, "page": wanted.number},
        _("If the file has changed, update the index."),
    )


def undrawable(wanted: PageRequest) -> UnreadablePdf:
    """What to say when PDFium cannot draw a page."""
    return UnreadablePdf(
        "undrawable",
        _("Page %(page)d of %(file)s cannot be drawn.")
        % {"file": wanted.path.name, "page": wanted.number},
        _("Read its text instead, or open it in a PDF viewer."),
    )


def too_large(wanted: PageRequest, memory_mb: int) -> UnreadablePdf:
    """What to say when drawing a page takes too much memory."""
    return UnreadablePdf(
        "memory",
        _("Drawing page %(page)d of %(file)s takes more than %(mb)d MB of memory.")
        % {"file": wanted.path.name, "page": wanted.number, "mb": memory_mb},
        _("Read its text instead, or raise `reading.memory_mb`."),
    )
