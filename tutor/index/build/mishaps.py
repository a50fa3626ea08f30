"""What is said of a file whose reading failed, and whose fault it was.

What lies outside the file (a process that was killed, a disk that was gone) is never held against
it: those reasons are `is_passing`, and reading is tried again.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Collection, Sequence
from concurrent.futures import BrokenExecutor, CancelledError
from typing import TYPE_CHECKING

from pebble import ProcessExpired

from tutor.errors import StoreError
from tutor.i18n import _
from tutor.index.store import Indexed, Skipped
from tutor.ingest.reading import Shown
from tutor.ingest.reading.limits import LimitExit
from tutor.text.terminal import one_line

if TYPE_CHECKING:
    from tutor.config import ReadingConfig
    from tutor.ingest.prepared import HashedFile

FAILURES = (CancelledError, ProcessExpired, BrokenExecutor, RecursionError, MemoryError)
"""What reading in another process raises besides what `prepare` explains itself."""


def _ended_by(*names: str) -> frozenset[int]:
    """The exit codes of processes that these signals end, those of them that the system has."""
    return frozenset(-getattr(signal, name) for name in names if hasattr(signal, name))


_CRASHES = _ended_by("SIGSEGV", "SIGABRT", "SIGBUS", "SIGFPE", "SIGILL", "SIGTRAP", "SIGSYS")
_OUT_OF_TIME = _ended_by("SIGXCPU") | {LimitExit.TIME}
_NT_ERROR = 0xC0000000
"""Windows ends a process that crashes with a status of this severity."""
_REASONS_SHOWN = 5
_WITHOUT_TEXT = {Shown.PICTURES: "no_text", Shown.CHARACTERS: "no_meaning"}


def skipped_failed(hashed: HashedFile, error: BaseException, settings: ReadingConfig) -> Skipped:
    """The file, left out because reading it ended with this error."""
    code = error.exitcode if isinstance(error, ProcessExpired) else None
    if isinstance(error, MemoryError) or code == LimitExit.MEMORY:
        reason = "memory"
    elif code in _OUT_OF_TIME:
        reason = "too_long"
    elif isinstance(error, CancelledError) or code == LimitExit.STALLED:
        reason = "stalled"
    elif isinstance(error, RecursionError) or _is_crash(code):
        reason = "crash"
    else:
        reason = "killed"
    return _skipped(hashed, reason, settings)


def skipped_without_text(hashed: HashedFile, shown: Shown, settings: ReadingConfig) -> Skipped:
    """The file, left out because it can be opened and has no text.

    What is damaged within looks like empty pages, or has characters that mean nothing.
    """
    return _skipped(hashed, _WITHOUT_TEXT.get(shown, "blank"), settings)


def skipped_changed(hashed: HashedFile, settings: ReadingConfig) -> Skipped:
    """The file, left out because it is not what it was when reading began."""
    return _skipped(hashed, "changed", settings)


def check_something_is_left(
    course: str, entries: Collection[Indexed], skipped: Sequence[Skipped]
) -> None:
    """Raise a `StoreError` that names some of the skipped files where no document is left."""
    if entries:
        return
    said = (f"{file.path}: {file.message} {file.remedy}" for file in skipped[:_REASONS_SHOWN])
    raise StoreError(
        _("None of the PDFs of the course `%(course)s` could be read.") % {"course": course},
        "\n".join(map(one_line, said)),
    )


def _is_crash(code: int | None) -> bool:
    if code is not None and sys.platform == "win32":
        return code & _NT_ERROR == _NT_ERROR
    return code in _CRASHES


def _skipped(hashed: HashedFile, reason: str, settings: ReadingConfig) -> Skipped:
    limits = {"mb": settings.memory_mb, "seconds": settings.timeout_s}
    message, remedy = {
        "memory": (
            _("Reading it takes more than %(mb)d MB of memory."),
            _(
                "If it is only large, split it or raise `reading.memory_mb`; "
                "else print it to a new PDF."
            ),
        ),
        "too_long": (
            _("Reading it takes more than %(seconds)g seconds of computing."),
            _("If it is only large, raise `reading.timeout_s`; else export it again."),
        ),
        "stalled": (
            _(
                "Reading it came to a standstill for %(seconds)g seconds; "
                "that need not be its fault."
            ),
            _("Check that its disk or network answers, and index again."),
        ),
        "crash": (
            _("Its contents make the PDF reader crash."),
            _("Export it again, or print it to a new PDF."),
        ),
        "killed": (
            _("The process that read it was ended from outside; that need not be its fault."),
            _(
                "If memory was short, close other programs or set `reading.workers = 1`; "
                "index again."
            ),
        ),
        "changed": (
            _("It changed while it was being read."),
            _("Index again when it has been copied completely."),
        ),
        "no_text": (
            _("None of its pages has a text layer: it is scanned or drawn."),
            _("Install Tesseract with Spanish (tesseract-ocr-spa) and rebuild the index."),
        ),
        "no_meaning": (
            _("It shows characters without a meaning: its fonts or the file are damaged."),
            _(
                "Open it: if its text is there, install Tesseract with Spanish "
                "(tesseract-ocr-spa) and rebuild the index; else get it again."
            ),
        ),
        "blank": (
            _("Nothing can be seen on its pages: they are empty, or the file is damaged."),
            _(
                "Open it: if its text is there, print it to a new PDF; "
                "else get it again or delete it."
            ),
        ),
    }[reason]
    return Skipped(hashed.file.relative, hashed.sha256, reason, message % limits, remedy)
