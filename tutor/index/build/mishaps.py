"""What is said of a file whose reading failed, and whose fault it was.

What lies outside the file (a process that was killed, a disk that was gone) is never held against
it: those reasons are `is_passing`, and reading is tried again.
"""

from __future__ import annotations

import signal
import sys
from concurrent.futures import BrokenExecutor, CancelledError
from typing import TYPE_CHECKING

from pebble import ProcessExpired

from tutor.i18n import _
from tutor.index.build.plan import HashedFile, hash_file
from tutor.index.store import Skipped
from tutor.ingest.reading import Shown
from tutor.ingest.reading.limits import LimitExit

if TYPE_CHECKING:
    from tutor.config import ReadingConfig

FAILURES = (CancelledError, ProcessExpired, BrokenExecutor, RecursionError, MemoryError)
"""What reading in another process raises besides what `prepare` explains itself."""


def _ended_by(*names: str) -> frozenset[int]:
    """The exit codes of processes that these signals end, those of them that the system has."""
    return frozenset(-getattr(signal, name) for name in names if hasattr(signal, name))


_CRASHES = _ended_by("SIGSEGV", "SIGABRT", "SIGBUS", "SIGFPE", "SIGILL", "SIGTRAP", "SIGSYS")
_OUT_OF_TIME = _ended_by("SIGXCPU") | {LimitExit.TIME}
_NT_ERROR = 0xC0000000
"""Windows ends a process that crashes with a status of this severity."""


def failed(hashed: HashedFile, error: BaseException, settings: ReadingConfig) -> Skipped:
    """What to say of a file whose reading ended with this error."""
    code = error.exitcode if isinstance(error, ProcessExpired) else None
    if isinstance(error, MemoryError) or code == LimitExit.MEMORY:
        return _too_large(hashed, settings)
    if code in _OUT_OF_TIME:
        return _too_long(hashed, settings)
    if isinstance(error, CancelledError) or code == LimitExit.STALLED:
        return _stalled(hashed, settings)
    if isinstance(error, RecursionError) or _is_crash(code):
        return _crashed(hashed)
    return _killed(hashed)


def without_text(hashed: HashedFile, shown: Shown) -> Skipped:
    """What to say of a file that can be opened and has no text.

    What is damaged within looks like empty pages, or has characters that mean nothing.
    """
    if shown is Shown.PICTURES:
        return _skipped(
            hashed,
            "no_text",
            _("None of its pages has a text layer: it is scanned or drawn."),
            _("Install Tesseract with Spanish (tesseract-ocr-spa) and rebuild the index."),
        )
    if shown is Shown.CHARACTERS:
        return _skipped(
            hashed,
            "no_meaning",
            _("It shows characters without a meaning: its fonts or the file are damaged."),
            _(
                "Open it: if its text is there, install Tesseract with Spanish "
                "(tesseract-ocr-spa) and rebuild the index; else get it again."
            ),
        )
    return _skipped(
        hashed,
        "blank",
        _("Nothing can be seen on its pages: they are empty, or the file is damaged."),
        _("Open it: if its text is there, print it to a new PDF; else get it again or delete it."),
    )


def changed_meanwhile(hashed: HashedFile, skipped: Skipped | None) -> Skipped | None:
    """What to say instead if the file is not what it was when reading began.

    `skipped`: what would be said; None where it was read.
    """
    try:
        status = hashed.file.path.stat()
    except OSError:
        now = hash_file(hashed.file)
        return now if isinstance(now, Skipped) else _changed(hashed)
    if hashed.changed_ns is not None and (status.st_size, status.st_mtime_ns) != (
        hashed.size,
        hashed.changed_ns,
    ):
        return _changed(hashed)
    if skipped and not skipped.is_passing:
        now = hash_file(hashed.file)  # a failing disk alters no times
        if isinstance(now, Skipped):
            return now
        if now.sha256 != hashed.sha256:
            return _changed(hashed)
    return None


def _is_crash(code: int | None) -> bool:
    if code is None:
        return False
    if sys.platform == "win32":
        return code & _NT_ERROR == _NT_ERROR
    return code in _CRASHES


def _too_large(hashed: HashedFile, settings: ReadingConfig) -> Skipped:
    return _skipped(
        hashed,
        "memory",
        _("Reading it takes more than %(mb)d MB of memory.") % {"mb": settings.memory_mb},
        _(
            "If it is only large, split it or raise `reading.memory_mb`; "
            "else print it to a new PDF."
        ),
    )


def _too_long(hashed: HashedFile, settings: ReadingConfig) -> Skipped:
    return _skipped(
        hashed,
        "too_long",
        _("Reading it takes more than %(seconds)g seconds of computing.")
        % {"seconds": settings.timeout_s},
        _("If it is only large, raise `reading.timeout_s`; else export it again."),
    )


def _crashed(hashed: HashedFile) -> Skipped:
    return _skipped(
        hashed,
        "crash",
        _("Its contents make the PDF reader crash."),
        _("Export it again, or print it to a new PDF."),
    )


def _stalled(hashed: HashedFile, settings: ReadingConfig) -> Skipped:
    return _skipped(
        hashed,
        "stalled",
        _("Reading it came to a standstill for %(seconds)g seconds; that need not be its fault.")
        % {"seconds": settings.timeout_s},
        _("Check that its disk or network answers, and index again."),
    )


def _killed(hashed: HashedFile) -> Skipped:
    return _skipped(
        hashed,
        "killed",
        _("The process that read it was ended from outside; that need not be its fault."),
        _("If memory was short, close other programs or set `reading.workers = 1`; index again."),
    )


def _changed(hashed: HashedFile) -> Skipped:
    return _skipped(
        hashed,
        "changed",
        _("It changed while it was being read."),
        _("Index again when it has been copied completely."),
    )


def _skipped(hashed: HashedFile, reason: str, message: str, remedy: str) -> Skipped:
    return Skipped(hashed.file.relative, hashed.sha256, reason, message, remedy)
