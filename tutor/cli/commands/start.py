"""`tutor` without a command: the app, or a plain conversation where none can be shown."""

from __future__ import annotations

import os
import sys

from tutor.cli.invocation import Invocation
from tutor.config import Config
from tutor.errors import NotesError

_NO_SCREEN = frozenset({"dumb", "unknown"})


def run(invocation: Invocation) -> None:
    """Open the app on a terminal; elsewhere index and converse in plain lines."""
    config = invocation.config()
    if can_show_app():
        from tutor.tui.start import run as run_app  # noqa: PLC0415 - Textual, 0.3 s

        run_app(config)
    else:
        _index_and_converse(config)


def can_show_app() -> bool:
    """Whether all streams are a terminal that can do more than print lines.

    The app reads standard input, and the library draws on standard error.
    """
    streams = (sys.stdin, sys.stdout, sys.stderr)
    return all(stream.isatty() for stream in streams) and os.environ.get("TERM") not in _NO_SCREEN


def _index_and_converse(config: Config) -> None:
    """Bring the index up to date, then take questions until the end of the input."""
    # With NumPy and more, 0.6 s, which the app's first frame does not wait for.
    from tutor.app import find_course, make_embedder  # noqa: PLC0415
    from tutor.cli import diagnostics  # noqa: PLC0415
    from tutor.cli.commands.chat import converse  # noqa: PLC0415
    from tutor.cli.indexed import run_index  # noqa: PLC0415
    from tutor.index.build import IndexOptions  # noqa: PLC0415

    course = find_course(config)
    embedder, _why = make_embedder(config)
    try:
        run_index(course, config, embedder, IndexOptions())
    except NotesError as error:  # the notes are out of reach; an index may be there
        diagnostics.failure(error)
    converse(config)
