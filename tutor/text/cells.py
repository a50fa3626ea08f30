"""Cells of CSV files that spreadsheets would compute."""

from __future__ import annotations

_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


def no_formula(text: str) -> str:
    """A text that a spreadsheet shows as it is, with an apostrophe before what would be run."""
    return f"'{text}" if text.startswith(_FORMULA_STARTS) else text
