"""Text with boxes from PDFium, page by page."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import pypdfium2
import pypdfium2.raw as pdfium_c

from tutor.reading.layout import page_text
from tutor.reading.lines import Span

if TYPE_CHECKING:
    import ctypes
    from collections.abc import Iterator

_GAP = 0.9
"""A span ends at a horizontal gap of this many times its height: the narrowest gutter in use."""

_STEP = 0.2
"""A span ends at a vertical step of this share of its height: raised and lowered letters."""

_LINE_END_HYPHENS = (0x02, 0xFFFE)
"""What PDFium writes for a hyphen at the end of a line, in place of hyphen and newline."""


_SPACE = 32
_LINE_BREAKS = (10, 13)


class _Glyph(NamedTuple):
    text: str
    left: float
    bottom: float
    right: float
    top: float


_BLANK = _Glyph(" ", 0.0, 0.0, 0.0, 0.0)


def text_of(page: pypdfium2.PdfPage) -> str:
    """The page's text layer in reading order; empty if it has none."""
    textpage = page.get_textpage()
    try:
        turned: dict[int, list[Span]] = {}
        for quarter, span in _spans(textpage.raw):
            turned.setdefault(quarter, []).append(span)
    finally:
        textpage.close()
    # The direction most of the page is set in comes first: a stamp in the margin does not matter.
    groups = sorted(turned.values(), key=lambda spans: -sum(len(span.text) for span in spans))
    return "\n\n".join(text for spans in groups if (text := page_text(spans)))


def _spans(textpage: ctypes.Structure) -> Iterator[tuple[int, Span]]:
    """Yield (quarter turns, span) in the order in which the page draws them, set upright."""
    order = 0
    for quarter, glyphs in _runs(textpage):
        for piece in _pieces(glyphs):
            inked = [glyph for glyph in piece if glyph.text != " "]
            if not inked:
                continue
            text = "".join(glyph.text for glyph in piece)
            yield (
                quarter,
                Span(
                    _whole(text),
                    min(glyph.left for glyph in inked),
                    min(glyph.bottom for glyph in inked),
                    max(glyph.right for glyph in inked),
                    max(glyph.top for glyph in inked),
                    order,
                ),
            )
            order += 1


def _whole(text: str) -> str:
    """Join surrogate pairs, which PDFium hands over in halves where it counts in 16 bits."""
    if any("\ud800" <= char <= "\udfff" for char in text):
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def _runs(textpage: ctypes.Structure) -> Iterator[tuple[int, list[_Glyph]]]:
    """Yield PDFium's own lines, cut where it generates a line break."""
    unicode_at = pdfium_c.FPDFText_GetUnicode
    glyphs: list[_Glyph] = []
    quarter = 0
    for index in range(pdfium_c.FPDFText_CountChars(textpage)):
        code = unicode_at(textpage, index)
        if code == _SPACE:
            if glyphs:
                glyphs.append(_BLANK)
            continue
        if code not in _LINE_BREAKS:
            if not glyphs:
                quarter = _quarter_turns(textpage, index)
            glyphs.append(glyph := _glyph(textpage, index, code, quarter))
            if glyph.text != "-" or code == ord("-"):
                continue
        yield quarter, glyphs
        glyphs = []
    yield quarter, glyphs


def _glyph(textpage: ctypes.Structure, index: int, code: int, quarter: int) -> _Glyph:
    box = pdfium_c.FS_RECTF()
    pdfium_c.FPDFText_GetLooseCharBox(textpage, index, box)
    hyphen = code in _LINE_END_HYPHENS and pdfium_c.FPDFText_IsHyphen(textpage, index) == 1
    text = "-" if hyphen else chr(code)
    if quarter == 1:
        return _Glyph(text, -box.top, box.left, -box.bottom, box.right)
    if quarter == 2:
        return _Glyph(text, -box.right, -box.top, -box.left, -box.bottom)
    if quarter == 3:
        return _Glyph(text, box.bottom, -box.right, box.top, -box.left)
    return _Glyph(text, box.left, box.bottom, box.right, box.top)


def _quarter_turns(textpage: ctypes.Structure, index: int) -> int:
    """0 upright, 1 read upwards, 2 upside down, 3 read downwards; -1 radians is no answer."""
    angle = pdfium_c.FPDFText_GetCharAngle(textpage, index)
    return round(angle / (math.pi / 2)) % 4 if angle > 0 else 0


def _pieces(glyphs: list[_Glyph]) -> Iterator[list[_Glyph]]:
    """Cut a run at wide gaps, jumps back, and steps up or down."""
    piece: list[_Glyph] = []
    last: _Glyph | None = None
    for glyph in glyphs:
        if glyph.text != " ":
            if last is not None and _breaks(last, glyph):
                yield piece
                piece = []
            last = glyph
        piece.append(glyph)
    if piece:
        yield piece


def _breaks(last: _Glyph, glyph: _Glyph) -> bool:
    height = max(last.top - last.bottom, glyph.top - glyph.bottom)
    gap = glyph.left - last.right
    if gap > _GAP * height or gap < -1.5 * height:
        return True
    shift = abs(last.top + last.bottom - glyph.top - glyph.bottom) / 2
    return shift > _STEP * height
