"""Texts of the notes within Markdown."""

from __future__ import annotations

import re

_FENCE = re.compile(r"[ \t]*(?:`{3,}|~{3,})")
_MARKUP = re.compile(r"[\\$`_~]|(?<!\*)(?:\*(?=[^\s*])|(?<=\S)\*(?!\*))")
"""What notes may have and Markdown would take for markup: TeX's signs, quotes, products.
A star between spaces is none, or begins an item; two of them are ours."""


def literal(text: str, before: str = "") -> str:
    r"""Words of the notes as Markdown that shows them to the letter: a manual's `\$` and `$x$`.

    Tables, lists and names in bold are ours, and stay. Code is to the letter anyway; `before` is
    what stands above, where a block of code may have begun.
    """
    is_code = len(list(filter(_FENCE.match, before.split("\n")))) % 2 == 1
    lines = []
    for line in text.split("\n"):
        is_fence = bool(_FENCE.match(line))
        lines.append(line if is_code or is_fence else _MARKUP.sub(r"\\\g<0>", line))
        is_code ^= is_fence
    return "\n".join(lines)


def quoted_and_own(text: str, own_start: int, start: int, end: int) -> str:
    """A part of an answer as Markdown: quotes to the letter, from `own_start` on as it is."""
    own = min(max(own_start, start), end)
    return literal(text[start:own], text[:start]) + text[own:end]
