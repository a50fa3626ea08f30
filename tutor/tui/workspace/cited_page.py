"""The page behind a citation: its text as the index has it, its picture, its PDF."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath, PureWindowsPath
from threading import Lock, Thread
from typing import TYPE_CHECKING, TypeAlias

from tutor.courses import find_note
from tutor.errors import NotesError, TutorError
from tutor.i18n import _
from tutor.model import Chunk, ChunkId, Citation, CleanText, Hit, Source, Strategy

if TYPE_CHECKING:
    from tutor.index.store import StoreReader
    from tutor.ingest.reading.drawing_process import PageRenderer
    from tutor.ingest.reading.rendering import PagePicture

Span: TypeAlias = tuple[int, int]
"""Offsets of a text, the second one past its end."""


@dataclass(frozen=True, slots=True)
class CitedDocument:
    """A document, and where the cited words stand in it.

    `quote` is None where the words are not there any more; `changed` says whether the file is
    another one than was cited.
    """

    source: Source
    text: CleanText
    quote: Span | None
    changed: bool

    def page_span(self, page: int) -> Span:
        """The part of the text that is a page's, numbered from 1."""
        starts = self.text.page_starts
        end = starts[page] if page < len(starts) else len(self.text.text)
        return starts[page - 1], end

    @property
    def pages(self) -> int:
        """How many pages it has."""
        return max(1, len(self.text.page_starts))


def cited_document(store: StoreReader, citation: Citation) -> CitedDocument | None:
    """What the index has of a cited document; None if it is not in there.

    Reads files, and raises `StoreError` where they are damaged.
    """
    source = store.sources.get(citation.source.id)
    if source is None:
        return None
    text = store.text(source.id)
    changed = bool(citation.source.sha256) and citation.source.sha256 != source.sha256
    return CitedDocument(source, text, located(text.text, citation), changed)


def place_cited(
    source: Source, strategy: Strategy, text: str, start: int, pages: tuple[int, int]
) -> Citation:
    """A place of the notes, whose words are `text`, as what an answer cites."""
    place = (start, start + len(text), *pages)
    hit = Hit(Chunk(ChunkId(""), source.id, strategy, text, *place, 0), source, 1.0, 1)
    return Citation(0, 0, hit, 0, len(text), *pages, support=1.0)


def located(text: str, citation: Citation) -> Span | None:
    """Where the cited words stand: at their place, or else anywhere if only once."""
    start, end = citation.quote_span
    if not citation.quote.strip():
        return None
    if text[start:end] == citation.quote:
        return start, end
    start = text.find(citation.quote)
    if start < 0 or text.find(citation.quote, start + 1) >= 0:
        return None
    return start, start + len(citation.quote)


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


_VIEWERS: dict[str, tuple[str, ...]] = {
    "papers": ("--page-index={page}", "{path}"),
    "evince": ("--page-index={page}", "{path}"),
    "atril": ("--page-index={page}", "{path}"),
    "xreader": ("--page-index={page}", "{path}"),
    "okular": ("--page", "{page}", "{path}"),
    "zathura": ("--page={page}", "{path}"),
    "mupdf": ("{path}", "{page}"),
    "xpdf": ("{path}", "{page}"),
}
"""Programs that open at a page, and how they are told; the first one installed is taken."""

_HOPEFUL_S = 1.0
"""A program that runs for so long, in seconds, has found its display and its file."""


class NoViewerError(TutorError):
    """Nothing here can show a page of a PDF; `place` says where to look, for the clipboard."""

    def __init__(self, path: Path, page: int) -> None:
        super().__init__(
            _("There is no PDF viewer or no display here."),
            _("Page %(page)d of %(path)s") % {"page": page, "path": path},
        )
        # `?` is a shell's "any character".
        self.place = f"{path}#page={page}".encode(errors="replace").decode()


def note_path(notes: Path, relative: str) -> Path:
    """The PDF of a course at its relative path, as an index or a saved answer has it.

    Raises `NotesError` for a path that leads out of the notes, is no PDF or does not exist.
    """
    parts = PurePosixPath(relative)
    leads_out = parts.is_absolute() or ".." in parts.parts or bool(PureWindowsPath(relative).anchor)
    if leads_out or parts.suffix.lower() != ".pdf":
        raise NotesError(
            _("%(path)s is no PDF of these notes.") % {"path": relative},
            _("Index the course again, and ask once more."),
        )
    path = notes.absolute() / parts
    try:
        path = find_note(notes.absolute(), parts.as_posix())
        is_file = path.is_file()
    except (OSError, ValueError):  # too long a name, a null character
        is_file = False
    if not is_file:
        raise NotesError(
            _("%(path)s is no longer there.") % {"path": path},
            _("If it was renamed or moved, update the index."),
        )
    return path


def open_page(notes: Path, relative: str, page: int) -> None:
    """Show a page of a PDF, counted from 1, in a program that goes on by itself.

    Blocks for a second at most. Not every viewer can be told the page. Raises `NotesError` as
    `note_path` does, and `NoViewerError` where there is no display or no viewer.
    """
    path = note_path(notes, relative)
    try:
        if sys.platform == "win32":
            os.startfile(path)  # noqa: S606 - the system's own way; a PDF of the notes
            is_shown = True
        else:
            command = viewer_command(sys.platform, os.environ, shutil.which, path, page)
            is_shown = command is not None and _starts(command)
    except OSError as error:
        raise NoViewerError(path, page) from error
    if not is_shown:
        raise NoViewerError(path, page)


def viewer_command(
    platform: str,
    environ: Mapping[str, str],
    which: Callable[[str], str | None],
    path: Path,
    page: int,
) -> list[str] | None:
    """The program and its arguments; None where there is no display or no viewer."""
    if platform == "darwin":
        # Over SSH it would open on a screen that its reader does not see.
        return None if "SSH_CONNECTION" in environ else ["/usr/bin/open", str(path)]
    if not (environ.get("DISPLAY") or environ.get("WAYLAND_DISPLAY")):
        return None
    for name, arguments in _VIEWERS.items():
        if program := which(name):
            return [program, *(part.format(page=page, path=path) for part in arguments)]
    opener = which("xdg-open")
    return [opener, str(path)] if opener else None


def _starts(command: list[str]) -> bool:
    """Whether a program, as far as can be seen, shows what it was told to."""
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        return process.wait(_HOPEFUL_S) == 0
    except subprocess.TimeoutExpired:
        # Waited for, so that no zombie is left; as a daemon, so that nobody waits for this.
        Thread(target=process.wait, daemon=True).start()
        return True
