"""Starts the app."""

from __future__ import annotations

import gc
import sys
from typing import TYPE_CHECKING

from tutor.tui.app import TutorApp
from tutor.tui.memory import share_arenas

if TYPE_CHECKING:
    from tutor.config import Config
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
    try:
        app.run()
    finally:
        app.indexer.close()
        if app.is_ready:
            app.workspace.close()


def _open_workspace(config: Config) -> Workspace:
    from tutor.tui.workspace.workspace import open_workspace  # noqa: PLC0415 - NumPy and the store, 0.6 s

    return open_workspace(config)
