"""Starts the app."""

from __future__ import annotations

import asyncio
import gc
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from types import FrameType
from typing import TYPE_CHECKING

from tutor.tui.app import TutorApp
from tutor.tui.memory import share_arenas

if TYPE_CHECKING:
    from tutor.config import Config
    from tutor.tui.workspace.workspace import Workspace

SWITCH_S = 0.001
"""How long a thread that computes may keep the interpreter from the one that draws."""

_ENDING = (signal.SIGTERM,) if sys.platform == "win32" else (signal.SIGTERM, signal.SIGHUP)
_BY_SIGNAL = 128
"""With the signal's number the exit code of a process that it ended."""


def run(config: Config) -> None:
    """Run the app until its user leaves; its course is loaded after the first frame."""
    share_arenas()
    sys.setswitchinterval(SWITCH_S)
    # What is loaded by then lives as long as the app; going through it again and again while
    # drawing made pauses of 0.15 s, and of 0.03 s without (`scripts/app_speed.py`).
    app = TutorApp(config, _open_workspace, once_warm=gc.freeze)
    try:
        with _leaving_when_told(app):
            app.run()
    finally:
        app.indexer.close()
        if app.is_ready:
            app.workspace.close()
    if app.return_code and app.return_code > _BY_SIGNAL:
        raise SystemExit(app.return_code)


@contextmanager
def _leaving_when_told(app: TutorApp) -> Iterator[None]:
    """Let SIGTERM, and SIGHUP of a terminal that was closed, end the app as its user would.

    An exception, by which they end a command, is lost wherever the library happens to catch all.
    A second signal ends the app at once; what was ignored before, as under `nohup`, stays so.
    """

    def leave(number: int, _frame: FrameType | None) -> None:
        signal.signal(number, signal.SIG_DFL)
        code = _BY_SIGNAL + number
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            raise SystemExit(code) from None
        loop.call_soon_threadsafe(partial(app.exit, return_code=code))

    former = {number: signal.getsignal(number) for number in _ENDING}
    heard = [number for number, handler in former.items() if handler is not signal.SIG_IGN]
    for number in heard:
        signal.signal(number, leave)
    try:
        yield
    finally:
        for number in heard:
            signal.signal(number, former[number])


def _open_workspace(config: Config) -> Workspace:
    from tutor.tui.workspace.workspace import open_workspace  # noqa: PLC0415 - NumPy and the store, 0.6 s

    return open_workspace(config)
