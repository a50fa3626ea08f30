"""Standard output, and the files that a command writes.

Whatever is written, here or to standard error, is made plain on the way: no other module of the
commands writes to a stream. Only what is `Styled` brings colours.
"""

from __future__ import annotations

import re
import shutil
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Self

import click

from tutor.errors import TutorError, reason_of
from tutor.files import write_document
from tutor.i18n import _
from tutor.text.terminal import one_line, plain, to_json

_MAX_WIDTH = 100
_BREAKS = re.compile(r"[\n\t]")


class Styled(str):
    """A plain text in a colour, bold or underlined: the only escapes that are written."""

    __slots__ = ()

    def __new__(
        cls, text: str, colour: str | None = None, *, bold: bool = False, underlined: bool = False
    ) -> Self:
        """Make the text plain, and put the escapes of our own styles around it."""
        shown = click.style(plain(text), colour, bold=bold or None, underline=underlined or None)
        return super().__new__(cls, shown)


def rendered(*parts: str) -> str:
    """The parts as a terminal may have them: escapes are those of our own styles alone."""
    return "".join(part if isinstance(part, Styled) else plain(part) for part in parts)


def write(*parts: str, newline: bool = True) -> None:
    """Write text to standard output at once. Raises `TutorError` where it takes no more."""
    try:
        click.echo(rendered(*parts), nl=newline)
    except BrokenPipeError:  # a reader who has left is no failure
        raise
    except OSError as error:
        raise TutorError(
            _("The output cannot be written: %(reason)s.") % {"reason": reason_of(error)},
            _("Make room where it goes to, or send it elsewhere."),
        ) from error


def write_json(record: Any) -> None:
    """Write a record as JSON. Raises `TutorError` as `write` does."""
    write(to_json(record))


def text_width() -> int:
    """How many characters a line of text may have."""
    return min(_MAX_WIDTH, shutil.get_terminal_size().columns)


def wrapped(text: str, indent: str = "") -> str:
    """Text made plain and wrapped to the terminal's width, its own line breaks kept."""
    return folded(plain(text), indent)


def folded(text: str, indent: str = "") -> str:
    """Plain text wrapped to the terminal's width, with marks of the caller's own in it."""
    return "\n".join(
        textwrap.fill(
            line,
            text_width(),
            initial_indent=indent,
            subsequent_indent=indent,
            break_long_words=False,
        )
        for line in text.split("\n")
    )


def unbroken(text: str) -> str:
    """Plain text on one line with its spaces, which indent or align it."""
    return _BREAKS.sub(" ", plain(text))


def table(rows: Iterable[Sequence[object]]) -> str:
    """Rows in columns, the first row being the heading; all but the first column to the right.

    A cell is one line, whatever it holds: no name begins a row of its own. None becomes a dash.
    """
    lines = [["-" if cell is None else unbroken(str(cell)) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if column else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )


def facts(values: Mapping[str, object]) -> str:
    """Names and their values, in two columns."""
    width = max(map(len, values))
    return "\n".join(f"{name:<{width}}  {one_line(str(value))}" for name, value in values.items())


def check_place(path: Path, *, force: bool) -> None:
    """Raise `TutorError` where no file can be put: before it is known what goes into it."""
    if not path.parent.exists():
        raise TutorError(
            _("The folder %(path)s does not exist.") % {"path": path.parent},
            _("Choose another file, or make the folder."),
        )
    if path.exists() and not (path.is_dir() or force):
        raise TutorError(
            _("%(path)s is already there.") % {"path": path},
            _("Choose another name, or add --force to write over it."),
        )


def save_document(content: str | bytes, path: Path, *, force: bool) -> None:
    """Write a file, over one that is there only with `force`. Raises `TutorError`."""
    try:
        write_document(path, content, replace=force)
    except OSError as error:
        check_place(path, force=force)
        raise TutorError(
            _("%(path)s cannot be written: %(reason)s.")
            % {"path": path, "reason": reason_of(error)},
            _("Choose another file."),
        ) from error
