"""Standard output: answers, passages and tables, as text or JSON.

Whatever is written, here or to standard error, is made plain on the way: no other module of the
commands writes to a stream. Only what is `Styled` brings colours.
"""

from __future__ import annotations

import re
import shutil
import sys
import textwrap
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from tutor.errors import TutorError
from tutor.i18n import _
from tutor.text.terminal import plain, to_json

if TYPE_CHECKING:
    from tutor.model import Source

MAX_WIDTH = 100
_BREAKS = re.compile(r"[\n\t]")


@dataclass(frozen=True, slots=True)
class Styled:
    """A text in a colour, bold or underlined."""

    text: str
    colour: str | None = None
    bold: bool | None = None
    underlined: bool | None = None


def rendered(*parts: str | Styled) -> str:
    """The parts as a terminal may have them: escapes are those of our own styles alone."""
    return "".join(map(_rendered, parts))


def _rendered(part: str | Styled) -> str:
    if isinstance(part, str):
        return plain(part)
    return click.style(plain(part.text), fg=part.colour, bold=part.bold, underline=part.underlined)


def write(*parts: str | Styled, newline: bool = True) -> None:
    """Write text to standard output. Raises `TutorError` where it takes no more."""
    with _explained():
        click.echo(rendered(*parts), nl=newline)


def write_json(record: Any) -> None:
    """Write a record as JSON. Raises `TutorError` as `write` does."""
    with _explained():
        click.echo(to_json(record))


def write_line(text: str) -> None:
    """Write a line to standard output so that its reader has it at once."""
    with _explained():
        write(text)
        sys.stdout.flush()


@contextmanager
def _explained() -> Iterator[None]:
    """Say that it is the output that fails; a reader who has left is not a failure."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise TutorError(
            _("The output cannot be written: %(reason)s.") % {"reason": error.strerror},
            _("Make room where it goes to, or send it elsewhere."),
        ) from error


def wrapped(text: str, indent: str = "") -> str:
    """Text made plain and wrapped to the terminal's width, its own line breaks kept."""
    return folded(plain(text), indent)


def folded(text: str, indent: str = "") -> str:
    """Plain text wrapped to the terminal's width, with marks of the caller's own in it."""
    width = min(MAX_WIDTH, shutil.get_terminal_size().columns)
    return "\n".join(
        textwrap.fill(
            line, width, initial_indent=indent, subsequent_indent=indent, break_long_words=False
        )
        for line in text.split("\n")
    )


def unbroken(text: str) -> str:
    """Plain text on one line with its spaces, which indent or align it."""
    return _BREAKS.sub(" ", plain(text))


def table(rows: Sequence[Sequence[str]]) -> str:
    """Rows in columns, the first row being the heading; all but the first column to the right.

    A cell is one line, whatever it holds: no name begins a row of its own.
    """
    rows = [list(map(unbroken, row)) for row in rows]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if column == 0 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )


def source_record(source: Source) -> dict[str, Any]:
    """What is known of a document, for JSON."""
    return {
        "file": source.path,
        "title": source.title,
        "week": source.week,
        "date": source.date.isoformat() if source.date else None,
        "version": source.version,
        "authors": list(source.authors),
    }
