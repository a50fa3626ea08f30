"""Text that can do nothing but be read.

File names, notes, models, servers and exceptions hold whatever others wrote: what a terminal or
a browser would take as a command, or what turns the direction of reading, never reaches either.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable
from datetime import date
from typing import Any

REPLACEMENT = "\ufffd"

_LINE_BREAKS = re.compile("\r\n?|[\x0b\x0c\x85\u2028\u2029]")
# ECMA-48: control sequences (CSI), control strings (OSC, DCS, SOS, PM, APC), and the short
# escapes of terminals. Any other ESC goes alone: TeX fonts have a glyph at its place.
_ESCAPES = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]{0,64}[ -/]{0,8}[@-~]"
    r"|(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\x07\x1b\x9c\n]*(?:\x07|\x1b\\|\x9c)"
    r"|\x1b[()*+][0-9AB]|\x1b[78=>cDEHMNOZ]"
)
_DROPPED_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})
_INVISIBLE = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u3164\uffa0\ufffc\ufffd"
)
"""Fillers and joiners that Unicode calls letters or marks, and the two replacement characters."""
_NOT_LATIN_RUN = re.compile("[^\\x00-\u02ff]{16,}")
_MAX_MARKS = 6
"""Combining marks on one letter; NFC takes quadratic time over longer runs."""
_ORPHAN_MARKS = re.compile(
    "(?:(?<=[ \n])|\\A)[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20f0]+"
)


_UNSTORABLE = re.compile("[\0\ud800-\udfff]")


class _Translation(dict[int, str]):
    """A table for `str.translate` that looks at each character when it is first met."""

    def __init__(self, become: Callable[[str], str]) -> None:
        super().__init__()
        self._become = become

    def __missing__(self, code: int) -> str:
        self[code] = become = self._become(chr(code))
        return become


def _shown(char: str) -> str:
    category = unicodedata.category(char)
    if category == "Cs":
        return REPLACEMENT  # half of a pair, as in a file name that is not UTF-8
    return "" if category[0] == "C" and char not in "\n\t" else char


def _told_by_number(char: str) -> str:
    r"""For JSON, which loses nothing: `\u009b` for what is not shown."""
    hidden = unicodedata.category(char)[0] == "C" or char in "\u2028\u2029"
    return json.dumps(char)[1:-1] if hidden and char != "\n" else char


def _seen(char: str) -> str:
    """For texts in which what nobody sees is worth nothing."""
    category = unicodedata.category(char)
    selector = "\ufe00" <= char <= "\ufe0f" or "\U000e0100" <= char <= "\U000e01ef"
    if category == "Zs" or char == "\u2800":
        return " "
    hidden = selector or char in _INVISIBLE or category in _DROPPED_CATEGORIES
    return "" if hidden and char not in "\n\t" else char


_SHOWN = _Translation(_shown)
_ESCAPED = _Translation(_told_by_number)
_VISIBLE = _Translation(_seen)


def plain(text: str) -> str:
    """Text that a terminal only shows, with its line breaks and tabs.

    Controls, bidirectional and other invisible marks, private and unassigned characters go; half
    of a surrogate pair becomes U+FFFD; every kind of line break becomes a newline.
    """
    if text.isprintable():
        return text
    return unified_newlines(text).translate(_SHOWN)


def one_line(text: str) -> str:
    """Plain text on one line, runs of spaces as one: no name can begin a line of its own."""
    return " ".join(plain(" ".join(text.split())).split())


def shortened(text: str, longest: int) -> str:
    """Plain text on one line, of its end "…" where it has more than so many characters."""
    text = one_line(text)
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def visible_line(text: str) -> str:
    """A stranger's text as one line in NFC of what can be seen, without terminal escapes."""
    line = " ".join(visible(without_escapes(unified_newlines(text))).split())
    return unicodedata.normalize("NFC", " ".join(without_orphan_marks(line).split()))


def visible(text: str) -> str:
    r"""What can be seen: every space as U+0020, line breaks and tabs kept, all else removed.

    Removed are control, format (bidirectional and zero-width too), private-use, unassigned and
    surrogate code points, variation selectors, fillers and replacement characters.
    """
    return _NOT_LATIN_RUN.sub(lambda match: _few_marks(match[0]), text.translate(_VISIBLE))


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


def unified_newlines(text: str) -> str:
    r"""Every kind of line and page break as `\n`."""
    return _LINE_BREAKS.sub("\n", text)


def without_escapes(text: str) -> str:
    """Terminal escape sequences removed whole, with their parameters and texts (ECMA-48)."""
    return _ESCAPES.sub("", text)


def storable(text: str) -> str:
    """The text with U+FFFD for each NUL and each half of a surrogate pair; offsets stay the same.

    UTF-8 has no surrogates, and tools that copy a database cut a text at its first NUL.
    """
    return _UNSTORABLE.sub(REPLACEMENT, text)


def to_json(record: Any) -> str:
    """A record as JSON for people and programs: accents readable, nothing invisible as it is."""
    return escaped(json.dumps(record, ensure_ascii=False, indent=2, default=_told))


def escaped(text: str) -> str:
    """JSON or TOML in which what would not be seen is told by its number."""
    return text.translate(_ESCAPED)


def _told(value: object) -> str:
    return value.isoformat() if isinstance(value, date) else str(value)
