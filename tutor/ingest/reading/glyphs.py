"""The glyphs of a page from PDFium, with their fonts, and the rules that are drawn between them."""

from __future__ import annotations

import ctypes
import math
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import pypdfium2
import pypdfium2.raw as pdfium_c

from tutor.ingest.reading.spans import Rule

_SPACE = 32
_LINE_BREAKS = (10, 13)
_SAME = 0.05
"""Points by which the boxes of one font's letters differ."""
_NO_INK = (_SPACE, *_LINE_BREAKS)
_FIRST_ODD = 0xD800
"""From here on stand halves of letters and what is no character."""
_LINE_END_HYPHENS = (0x02, 0xFFFE)
"""What PDFium writes for a hyphen at the end of a line, in place of hyphen and newline."""

_BOLD = re.compile(r"bold|black|heavy|demi|(?:cm|sf|ec)\w?bx|-bd", re.IGNORECASE)
_MONO = re.compile(r"mono|courier|consol|typewriter|menlo|(?:cm|sf|ec)s?[it]?tt", re.IGNORECASE)
_NOT = "\u0338"
"""The stroke through a relation, which TeX draws before it."""
_HATS = "\u0302\u0303"
"""Wide circumflex and tilde."""
_BOLD_WEIGHT = 540
_FIXED_PITCH = 1
"""Bit of a font's flags (ISO 32000-1, table 123)."""
HANGING = frozenset("√∑∏∫⋃⋂⋁⋀")
"""Symbols that old TeX fonts draw below their origin."""
_PIECES = dict.fromkeys(
    ":;<=>@ABC4567z{|}tu\uf8ec\uf8ed\uf8ef\uf8f0\uf8f2\uf8f3\uf8f4\uf8f7\uf8f8", ""
)
_CONTROLS = "".join(map(chr, range(_SPACE)))
"""What PDFium writes for a place of a font whose name it does not know."""
_CODES: dict[str, dict[str, str]] = {
    "tall": _PIECES
    | dict(zip("XPYQZRST\\V^W_pqrsv", "∑∑∏∏∫∫⋃⋂⋂⋀⋀⋁⋁√√√√√", strict=True))
    | dict(zip('8n9o01!2h"3i#\uf8eb\uf8ee\uf8f1\uf8f6', "{{}}())[[[]]]([{)", strict=True))
    | dict(zip(map(chr, range(0x20)), "()[]⌊⌋⌈⌉{}⟨⟩|‖/\\()()[]⌊⌋⌈⌉{}⟨⟩/\\", strict=True))
    | dict(zip("\x80\x81\x82\x83\x8a\x8b\x8c\x8d", "(((())))", strict=True))
    | dict(zip("¥¦§¨©ª«Æ", "{{{{}}}√", strict=True))
    | dict(zip("bcdefg", (_HATS[0],) * 3 + (_HATS[1],) * 3, strict=True)),
    "word": {"\u0d24": "\u0304"}
    | dict(zip("\u0dcd\u0dd1\u0dc6\u0d67\u0d6f\u0da5", "∑∏∫()√", strict=True))
    | dict.fromkeys("\u0ddc\u0de0\u0d4d", "\u0302"),
    "esint": dict(zip("´ˆ˜¨˝˚", "∫∫∬∬∭∭", strict=True)),
    "msam": {"6": "≤", ">": "≥", "I": "▸"}
    | dict(zip(_CONTROLS, "⊡⊞⊠□■·◊⧫↻↺⇌⇋⊟⊩⊪⊨↠↞⇇⇉⇈⇊↾⇂↿⇃↣↢⇆⇄↰↱", strict=True)),
    "msbm": dict(zip(map(chr, range(0x21, 0x41)), "⊋⊈⊉⫋⫌⫋⫌⊊⊋⊈⊉∦∤∤∦⊬⊮⊭⊯⋭⋬⋪⋫↚↛⇍⇏⇎↮⋇∅∄", strict=True)),
    "italic": {"`": "ℓ"} | dict(zip(_CONTROLS, "ΓΔΘΛΞΠΣΥΦΨΩαβγδεζηθικλμνξπρστυφχ", strict=True)),
    "symbols": {"6": _NOT, "0": "′", "7": "↦"}
    | dict(zip("`abcdehijklmnopqrtuvw", "⊢⊣⌊⌋⌈⌉⟨⟩|‖↕⇕\\≀√⨿∇⊔⊓⊑⊒", strict=True))
    | dict(zip("1234589:;", "∞∈∋△▽∀∃¬∅", strict=True))
    | dict(zip(_CONTROLS, "−·×∗÷⋄±∓⊕⊖⊗⊘⊙○◦•≍≡⊆⊇≤≥⪯⪰∼≈⊂⊃≪≫≺≻", strict=True)),
}
"""What TeX's fonts of symbols have at the places of other characters: operators, relations, and
the pieces of tall brackets, of which one stays (D. Knuth, Computer Modern Typefaces, 1986); and
what Word's export calls Malayalam or Sinhala letters. From 0x80 on it is the font of mathdesign."""
_TEX_BRACKETS = "bcdehijk"
_SYMBOL_FONTS = {
    "tall": re.compile(r"cmex|mathextension|txex|pxex|-extension-", re.IGNORECASE),
    "word": re.compile(r"cambria ?math", re.IGNORECASE),
    "esint": re.compile(r"^esint", re.IGNORECASE),
    "msam": re.compile(r"^msam", re.IGNORECASE),
    "msbm": re.compile(r"^msbm", re.IGNORECASE),
    "italic": re.compile(r"^cmmi|mathitalic", re.IGNORECASE),
    "symbols": re.compile(r"^cmsy|mathsymbols|-symbol-", re.IGNORECASE),
}
_MOST_RULES = 3000
"""On a page with more paths, they are a drawing."""
_DOT, _MOST_DOTS = 8.0, 60
"""Points: no wider is what stands before the items of a list. Where there are more, they are a
drawing's."""
_THIN, _LONG = 6.5, 3.0
"""Points: what is thicker is no rule, nor what is shorter than so many times its thickness."""


@dataclass(frozen=True, slots=True)
class Font:
    """What a font and its size say of the text; `size` in points."""

    size: float
    bold: bool
    mono: bool
    symbols: str = ""
    """Which of TeX's fonts of symbols it is."""


class Glyph(NamedTuple):
    """A character (with a space after it, where there is one), its box and its baseline."""

    text: str
    left: float
    bottom: float
    right: float
    top: float
    base: float
    font: Font


Run: TypeAlias = "list[Glyph]"
PdfBox: TypeAlias = tuple[float, float, float, float]
"""Left, bottom, right, top in points, y growing upwards; a `marking.Box` is of a picture."""


class GlyphReader:
    """Reads one page's text; fonts are looked at once."""

    def __init__(self, textpage: ctypes.Structure) -> None:
        self._page = textpage
        self._fonts: dict[int, tuple[bool, bool, str]] = {}
        self._matrix = pdfium_c.FS_MATRIX()
        self._name = ctypes.create_string_buffer(128)
        self._origin = ctypes.c_double(), ctypes.c_double()
        self._font, self._key = Font(0, bold=False, mono=False), 0
        self._quarter, self._height = 0, 0.0

    def runs(self) -> Iterator[tuple[int, Run]]:
        """Yield (quarter turns, glyphs) of PDFium's own lines, which end where it breaks them."""
        page = self._page
        unicode_at, box_at = pdfium_c.FPDFText_GetUnicode, pdfium_c.FPDFText_GetLooseCharBox
        # An array over the struct's four floats: read at once, in a third of their fields' time.
        box = (ctypes.c_float * 4)()
        target = ctypes.cast(box, ctypes.POINTER(pdfium_c.FS_RECTF))
        run: Run = []
        height, spaced = (0.0, 0.0), False
        for index in range(pdfium_c.FPDFText_CountChars(page)):
            code = unicode_at(page, index)
            if code == _SPACE and run:
                run[-1], spaced = _with_space(run[-1]), True
            elif code not in _NO_INK:
                box_at(page, index, target)
                left, top, right, bottom = box
                # Bold letters can be as high as the others: each word's font is asked for.
                if spaced and run and self._handle_at(index)[1] != self._key:
                    self._font = self._font_at(index)
                spaced = False
                if (
                    run
                    and (bottom, top) == height
                    and _SPACE < code < _FIRST_ODD
                    and not self._font.symbols
                    and not _may_be_bracket(run[-1].text, chr(code))
                ):
                    last = run[-1]
                    run.append(Glyph(chr(code), left, bottom, right, top, last.base, self._font))
                else:
                    height = bottom, top
                    self._add(run, index, code, (left, bottom, right, top))
            hyphen = code in _LINE_END_HYPHENS
            if run and (code in _LINE_BREAKS or (hyphen and run[-1].text == "-")):
                yield self._quarter, _upright(run, self._quarter)
                run = []
        if run:
            yield self._quarter, _upright(run, self._quarter)

    def _add(self, run: Run, index: int, code: int, box: PdfBox) -> None:
        """Add a glyph that is set otherwise than the one before it, or is no plain letter."""
        text = chr(code)
        if code in _LINE_END_HYPHENS and pdfium_c.FPDFText_IsHyphen(self._page, index) == 1:
            text = "-"
        height = box[3] - box[1]
        if not run:
            self._quarter = self._quarter_turns(index)
        other = abs(height - self._height) > _SAME
        if not run or other or code < _SPACE or _may_be_bracket(run[-1].text, text):
            self._font, self._height = self._font_at(index), height
        font = self._font
        x, y = self._origin
        pdfium_c.FPDFText_GetCharOrigin(self._page, index, x, y)
        base = (y.value, x.value, -y.value, -x.value)[self._quarter]
        if 0xDC00 <= code < 0xE000 and run and "\ud800" <= run[-1].text < "\udc00":
            # PDFium hands letters of mathematics over in halves.
            halves = run.pop().text + text
            text = halves.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        if font.symbols or text in HANGING:
            text, box, base = self._symbol(index, text, box, base)
        if run and (run[-1].text == _NOT or _is_hat_of(run[-1], box)):
            text = unicodedata.normalize("NFC", text + run.pop().text)
        if text:
            run.append(Glyph(text, *box, base, font))

    def _symbol(self, index: int, text: str, box: PdfBox, base: float) -> tuple[str, PdfBox, float]:
        """What TeX has at the place of a character, where it hangs the box and line of its ink."""
        font = self._font
        text = _CODES[font.symbols].get(text, text) if font.symbols else text
        if self._quarter == 0 and (font.symbols == "tall" or text in HANGING):
            box, base = self._centred(index, font, box, base)
            if text == "[" and box[2] - box[0] > 0.5 * (box[3] - box[1]):
                text = "⋃"  # at the place of a bracket, which is narrow
        return text, box, base

    def _font_at(self, index: int) -> Font:
        matrix = self._matrix
        size = pdfium_c.FPDFText_GetFontSize(self._page, index)
        if pdfium_c.FPDFText_GetMatrix(self._page, index, matrix):
            size *= math.sqrt(abs(matrix.a * matrix.d - matrix.b * matrix.c))
        handle, key = self._handle_at(index)
        if key not in self._fonts:
            self._fonts[key] = self._look(handle) if key else (False, False, "")
        self._key = key
        return Font(round(size, 1), *self._fonts[key])

    def _handle_at(self, index: int) -> tuple[ctypes.Structure, int]:
        """PDFium's handle of a glyph's font, and the number that tells it from others."""
        handle = pdfium_c.FPDFTextObj_GetFont(pdfium_c.FPDFText_GetTextObject(self._page, index))
        return handle, ctypes.cast(handle, ctypes.c_void_p).value or 0

    def _look(self, handle: ctypes.Structure) -> tuple[bool, bool, str]:
        pdfium_c.FPDFFont_GetBaseFontName(handle, self._name, len(self._name))
        name = self._name.value.decode(errors="replace").rpartition("+")[2]
        bold = bool(_BOLD.search(name)) or pdfium_c.FPDFFont_GetWeight(handle) >= _BOLD_WEIGHT
        fixed = bool(pdfium_c.FPDFFont_GetFlags(handle) & _FIXED_PITCH)
        kinds = [kind for kind, names in _SYMBOL_FONTS.items() if names.search(name)]
        return bold, fixed or bool(_MONO.search(name)), kinds[0] if kinds else ""

    def _centred(self, index: int, font: Font, box: PdfBox, base: float) -> tuple[PdfBox, float]:
        """The box of the ink, and a baseline under its middle."""
        left, right, bottom, top = (ctypes.c_double() for _ in range(4))
        pdfium_c.FPDFText_GetCharBox(self._page, index, left, right, bottom, top)
        if top.value <= bottom.value:
            return box, base
        level = (bottom.value + top.value) / 2 - 0.25 * font.size
        return (left.value, bottom.value, right.value, top.value), level

    def _quarter_turns(self, index: int) -> int:
        """0 upright, 1 read upwards, 2 upside down, 3 read downwards; -1 radians is no answer."""
        angle = pdfium_c.FPDFText_GetCharAngle(self._page, index)
        return round(angle / (math.pi / 2)) % 4 if angle > 0 else 0


def drawn_on(page: pypdfium2.PdfPage) -> tuple[list[Rule], list[Rule]]:
    """The thin level and upright lines that are drawn on a page, and the small squares and dots."""
    edges = [ctypes.c_float() for _ in range(4)]
    rules: list[Rule] = []
    dots: list[Rule] = []
    for number in range(pdfium_c.FPDFPage_CountObjects(page.raw)):
        drawn = pdfium_c.FPDFPage_GetObject(page.raw, number)
        if pdfium_c.FPDFPageObj_GetType(drawn) != pdfium_c.FPDF_PAGEOBJ_PATH:
            continue
        pdfium_c.FPDFPageObj_GetBounds(drawn, *edges)
        left, bottom, right, top = (edge.value for edge in edges)
        width, height = right - left, top - bottom
        if min(width, height) < _THIN and max(width, height) > _LONG * min(width, height):
            rules.append(Rule(left, bottom, right, top))
        elif height < _DOT and 0.6 * height < width < 1.7 * height:
            dots.append(Rule(left, bottom, right, top))
    few = len(rules) <= _MOST_RULES
    return (rules if few else []), (dots if len(dots) <= _MOST_DOTS else [])


def _is_hat_of(glyph: Glyph, box: PdfBox) -> bool:
    """Whether a glyph is a wide accent, which TeX draws before the letter under it."""
    over = box[0] <= (glyph.left + glyph.right) / 2 <= box[2]
    return over and glyph.text in _HATS and glyph.font.symbols == "tall"


def _may_be_bracket(before: str, text: str) -> bool:
    """Whether a letter may be TeX's ⟨, as high as the round bracket before it."""
    return text in _TEX_BRACKETS and not before[0].isalnum()


def _with_space(glyph: Glyph) -> Glyph:
    return glyph if glyph.text.endswith(" ") else glyph._replace(text=glyph.text + " ")


def _upright(run: Run, quarter: int) -> Run:
    if quarter == 0:
        return run
    turned = [(glyph, _turned(glyph, quarter)) for glyph in run]
    return [Glyph(glyph.text, *box, glyph.base, glyph.font) for glyph, box in turned]


def _turned(glyph: Glyph, quarter: int) -> PdfBox:
    _, left, bottom, right, top, *_rest = glyph
    return {
        1: (-top, left, -bottom, right),
        2: (-right, -top, -left, -bottom),
        3: (bottom, -right, top, -left),
    }[quarter]
