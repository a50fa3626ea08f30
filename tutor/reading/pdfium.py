"""Text with boxes from PDFium, page by page."""

from __future__ import annotations

import ctypes
import math
from typing import TYPE_CHECKING, TypeAlias

import pypdfium2
import pypdfium2.raw as pdfium_c

from tutor.reading.accents import settle
from tutor.reading.layout import page_text
from tutor.reading.lines import Span

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tutor.reading.accents import Glyph

_GAP = 0.9
"""A span ends at a horizontal gap of this many times its height: the narrowest gutter in use."""

_STEP = 0.25
"""A span ends at a vertical step of this share of its height: raised and lowered letters."""

_LINE_END_HYPHENS = (0x02, 0xFFFE)
"""What PDFium writes for a hyphen at the end of a line, in place of hyphen and newline."""


_SPACE = 32
_LINE_BREAKS = (10, 13)
_NO_INK = (_SPACE, *_LINE_BREAKS)

_Box: TypeAlias = tuple[float, float, float, float]
"""Left, bottom, right, top."""


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
    runs = list(_runs(textpage))
    settle([glyphs for _, glyphs in runs])
    order = 0
    for quarter, glyphs in runs:
        for piece in _pieces(glyphs):
            texts, lefts, bottoms, rights, tops = zip(*piece, strict=True)
            yield (
                quarter,
                Span(
                    _whole("".join(texts)), min(lefts), min(bottoms), max(rights), max(tops), order
                ),
            )
            order += 1


def _whole(text: str) -> str:
    """Join surrogate pairs, which PDFium hands over in halves where it counts in 16 bits."""
    if any("\ud800" <= char <= "\udfff" for char in text):
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def _runs(textpage: ctypes.Structure) -> Iterator[tuple[int, list[Glyph]]]:
    """Yield (quarter turns, glyphs) of PDFium's own lines, which end where it breaks the line."""
    unicode_at, box_at = pdfium_c.FPDFText_GetUnicode, pdfium_c.FPDFText_GetLooseCharBox
    # An array over the struct's four floats: read at once, in a third of the time of its fields.
    box = (ctypes.c_float * 4)()
    target = ctypes.cast(box, ctypes.POINTER(pdfium_c.FS_RECTF))
    glyphs: list[Glyph] = []
    first = 0
    for index in range(pdfium_c.FPDFText_CountChars(textpage)):
        code = unicode_at(textpage, index)
        hyphen = code in _LINE_END_HYPHENS and _is_hyphen(textpage, index)
        if code == _SPACE and glyphs:
            text, left, bottom, right, top = glyphs[-1]
            glyphs[-1] = (text + " ", left, bottom, right, top)
        elif code not in _NO_INK:
            first = first if glyphs else index
            box_at(textpage, index, target)
            left, top, right, bottom = box
            glyphs.append(("-" if hyphen else chr(code), left, bottom, right, top))
        if glyphs and (hyphen or code in _LINE_BREAKS):
            yield _upright(glyphs, _quarter_turns(textpage, first))
            glyphs = []
    if glyphs:
        yield _upright(glyphs, _quarter_turns(textpage, first))


def _is_hyphen(textpage: ctypes.Structure, index: int) -> bool:
    return bool(pdfium_c.FPDFText_IsHyphen(textpage, index) == 1)


def _upright(glyphs: list[Glyph], quarter: int) -> tuple[int, list[Glyph]]:
    turns: dict[int, Callable[[float, float, float, float], _Box]] = {
        1: lambda left, bottom, right, top: (-top, left, -bottom, right),
        2: lambda left, bottom, right, top: (-right, -top, -left, -bottom),
        3: lambda left, bottom, right, top: (bottom, -right, top, -left),
    }
    if quarter:
        glyphs = [(text, *turns[quarter](*box)) for text, *box in glyphs]
    return quarter, glyphs


def _quarter_turns(textpage: ctypes.Structure, index: int) -> int:
    """0 upright, 1 read upwards, 2 upside down, 3 read downwards; -1 radians is no answer."""
    angle = pdfium_c.FPDFText_GetCharAngle(textpage, index)
    return round(angle / (math.pi / 2)) % 4 if angle > 0 else 0


def _pieces(glyphs: Sequence[Glyph]) -> Iterator[Sequence[Glyph]]:
    """Cut a run at wide gaps, jumps back, and steps up or down."""
    start = 0
    for stop in range(1, len(glyphs)):
        _, _, bottom, right, top = glyphs[stop - 1]
        _, left, next_bottom, _, next_top = glyphs[stop]
        height = max(top - bottom, next_top - next_bottom)
        step = abs(top + bottom - next_top - next_bottom) / 2
        if not -1.5 * height <= left - right <= _GAP * height or step > _STEP * height:
            yield glyphs[start:stop]
            start = stop
    if glyphs:
        yield glyphs[start:]
