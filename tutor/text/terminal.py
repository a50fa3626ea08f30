"""Text that can do nothing but be read.

File names, notes, models, servers and exceptions hold whatever others wrote: what a terminal or
a browser would take as a command, or what turns the direction of reading, never reaches either.
"""

from __future__ import annotations

import json
import re
import unicodedata
from datetime import date
from typing import Any

REPLACEMENT = "\ufffd"

_LINE_BREAKS = re.compile("\r\n?|[\x0b\x0c\x85\u2028\u2029]")


class _Shown(dict[int, int | str | None]):
    """A table for `str.translate` that classes each character when it is first met."""

    def __missing__(self, code: int) -> int | str | None:
        category = unicodedata.category(chr(code))
        kept: int | str | None = code
        if category == "Cs":
            kept = REPLACEMENT  # half of a pair, as in a file name that is not UTF-8
        elif category[0] == "C" and chr(code) not in "\n\t":
            kept = None
        self[code] = kept
        return kept


class _Escaped(dict[int, int | str]):
    r"""The same for JSON, which loses nothing: `\u009b` for what is not shown."""

    def __missing__(self, code: int) -> int | str:
        char = chr(code)
        hidden = unicodedata.category(char)[0] == "C" or char in "\u2028\u2029"
        kept = json.dumps(char)[1:-1] if hidden and char != "\n" else code
        self[code] = kept
        return kept


_SHOWN = _Shown()
_ESCAPED = _Escaped()


def plain(text: str) -> str:
    """Text that a terminal only shows, with its line breaks and tabs.

    Controls, bidirectional and other invisible marks, private and unassigned characters go; half
    of a surrogate pair becomes U+FFFD; every kind of line break becomes a newline.
    """
    if text.isprintable():
        return text
    return _LINE_BREAKS.sub("\n", text).translate(_SHOWN)


def one_line(text: str) -> str:
    """Plain text on one line, runs of spaces as one: no name can begin a line of its own."""
    return " ".join(plain(" ".join(text.split())).split())


def shortened(text: str, longest: int) -> str:
    """Plain text on one line, of its end "…" where it has more than so many characters."""
    text = one_line(text)
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def to_json(record: Any, indent: int | None = 2) -> str:
    """A record as JSON for people and programs: accents readable, nothing invisible as it is."""
    return escaped(json.dumps(record, ensure_ascii=False, indent=indent, default=_told))


def escaped(text: str) -> str:
    """JSON or TOML in which what would not be seen is told by its number."""
    return text.translate(_ESCAPED)


def _told(value: object) -> str:
    return value.isoformat() if isinstance(value, date) else str(value)
