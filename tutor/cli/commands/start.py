"""`tutor` without a command: the app, or a plain conversation where none can be shown."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tutor.cli.main import Invocation

_NO_SCREEN = frozenset({"dumb", "unknown"})


def run(invocation: Invocation) -> None:
    """Open the app on a terminal; elsewhere index and converse in plain lines."""
    config = invocation.config()
    if can_show_app():
        from tutor.tui.start import run as run_app  # noqa: PLC0415 - Textual, 0.3 s

        run_app(config)
        return
    from tutor.cli.plainly import index_and_converse  # noqa: PLC0415 - NumPy and more, 0.6 s

    index_and_converse(config)


def can_show_app() -> bool:
    """Whether all streams are a terminal that can do more than print lines.

    The app reads standard input, and the library draws on standard error.
    """
    streams = (sys.stdin, sys.stdout, sys.stderr)
    return all(stream.isatty() for stream in streams) and os.environ.get("TERM") not in _NO_SCREEN
