"""Standard error: failures with their remedies, warnings, progress; and lines that are typed."""

from __future__ import annotations

import shutil
import signal
import sys
import time
from contextlib import AbstractContextManager, suppress

import click

from tutor.cli.output import Styled, rendered, wrapped
from tutor.errors import TutorError
from tutor.i18n import _
from tutor.text.terminal import one_line

_REDRAW_S = 0.1
_REPEAT_S = 15.0
_SOON_S = 0.01
"""After a time, so that it is over by any clock."""


def line(*parts: str) -> None:
    """One line for the reader, outside the command's output."""
    click.echo(rendered(*parts), err=True)


def warning(text: str) -> None:
    """Something that did not stop the command."""
    shown = one_line(text)
    shown = wrapped(shown, "  ")[2:] if sys.stderr.isatty() else shown
    line(Styled("!", "yellow", bold=True), f" {shown}")


def failure(error: TutorError) -> None:
    """What stopped the command, and what to do."""
    _failed(error.message)
    for each in filter(None, error.remedy.split("\n")):
        remedy(each)


def remedy(text: str) -> None:
    """What to do about what was said before."""
    line(f"  → {one_line(text)}")


def usage_error(error: click.ClickException) -> None:
    """What is wrong with the command line."""
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        line(error.format_message())  # the help, in its own lines
        return
    _failed(error.format_message())
    context = error.ctx if isinstance(error, click.UsageError) else None
    remedy(f"{context.command_path if context else 'tutor'} --help")


def _failed(message: str) -> None:
    line(Styled(_("Error:"), "red", bold=True), f" {one_line(message)}")


class ProgressLine(AbstractContextManager["ProgressLine"]):
    """One line that is drawn over on a terminal, and repeated now and then elsewhere.

    As a context manager it leaves the screen at the end of its block.
    """

    def __init__(self) -> None:
        self._drawn = 0.0
        self._on_screen = False

    def __exit__(self, *_error: object) -> None:
        self.clear()

    def show(self, text: str) -> None:
        """Draw the line, unless it was drawn a moment ago."""
        terminal = sys.stderr.isatty()
        now = time.monotonic()
        if now - self._drawn < (_REDRAW_S if terminal else _REPEAT_S):
            return
        self._drawn, self._on_screen = now, terminal
        if terminal:
            self._draw(one_line(text))
        else:
            line(one_line(text))

    def clear(self) -> None:
        """Take the line off the screen, so that others can be written."""
        if self._on_screen:
            self._draw("")
            click.echo("\r", nl=False, err=True)
            self._on_screen = False

    def _draw(self, text: str) -> None:
        width = shutil.get_terminal_size().columns - 1
        click.echo(f"\r{text[:width]:<{width}}", nl=False, err=True)


class TimeIsOver(Exception):
    """No line came in time; `typed` is what stood there."""

    def __init__(self, typed: str) -> None:
        super().__init__()
        self.typed = typed


def next_line_within(seconds: float | None) -> str | None:
    """As `next_line`; raises `TimeIsOver`, unless time was over before or no alarm can be set."""
    if seconds is None or seconds <= 0 or not hasattr(signal, "setitimer"):
        return next_line()
    former = signal.signal(signal.SIGALRM, _ring)
    try:
        signal.setitimer(signal.ITIMER_REAL, seconds + _SOON_S)
        return next_line()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, former)


def _ring(_signal: int, _frame: object) -> None:
    readline = sys.modules.get("readline")
    is_typed = readline is not None and sys.stdin.isatty()
    raise TimeIsOver(readline.get_line_buffer() if is_typed else "")


def next_line() -> str | None:
    """The next line that is typed, edited with the arrow keys; None at the end of the input."""
    with suppress(ImportError):  # not on Windows, where the console lets lines be edited itself
        import readline  # noqa: F401, PLC0415 - it works by being imported
    try:
        return input("> " if sys.stdin.isatty() else "")
    except EOFError:
        return None
