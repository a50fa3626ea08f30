"""Standard error: failures with their remedies, warnings, progress."""

from __future__ import annotations

import shutil
import sys
import time
from typing import TYPE_CHECKING

import click

from tutor.cli.output import Styled, rendered, wrapped
from tutor.i18n import _
from tutor.text.terminal import one_line

if TYPE_CHECKING:
    from tutor.errors import TutorError

_REDRAW_S = 0.1
_REPEAT_S = 15.0


def line(*parts: str | Styled) -> None:
    """One line for the reader, outside the command's output."""
    click.echo(rendered(*parts), err=True)


def warning(text: str) -> None:
    """Something that did not stop the command."""
    shown = one_line(text)
    shown = wrapped(shown, "  ")[2:] if sys.stderr.isatty() else shown
    line(Styled("!", "yellow", bold=True), f" {shown}")


def failure(error: TutorError) -> None:
    """What stopped the command, and what to do."""
    line(_heading(), f" {one_line(error.message)}")
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
    line(_heading(), f" {one_line(error.format_message())}")
    context = error.ctx if isinstance(error, click.UsageError) else None
    path = context.command_path if context else "tutor"
    remedy(f"{path} --help")


def _heading() -> Styled:
    return Styled(_("Error:"), "red", bold=True)


class ProgressLine:
    """One line that is drawn over on a terminal, and repeated now and then elsewhere."""

    def __init__(self) -> None:
        self._drawn = 0.0
        self._on_screen = False

    def show(self, text: str) -> None:
        """Draw the line, unless it was drawn a moment ago."""
        now = time.monotonic()
        terminal = sys.stderr.isatty()
        if now - self._drawn < (_REDRAW_S if terminal else _REPEAT_S):
            return
        self._drawn = now
        text = one_line(text)
        if terminal:
            width = shutil.get_terminal_size().columns - 1
            click.echo(f"\r{text[:width]:<{width}}", nl=False, err=True)
            self._on_screen = True
        else:
            line(text)

    def clear(self) -> None:
        """Take the line off the screen, so that others can be written."""
        if self._on_screen:
            width = shutil.get_terminal_size().columns - 1
            click.echo("\r" + " " * width + "\r", nl=False, err=True)
            self._on_screen = False
