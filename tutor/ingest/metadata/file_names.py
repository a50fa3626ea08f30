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
MAX_CHARS = 200
MAX_NAME_CHARS = 512

_EXTENSION = re.compile(r"(?:\.pdf)+\s*\Z", re.IGNORECASE)
_COPY = re.compile(r"(?:\s*\(\d{1,3}\)|[\s_-]+(?:copia|copy))+\s*\Z", re.IGNORECASE)
_YEAR_FIRST = re.compile(r"(?<!\d)(\d{4})([-_.]?)(\d{2})\2(\d{2})(?!\d)", re.ASCII)
_DAY_FIRST = re.compile(r"(?<!\d)(\d{1,2})([-_.])(\d{1,2})\2(\d{4})(?!\d)", re.ASCII)
_DAY_FIRST_DENSE = re.compile(r"(?<!\d)(\d{2})()(\d{2})(\d{4})(?!\d)", re.ASCII)
_WEEK_BEFORE = re.compile(
    r"(?<![\d.])(\d{1,2})\s*[aª]?[\s_.-]*(?:semana|week)", re.IGNORECASE | re.ASCII
)
_WEEK_AFTER = re.compile(
    r"(?<![^\W_])(?:semana|sem|week)[\s_.-]*(\d{1,2})(?!\d|\.\d)", re.IGNORECASE | re.ASCII
)
_NAMED_VERSION = re.compile(
    r"(?<![^\W_])v(?:ersi[oó]n|er)?[\s._-]*(\d{1,3}(?:\.\d{1,3}){0,3})(?![^\W_])", re.IGNORECASE
)
_BARE_VERSION = re.compile(r"\d{1,3}(?:\.\d{1,3}){0,3}", re.ASCII)

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

    Dates are YYYYMMDD, YYYY-MM-DD, DD-MM-YYYY or DDMMYYYY (the first that exists in the
    calendar); a version is `v2`, `1.2`, or the bare number after the date or at the end of a name
    that has a week. A name of another pattern gives None fields, never an error.
    """
    stem = file_stem(name)
    before, when, after = _cut_date(stem)
    week, before, after = _cut_week(before, after)
    anchored = when is not None or week is not None
    return FileNameFields(week, when, _version(before, after, anchored=anchored))


def file_stem(name: str) -> str:
    """The name without folders, extension and a download's or a copy's mark ("(1)", "- copia")."""
    base = unicodedata.normalize("NFKC", name[-MAX_NAME_CHARS:]).rsplit("/", 1)[-1]
    return _COPY.sub("", _EXTENSION.sub("", base))


def title_from_name(name: str) -> str:
    """A title for want of a better one: the file's name with spaces for its separators."""
    stem = file_stem(name)
    words = short_line(re.sub(r"[\s_+]+", " ", stem) if " " not in stem else stem.replace("_", " "))
    return words[:1].upper() + words[1:]


def _cut_date(stem: str) -> tuple[str, datetime.date | None, str]:
    """The stem around its date; all of it before where there is none."""
    for pattern, year_first in (
        (_YEAR_FIRST, True),
        (_DAY_FIRST, False),
        (_DAY_FIRST_DENSE, False),
    ):
        for match in pattern.finditer(stem):
            first, month, last = int(match[1]), int(match[3]), int(match[4])
            when = valid_date(first, month, last) if year_first else valid_date(last, month, first)
            if when is not None:
                return stem[: match.start()], when, stem[match.end() :]
    return stem, None, ""


def _cut_week(before: str, after: str) -> tuple[int | None, str, str]:
    for pattern in (_WEEK_BEFORE, _WEEK_AFTER):
        if match := pattern.search(before):
            return int(match[1]), before[: match.start()] + " " + before[match.end() :], after
        if match := pattern.search(after):
            return int(match[1]), before, after[: match.start()] + " " + after[match.end() :]
    return None, before, after


def _version(before: str, after: str, *, anchored: bool) -> str | None:
    named = _NAMED_VERSION.search(after) or _NAMED_VERSION.search(before)
    if named:
        return named[1]
    tokens = re.split(r"[\s_-]+", after.strip(" _-.")) if after.strip(" _-.") else []
    if tokens and _BARE_VERSION.fullmatch(tokens[0]):
        return tokens[0]
    last = re.split(r"[\s_-]+", (after or before).strip(" _-."))[-1]
    return last if anchored and _BARE_VERSION.fullmatch(last) else None


def valid_date(year: int, month: int, day: int) -> datetime.date | None:
    """The date, or None where there is no such day or the year is none of a course."""
    if not FIRST_YEAR <= year <= LAST_YEAR:
        return None
    try:
        return datetime.date(year, month, day)
    except ValueError:
        return None


def date_in(text: str) -> datetime.date | None:
    """The first full date in `text`, day before month where both are numbers."""
    found: list[tuple[int, datetime.date | None]] = []
    for pattern, parts in _ORDERS:
        for match in pattern.finditer(text):
            year, month, day = (match[part] for part in parts)
            number = MONTHS[month.lower()] if month.isalpha() else int(month)
            found.append((match.start(), valid_date(int(year), number, int(day))))
    return min(((at, when) for at, when in found if when), default=(0, None))[1]


def short_line(text: str) -> str:
    """A text of unknown origin as one line of at most `MAX_CHARS` characters, all of them seen."""
    return visible_line(text[: 10 * MAX_CHARS])[:MAX_CHARS].rstrip()
