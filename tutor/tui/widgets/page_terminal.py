"""How this terminal can show pictures, told from its environment.

textual-image asks the terminal when it is imported. That takes up to 0.3 s where nobody answers,
and within the app the answers would be taken for keys; so it is imported without a terminal.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Literal, TypeAlias

from tutor.tui.widgets.page_blocks import HalfBlocks

if TYPE_CHECKING:
    from textual_image.widget import SixelImage, TGPImage

    TerminalImage: TypeAlias = TGPImage | SixelImage | HalfBlocks

Protocol: TypeAlias = Literal["kitty", "sixel", "blocks"]
Cell: TypeAlias = tuple[int, int]
"""Width and height of a character in pixels."""

USUAL_CELL: Cell = (10, 20)
_KITTY = frozenset({"xterm-kitty", "xterm-ghostty"})
_SIXEL_TERMS = ("foot", "mlterm", "contour")
_SIXEL_PROGRAMS = frozenset({"WezTerm", "iTerm.app"})


def protocol_of(environ: Mapping[str, str], cell: Cell | None) -> Protocol:
    """The best way to show a picture that this terminal surely knows.

    Over SSH and inside of tmux or screen these are half-blocks. Sixels are measured in pixels, so
    they need to know the size of a `cell`.
    """
    term = environ.get("TERM", "")
    remote = "SSH_CONNECTION" in environ or "SSH_TTY" in environ
    if remote or "TMUX" in environ or term.startswith(("screen", "tmux")):
        return "blocks"
    if term in _KITTY or "KITTY_WINDOW_ID" in environ:
        return "kitty"
    program = environ.get("TERM_PROGRAM", "")
    knows = term.startswith(_SIXEL_TERMS) or program in _SIXEL_PROGRAMS
    return "sixel" if knows and cell else "blocks"


def cell_of_terminal() -> Cell | None:
    """The size of a character as the terminal's driver has it; None where it does not say."""
    if sys.platform == "win32" or not sys.__stderr__:
        return None
    import fcntl  # noqa: PLC0415 - not on Windows
    import struct  # noqa: PLC0415
    import termios  # noqa: PLC0415

    with suppress(OSError, ValueError):
        answer = fcntl.ioctl(sys.__stderr__.fileno(), termios.TIOCGWINSZ, bytes(8))
        rows, columns, width, height = struct.unpack("4H", answer)
        if rows and columns and width >= columns and height >= rows:
            return width // columns, height // rows
    return None


def image_class(protocol: Protocol, cell: Cell) -> type[TerminalImage]:
    """The widget that shows pictures this way."""
    if protocol == "blocks":
        return HalfBlocks
    with _without_terminal(cell):
        from textual_image import widget  # noqa: PLC0415 - 0.2 s, and see above
    return widget.TGPImage if protocol == "kitty" else widget.SixelImage


@contextmanager
def _without_terminal(cell: Cell) -> Iterator[None]:
    """For the first import; the size of a cell is then taken from the environment."""
    sizes = dict(zip(("TEXTUAL_CELL_WIDTH", "TEXTUAL_CELL_HEIGHT"), map(str, cell), strict=True))
    kept, stdout = {name: os.environ.get(name) for name in sizes}, sys.__stdout__
    os.environ.update(sizes)
    sys.__stdout__ = io.StringIO()  # type: ignore[misc, assignment]
    try:
        yield
    finally:
        sys.__stdout__ = stdout  # type: ignore[misc]
        for name, value in kept.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
