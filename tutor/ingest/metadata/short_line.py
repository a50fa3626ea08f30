"""Short strings of unknown origin, made fit for one line of a terminal."""

from __future__ import annotations

from tutor.text.terminal import visible_line

MAX_CHARS = 200


def short_line(text: str) -> str:
    """`text` as one line of at most `MAX_CHARS` characters, all of them seen."""
    return visible_line(text[: 10 * MAX_CHARS])[:MAX_CHARS].rstrip()
