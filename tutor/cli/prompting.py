"""Reads lines from whoever sits at the terminal, with the history of former ones."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_LINES_KEPT = 1000


def next_line() -> str | None:
    """The next line; None at the end of the input."""
    try:
        return input("> " if sys.stdin.isatty() else "")
    except EOFError:
        return None


def edit_lines() -> None:
    """Let the arrow keys move within the line that is typed."""
    with suppress(ImportError):  # not on Windows, where the console does so itself
        import readline  # noqa: F401, PLC0415 - what it does on being imported is all


@contextmanager
def line_history(path: Path) -> Iterator[None]:
    """The arrow keys bring back lines of former sittings, kept in a file for its owner only."""
    try:
        import readline  # noqa: PLC0415 - not on Windows, where the console has a history itself
    except ImportError:
        yield
        return
    with suppress(OSError):
        readline.read_history_file(path)
    readline.set_history_length(_LINES_KEPT)
    try:
        yield
    finally:
        with suppress(OSError):
            path.touch(mode=0o600, exist_ok=True)
            readline.write_history_file(path)
