"""Words that an accent has split, accents that drifted off their word, and combining marks that
follow the wrong letter.
"""

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
_WORD = re.compile(r"[^\W\d_]+")
_LONE_ACUTE = re.compile(r"(?: |^)[´ˊ](?= |$)")
_SPLIT_WORD = re.compile(r"(?<![^\W\d_])([^\W\d_]{1,12}) (?=([áéíóúüñÁÉÍÓÚÜÑ][^\W\d_]{1,20}))")
_SPLIT_BY_ACUTE = re.compile(
    r"(?<![^\W\d_])([^\W\d_]{1,12}) ´ ([aeiouAEIOU][^\W\d_]{1,20})(?![^\W\d_])"
)
_MAX_DRIFT = 200
_UNACCENTED = str.maketrans("áéíóú", "aeiou")


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


def with_known_words(text: str) -> str:
    """Join words that an accent's space has split, and place accents that drifted off their word.

    Evidence is the rest of the text: the joined or accented word must occur in it.
    """
    known = frozenset(word.lower() for word in _WORD.findall(text))
    text = _SPLIT_BY_ACUTE.sub(lambda match: _rejoined(match, known), text)
    text = _SPLIT_WORD.sub(
        lambda match: match[1] if (match[1] + match[2]).lower() in known else match[0], text
    )
    if "´" not in text:
        return text
    accented = {word.translate(_UNACCENTED): word for word in sorted(known)}
    return "\n".join(
        _lone_acutes_placed(line, accented) if "´" in line else line for line in text.split("\n")
    )


def _rejoined(match: re.Match[str], known: frozenset[str]) -> str:
    left, right = match.groups()
    right = composed(right[0], "\u0301") + right[1:]
    if (left + right).lower() in known:
        return left + right
    return f"{left} {right}" if right.lower() in known else match[0]


def _lone_acutes_placed(line: str, accented: dict[str, str]) -> str:
    """Put an acute that stands alone back on a capital to its left; else drop it."""
    *heads, tail = _LONE_ACUTE.split(line)
    return "".join([_with_capital_accent(head, accented) for head in heads] + [tail]).lstrip(" ")


def _with_capital_accent(head: str, accented: dict[str, str]) -> str:
    """The last word that lacks an accent on a capital gets it."""
    start = max(0, len(head) - _MAX_DRIFT)
    for match in reversed(list(_WORD.finditer(head, start))):
        word = match[0]
        plain = word.lower()
        known = accented.get(plain, plain)
        if known == plain and plain.endswith("ion"):
            known = plain[:-2] + "ón"
        spelled = "".join(
            new.upper() if old.isupper() else new for old, new in zip(word, known, strict=False)
        )
        if len(known) == len(word) and any(
            old != new and old.isupper() for old, new in zip(word, spelled, strict=True)
        ):
            return head[: match.start()] + spelled + head[match.end() :]
    return head
