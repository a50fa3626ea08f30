"""CSV files in which no cell is computed by a spreadsheet."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence

_RUN = re.compile(r"'*[=+\-@\t\r]")
"""What a spreadsheet runs, or what was already made harmless."""


def no_formula(text: str) -> str:
    """A text that a spreadsheet shows as it is, with an apostrophe before what would be run."""
    return f"'{text}" if _RUN.match(text) else text


def of_cell(text: str) -> str:
    """The text of which `no_formula` made a cell."""
    return text[1:] if text.startswith("'") and _RUN.match(text) else text


def csv_text(columns: Sequence[str], records: Iterable[Mapping[str, object]]) -> str:
    """Records under a heading: lists a line each, True as 1; False, None and what is missing are
    empty.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([_cell(record.get(name)) for name in columns] for record in records)
    return text.getvalue()


def _cell(value: object) -> str:
    if isinstance(value, list):
        value = "\n".join(value)
    if isinstance(value, bool):
        value = 1 if value else None
    return "" if value is None else no_formula(str(value))
