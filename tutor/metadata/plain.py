"""Short strings of unknown origin, made fit for one line of a terminal; and letters compared."""

from __future__ import annotations

import re
import unicodedata

MAX_CHARS = 200

# Terminal control sequences (ECMA-48 CSI and OSC), of which no printable part should stay behind.
_ESCAPE = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|(?:\x1b\]|\x9d)[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?"
)


def plain(text: str) -> str:
    """`text` as one line of at most `MAX_CHARS` printable characters.

    Control, bidirectional, zero-width, private and unassigned characters are dropped, so that
    a PDF's properties can neither move a cursor nor hide a word.
    """
    without_escapes = _ESCAPE.sub("", text[: 10 * MAX_CHARS])
    composed = unicodedata.normalize("NFC", re.sub(r"\s+", " ", without_escapes))
    visible = "".join(char for char in composed if not unicodedata.category(char).startswith("C"))
    return " ".join(visible.split())[:MAX_CHARS].rstrip()


def folded(text: str) -> str:
    """Only the base letters and digits of `text`, in lower case: what two spellings share."""
    return "".join(map(_folded_char, text))


def folded_with_offsets(text: str) -> tuple[str, list[int]]:
    """`folded(text)`, and for each of its characters the offset in `text` it came from."""
    pieces = [_folded_char(char) for char in text]
    offsets = [offset for offset, piece in enumerate(pieces) for _ in piece]
    return "".join(pieces), offsets


def _folded_char(char: str) -> str:
    # A dotless i carries an accent drawn apart ("Garc´ıa"); Unicode gives it no decomposition.
    base = unicodedata.normalize("NFKD", char).replace("\u0131", "i").casefold()
    return "".join(letter for letter in base if letter.isalnum())
