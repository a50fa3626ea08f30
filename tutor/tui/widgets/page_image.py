"""A page as a picture, with the words of a quote marked on it, as this terminal can show it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from PIL import Image, ImageChops, ImageDraw
from textual.app import ComposeResult
from textual.containers import Container
from textual.widgets import Static

from tutor.courses import note_path
from tutor.i18n import _
from tutor.ingest.reading.drawing_process import PageRenderer
from tutor.ingest.reading.rendering import PagePicture, PageRequest
from tutor.presentation.amounts import pages
from tutor.tui.base import failure_text, in_background, safe
from tutor.tui.widgets.terminal_image import (
    USUAL_CELL,
    cell_of_terminal,
    load_image_class,
    own_protocol,
)

if TYPE_CHECKING:
    from tutor.ingest.reading.marking import Box
    from tutor.tui.widgets.terminal_image import TerminalImage

    _Drawn: TypeAlias = tuple[Image.Image, bool]

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
        self.is_shape = own_protocol() == "blocks"
        """Whether no letter can be read in it: it only shows where on the page a quote stands."""
        self.zooms = False
        """Whether the page is as wide as fits, and cut above and below the quote."""
        self._cell = cell_of_terminal() or USUAL_CELL
        self._image: TerminalImage | None = None
        self._renderer = PageRenderer(memory_mb=memory_mb)
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

    def _drawn(self, wanted: _Wanted, room: tuple[int, int], *, zooms: bool) -> _Drawn:
        """The picture, and whether its quote was found. Raises `UnreadablePdf`."""
        path = note_path(wanted.notes, wanted.relative)
        request = PageRequest(path, wanted.page, wanted.quote, wanted.before)
        picture = self._renderer.draw(request, room[0], _TALLEST if zooms else room[1])
        load_image_class()
        image = cut(marked_picture(picture), picture.boxes, room[1])
        return image, bool(picture.boxes) or not wanted.quote

    def on_unmount(self) -> None:
        # It takes a tenth of a second, which the next screen should not wait for.
        Thread(target=self._renderer.close, daemon=True).start()

    # --- what is shown ---

    def _say(self, text: str, page: int) -> None:
        said = self.query_one(".said", Static)
        said.update(safe(text))
        said.display = True
        if self._image:
            self._image.display = False
        self.border_title, self.border_subtitle = pages(page, page), ""

    async def _show_picture(self, wanted: _Wanted, drawn: _Drawn) -> None:
        if wanted != self._wanted:
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
