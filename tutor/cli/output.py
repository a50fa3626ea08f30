"""Standard output: answers, passages and tables, as text or JSON."""

from __future__ import annotations

import json
import shutil
import sys
import textwrap
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tutor.types import Source

MAX_WIDTH = 100


def write(text: str = "", *, newline: bool = True) -> None:
    """Write text to standard output."""
    click.echo(text, nl=newline)


def write_json(record: Any) -> None:
    """Write a record as JSON."""
    click.echo(json.dumps(record, ensure_ascii=False, indent=2, default=str))


def write_line(text: str) -> None:
    """Write a line to standard output so that its reader has it at once."""
    click.echo(text)
    sys.stdout.flush()


def wrapped(text: str, indent: str = "") -> str:
    """Text wrapped to the terminal's width, its own line breaks kept."""
    width = min(MAX_WIDTH, shutil.get_terminal_size().columns)
    return "\n".join(
        textwrap.fill(
            line, width, initial_indent=indent, subsequent_indent=indent, break_long_words=False
        )
        for line in text.split("\n")
    )


def table(rows: Sequence[Sequence[str]]) -> str:
    """Rows in columns, the first row being the heading; all but the first column to the right."""
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
