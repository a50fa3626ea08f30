"""Rows of a table in the display text, and what each says by itself."""

from __future__ import annotations

import re

CELL_SEPARATOR = " | "
"""Stands between the cells of a row; where a cell is empty, two bars follow each other."""
_BAR = re.compile(r"(?<!\S)\|(?!\S)")
BETWEEN_CELLS = " · "


def row_of(cells: list[str]) -> str:
    """A row of the display text. A bar within a cell loses the spaces around it."""
    plain = [_BAR.sub("|", cell).replace(CELL_SEPARATOR, "|") for cell in cells]
    return " ".join(CELL_SEPARATOR.join(plain).split())


def cells_of(row: str) -> list[str]:
    """The cells of a row of the display text; empty ones are empty texts."""
    return [cell.strip() for cell in _BAR.split(row)]


def labelled_rows(table: str) -> tuple[str, ...]:
    """The rows under the head, each cell with the head of its column before it.

    `table` has a row per line, the first one the head. Empty cells are left out, cells without a
    head stand alone: "Año: 1958 · Autor: Rosenblatt".
    """
    head, *rows = [cells_of(line) for line in table.split("\n")]
    return tuple(_labelled(head, row) for row in rows)


def _labelled(head: list[str], row: list[str]) -> str:
    heads = head + [""] * len(row)
    return BETWEEN_CELLS.join(
        f"{name}: {cell}" if name else cell for name, cell in zip(heads, row, strict=False) if cell
    )
