"""Text that can be kept: what SQLite, JSON and UTF-8 all hold, and what search compares."""

from __future__ import annotations

import re
import unicodedata

_TITLE_CHARS = 60
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")
_SPACES = re.compile(r"\s+")
REPLACEMENT = "\ufffd"


def storable(text: str) -> str:
    """The text with U+FFFD for each NUL and each half of a surrogate pair; offsets stay the same.

    UTF-8 has no surrogates, and tools that copy a database cut a text at its first NUL.
    """
    return _UNSTORABLE.sub(REPLACEMENT, text)


def one_line(text: str) -> str:
    """The text on one line, without control characters."""
    visible = "".join(c for c in text if c.isspace() or unicodedata.category(c) != "Cc")
    return _SPACES.sub(" ", visible).strip()


def title_of(question: str) -> str:
    """A question as the title of its conversation: one line, cut at a word where it is long."""
    line = one_line(storable(question))
    if len(line) <= _TITLE_CHARS:
        return line
    head = line[:_TITLE_CHARS]
    at_word = head.rpartition(" ")[0]
    return f"{at_word if len(at_word) > _TITLE_CHARS // 2 else head.rstrip()}…"


def folded(text: str) -> str:
    """The form in which texts are searched: without accents and case, spaces as one."""
    letters = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
    bare = "".join(c for c in letters if not unicodedata.combining(c))
    return _SPACES.sub(" ", storable(bare)).strip()
