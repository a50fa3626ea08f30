"""A page as a picture, with the words of a quote marked on it, as this terminal can show it."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache, lru_cache
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Literal, TypeAlias

from PIL import Image, ImageChops, ImageDraw
from rich.color import Color
from rich.segment import Segment
from rich.style import Style
from textual.app import ComposeResult
from textual.containers import Container
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Static

from tutor.courses import note_path
from tutor.i18n import _
from tutor.ingest.reading.drawing_process import PageRenderer
from tutor.ingest.reading.rendering import PagePicture, PageRequest
from tutor.model.marks import pages
from tutor.tui.base import failure_text, safe
from tutor.tui.threads import in_background

if TYPE_CHECKING:
    from textual_image.widget import SixelImage, TGPImage

    from tutor.ingest.reading.marking import Box

    TerminalImage: TypeAlias = "TGPImage | SixelImage | HalfBlocks"

Protocol: TypeAlias = Literal["kitty", "sixel", "blocks"]
Cell: TypeAlias = tuple[int, int]
"""Width and height of a character in pixels."""

_USUAL_CELL: Cell = (10, 20)
_KITTY = frozenset({"xterm-kitty", "xterm-ghostty"})
_SIXEL_TERMS = ("foot", "mlterm", "contour")
_SIXEL_PROGRAMS = frozenset({"WezTerm", "iTerm.app"})
_MARKER = (255, 214, 0)
_EDGE = (176, 32, 0)
_TALLEST = 4000
"""Pixels of a page that is drawn as wide as fits, at most."""
_LARGEST = 1600
"""Pixels: more than that no terminal shows, and it has to be sent."""


class PageImage(Container):
    """Shows the picture of a page as large as fits, or says why there is none."""

    def __init__(self, memory_mb: int) -> None:
        """`memory_mb` bounds the process that draws."""
        super().__init__()
        cell = cell_of_terminal()
        self._protocol = protocol_of(os.environ, cell)
        self._cell = cell or _USUAL_CELL
        self.is_shape = self._protocol == "blocks"
        """Whether no letter can be read in it: it only shows where on the page a quote stands."""
        self.zooms = False
        """Whether the page is as wide as fits, and cut above and below the quote."""
        self._image: TerminalImage | None = None
        self._renderer = PageRenderer(memory_mb=memory_mb)
        self._notes = Path()
        self._wanted: PageRequest | None = None
        self._done: object = None

    def compose(self) -> ComposeResult:
        yield Static(classes="said")

    @property
    def picture(self) -> Image.Image | None:
        image = self._image.image if self._image and self._image.display else None
        return image if isinstance(image, Image.Image) else None

    def show(self, notes: Path, wanted: PageRequest) -> None:
        """Draw this page with its quote; its path is that in the folder `notes`."""
        self._notes, self._wanted = notes, wanted
        self.draw()

    def forget(self, reason: str, page: int) -> None:
        self._wanted = self._done = None
        self._say(reason, page)

    def draw(self) -> None:
        """Draw what is wanted, if it can be seen and is not there already."""
        wanted, zooms, size = self._wanted, self.zooms, self.content_size
        width, height = (
            min(max(cells, 1) * pixels, _LARGEST)
            for cells, pixels in zip(size, self._cell, strict=True)
        )
        if wanted is None or not self.region.area or (wanted, size, zooms) == self._done:
            return
        self._done = wanted, size, zooms
        if self.picture is None:
            self._say(_("Drawing the page ..."), wanted.number)
        # Until it is there, the picture of the page before is as good.
        self.border_subtitle = _("drawing p. %(page)d ...") % {"page": wanted.number}

        def work() -> tuple[Image.Image, bool]:
            """The picture, and whether its quote was found."""
            request = replace(wanted, path=note_path(self._notes, wanted.path.as_posix()))
            drawn = self._renderer.draw(request, width, _TALLEST if zooms else height)
            image_class(self._protocol, self._cell)  # 0.2 s the first time
            image = cut(marked_picture(drawn), drawn.boxes, height)
            return image, bool(drawn.boxes) or not wanted.quote

        in_background(
            self,
            work,
            lambda drawn: self._show_picture(wanted, *drawn),
            failed=lambda error: self._say(failure_text(error), wanted.number),
            latest="picture",
        )

    def on_unmount(self) -> None:
        # It takes a tenth of a second, which the next screen should not wait for.
        Thread(target=self._renderer.close, daemon=True).start()

    def _say(self, text: str, page: int) -> None:
        said = self.query_one(".said", Static)
        said.update(safe(text))
        said.display = True
        if self._image:
            self._image.display = False
        self.border_title, self.border_subtitle = pages(page, page), ""

    async def _show_picture(
        self, wanted: PageRequest, picture: Image.Image, was_found: bool
    ) -> None:
        if wanted != self._wanted:
            return
        if self._image is None:
            self._image = image_class(self._protocol, self._cell)()
            await self.mount(self._image)
        self._image.image = picture
        self._image.display = True
        self.on_resize()
        self.query_one(".said", Static).display = False
        self.border_title = pages(wanted.number, wanted.number)
        self.border_subtitle = "" if was_found else _("the words are not marked here")

    def on_resize(self) -> None:
        picture, size = self.picture, self.content_size
        if picture is None or self._image is None:
            return
        across, down = picture.width / self._cell[0], picture.height / self._cell[1]
        scale = min(size.width / across, size.height / down)
        self._image.styles.width = max(1, min(size.width, round(across * scale)))
        self._image.styles.height = max(1, min(size.height, round(down * scale)))


# --- the picture ---


def cut(image: Image.Image, boxes: Sequence[Box], height: int) -> Image.Image:
    """No more than this height of it, with the first of the boxes in the middle."""
    if image.height <= height:
        return image
    middle = (boxes[0][1] + boxes[0][3]) / 2 if boxes else 0
    top = round(max(0, min(middle - height / 2, image.height - height)))
    return image.crop((0, top, image.width, top + height))


def marked_picture(picture: PagePicture) -> Image.Image:
    """The page with its boxes marked as with a felt pen, and framed: colour is not all."""
    image = Image.frombytes("RGB", (picture.width, picture.height), picture.pixels)
    ink = Image.new("RGB", image.size, "white")
    boxes = [
        (left - 2, top - 1, right + 2, bottom + 1) for left, top, right, bottom in picture.boxes
    ]
    for box in boxes:
        ImageDraw.Draw(ink).rectangle(box, fill=_MARKER)
    marked = ImageChops.multiply(image, ink)
    for box in boxes:
        width = max(1, picture.height // 500)
        ImageDraw.Draw(marked).rectangle(box, outline=_EDGE, width=width)
    return marked


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


# --- what this terminal can show ---


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


@cache
def image_class(protocol: Protocol, cell: Cell) -> type[TerminalImage]:
    """The widget that shows pictures this way; to be imported in a thread.

    textual-image asks the terminal for the size of a `cell` when it is imported: 0.3 s where
    nobody answers, and within the app the answers would be taken for keys. So it sees no terminal
    then, and is told the size.
    """
    if protocol == "blocks":
        return HalfBlocks
    stdout = sys.__stdout__
    sys.__stdout__ = io.StringIO()  # pyrefly: ignore[bad-assignment]
    try:
        from textual_image import _terminal, widget  # noqa: PLC0415 - 0.2 s, and see above
    finally:
        sys.__stdout__ = stdout
    _terminal.get_cell_size._result = _terminal.CellSize(*cell)  # pyrefly: ignore[missing-attribute]  # noqa: SLF001
    return widget.TGPImage if protocol == "kitty" else widget.SixelImage
