"""Short strings of unknown origin, made fit for one line of a terminal."""

from __future__ import annotations

import re
import unicodedata

from tutor.text.terminal import one_line

MAX_CHARS = 200

# Terminal control sequences (ECMA-48 CSI and OSC), of which no printable part should stay behind
# in what is kept. No shorter ones: fonts of TeX have a glyph at the place of ESC.
_ESCAPE = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|(?:\x1b\]|\x9d)[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?"
)


def short_line(text: str) -> str:
    """`text` as one line of at most `MAX_CHARS` printable characters.

    Control, bidirectional, zero-width, private and unassigned characters are dropped, so that
    a PDF's properties can neither move a cursor nor hide a word.
    """
    line = one_line(_ESCAPE.sub("", text[: 10 * MAX_CHARS]))
    return unicodedata.normalize("NFC", line)[:MAX_CHARS].rstrip()
