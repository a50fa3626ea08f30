"""Two texts compared word by word, so that a reader sees what has changed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import TypeAlias

Marked: TypeAlias = list[tuple[str, bool]]
"""Pieces of a text, and whether each has changed."""
_TOKEN = re.compile(r"\s+|\d+(?:[.,]\d+)*|\w+|[^\w\s]")
_LONGEST = 4000
"""Characters that are compared; comparing takes the square of them."""


def compared(old: str, new: str) -> tuple[Marked, Marked]:
    """The pieces of both texts; white space between two changed words has changed with them.

    Where there is no new text, nothing is marked.
    """
    if not new:
        return [(old, False)], []
    one, other = _TOKEN.findall(old[:_LONGEST]), _TOKEN.findall(new[:_LONGEST])
    steps = SequenceMatcher(None, one, other, autojunk=False).get_opcodes()
    before: Marked = []
    after: Marked = []
    for place, (what, a, b, c, d) in enumerate(steps):
        within = 0 < place < len(steps) - 1 and not "".join(one[a:b]).strip()
        changed = what != "equal" or within
        _put(before, "".join(one[a:b]), changed)
        _put(after, "".join(other[c:d]), changed)
    return before, after


def _put(pieces: Marked, text: str, changed: bool) -> None:
    if pieces and pieces[-1][1] == changed:
        pieces[-1] = pieces[-1][0] + text, changed
    elif text:
        pieces.append((text, changed))


def in_plain_text(pieces: Marked, signs: str) -> str:
    """A text in which what has changed stands between two `signs`, as in `[-old-]`, `{+new+}`."""
    opening, closing = signs[: len(signs) // 2], signs[len(signs) // 2 :]
    return "".join(_told(text, opening, closing) if changed else text for text, changed in pieces)


def _told(text: str, opening: str, closing: str) -> str:
    """Marks around the words and not around the spaces beside them."""
    bare = text.strip()
    if not bare:
        return text
    start = text.index(bare)
    return f"{text[:start]}{opening}{bare}{closing}{text[start + len(bare) :]}"


def side_by_side(left: list[str], right: list[str], width: int) -> Iterator[str]:
    """Lines beside each other, the left ones `width` wide."""
    for place in range(max(len(left), len(right))):
        one, other = (lines[place] if place < len(lines) else "" for lines in (left, right))
        yield f"{one:<{width}} │ {other}".rstrip()
