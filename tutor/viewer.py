"""A page of a course's PDF, shown by a program of the system."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from threading import Thread

from tutor.courses import note_path
from tutor.errors import TutorError
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
    """Nothing here can show a page of a PDF; `place` says where to look, for the clipboard."""

    def __init__(self, path: Path, page: int) -> None:
        super().__init__(
            _("There is no PDF viewer or no display here."),
            _("Page %(page)d of %(path)s") % {"page": page, "path": path},
        )
        # `?` is a shell's "any character".
        self.place = f"{path}#page={page}".encode(errors="replace").decode()


def open_page(notes: Path, relative: str, page: int) -> None:
    """Show a page of a PDF, counted from 1, in a program that goes on by itself.

    Blocks for a second at most. Not every viewer can be told the page. Raises `NotesError` as
    `note_path` does, and `NoViewerError` where there is no display or no viewer.
    """
    path = note_path(notes, relative)
    try:
        if sys.platform == "win32":
            os.startfile(path)  # noqa: S606 - the system's own way; a PDF of the notes
            return
        command = viewer_command(sys.platform, os.environ, shutil.which, path, page)
        if command and _starts(command):
            return
    except OSError as error:
        raise NoViewerError(path, page) from error
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
