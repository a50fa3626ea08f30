"""Days of the course as a question names them: `la clase del 12/08`, `from August 12`.

Notes speak of dates, too, so a day counts only beside what a course is taught in, or if there are
notes of it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import MAXYEAR, date, timedelta
from typing import TYPE_CHECKING

from tutor.filters.text import Found, before, material_before
from tutor.types import Filter

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_MONTHS = {
    name: month
    for names in (
        "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
        "january february march april may june july august september october november december",
    )
    for month, name in enumerate(names.split(), start=1)
} | {"setiembre": 9}
_MONTH = rf"(?:{'|'.join(_MONTHS)})(?!\w)"
_YEAR = r"(?:(?:\s+del?|,)?\s+(?P<year{n}>\d{{4}})(?!\d))?"
_DAY = r"(?P<day{n}>\d{{1,2}}|primero)(?:\.?[ºo°]|st|nd|rd|th)?(?!\w)"
_FORMS = (
    _DAY + rf"\s+(?:de\s+|of\s+)?(?P<month{{n}}>{_MONTH})" + _YEAR,
    rf"(?P<month{{n}}>{_MONTH})\s+" + _DAY + _YEAR,
    r"(?P<day{n}>\d{{1,2}})[/.-](?P<month{n}>\d{{1,2}})(?:[/.-](?P<year{n}>\d{{4}}))?(?![\d/.-]\d)",
    r"(?P<year{n}>\d{{4}})-(?P<month{n}>\d{{2}})-(?P<day{n}>\d{{2}})(?!\d)",
)
_WEEKDAY = (
    r"(?:(?:lunes|martes|miercoles|jueves|viernes|sabado|domingo"
    r"|monday|tuesday|wednesday|thursday|friday|saturday|sunday),?\s+)?"
)
_LEAD = (
    r"(?<!\w)(?P<lead>del?|el|on|from|of|entre\s+el|between|desde\s+el)\s+"
    rf"(?:the\s+)?(?:dia\s+)?{_WEEKDAY}"
)
_WEEK_LEAD = (
    r"(?<!\w)(?:(?:en|de|in|of|from)\s+)?(?:la|the)?\s*(?:semana|week)\s+(?:del|of|from)\s+"
)
_TO = r"\s+(?:al|y\s+el|hasta\s+el|to|and|-)\s+"


def _compiled(lead: str, *forms: str) -> re.Pattern[str]:
    numbered = [form.format(n=n) for n, form in enumerate(forms)]
    return re.compile(lead + _TO.join(numbered) + r"(?!\w)")


_SINGLE = [_compiled(_LEAD, form) for form in _FORMS]
_WEEK_OF = [_compiled(_WEEK_LEAD, form) for form in _FORMS]
_RANGES = [
    *(_compiled(_LEAD, form, form) for form in _FORMS),
    _compiled(_LEAD, r"(?P<day{n}>\d{{1,2}})", _FORMS[0]),
]
_MONTH_ALONE = re.compile(rf"(?<!\w)(?P<lead>de|of|from|in)\s+(?P<month>{_MONTH})")
_HAPPENED = re.compile(
    r"\b(?:conferencia|congreso|taller|articulo|carta|noticia|ley|decreto|evento|batalla|informe"
    r"|atentado|publicacion|edicion|eclipse|accidente|terremoto|conference|workshop|paper|article"
    r"|letter|law|event|battle|report|edition|accident|earthquake)\w*\s+\Z"
)
"""What has a date of its own."""
_ATTENDED = re.compile(
    r"\b(?:vimos|vio|visto|dimos|estudiamos|explicaron|explico|hablamos|aprendimos|(?:did|have)\s+we|saw|learn\w*"
    r"|cover\w*|discuss\w*|taught)\b"
)


@dataclass(frozen=True, slots=True)
class _Said:
    """A date as said, perhaps without a year."""

    day: int
    month: int
    year: int | None

    def days(self, years: Sequence[int]) -> list[date]:
        found = []
        for year in [self.year] if self.year else years:
            try:
                found.append(date(year, self.month, self.day))
            except ValueError:
                continue
        return found


def find_days(text: str, known: Sequence[date]) -> Iterator[Found]:
    """The days that a folded question names; `known` are those of the course's notes, ascending."""
    if not known:
        return
    years = sorted({day.year for day in known})
    taken: list[tuple[int, int]] = []
    for patterns, read in ((_WEEK_OF, _week), (_RANGES, _range), (_SINGLE, _single)):
        for pattern in patterns:
            for match in pattern.finditer(text):
                if any(start < match.end() and match.start() < end for start, end in taken):
                    continue
                if found := read(match, text, known, years):
                    taken.append((found.start, found.end))
                    yield found
    yield from _months(text, years)


def _week(
    match: re.Match[str], _text: str, _known: Sequence[date], years: Sequence[int]
) -> Found | None:
    ranges = []
    for day in _said(match, 0).days(years):
        monday = day - timedelta(days=min(day.weekday(), day.toordinal() - 1))
        ranges.append((monday, _later(monday, 6)))
    return Found(match.start(), match.end(), Filter(dates=tuple(ranges))) if ranges else None


def _range(
    match: re.Match[str], text: str, known: Sequence[date], years: Sequence[int]
) -> Found | None:
    last = _said(match, 1)
    first = _said(match, 0, last)
    pairs = zip(first.days(years), last.days(years), strict=False)
    ranges = tuple((one, other) for one, other in pairs if one <= other)
    return _counted(match, text, ranges, known)


def _single(
    match: re.Match[str], text: str, known: Sequence[date], years: Sequence[int]
) -> Found | None:
    if match["lead"].startswith(("entre", "between", "desde")):
        return None
    days = _said(match, 0).days(years)
    days = [day for day in days if day in known] or days
    return _counted(match, text, tuple((day, day) for day in days), known)


def _counted(
    match: re.Match[str], text: str, ranges: tuple[tuple[date, date], ...], known: Sequence[date]
) -> Found | None:
    """The days, if they are beside a class, or if there are notes of them and no event is."""
    if not ranges:
        return None
    start = material_before(text, match.end("lead") + 1)
    if start is None:
        met = any(first <= day <= last for first, last in ranges for day in known)
        if not met or not _is_day_of_class(match, text):
            return None
        start = match.start()
    return Found(start, match.end(), Filter(dates=ranges))


def _is_day_of_class(match: re.Match[str], text: str) -> bool:
    """Whether a day may be one of a class, and is no event's and no fraction."""
    if match["lead"] == "de" or (match["lead"] in {"el", "on"} and not _ATTENDED.search(text)):
        return False
    if before(_HAPPENED, text, match.start()):
        return False
    of_something = text[match.end() :].lstrip().startswith(("de ", "of "))
    month = match.groupdict().get("month0")
    return not (of_something and (month is None or month.isdigit()))


def _months(text: str, years: Sequence[int]) -> Iterator[Found]:
    """`las clases de agosto`."""
    for match in _MONTH_ALONE.finditer(text):
        start = material_before(text, match.end("lead") + 1)
        if start is None:
            continue
        month = _MONTHS[match["month"]]
        ranges = tuple((date(year, month, 1), _end_of_month(year, month)) for year in years)
        yield Found(start, match.end(), Filter(dates=ranges))


def _said(match: re.Match[str], n: int, after: _Said | None = None) -> _Said:
    fields = match.groupdict()
    day = fields[f"day{n}"]
    month, year = fields.get(f"month{n}"), fields.get(f"year{n}")
    known_month = after.month if after else 0
    number = _MONTHS.get(month or "") or int(month or known_month)
    return _Said(
        1 if day == "primero" else int(day),
        number,
        int(year) if year else (after.year if after else None),
    )


def _end_of_month(year: int, month: int) -> date:
    if (year, month) == (MAXYEAR, 12):
        return date.max
    return date(year + month // 12, month % 12 + 1, 1) - timedelta(days=1)


def _later(day: date, days: int) -> date:
    return date.fromordinal(min(day.toordinal() + days, date.max.toordinal()))
