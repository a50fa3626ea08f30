"""How this terminal shows pictures: the best way that it surely knows."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Literal, TypeAlias

from PIL import Image
from rich.color import Color
from rich.segment import Segment
from rich.style import Style
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

if TYPE_CHECKING:
    from textual_image.widget import SixelImage, TGPImage

    TerminalImage: TypeAlias = "TGPImage | SixelImage | HalfBlocks"

Protocol: TypeAlias = Literal["kitty", "sixel", "blocks"]
Cell: TypeAlias = tuple[int, int]
"""Width and height of a character in pixels."""

USUAL_CELL: Cell = (10, 20)
_KITTY = frozenset({"xterm-kitty", "xterm-ghostty"})
_SIXEL_TERMS = ("foot", "mlterm", "contour")
_SIXEL_PROGRAMS = frozenset({"WezTerm", "iTerm.app"})


class HalfBlocks(Widget):
    """Fills its size with a picture, two pixels to a character, where nothing better is known.

    textual-image has such a widget, too, but reads pixels in a way that Pillow is about to drop.
    """

    image: reactive[Image.Image | None] = reactive(None, always_update=True)
    _pixels = b""
    _pixels_of: tuple[object, object] = (None, None)

    def render_line(self, y: int) -> Strip:
        """A row of characters, each with the colours of two pixels."""
        width, height = self.size
        if self.image is None:
            return Strip.blank(width)
        if self._pixels_of != (self.image, self.size):
            self._pixels = self.image.convert("RGB").resize((width, 2 * height)).tobytes()
            self._pixels_of = self.image, self.size
        row = 3 * width
        upper, lower = (self._pixels[at * row : (at + 1) * row] for at in (2 * y, 2 * y + 1))
        cells = (
            Segment("▀", _style(upper[at : at + 3], lower[at : at + 3])) for at in range(0, row, 3)
        )
        return Strip(cells, width)


@lru_cache(4096)
def _style(upper: bytes, lower: bytes) -> Style:
    return Style(color=Color.from_rgb(*upper), bgcolor=Color.from_rgb(*lower))


@cache
def load_image_class() -> type[TerminalImage]:
    """The widget for pictures in this terminal; the first call takes 0.2 s, in any thread."""
    return image_class(own_protocol(), cell_of_terminal() or USUAL_CELL)


def own_protocol() -> Protocol:
    """The best way to show a picture in this terminal."""
    return protocol_of(os.environ, cell_of_terminal())


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
        from textual_image import widget  # noqa: PLC0415 - 0.2 s, and see `_without_terminal`
    return widget.TGPImage if protocol == "kitty" else widget.SixelImage


@contextmanager
def _without_terminal(cell: Cell) -> Iterator[None]:
    """Let textual-image be imported; the size of a cell is then taken from the environment.

    It asks the terminal when it is imported. That takes up to 0.3 s where nobody answers, and
    within the app the answers would be taken for keys.
    """
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
