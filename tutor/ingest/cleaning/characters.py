"""Characters that no reader should meet: debris of fonts, escapes, invisible and unsafe ones."""

from __future__ import annotations

import re
import unicodedata

_NEWLINES = re.compile("\r\n?|[\x0b\x0c\x85\u2028\u2029]")

# ECMA-48: control sequences (CSI), control strings (OSC, DCS, SOS, PM, APC), and the short
# escapes of terminals. Any other ESC goes alone: TeX fonts have a glyph at its place.
_ESCAPES = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]{0,64}[ -/]{0,8}[@-~]"
    r"|(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\x07\x1b\x9c\n]*(?:\x07|\x1b\\|\x9c)"
    r"|\x1b[()*+][0-9AB]|\x1b[78=>cDEHMNOZ]"
)

_CID = re.compile(r"\(cid:(\d{1,7})\)")
"""What pdfminer writes for a glyph of which it knows nothing but the number."""

_BRACKET_CODES = (("\x00", "()", "\x01"), ("\x02", "[]", "\x03"))
_TALL_BRACKET_CODES = (("\x10", "()", "\x11"), ("\x12", "()", "\x13"))
_BRACKETS = tuple(
    (re.compile(f"{opening}([^{opening}{closing}\n]+){closing}"), rf"{pair[0]}\1{pair[1]}")
    for opening, pair, closing in (*_BRACKET_CODES, *_TALL_BRACKET_CODES)
)

_LIGATURES = str.maketrans(
    {
        "ﬀ": "ff",
        "ﬁ": "fi",
        "ﬂ": "fl",
        "ﬃ": "ffi",
        "ﬄ": "ffl",
        "ﬅ": "st",
        "ﬆ": "st",
        # Private use, as Apple's and Adobe's older fonts assigned it.
        "\uf001": "fi",
        "\uf002": "fl",
        "\uf6be": "ȷ",
        # The Symbol and Wingdings bullets of Word.
        "\uf0b7": "•",
        "\uf0a7": "•",
        "\uf0d8": "•",
        "\uf076": "•",
    }
)

_UNKNOWN_BULLET = re.compile(
    r"^[ \t]*[\x80-\x9f\ue000-\uf8e4](?=[ \t]*(?:\n|[ \t]\S))", re.MULTILINE
)
"""A glyph without meaning that begins a line and stands apart from it."""

_BEAMER_BULLET = re.compile(r"^I (?=[A-ZÁÉÍÓÚÑ¿¡(])", re.MULTILINE)
"""The triangle of TeX's slides, whose font has it where others have the letter."""
_MANY_BULLETS = 4

_HYPHEN_AT_END = re.compile("(?<=[^\\W_])[\xad\u2010\ufffe\x02](?= ?(?:\n|\\Z))")

# U+210E, Planck's constant, is the italic h that the block of mathematical alphabets leaves out.
_MATHS_LETTERS = {
    code: unicodedata.normalize("NFKC", chr(code)) for code in (*range(0x1D400, 0x1D800), 0x210E)
}
_MATHS_ACCENT = re.compile("(?<=[A-Za-z\U0001d400-\U0001d7ff])[\u0d00-\u0dff]+")
"""Hats and bars of Word's formulas, which its PDF export calls Malayalam or Sinhala letters."""

_NOT_LATIN_RUN = re.compile("[^\\x00-\u02ff]{16,}")
_MAX_MARKS = 6
"""Combining marks on one letter; NFC takes quadratic time over longer runs."""

_ORPHAN_MARKS = re.compile(
    "(?:(?<=[ \n])|\\A)[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20f0]+"
)

_DROPPED_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})
_SPACES = frozenset({"Zs"})
_INVISIBLE = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u3164\uffa0\ufffc\ufffd"
)
"""Fillers and joiners that Unicode calls letters or marks, and the two replacement characters."""


class _VisibleOnly(dict[int, int | None]):
    """A table for `str.translate` that classes each character when it is first met."""

    def __missing__(self, code: int) -> int | None:
        char = chr(code)
        kept: int | None = code
        if unicodedata.category(char) in _SPACES or char == "\u2800":
            kept = 0x20
        elif _is_dropped(char):
            kept = None
        self[code] = kept
        return kept


def _is_dropped(char: str) -> bool:
    if char in "\n\t":
        return False
    selector = "\ufe00" <= char <= "\ufe0f" or "\U000e0100" <= char <= "\U000e01ef"
    return selector or char in _INVISIBLE or unicodedata.category(char) in _DROPPED_CATEGORIES


_VISIBLE = _VisibleOnly()


def plain_line(text: str) -> str:
    """Any text as one line that is safe to print: no controls, escapes, or invisible characters."""
    shown = " ".join(visible(without_escapes(unified_newlines(text))).split())
    return unicodedata.normalize("NFC", " ".join(without_orphan_marks(shown).split()))


def unified_newlines(text: str) -> str:
    r"""Every kind of line and page break as `\n`."""
    return _NEWLINES.sub("\n", text)


def without_escapes(text: str) -> str:
    """Terminal escape sequences removed whole, with their parameters and texts (ECMA-48)."""
    return _ESCAPES.sub("", text)


def without_cid(text: str) -> str:
    """`(cid:12)` removed; below 32 it becomes the control character that PDFium gives."""
    return _CID.sub(lambda match: _from_code(int(match[1])), text)


def _from_code(code: int) -> str:
    return chr(code) if code < 0x20 and code not in (0x09, 0x0A, 0x0B, 0x0C, 0x0D) else " "


def with_brackets(text: str) -> str:
    """Tall brackets of TeX's font cmex, which has them in the control range, where they pair up.

    Codes 0 and 1, 16 and 17, 18 and 19 are parentheses, 2 and 3 square brackets (D. Knuth,
    Computer Modern Typefaces, 1986).
    """
    for pattern, replacement in _BRACKETS:
        # Twice, for a pair within a pair.
        text = pattern.sub(replacement, pattern.sub(replacement, text))
    return text


def without_ligatures(text: str) -> str:
    """Ligatures as letters, and the bullets of symbol fonts as bullets."""
    return _UNKNOWN_BULLET.sub("•", text.translate(_LIGATURES))


def with_slide_bullets(text: str) -> str:
    """`I Tarea` at the start of many lines of a document as `• Tarea`."""
    many = len(_BEAMER_BULLET.findall(text)) >= _MANY_BULLETS
    return _BEAMER_BULLET.sub("• ", text) if many else text


def plain_hyphens(text: str) -> str:
    """Hyphens as `-`: U+2010 and U+2011, and at line ends also what readers put for a soft one."""
    text = _HYPHEN_AT_END.sub("-", text)
    return text.replace("\u2010", "-").replace("\u2011", "-")


def visible(text: str) -> str:
    r"""What can be seen: every space as U+0020, line breaks and tabs kept, all else removed.

    Removed are control, format (bidirectional and zero-width too), private-use, unassigned and
    surrogate code points, variation selectors, fillers and replacement characters.
    """
    text = _MATHS_ACCENT.sub("", text.translate(_VISIBLE))
    return _NOT_LATIN_RUN.sub(lambda match: _few_marks(match[0]), text)


def plain_alphabets(text: str) -> str:
    """Letters of the mathematical alphabets as plain ones, which terminals and keyboards have."""
    return text.translate(_MATHS_LETTERS)


def _few_marks(text: str) -> str:
    kept: list[str] = []
    marks = 0
    for char in text:
        marks = marks + 1 if unicodedata.combining(char) else 0
        if marks <= _MAX_MARKS:
            kept.append(char)
    return "".join(kept)


def without_orphan_marks(text: str) -> str:
    """Combining marks without a letter to stand on removed."""
    return _ORPHAN_MARKS.sub("", text)


def readable(text: str) -> str:
    """All the steps of this module in their order; the result is not yet NFC."""
    for step in (
        unified_newlines,
        without_escapes,
        without_cid,
        with_brackets,
        without_ligatures,
        plain_hyphens,
        visible,
        plain_alphabets,
    ):
        text = step(text)
    return text
