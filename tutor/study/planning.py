"""What asks in a conversation for a plan until an exam, as "/plan 10 de diciembre, semanas 1 a 5",
or how one is doing.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from tutor.errors import StudyError
from tutor.i18n import _
from tutor.model import Source
from tutor.preferences import Preferences
from tutor.search.filters import Recogniser, lacking
from tutor.study.practice import WANTS, none_fits
from tutor.study.progress import Day, plan
from tutor.study.schedule import Scheduler
from tutor.study.store import Selection, StudyStore
from tutor.text.folding import folded
from tutor.text.numerals import MONTHS

_COMMAND = re.compile(r"\s*/plan\b")
_ASKS_PLAN = re.compile(
    rf"""(?=.*\b(?:estudi|repas|examen|exam\b|study|review))
    (?:.*?[\s,.;:!(])??\W*
    (?:{WANTS}(?:un|otro|mi|el|an?|another|my|the)\s(?:\w+\s)?plan|\A\W*(?:mi\s)?plan\ de)\b""",
    re.VERBOSE | re.DOTALL,
)
_HAS_EXAM = re.compile(
    r"\W*(?:yo\s+)?(?:tengo|tenemos|i\s+have|mi|my)\s+(?:el\s+|un\s+|the\s+|an?\s+)?(?:\w+\s+)?"
    r"(?:examen|exam)\b[^?]*"
)
_ASKS_PROGRESS = re.compile(
    r"\W*(?:(?:y|oye|hola|dime|bueno)\W+)?(?:que\s+tal\s+voy|como\s+(?:voy|lo\s+llevo|me\s+va)"
    r"|(?:ver|mira|muestrame|ensename|dime)?\s*mi\s+progreso|how\s+am\s+i\s+doing"
    r"|(?:show\s+(?:me\s+)?)?my\s+progress)"
    r"(?:\s+(?:con|en|de|with|in)\s+(?:(?:el|la|los|las|mi|mis|the|my)\s+)?"
    r"(?:curso|estudios?|repasos?|tarjetas|apuntes|asignatura|todo|course|study|cards|notes))?\W*"
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

_DAYS_OF_WEEK = tuple(
    names.split()
    for names in (
        "lunes monday", "martes tuesday", "miercoles wednesday", "jueves thursday",
        "viernes friday", "sabado saturday", "domingo sunday",
    )
)  # fmt: skip
_DAY_OF_WEEK = "|".join(name for names in _DAYS_OF_WEEK for name in names)
_NEAR = re.compile(
    r"(?<![\w/-])(?:(?P<after>pasado\s+manana|the\s+day\s+after\s+tomorrow)|(?P<next>manana|tomorrow)"
    r"|(?:en|dentro\s+de|in)\s+(?P<n>\d{1,3}|una?|an?|one|two|dos|tres|three)"
    r"\s+(?:(?P<days>dias?|days?)|semanas?|weeks?)"
    rf"|(?:el|este|proximo|on|next)\s+(?P<day>{_DAY_OF_WEEK}))"
    r"(?![\w/-])"
)
_FEW = {"dos": 2, "two": 2, "tres": 3, "three": 3}


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
    tells_day = _HAS_EXAM.fullmatch(said) and _names_day(said)
    return said if tells_day or _ASKS_PLAN.match(said) else None


def progress_asked(text: str) -> bool:
    """Whether a line asks how one is doing: "¿cómo voy?"."""
    return _ASKS_PROGRESS.fullmatch(folded(text)) is not None


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
    if known and not _names_day(said) and (about or not said or _ASKS_PLAN.match(said)):
        said = ", ".join([known[: len("2026-12-10")], *about]) if about else known
    exam, rest = day_said(said, now)
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
    return _NEAR.search(said) is not None or any(form.search(said) for form in _DAYS)


def day_said(said: str, now: datetime) -> tuple[date, str]:
    """The first day that is named, in a year to come where none is, and the text without it.

    A date comes before "mañana" and "el viernes". Raises `StudyError` where none is named.
    """
    said, today = folded(said), now.astimezone().date()
    for form in _DAYS:
        if match := form.search(said):
            month = MONTHS.get(match["month"]) or int(match["month"])
            years = [int(match["year"])] if match["year"] else [today.year, today.year + 1]
            try:
                days = [date(year, month, int(match["day"])) for year in years]
            except ValueError:
                break
            return next((day for day in days if day > today), days[0]), _without(said, match)
    else:
        if match := _NEAR.search(said):
            return today + timedelta(days=_days_until(match, today)), _without(said, match)
    raise StudyError(_("Which day is the exam?"), _("Give the day of the exam as in 2026-12-10."))


def _without(said: str, match: re.Match[str]) -> str:
    return f"{said[: match.start()]} {said[match.end() :]}"


def _days_until(near: re.Match[str], today: date) -> int:
    """In how many days is what a text calls near."""
    if near["after"]:
        return 2
    if near["next"]:
        return 1
    if name := near["day"]:
        place = next(n for n, names in enumerate(_DAYS_OF_WEEK) if name in names)
        return (place - today.weekday() - 1) % 7 + 1
    n = int(near["n"]) if near["n"].isdecimal() else _FEW.get(near["n"], 1)
    return n if near["days"] else 7 * n
