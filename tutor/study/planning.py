"""A plan until an exam, and what asks for one: "/plan 10 de diciembre, semanas 1 a 5"."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from tutor.errors import StudyError
from tutor.i18n import _
from tutor.model import Source
from tutor.preferences import Preferences
from tutor.search.filters import Recogniser, lacking
from tutor.study.practice import PLEASE, WANTS, none_fits
from tutor.study.progress import Day, plan
from tutor.study.schedule import Scheduler
from tutor.study.store import Selection, StudyStore
from tutor.text.folding import folded
from tutor.text.numerals import MONTHS

_COMMAND = re.compile(r"\s*/plan\b")
_ASKS = re.compile(
    rf"""(?=.*\b(?:estudi|repas|examen|exam\b|study|review))
    {PLEASE}{WANTS}(?:un|otro|mi|an?|another|my)\s(?:\w+\s)?plan\b""",
    re.VERBOSE | re.DOTALL,
)
_FORGETS = re.compile(r"(?:olvid|borra|quita|forget|delete|remove|clear)\w*(?: .*)?")
FORGET = "olvidar"
"""Said instead of a day: that of the exam is forgotten."""
_MONTH = rf"(?P<month>{'|'.join(MONTHS)})"
_YEAR = r"(?:,?\s+(?:del?\s+)?(?P<year>\d{4}))?"
_DAYS = tuple(
    re.compile(rf"(?<![\w/-]){form}(?![\w/-])")
    for form in (
        r"(?P<year>\d{4})-(?P<month>\d{1,2})-(?P<day>\d{1,2})",
        r"(?P<day>\d{1,2})[/.-](?P<month>\d{1,2})(?:[/.-](?P<year>\d{4}))?",
        rf"(?P<day>\d{{1,2}})(?:th)?\s+(?:de\s+|of\s+)?{_MONTH}{_YEAR}",
        rf"{_MONTH}\s+(?P<day>\d{{1,2}})(?:th)?{_YEAR}",
    )
)


@dataclass(frozen=True, slots=True)
class Plan:
    """What to do on each day until an exam."""

    exam: date
    days: Sequence[Day]
    about: tuple[str, ...] = ()
    """What the exam is about, in the words that chose its cards; all of them without any."""

    @property
    def said(self) -> str:
        """What asks for this plan."""
        return ", ".join([self.exam.isoformat(), *self.about])

    @property
    def never_seen(self) -> int:
        """How many cards were never asked."""
        return sum(day.new for day in self.days)


def plan_asked(text: str) -> str | None:
    """What stands behind the words that ask for a plan; None for another line."""
    said = folded(text)
    if word := _COMMAND.match(said):
        return said[word.end() :].strip()
    return said if _ASKS.match(said) else None


def planned(
    said: str,
    sources: Collection[Source],
    store: StudyStore,
    course: str,
    *,
    retention: float,
    kept: Preferences,
) -> Plan | None:
    """The plan until the day that `said` names, of its weeks, authors or documents, or of all.

    It is remembered in `kept`: where no day is said, the exam is on the one that was said last, and
    where nothing is, about the same. None where it is to be forgotten. Raises `StudyError`, where
    no day to come is named or known, too.
    """
    now, said, name = store.now(), folded(said), f"exam:{course}"
    if _FORGETS.fullmatch(said):
        kept.keep(name, "")
        return None
    recogniser, known = Recogniser(sources), kept.get(name)
    about = recogniser.recognise(said).phrases
    if known and not _names_day(said) and (about or not said or _ASKS.match(said)):
        said = ", ".join([known[: len("2026-12-10")], *about]) if about else known
    exam, rest = _day(said, now)
    recognised = recogniser.recognise(rest)
    chosen = recognised.filter.select(sources) if recognised.phrases else None
    cards = store.cards(course, Selection(chosen))
    if not cards:
        raise none_fits(lacking(recognised.filter, sources))
    days = plan(cards, Scheduler(retention, fuzz=False), now, exam)
    told = Plan(exam, days, recognised.phrases)
    kept.keep(name, told.said)
    return told


def _names_day(said: str) -> bool:
    return any(form.search(said) for form in _DAYS)


def _day(said: str, now: datetime) -> tuple[date, str]:
    """The first day that is named, in a year to come where none is, and the text without it."""
    today = now.astimezone().date()
    for form in _DAYS:
        if match := form.search(said):
            month = MONTHS.get(match["month"]) or int(match["month"])
            years = [int(match["year"])] if match["year"] else [today.year, today.year + 1]
            try:
                days = [date(year, month, int(match["day"])) for year in years]
            except ValueError:
                break
            rest = f"{said[: match.start()]} {said[match.end() :]}"
            return next((day for day in days if day > today), days[0]), rest
    raise StudyError(_("Which day is the exam?"), _("Give the day of the exam as in 2026-12-10."))
