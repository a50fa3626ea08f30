"""A page as a picture, with the words of a quote marked on it, as this terminal can show it."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

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

from tutor.i18n import _
from tutor.presentation.amounts import pages
from tutor.tui.base import failure_text, in_background, safe
from tutor.tui.workspace.cited_page import LazyRenderer, note_path

if TYPE_CHECKING:
    from textual_image.widget import SixelImage, TGPImage

    from tutor.ingest.reading.marking import Box
    from tutor.ingest.reading.rendering import PagePicture

    TerminalImage: TypeAlias = "TGPImage | SixelImage | HalfBlocks"
    _Drawn: TypeAlias = tuple[Image.Image, bool]

Protocol: TypeAlias = Literal["kitty", "sixel", "blocks"]
Cell: TypeAlias = tuple[int, int]
"""Width and height of a character in pixels."""

USUAL_CELL: Cell = (10, 20)
_KITTY = frozenset({"xterm-kitty", "xterm-ghostty"})
_SIXEL_TERMS = ("foot", "mlterm", "contour")
_SIXEL_PROGRAMS = frozenset({"WezTerm", "iTerm.app"})
_MARKER = (255, 214, 0)
_EDGE = (176, 32, 0)
_TALLEST = 4000
"""Pixels of a page that is drawn as wide as fits, at most."""
_LARGEST = 1600
"""Pixels: more than that no terminal shows, and it has to be sent."""


class _Wanted(NamedTuple):
    """A page with a quote, and the text before the quote; `relative` is its path in `notes`."""

    notes: Path
    relative: str
    page: int
    quote: str
    before: str


class PageImage(Container):
    """Shows the picture of a page as large as fits, or says why there is none."""

    def __init__(self, memory_mb: int) -> None:
        """`memory_mb` bounds the process that draws."""
        super().__init__()
        self.zooms = False
        """Whether the page is as wide as fits, and cut above and below the quote."""
        self._cell = cell_of_terminal() or USUAL_CELL
        self._image: TerminalImage | None = None
        self._renderer = LazyRenderer(memory_mb)
        self._wanted: _Wanted | None = None
        self._done: object = None

    def compose(self) -> ComposeResult:
        yield Static(classes="said")

    @property
    def room(self) -> tuple[int, int]:
        """Width and height of what can be shown, in pixels."""
        size = self.content_size
        width, height = max(size.width, 1) * self._cell[0], max(size.height, 1) * self._cell[1]
        return min(width, _LARGEST), min(height, _LARGEST)

    @property
    def picture(self) -> Image.Image | None:
        """What is to be seen."""
        image = self._image.image if self._image and self._image.display else None
        return image if isinstance(image, Image.Image) else None

    # --- what is to be drawn ---

    def show(self, notes: tuple[Path, str] | None, page: int, quote: str, before: str) -> None:
        """Draw this page with its quote; `notes` are the folder and the path in it."""
        self._wanted = _Wanted(*notes, page, quote, before) if notes else None
        self.draw()

    def forget(self, reason: str, page: int) -> None:
        """There is nothing to draw, for this reason."""
        self._wanted = self._done = None
        self._say(reason, page)

    def draw(self) -> None:
        """Draw what is wanted, if it can be seen and is not there already."""
        wanted, room, zooms = self._wanted, self.room, self.zooms
        if wanted is None or not self.region.area or (wanted, room, zooms) == self._done:
            return
        self._done = wanted, room, zooms
        if self.picture is None:
            self._say(_("Drawing the page ..."), wanted.page)
        # Until it is there, the picture of the page before is as good.
        self.border_subtitle = _("drawing p. %(page)d ...") % {"page": wanted.page}
        in_background(
            self,
            lambda: self._drawn(wanted, room, zooms=zooms),
            lambda drawn: self._show_picture(wanted, drawn),
            failed=lambda error: self._say(failure_text(error), wanted.page),
            latest="picture",
        )

    def _drawn(self, wanted: _Wanted, room: tuple[int, int], *, zooms: bool) -> _Drawn | None:
        """The picture, and whether its quote was found; None once nothing is drawn any more."""
        path = note_path(wanted.notes, wanted.relative)
        size = (room[0], _TALLEST) if zooms else room
        picture = self._renderer.draw(path, wanted.page, wanted.quote, wanted.before, size)
        if picture is None:
            return None
        load_image_class()
        image = cut(marked_picture(picture), picture.boxes, room[1])
        return image, bool(picture.boxes) or not wanted.quote

    def on_unmount(self) -> None:
        self._renderer.close()

    # --- what is shown ---

    def _say(self, text: str, page: int) -> None:
        """Say something in place of a picture."""
        said = self.query_one(".said", Static)
        said.update(safe(text))
        said.display = True
        if self._image:
            self._image.display = False
        self.border_title, self.border_subtitle = pages(page, page), ""

    async def _show_picture(self, wanted: _Wanted, drawn: _Drawn | None) -> None:
        if drawn is None or wanted != self._wanted:
            return
        if self._image is None:
            self._image = load_image_class()()
            await self.mount(self._image)
        self._image.image, was_found = drawn
        self._image.display = True
        self.on_resize()
        self.query_one(".said", Static).display = False
        self.border_title = pages(wanted.page, wanted.page)
        self.border_subtitle = "" if was_found else _("the words are not marked here")

    def on_resize(self) -> None:
        """Fit the picture into what there is."""
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
    if not picture.boxes:
        return image
    ink = Image.new("RGB", image.size, "white")
    pen = ImageDraw.Draw(ink)
    boxes = [
        (left - 2, top - 1, right + 2, bottom + 1) for left, top, right, bottom in picture.boxes
    ]
    for box in boxes:
        pen.rectangle(box, fill=_MARKER)
    marked = ImageChops.multiply(image, ink)
    edges = ImageDraw.Draw(marked)
    width = max(1, picture.height // 500)
    for box in boxes:
        edges.rectangle(box, outline=_EDGE, width=width)
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


# --- the terminal, told from its environment ---


@cache
def load_image_class() -> type[TerminalImage]:
    """The widget for pictures in this terminal; the first call takes 0.2 s, in any thread."""
    cell = cell_of_terminal()
    return image_class(protocol_of(os.environ, cell), cell or USUAL_CELL)


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
