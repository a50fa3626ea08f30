"""A page as a picture, with the words of a quote marked on it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

from PIL import Image, ImageChops, ImageDraw
from textual.containers import Container
from textual.message import Message
from textual.widgets import Static

from tutor.i18n import _
from tutor.presentation.amounts import pages
from tutor.tui.base import safe
from tutor.tui.widgets.page_terminal import (
    USUAL_CELL,
    cell_of_terminal,
    image_class,
    protocol_of,
)

if TYPE_CHECKING:
    from textual.app import ComposeResult

    from tutor.ingest.reading.marking import Box
    from tutor.ingest.reading.rendering import PagePicture
    from tutor.tui.widgets.page_terminal import TerminalImage

_MARKER = (255, 214, 0)
_EDGE = (176, 32, 0)
_LARGEST = 1600
"""Pixels: more than that no terminal shows, and it has to be sent."""


class PageImage(Container):
    """Shows the picture of a page as large as fits, or says why there is none."""

    class Drawn(Message):
        """The picture of a page, for the `PageImage` that it is posted to."""

        def __init__(self, picture: Image.Image, page: int, *, was_found: bool) -> None:
            super().__init__()
            self.picture = picture
            self.page = page
            self.was_found = was_found

    class NotDrawn(Message):
        """Why there is no picture of a page, for the `PageImage` that it is posted to."""

        def __init__(self, reason: str, page: int) -> None:
            super().__init__()
            self.reason = reason
            self.page = page

    def __init__(self) -> None:
        super().__init__()
        self._cell = cell_of_terminal() or USUAL_CELL
        self._image: TerminalImage | None = None
        self._expected = 0

    def compose(self) -> ComposeResult:
        """What is said in place of a picture."""
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

    def expect(self, page: int) -> None:
        """The page is being drawn; until then, the picture of the page before is as good."""
        self._expected = page
        if self.picture is None:
            self.say(_("Drawing the page ..."), page)
        self.border_subtitle = _("drawing p. %(page)d ...") % {"page": page}

    def say(self, text: str, page: int) -> None:
        """Say something in place of a picture."""
        said = self.query_one(".said", Static)
        said.update(safe(text))
        said.display = True
        if self._image:
            self._image.display = False
        self._expected = page
        self.border_title, self.border_subtitle = pages(page, page), ""

    async def on_page_image_drawn(self, message: Drawn) -> None:
        """Show the picture of the page, unless another one is wanted by now."""
        message.stop()
        if message.page != self._expected:
            return
        if self._image is None:
            self._image = load_image_class()()
            await self.mount(self._image)
        self._image.image = message.picture
        self._image.display = True
        self._fit()
        self.query_one(".said", Static).display = False
        self.border_title = pages(message.page, message.page)
        self.border_subtitle = "" if message.was_found else _("the words are not marked here")

    def on_page_image_not_drawn(self, message: NotDrawn) -> None:
        """Say why."""
        message.stop()
        if message.page == self._expected:
            self.say(message.reason, message.page)

    def on_resize(self) -> None:
        """The picture fits still."""
        self._fit()

    def _fit(self) -> None:
        picture, size = self.picture, self.content_size
        if picture is None or self._image is None:
            return
        across, down = picture.width / self._cell[0], picture.height / self._cell[1]
        scale = min(size.width / across, size.height / down)
        self._image.styles.width = max(1, min(size.width, round(across * scale)))
        self._image.styles.height = max(1, min(size.height, round(down * scale)))


@cache
def load_image_class() -> type[TerminalImage]:
    """The widget for pictures in this terminal; the first call takes 0.2 s, in any thread."""
    cell = cell_of_terminal()
    return image_class(protocol_of(os.environ, cell), cell or USUAL_CELL)


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
