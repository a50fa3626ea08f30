"""Text that can do nothing but be read.

What comes from notes, models and the web is data: what a terminal would take as a command is
removed.
"""

from __future__ import annotations

import unicodedata


def plain(text: str) -> str:
    """Text that a terminal only shows: no escapes, no controls but line breaks, no bidi marks."""
    return "".join(c for c in text if c == "\n" or unicodedata.category(c)[0] != "C")
