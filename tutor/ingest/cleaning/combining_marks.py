"""Combining marks that follow the wrong letter, made the spacing accents they were."""

from __future__ import annotations

import re
import unicodedata

# On the wrong side: no language puts these marks on these letters before these vowels.
_WRONG_SIDE = (
    (re.compile("([bdfghjklmnpqrstvwxzBDFGHJKLMNPQRSTVWXZ])\u0301(?=[aeiouıAEIOU])"), "´"),
    (re.compile("([bcdfghjklmnpqrstvzBCDFGHJKLMNPQRSTVZ])\u0308(?=[aeiouıAEIOU])"), "¨"),
    (re.compile("([aeiuAEIU\u00e1\u00e9\u00ed\u00fa])\u0303(?=[nN][aeiouáéíóúAEIOUÁÉÍÓÚ])"), "˜"),
)
_PRECOMPOSED_WRONG_SIDE = re.compile("[ĺŕńśźḿṕḱǵẃĹŔŃŚŹḾṔḰǴẂ](?=[aeiouıAEIOU])")
_SPACED_MARK = re.compile("(?:(?<=[ \n])|\\A) ?([\u0301\u0303\u0308])(?=[^\\W\\d_])")
_DOTLESS = re.compile("ı(?=[\u0300\u0301\u0302\u0308])")
_ION = re.compile(
    "(?<=[^\\W\\d_])(?:í|i\u0301)(on)(?![^\\W\\d_])|(?<=[A-Z])(?:Í|I\u0301)(ON)(?![^\\W\\d_])"
)
"""No word ends so; the accent was drawn before the `o`."""
_SPACING = {"\u0301": "´", "\u0303": "˜", "\u0308": "¨"}


def composed(letter: str, mark: str) -> str:
    """The letter with a combining mark as one character; dotless i as i."""
    return unicodedata.normalize("NFC", ("i" if letter == "ı" else letter) + mark)


def _with_accented_o(match: re.Match[str]) -> str:
    return "ión" if match[1] else "IÓN"


def spaced_marks(text: str) -> str:
    """Combining marks that follow the wrong letter or none, as the spacing accents they were."""
    text = _ION.sub(_with_accented_o, _DOTLESS.sub("i", text))
    if not any(mark in text for mark in _SPACING) and not _PRECOMPOSED_WRONG_SIDE.search(text):
        return text
    text = _SPACED_MARK.sub(lambda match: _SPACING[match[1]], text)
    text = _PRECOMPOSED_WRONG_SIDE.sub(lambda match: unicodedata.normalize("NFD", match[0]), text)
    for pattern, mark in _WRONG_SIDE:
        text = pattern.sub(rf"\1{mark}", text)
    return text
