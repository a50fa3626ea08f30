"""Pages drawn in the background for the screen that shows them; only the last one wanted counts."""

from __future__ import annotations

from pathlib import Path
from threading import Lock, Thread
from typing import TYPE_CHECKING, TypeAlias

from textual.worker import get_current_worker

from tutor.errors import TutorError
from tutor.tui.base import failure_text
from tutor.tui.viewer import note_path
from tutor.tui.widgets.page_image import PageImage, cut, load_image_class, marked_picture

if TYPE_CHECKING:
    from tutor.ingest.reading.drawing_process import PageRenderer
    from tutor.tui.base import TutorScreen

    _Wanted: TypeAlias = tuple[tuple[Path, str], int, str, str]


_TALLEST = 4000
"""Pixels of a page that is drawn as wide as fits, at most."""


class PageDrawing:
    """Draws for the `PageImage` of a screen, as long as that is to be seen."""

    def __init__(self, screen: TutorScreen) -> None:
        self._screen = screen
        self.zooms = False
        """Whether the page is as wide as fits, and cut above and below the quote."""
        self._renderer: PageRenderer | None = None
        self._wanted: _Wanted | None = None
        self._done: object = None
        self._lock = Lock()
        self._closed = False

    def show(self, notes: tuple[Path, str] | None, page: int, quote: str, before: str) -> None:
        """Draw this page with its quote; `notes` are the folder and the path in it."""
        self._wanted = (notes, page, quote, before) if notes else None
        self.draw()

    def forget(self, reason: str, page: int) -> None:
        """There is nothing to draw."""
        self._wanted = self._done = None
        self._screen.query_one(PageImage).say(reason, page)

    def draw(self) -> None:
        """Draw what is wanted, if it can be seen and is not there already."""
        image = self._screen.query_one(PageImage)
        wanted, room, zooms = self._wanted, image.room, self.zooms
        if wanted is None or not image.region.area or (wanted, room, zooms) == self._done:
            return
        self._done = wanted, room, zooms
        image.expect(wanted[1])
        self._screen.run_worker(
            lambda: self._work(wanted, room, zooms), thread=True, group="picture", exclusive=True,
            exit_on_error=False,
        )  # fmt: skip

    def close(self) -> None:
        """Draw nothing any more; ends the process that draws."""
        with self._lock:
            self._closed, renderer = True, self._renderer
        if renderer:
            # It takes a tenth of a second, which the next screen should not wait for.
            Thread(target=renderer.close, daemon=True).start()

    def _work(self, wanted: _Wanted, room: tuple[int, int], zooms: bool) -> None:
        worker = get_current_worker()
        image = self._screen.query_one(PageImage)
        (notes, relative), page, quote, before = wanted
        message: PageImage.Drawn | PageImage.NotDrawn
        try:
            path = note_path(notes, relative)
            # 0.1 s: PDFium, after the text is on the screen.
            from tutor.ingest.reading.rendering import PageWanted  # noqa: PLC0415

            renderer = self._renderer_of()
            if renderer is None:
                return
            size = (room[0], _TALLEST) if zooms else room
            picture = renderer.draw(PageWanted(path, page, quote, before), *size)
            message = PageImage.Drawn(
                cut(marked_picture(picture), picture.boxes, room[1]),
                page,
                was_found=bool(picture.boxes) or not quote,
            )
        except TutorError as error:
            message = PageImage.NotDrawn(failure_text(error), page)
        if not worker.is_cancelled:
            load_image_class()
            image.post_message(message)

    def _renderer_of(self) -> PageRenderer | None:
        from tutor.ingest.reading.drawing_process import PageRenderer  # noqa: PLC0415 - as above

        with self._lock:
            if self._renderer is None and not self._closed:
                settings = self._screen.tutor.config.reading
                self._renderer = PageRenderer(memory_mb=settings.memory_mb)
            return None if self._closed else self._renderer
