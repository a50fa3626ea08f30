"""Accents that stand beside their letters, put onto them: `informaci´on`, `espan˜ol`.

TeX draws an accent before its letter, other programs after it: where both neighbours could bear
one, the habit of the document decides.
"""

from __future__ import annotations

import re
import unicodedata

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
"""Where no habit decides: a dotless i, and in Spanish `ñ` (save in Portuguese `não`) and `gü`."""
_BESIDE = re.compile(rf"({_LETTER})[´ˊ¨](?=({_LETTER}))")
_SPACED = re.compile(rf"(?<![^ \n])([\u0301\u0303\u0308])(?={_LETTER})")
_SPACING = {"\u0301": "´", "\u0303": "˜", "\u0308": "¨"}
_SPLIT = re.compile(rf"(?<={_LETTER}) (?=´(?:on|ON)\b)")
"""No word begins with `ón`: its accent has split it off."""
_DOTLESS = re.compile("ı(?=[\u0300\u0301\u0302\u0308])")
_TILDE = re.compile("(?<=[aeiouAEIOU])~([nN])(?=[aeiouáéíóúAEIOU])")
_TIE = re.compile(rf"{_LETTER}~(?![nN][aeiouáéíóúAEIOU]){_LETTER}")
"""As in sources of TeX: `un~ejemplo`."""


def repaired_accents(text: str) -> str:
    """The text in NFC with its accents on their letters. Lines keep their number."""
    text = _SPACED.sub(lambda match: _SPACING[match[1]], _SPLIT.sub("", text))
    if len(_TILDE.findall(text)) >= len(_TIE.findall(text)):
        text = _TILDE.sub(lambda match: "ñ" if match[1] == "n" else "Ñ", text)
    for pattern, composed in _CERTAIN:
        text = pattern.sub(composed, text)
    patterns = (_BEFORE, _AFTER) if _stand_before(text) else (_AFTER, _BEFORE)
    for pattern in patterns:
        text = pattern.sub(_joined, text)
    return unicodedata.normalize("NFC", _DOTLESS.sub("i", text))


def _stand_before(text: str) -> bool:
    """Whether most accents stand before their letters, told by those that one neighbour bears."""
    before = after = 0
    for match in _BESIDE.finditer(text):
        left, right = (letter in _VOWELS + "ı" for letter in match.groups())
        before += right and not left
        after += left and not right and match[2] not in "sS"
    return before >= after


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
