"""Characters that no reader should meet: debris of fonts, escapes, invisible and unsafe ones."""

from __future__ import annotations

import re
import unicodedata

from tutor.text.terminal import unified_newlines, visible, without_escapes

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


def plain_alphabets(text: str) -> str:
    """Letters of the mathematical alphabets as plain ones, which terminals and keyboards have."""
    return _MATHS_ACCENT.sub("", text).translate(_MATHS_LETTERS)


def readable(text: str) -> str:
    """All the steps of this module in their order; the result is not yet NFC."""
    for step in (
        unified_newlines,
        without_escapes,
        with_brackets,
        without_ligatures,
        plain_hyphens,
        visible,
        plain_alphabets,
    ):
        text = step(text)
    return text
