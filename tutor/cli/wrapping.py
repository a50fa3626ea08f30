"""Text that comes in pieces, wrapped at words."""

from __future__ import annotations

import re
from collections.abc import Callable

from tutor.cli.output import Styled

_PARTS = re.compile(r"\n|[^\S\n]+|\S+")


class StreamWrapper:
    """Breaks a stream of text into lines of at most `width` characters, where words allow it.

    A word is written once it is complete, which is when something else follows.
    """

    def __init__(self, write: Callable[[str | Styled], None], width: int) -> None:
        self._write = write
        self._width = width
        self._column = 0
        self._space = ""
        self._word = ""
        self._bold = False
        self._paused = False

    def feed(self, text: str, *, bold: bool = False) -> None:
        """Take in the next piece; words that it begins or ends are bold where it is."""
        for part in _PARTS.findall(text):
            if part == "\n":
                self._end_word()
                if not self._paused:
                    self._write("\n")
                self._column, self._space, self._paused = 0, "", False
            elif part.isspace():
                self._end_word()
                self._space += part
            else:
                self._word += part
                self._bold = bold

    def pause(self) -> None:
        """End the line, so that something else can stand below it; a break that follows is this."""
        self._end_word()
        if self._column:
            self._write("\n")
            self._column, self._space, self._paused = 0, "", True

    def close(self) -> None:
        """Write the last word."""
        self._end_word()

    def _end_word(self) -> None:
        if not self._word:
            return
        if self._column and self._column + len(self._space) + len(self._word) > self._width:
            self._write("\n")
            self._column, self._space = 0, ""
        if self._paused:
            self._space, self._paused = "", False
        self._write(self._space)
        self._write(Styled(self._word, bold=True) if self._bold else self._word)
        self._column += len(self._space) + len(self._word)
        self._space, self._word = "", ""
