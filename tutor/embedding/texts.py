"""What may be handed to an engine: text that encodes as UTF-8 and is not endless."""

from __future__ import annotations

MAX_CHARS = 20_000
"""Characters of a text that count; the rest is ignored.

A chunk has 800. Without a bound, a megabyte pasted as a question would keep the bundled model
busy for minutes.
"""

_REPLACEMENTS: dict[int, str] = {
    0: " ",  # to a server it may be the end of the text
} | dict.fromkeys(range(0xD800, 0xE000), "\ufffd")  # lone surrogates are not encodable


def embeddable(text: str) -> str:
    """`text` as every engine can take it: no NUL, no lone surrogates, at most `MAX_CHARS`."""
    return text[:MAX_CHARS].translate(_REPLACEMENTS)
