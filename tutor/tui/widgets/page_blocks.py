"""A picture in half-blocks: two pixels to a character, for terminals that know nothing better.

textual-image has such a widget, too, but reads pixels in a way that Pillow is about to drop.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from rich.color import Color
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip
from textual.widget import Widget

if TYPE_CHECKING:
    from PIL import Image

_UPPER = "▀"


class HalfBlocks(Widget):
    """Fills its size with the picture."""

    def __init__(self) -> None:
        super().__init__()
        self._image: Image.Image | None = None
        self._pixels = b""
        self._pixels_of: tuple[object, object] = (None, None)

    @property
    def image(self) -> Image.Image | None:
        """The picture."""
        return self._image

    @image.setter
    def image(self, image: Image.Image | None) -> None:
        self._image = image
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """A row of characters, each with the colours of two pixels."""
        width, height = self.size
        if self._image is None:
            return Strip.blank(width)
        if self._pixels_of != (self._image, self.size):
            self._pixels = self._image.convert("RGB").resize((width, 2 * height)).tobytes()
            self._pixels_of = self._image, self.size
        start = 2 * y * 3 * width
        upper = self._pixels[start : start + 3 * width]
        lower = self._pixels[start + 3 * width : start + 6 * width]
        cells = (
            Segment(_UPPER, _style(upper[at : at + 3], lower[at : at + 3]))
            for at in range(0, len(upper), 3)
        )
        return Strip(cells, width)


@lru_cache(4096)
def _style(upper: bytes, lower: bytes) -> Style:
    return Style(color=Color.from_rgb(*upper), bgcolor=Color.from_rgb(*lower))
