"""The weeks and days that a question names: `en la semana 5`, `la clase del 12/08`.

Patterns are matched against the folded question. Notes speak of dates, too, so a day counts only
beside what a course is taught in, or if there are notes of it.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterator, Sequence
from datetime import date, timedelta

from tutor.model import Filter
from tutor.search.filters.phrases import Phrase, lead_before
from tutor.text.numerals import MONTHS, ONE_TO_TWELVE

_ORDINALS = {
    word: number
    for words in (
        "primera segunda tercera cuarta quinta sexta septima octava novena decima",
        "first second third fourth fifth sixth seventh eighth ninth tenth",
    )
    for number, word in enumerate(words.split(), start=1)
}
_LAST_WEEK = re.compile(r"(?<!\w)(?:ultima|last|final)\s+(?:semana|week)(?!\w)")
_WEEK = re.compile(
    r"(?<!\w)(?:semana|week|sem\.|sem|wk)(s?)[\s-]+(?:(?:n[º°o]\.?|numero|number)\s*|#)?"
)
_ORDINAL_WEEK = re.compile(
    rf"(?<!\w)(?:(\d{{1,2}})(?:[aªº]|ra|da|ta|st|nd|rd|th)|({'|'.join(_ORDINALS)}))\s+(?:semana|week)(?!\w)"
)
_NUMBER = re.compile(rf"(?:\d{{1,2}}(?![\d%]|\.\d)|(?:{'|'.join(ONE_TO_TWELVE)}))(?!\w)")
_AGAIN = r"(?:(?:en|de|in|of)\s+)?(?:(?:la|las|the)\s+)?(?:(?:semanas?|weeks?)\s+)?"
_TO = re.compile(rf"(?:\s*[-–—]\s*|\s+(?:a|hasta|to|through|until)\s+){_AGAIN}")
_AND = re.compile(rf"(?:\s*,\s*(?:(?:y|o|and|or)\s+)?|\s+(?:y|o|and|or)\s+){_AGAIN}")
_EXCEPT = re.compile(r"(?<!\w)(?:excepto|salvo|menos|sin|except|without)(?:\s+\w+){0,2}\s*\Z")
_SOMETHING_ELSE = re.compile(r"\s+(?:del|of)\s+(?!curso|semestre|the\s+course|class)")
"""`la semana 5 del embarazo` is no week of the course."""
_SCHEDULE = re.compile(r"(?<!\w)(?:entreg\w+|due|deadline)(?!\w)")
"""What happens in a week is told by the course's programme, which is of another one."""
_BEFORE = {"antes de": 0, "before": 0, "hasta": 1, "until": 1, "up to": 1}
_AFTER = {"a partir de": 0, "desde": 0, "since": 0, "despues de": 1, "after": 1}
_MONTHS = {form: n for name, n in MONTHS.items() for form in (name, name[:3])}
_MONTH = rf"(?P<month>{'|'.join(_MONTHS)})(?!\w)"
_DAY = r"(?<![\w.,/-])(?P<day>\d{1,2})(?:st|nd|rd|th)?(?!\w)"
_YEAR = r"(?:(?:\s+del?|,)?\s+(?P<year>\d{4})(?!\d))?"
_DATES = tuple(
    re.compile(form)
    for form in (
        rf"{_DAY}\s+(?:de\s+|of\s+)?{_MONTH}{_YEAR}",
        rf"(?<!\w){_MONTH}\s+{_DAY}{_YEAR}",
        r"(?<![\w/-])(?P<year>\d{4})-?(?P<month>\d{2})-?(?P<day>\d{2})(?!\w)",
        rf"{_DAY}[/-](?P<month>\d{{1,2}})(?:[/-](?P<year>\d{{4}}|\d{{2}}))?(?![\w/-])",
    )
)
_FIRST_DAY = re.compile(r"(?<![\w/])(\d{1,2})\s+(?:al|a|y\s+el|to|and)\s+\Z")
_WHOLE_MONTH = re.compile(rf"(?<!\w){_MONTH}")


def find_weeks(text: str, known: Sequence[int]) -> Iterator[Phrase]:
    """The weeks that a folded question names; `known` are those of the course, ascending."""
    if not known or _SCHEDULE.search(text):
        return
    for match in _ORDINAL_WEEK.finditer(text):
        start = lead_before(text, match.start()).start
        week = int(match[1]) if match[1] else _ORDINALS[match[2]]
        yield Phrase(start, match.end(), Filter(weeks=(week,)))
    for match in _LAST_WEEK.finditer(text):
        start = lead_before(text, match.start()).start
        yield Phrase(start, match.end(), Filter(weeks=(max(known),)))
    for match in _WEEK.finditer(text):
        lead = lead_before(text, match.start())
        between = lead.preposition in {"entre", "between"}
        weeks, end = _listed(text, match.end(), many=bool(match[1]), between=between)
        if not weeks or _EXCEPT.search(text, 0, lead.start) or _SOMETHING_ELSE.match(text, end):
            continue
        if len(weeks) == 1:
            weeks = _bounded(weeks[0], lead.preposition, known)
        yield Phrase(lead.start, end, Filter(weeks=tuple(weeks)))


def weeks_in(text: str) -> list[int]:
    """The weeks of `3-5, 7` or `3 a 5`, ascending; empty where it is nothing of the kind."""
    weeks, end = _listed(text.strip(), 0, many=True)
    return weeks if end == len(text.strip()) else []


def _listed(text: str, start: int, *, many: bool, between: bool = False) -> tuple[list[int], int]:
    """The weeks from `start` on, ascending, and where they end."""
    weeks: set[int] = set()
    end, previous, through = start, 0, False
    while number := _NUMBER.match(text, start):
        week = ONE_TO_TWELVE.get(number[0]) or int(number[0])
        weeks.update(range(min(previous, week), max(previous, week) + 1) if through else (week,))
        end, previous = number.end(), week
        link = _TO.match(text, end) or _AND.match(text, end)
        if link is None or (link[0].startswith(",") and not many):
            break
        through = between or _TO.match(text, end) is not None
        start = link.end()
    return sorted(weeks), end


def _bounded(week: int, preposition: str, known: Sequence[int]) -> list[int]:
    if preposition in _BEFORE:
        return list(range(1, week + _BEFORE[preposition])) or [week]
    if preposition in _AFTER:
        return list(range(week + _AFTER[preposition], max(known) + 1)) or [week]
    return [week]


def find_days(text: str, known: Sequence[date]) -> Iterator[Phrase]:
    """The days that a folded question names; `known` are those of the course's notes, ascending."""
    years = sorted({day.year for day in known})
    for pattern in _DATES if known else ():
        for match in pattern.finditer(text):
            if phrase := _dated(match, text, known, years):
                yield phrase
    for match in _WHOLE_MONTH.finditer(text) if known else ():
        lead = lead_before(text, match.start())
        if lead.material or lead.preposition in {"durante", "during"}:
            month = _MONTHS[match["month"]]
            days = tuple(
                (date(year, month, 1), date(year, month, monthrange(year, month)[1]))
                for year in years
            )
            yield Phrase(lead.start, match.end(), Filter(dates=days))


def _dated(
    match: re.Match[str], text: str, known: Sequence[date], years: Sequence[int]
) -> Phrase | None:
    """One date, a range that ends with it, or its week, if it is one of the course's."""
    last = _days(match, match["day"], years)
    first_day = _FIRST_DAY.search(text, 0, match.start())
    first = _days(match, first_day[1], years) if first_day else last
    start = first_day.start() if first_day else match.start()
    lead = lead_before(text, start)
    ranges = tuple((one, other) for one, other in zip(first, last, strict=False) if one <= other)
    if lead.material in {"semana", "week"}:
        mondays = [day - timedelta(day.weekday()) for day in last]
        ranges = tuple((monday, monday + timedelta(6)) for monday in mondays)
    elif not lead.material:
        short = match["month"].isdigit() and not match["year"]
        if short and lead.preposition not in {"del", "on", "from"}:
            return None
        ranges = tuple(days for days in ranges if any(days[0] <= day <= days[1] for day in known))
    return Phrase(lead.start, match.end(), Filter(dates=ranges)) if ranges else None


def _days(match: re.Match[str], day: str, years: Sequence[int]) -> list[date]:
    """The day in the year that is said, or in those of the course."""
    said = match["year"]
    month = _MONTHS.get(match["month"]) or int(match["month"])
    days = []
    for year in years:
        if said and int(said) not in {year, year % 100}:
            continue
        try:
            days.append(date(year, month, int(day)))
        except ValueError:
            continue
    return days
