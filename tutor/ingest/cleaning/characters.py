"""Characters as a reader should meet them.

Debris of fonts, escapes, invisible and unsafe characters go. Accents that stand beside their
letters are put onto them (`informaci´on`, `espan˜ol`): TeX draws an accent before its letter,
other programs after it.
"""

from __future__ import annotations

import re
import unicodedata

from tutor.text.terminal import unified_newlines, visible, without_escapes

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

_HYPHEN_AT_END = re.compile("(?<=[^\\W_])[\xad\u2010\ufffe\x02](?= ?(?:\n|\\Z))")

# U+210E, Planck's constant, is the italic h that the block of mathematical alphabets leaves out.
_MATHS_LETTERS = {
    code: unicodedata.normalize("NFKC", chr(code)) for code in (*range(0x1D400, 0x1D800), 0x210E)
}


def without_ligatures(text: str) -> str:
    """Ligatures as letters, and the bullets of symbol fonts as bullets."""
    return _UNKNOWN_BULLET.sub("•", text.translate(_LIGATURES))


def plain_hyphens(text: str) -> str:
    """Hyphens as `-`: U+2010 and U+2011, and at line ends also what readers put for a soft one."""
    text = _HYPHEN_AT_END.sub("-", text)
    return text.replace("\u2010", "-").replace("\u2011", "-")


def plain_alphabets(text: str) -> str:
    """Letters of the mathematical alphabets as plain ones, which terminals and keyboards have."""
    return text.translate(_MATHS_LETTERS)


def readable(text: str) -> str:
    """All the steps of this module in their order; the result is not yet NFC."""
    for step in (
        unified_newlines,
        without_escapes,
        without_ligatures,
        plain_hyphens,
        visible,
        plain_alphabets,
    ):
        text = step(text)
    return text


# --- Accents beside their letters --------------------------------------------------------------

_VOWELS = "aeiouAEIOU"
_MARKS = {
    "´": ("\u0301", _VOWELS + "ıyY"),
    "ˊ": ("\u0301", _VOWELS + "ıyY"),
    "ˋ": ("\u0300", _VOWELS + "ı"),
    "`": ("\u0300", "aeiou"),
    "¨": ("\u0308", _VOWELS + "ıy"),
    "˜": ("\u0303", "nNaoAO"),
    "ˆ": ("\u0302", _VOWELS + "ı"),
    "¸": ("\u0327", "cCsS"),
    "˚": ("\u030a", "aAuU"),
    "ˇ": ("\u030c", "cCsSzZrReEnNdDtT"),
    "˝": ("\u030b", "oOuU"),
    "˘": ("\u0306", "aAgGuU"),
}
"""The combining form of each, and the letters that bear it."""
_MARK = "[" + "".join(_MARKS) + "]"
_FREE = "[´ˊ¨˜¸˝]"
"""Marks that mean nothing else at the beginning of a word."""
_LETTER = r"[^\W\d_]"
_QUOTED = rf"(?<!\w)(?P<quote>{_MARK}){_LETTER}{{1,40}}(?P=quote)(?!\w)"
_BEFORE = re.compile(
    rf"{_QUOTED}|(?:(?<={_LETTER})(?P<in>{_MARK})"
    rf"|(?<={_LETTER})(?P<apart>{_FREE}) (?={_LETTER}{{2}})"
    rf"|(?<!\w)(?P<first>{_FREE}))(?P<letter>{_LETTER})"
)
_AFTER = re.compile(
    rf"{_QUOTED}|(?P<letter>{_LETTER})(?P<in>{_MARK})(?={_LETTER})(?![sS]\b)"
    rf"|(?<={_LETTER})(?P<end>{_LETTER})(?P<last>[´ˊ¨])(?!\w)"
)
_CERTAIN = (
    (re.compile("ı´|´ı"), "í"),
    (re.compile("˜([nN])"), "\\1\u0303"),
    (re.compile(rf"(?<=[nN])˜(?={_LETTER})(?!ao|ae|oe)"), "\u0303"),
    (re.compile("(?<=[gG][uU])¨(?=[eiEI])"), "\u0308"),
)
"""A dotless i, and in Spanish `ñ` (save in Portuguese `não`) and `gü`."""
_SPACED = re.compile(rf"(?<![^ \n])([\u0301\u0303\u0308])(?={_LETTER})")
_SPACING = {"\u0301": "´", "\u0303": "˜", "\u0308": "¨"}
_DOTLESS = re.compile("ı(?=[\u0300\u0301\u0302\u0308])")
_TILDE = re.compile("(?<=[aeiouAEIOU])~([nN])(?=[aeiouáéíóúAEIOU])")
_TIE = re.compile(rf"{_LETTER}~(?![nN][aeiouáéíóúAEIOU]){_LETTER}")
"""As in sources of TeX: `un~ejemplo`."""


def repaired_accents(text: str) -> str:
    """The text in NFC with its accents on their letters. Lines keep their number."""
    text = _SPACED.sub(lambda match: _SPACING[match[1]], text)
    if len(_TILDE.findall(text)) >= len(_TIE.findall(text)):
        text = _TILDE.sub(lambda match: "ñ" if match[1] == "n" else "Ñ", text)
    for pattern, composed in _CERTAIN:
        text = pattern.sub(composed, text)
    for pattern in (_BEFORE, _AFTER):
        text = pattern.sub(_joined, text)
    return unicodedata.normalize("NFC", _DOTLESS.sub("i", text))


def _joined(match: re.Match[str]) -> str:
    """The letter with its accent as one character; both as they are where it bears none."""
    found = {name: part for name, part in match.groupdict().items() if part}
    if "quote" in found:
        return match[0]
    letter = found.get("letter") or found["end"]
    mark = next(found[name] for name in ("in", "apart", "first", "last") if name in found)
    combining, bearers = _MARKS[mark]
    if letter not in bearers:
        return match[0]
    return unicodedata.normalize("NFC", ("i" if letter == "ı" else letter) + combining)
