"""File names of course notes: `<week>_SEMANA_AI_<date>_<version>.pdf` and their kin; dates."""

from __future__ import annotations

import datetime
import re
import unicodedata
from dataclasses import dataclass

from tutor.text.numerals import MONTHS
from tutor.text.terminal import visible_line

FIRST_YEAR = 1950
LAST_YEAR = 2100
MAX_LINE_CHARS = 200
MAX_NAME_CHARS = 512

_EXTENSION = re.compile(r"(?:\.pdf)+\s*\Z", re.IGNORECASE)
_COPY = re.compile(r"(?:\s*\(\d{1,3}\)|[\s_-]+(?:copia|copy))+\s*\Z", re.IGNORECASE)
_FILE_DATES = (
    (re.compile(r"(?<!\d)(\d{4})([-_.]?)(\d{2})\2(\d{2})(?!\d)", re.ASCII), (1, 3, 4)),
    (re.compile(r"(?<!\d)(\d{2})([-_.]?)(\d{2})\2(\d{4})(?!\d)", re.ASCII), (4, 3, 1)),
)
_WEEK = re.compile(
    r"(?<![\d.])(\d{1,2})[\s_.-]*(?:semana|week)|(?<![^\W_])(?:semana|week)[\s_.-]*(\d{1,2})(?!\d|\.\d)",
    re.IGNORECASE | re.ASCII,
)
_NUMBERS = r"(\d{1,3}(?:\.\d{1,3}){0,3})(?![^\W_])"
_NAMED_VERSION = re.compile(rf"(?<![^\W_])v(?:ersi[oó]n)?[\s._-]*{_NUMBERS}", re.IGNORECASE)
_BARE_VERSION = re.compile(rf"[\s_.-]+{_NUMBERS}", re.ASCII)

_MONTH = f"({'|'.join(MONTHS)})"
_DAY_MONTH_YEAR = re.compile(
    rf"\b(\d{{1,2}})(?:\.?º)?\s+(?:de\s+|of\s+)?{_MONTH},?\s+(?:del?\s+)?(\d{{4}})\b",
    re.ASCII | re.IGNORECASE,
)
_MONTH_DAY_YEAR = re.compile(
    rf"\b{_MONTH}\s+(\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?:del?\s+)?(\d{{4}})\b",
    re.ASCII | re.IGNORECASE,
)
_NUMERIC = re.compile(r"(?<![\d/.-])(\d{1,2})([/.-])(\d{1,2})\2(\d{4})(?![\d/-])", re.ASCII)
_ISO = re.compile(r"(?<![\d/.-])(\d{4})-(\d{2})-(\d{2})(?![\d/-])", re.ASCII)
_ORDERS = (
    (_DAY_MONTH_YEAR, (3, 2, 1)),
    (_MONTH_DAY_YEAR, (3, 1, 2)),
    (_NUMERIC, (4, 3, 1)),
    (_ISO, (1, 2, 3)),
)
"""Forms of dates, each with its groups of year, month and day."""


@dataclass(frozen=True, slots=True)
class FileNameFields:
    """What a file's name says; None where it says nothing."""

    week: int | None = None
    date: datetime.date | None = None
    version: str | None = None


def parse_file_name(name: str) -> FileNameFields:
    """Week, date and version from a file name, in any case and with or without separators.

    Dates are YYYYMMDD or DDMMYYYY, with or without separators (the first that exists in the
    calendar); a version is `v2`, `1.2`, or the bare number after the date. A name of another
    pattern gives None fields, never an error.
    """
    stem = file_stem(name)
    found = (
        (_date(match, parts), match) for form, parts in _FILE_DATES for match in form.finditer(stem)
    )
    when, at = next((one for one in found if one[0]), (None, None))
    before, after = (stem[: at.start()], stem[at.end() :]) if at else (stem, "")
    week = _WEEK.search(before) or _WEEK.search(after)
    version = _NAMED_VERSION.search(f"{before}\n{after}") or _BARE_VERSION.match(after)
    return FileNameFields(
        int(week[1] or week[2]) if week else None, when, version[1] if version else None
    )


def file_stem(name: str) -> str:
    """The name without folders, extension and a download's or a copy's mark ("(1)", "- copia")."""
    base = unicodedata.normalize("NFKC", name[-MAX_NAME_CHARS:]).rsplit("/", 1)[-1]
    return _COPY.sub("", _EXTENSION.sub("", base))


def title_from_name(name: str) -> str:
    """A title for want of a better one: the file's name with spaces for its separators."""
    stem = file_stem(name)
    words = short_line(re.sub(r"[\s_+]+", " ", stem) if " " not in stem else stem.replace("_", " "))
    return words[:1].upper() + words[1:]


def _date(match: re.Match[str], parts: tuple[int, int, int]) -> datetime.date | None:
    """The date, or None where there is no such day or the year is none of a course."""
    year, month, day = (match[part] for part in parts)
    number = MONTHS[month.lower()] if month.isalpha() else int(month)
    if not FIRST_YEAR <= int(year) <= LAST_YEAR:
        return None
    try:
        return datetime.date(int(year), number, int(day))
    except ValueError:
        return None


def date_in(text: str) -> datetime.date | None:
    """The first full date in `text`, day before month where both are numbers."""
    found = (
        (match.start(), when)
        for pattern, parts in _ORDERS
        for match in pattern.finditer(text)
        if (when := _date(match, parts))
    )
    return min(found, default=(0, None))[1]


def short_line(text: str) -> str:
    """A text of unknown origin as one visible line of at most `MAX_LINE_CHARS` characters."""
    return visible_line(text[: 10 * MAX_LINE_CHARS])[:MAX_LINE_CHARS].rstrip()
