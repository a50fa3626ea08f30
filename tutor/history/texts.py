"""Text that can be kept: what SQLite, JSON and UTF-8 all hold."""

from __future__ import annotations

import re

from tutor.text.terminal import REPLACEMENT, one_line

_TITLE_CHARS = 60
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")


def storable(text: str) -> str:
    """The text with U+FFFD for each NUL and each half of a surrogate pair; offsets stay the same.

    UTF-8 has no surrogates, and tools that copy a database cut a text at its first NUL.
    """
    return _UNSTORABLE.sub(REPLACEMENT, text)


def title_of(question: str) -> str:
    """A question as the title of its conversation: one line, cut at a word where it is long."""
    line = one_line(storable(question))
    if len(line) <= _TITLE_CHARS:
        return line
    head = line[:_TITLE_CHARS]
    at_word = head.rpartition(" ")[0]
    return f"{at_word if len(at_word) > _TITLE_CHARS // 2 else head.rstrip()}…"
