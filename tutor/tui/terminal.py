"""The terminal that the app draws on, which may go away at any time. Not on Windows."""

from __future__ import annotations

import signal
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any, TextIO

from textual.app import App
from textual.drivers.linux_driver import LinuxDriver

from tutor.ending import BY_SIGNAL


class TerminalDriver(LinuxDriver):
    """Ends the app where its terminal is gone, as the signal of that would.

    The library's thread that writes would end by itself, and the app would wait for good behind
    the 30 writes that it may owe.
    """

    def __init__(self, app: App[object], **how: Any) -> None:
        super().__init__(app, **how)
        self._leave = partial(app.exit, return_code=BY_SIGNAL + signal.SIGHUP)
        if self._file is not None:
            self._file = _Terminal(self._file, self._gone)  # pyrefly: ignore[bad-assignment]

    def _gone(self) -> None:
        with suppress(RuntimeError):  # the app has ended already
            self._loop.call_soon_threadsafe(self._leave)


class _Terminal:
    """A file that calls `gone` once it cannot be written to, and takes what comes afterwards."""

    def __init__(self, file: TextIO, gone: Callable[[], object]) -> None:
        self._file = file
        self._gone = gone

    def __getattr__(self, name: str) -> object:
        return getattr(self._file, name)

    def write(self, text: str) -> None:
        self._try(partial(self._file.write, text))

    def flush(self) -> None:
        self._try(self._file.flush)

    def _try(self, write: Callable[[], object]) -> None:
        try:
            write()
        except OSError:
            self._gone()
