"""The process that draws pages, begun when the first one is wanted."""

from __future__ import annotations

from pathlib import Path
from threading import Lock, Thread
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tutor.ingest.reading.drawing_process import PageRenderer
    from tutor.ingest.reading.rendering import PagePicture


class LazyRenderer:
    """Draws in whatever thread it is called, until it is closed."""

    def __init__(self, memory_mb: int) -> None:
        self._memory_mb = memory_mb
        self._renderer: PageRenderer | None = None
        self._lock = Lock()
        self._closed = False

    def draw(
        self, path: Path, page: int, quote: str, before: str, size: tuple[int, int]
    ) -> PagePicture | None:
        """A page that fits into `size` pixels, with the boxes of its quote; None once closed.

        Raises `UnreadablePdf`.
        """
        # 0.1 s: PDFium, after the text is on the screen.
        from tutor.ingest.reading.drawing_process import PageRenderer  # noqa: PLC0415
        from tutor.ingest.reading.rendering import PageRequest  # noqa: PLC0415

        with self._lock:
            if self._closed:
                return None
            renderer = self._renderer = self._renderer or PageRenderer(memory_mb=self._memory_mb)
        return renderer.draw(PageRequest(path, page, quote, before), *size)

    def close(self) -> None:
        """Draw nothing any more; ends the process."""
        with self._lock:
            self._closed, renderer = True, self._renderer
        if renderer:
            # It takes a tenth of a second, which the next screen should not wait for.
            Thread(target=renderer.close, daemon=True).start()
