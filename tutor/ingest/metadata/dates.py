"""Dates as course notes write them, in Spanish and English."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date

from tutor.text.numerals import MONTHS

FIRST_YEAR = 1950
LAST_YEAR = 2100

_MONTH = f"({'|'.join(MONTHS)})"
_DAY_FIRST = re.compile(
    rf"\b(\d{{1,2}})(?:\.?º)?\s+(?:de\s+|of\s+)?{_MONTH},?\s+(?:del?\s+)?(\d{{4}})\b",
    re.ASCII | re.IGNORECASE,
)
_MONTH_FIRST = re.compile(
    rf"\b{_MONTH}\s+(\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?:del?\s+)?(\d{{4}})\b",
    re.ASCII | re.IGNORECASE,
)
_NUMERIC = re.compile(r"(?<![\d/.-])(\d{1,2})([/.-])(\d{1,2})\2(\d{4})(?![\d/-])", re.ASCII)
_ISO = re.compile(r"(?<![\d/.-])(\d{4})-(\d{2})-(\d{2})(?![\d/-])", re.ASCII)


def valid_date(year: int, month: int, day: int) -> date | None:
    """The date, or None where there is no such day or the year is none of a course."""
    if not FIRST_YEAR <= year <= LAST_YEAR:
        return None
    try:
        return date(year, month, day)
    except ValueError:
        return None


def date_in(text: str) -> date | None:
    """The first full date in `text`, day before month where both are numbers."""
    found = [
        (match.start(), when)
        for pattern, read in _READERS
        for match in pattern.finditer(text)
        if (when := read(match)) is not None
    ]
    return min(found)[1] if found else None


_READERS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], date | None]], ...] = (
    (_DAY_FIRST, lambda m: valid_date(int(m[3]), MONTHS[m[2].lower()], int(m[1]))),
    (_MONTH_FIRST, lambda m: valid_date(int(m[3]), MONTHS[m[1].lower()], int(m[2]))),
    (_NUMERIC, lambda m: valid_date(int(m[4]), int(m[3]), int(m[1]))),
    (_ISO, lambda m: valid_date(int(m[1]), int(m[2]), int(m[3]))),
)
