"""A page of the notes in the system's own PDF viewer."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from pathlib import Path, PurePosixPath, PureWindowsPath

from tutor.courses import find_note
from tutor.errors import NotesError, TutorError
from tutor.i18n import _

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
    """Nothing here can show a PDF; `place` says where to look, for the clipboard."""

    def __init__(self, message: str, remedy: str, place: str) -> None:
        super().__init__(message, remedy)
        self.place = place.encode(errors="replace").decode()  # `?` is a shell's "any character"


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
    if sys.platform == "win32":
        try:
            os.startfile(path)  # noqa: S606 - the system's own way; a PDF of the notes
        except OSError as error:
            raise _no_viewer(path, page) from error
        return
    command = viewer_command(sys.platform, os.environ, shutil.which, path, page)
    if command is None:
        raise _no_viewer(path, page)
    _start(command, path, page)


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


def _start(command: list[str], path: Path, page: int) -> None:
    try:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except OSError as error:
        raise _no_viewer(path, page) from error
    try:
        code = process.wait(_HOPEFUL_S)
    except subprocess.TimeoutExpired:
        # Waited for, so that no zombie is left; as a daemon, so that nobody waits for this.
        threading.Thread(target=process.wait, daemon=True).start()
        return
    if code:
        raise _no_viewer(path, page)


def _no_viewer(path: Path, page: int) -> NoViewerError:
    return NoViewerError(
        _("There is no PDF viewer or no display here."),
        _("Page %(page)d of %(path)s") % {"page": page, "path": path},
        f"{path}#page={page}",
    )
