"""Words that an accent has split, and accents that drifted off their word."""

from __future__ import annotations

import re

from tutor.ingest.cleaning.combining_marks import composed

_WORD = re.compile(r"[^\W\d_]+")
_LONE_ACUTE = re.compile(r"(?: |^)[´ˊ](?= |$)")
_SPLIT_WORD = re.compile(r"(?<![^\W\d_])([^\W\d_]{1,12}) (?=([áéíóúüñÁÉÍÓÚÜÑ][^\W\d_]{1,20}))")
_SPLIT_BY_ACUTE = re.compile(
    r"(?<![^\W\d_])([^\W\d_]{1,12}) ´ ([aeiouAEIOU][^\W\d_]{1,20})(?![^\W\d_])"
)
_MAX_DRIFT = 200


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


_UNACCENTED = str.maketrans("áéíóú", "aeiou")
