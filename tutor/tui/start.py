"""Starts the app."""

from __future__ import annotations

import asyncio
import gc
import sys
from functools import partial
from typing import TYPE_CHECKING

from tutor.config import Config
from tutor.ending import BY_SIGNAL, told_to_end
from tutor.tui.app import TutorApp
from tutor.tui.frame import share_arenas

if TYPE_CHECKING:
    from tutor.tui.workspace.workspace import Workspace

SWITCH_S = 0.001
"""How long a thread that computes may keep the interpreter from the one that draws."""


def run(config: Config) -> None:
    """Run the app until its user leaves; its course is loaded after the first frame."""
    share_arenas()
    sys.setswitchinterval(SWITCH_S)
    # What is loaded by then lives as long as the app; going through it again and again while
    # drawing made pauses of 0.15 s, and of 0.03 s without (`scripts/app_speed.py`).
    app = TutorApp(config, _open_workspace, once_warm=gc.freeze)
    if sys.platform != "win32":
        from tutor.tui.terminal import TerminalDriver  # noqa: PLC0415 - not on Windows

        app.driver_class = TerminalDriver
    try:
        with told_to_end(partial(_leave, app)):
            app.run()
    finally:
        app.indexer.close()
        if app.is_ready:
            app.workspace.close()
    if app.return_code and app.return_code > BY_SIGNAL:
        raise SystemExit(app.return_code)


def _leave(app: TutorApp, code: int) -> None:
    """Let a signal end the app as its user would.

    An exception, by which it ends a command, is lost wherever the library happens to catch all.
    """
    try:
        loop = asyncio.get_running_loop()
    except RuntimeError:
        raise SystemExit(code) from None
    loop.call_soon_threadsafe(partial(app.exit, return_code=code))


def _open_workspace(config: Config) -> Workspace:
    from tutor.tui.workspace.workspace import open_workspace  # noqa: PLC0415 - NumPy and the store, 0.6 s

    return open_workspace(config)
