"""What asks in a conversation for a plan until an exam, as "/plan 10 de diciembre, semanas 1 a 5",
or how one is doing.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from tutor.errors import StudyError
from tutor.i18n import _
from tutor.model import Source
from tutor.preferences import Preferences
from tutor.search.filters import LONGEST_QUESTION, Recognised, Recogniser, lacking
from tutor.study.practice import WANTS, documents_of, none_fits, topic_of
from tutor.study.progress import Day, plan
from tutor.study.schedule import Scheduler
from tutor.study.store import StudyStore
from tutor.study.topics import Selection, without_cards
from tutor.text.folding import folded
from tutor.text.numerals import MONTHS, ONE_TO_TWELVE

_AROUND = " \t\n.,;:!?¿¡()\"'«»-"
_COMMAND = re.compile(r"\s*/plan\b")
_ASKS_PLAN = re.compile(
    rf"\b{WANTS}(?:un|otro|mi|el|an?|another|my|the)\s(?:\w+\s)?plan\b", re.VERBOSE
)
_STUDIES = re.compile(r"\b(?:estudi|repas|examen|parcial\b|exam\b|study|review|midterm)")
"""What tells such a plan from those that the notes are about."""
_IS_PLAN = re.compile(r"(?:mi\s)?plan\sde\s(?:estudios?|repaso|examen)\b")
_HAS_EXAM = re.compile(
    r"(?:yo\s+)?(?:tengo|tenemos|i\s+have|mi|my)\s+(?:el\s+|un\s+|the\s+|an?\s+)?(?:\w+\s+)?"
    r"(?:examen|parcial|exam|midterm)\b"
)
_SAYS_MORE = re.compile(
    r"[?!;:]|[.,](?!\s*\d)|\b(?:no|not|que|what|how|why|pero|but|porque|because|explica\w*|explain)\b"
)
"""What does not stand between the exam and its day."""
_WEEKS = (
    r"(?:(?:las?|the)\s+)?(?:semanas?|weeks?|temas?|topics?|unidad(?:es)?|units?|clases?)\s+\w+"
    r"(?:\s*(?:,|-|\by\b|\ba\b|\band\b|\bto\b)\s*\d{1,2})*\b"
)
_HOUR = (
    r"(?:(?:por|de|en|in|at|a)\s+)?(?:las?|the)\s+(?:manana|tarde|noche|morning|afternoon|evening)\b"
    r"|(?:a\s+las?|at)\s+\d{1,2}(?::\d\d)?(?:\s*(?:h|am|pm)\b)?"
)
_TOPIC = (
    r"(?:del?|sobre|of|on|about)(?:\s+(?!(?:no|que|me|pero|porque|quiero|necesito|tengo|estoy|dame|dime"
    r"|hazme|ayuda\w*|explica\w*|but|because|i|want|need|explain|tell|give|help)\b)[\w*]+){1,5}"
)
_DAYS_OF_WEEK = tuple(
    names.split()
    for names in (
        "lunes monday", "martes tuesday", "miercoles wednesday", "jueves thursday",
        "viernes friday", "sabado saturday", "domingo sunday",
    )
)  # fmt: skip
_DAY_OF_WEEK = "|".join(name for names in _DAYS_OF_WEEK for name in names)
_CHOICE = re.compile(
    rf"(?:[\s.,(]*(?:(?:(?:del?|en|sobre|of|on|about|para|for)\s+)?{_WEEKS}|{_HOUR}|que\s+viene"
    rf"|gracias|por\s+favor|thanks|please|(?:{_DAY_OF_WEEK})\b|{_TOPIC}))*[\s.,!)]*"
)
"""What may stand behind the day of an exam that is no question."""
_WEEKS_ONLY = re.compile(rf"[\s,(]*(?:(?:del?|para|of|for)\s+)?{_WEEKS}[\s.,!)]*")
_ASKS_PROGRESS = re.compile(
    r"(?:(?:y|oye|hola|dime|bueno)\W+)?(?:que\s+tal\s+voy|como\s+(?:voy|lo\s+llevo|me\s+va)"
    r"|(?:(?:ver|mira|muestrame|ensename|dime)\s+)?mi\s+progreso|how\s+am\s+i\s+doing"
    r"|(?:show\s+(?:me\s+)?)?my\s+progress)"
    r"(?:\s+(?:con|en|de|with|in)\s+(?:(?:el|la|los|las|mi|mis|the|my)\s+)?"
    r"(?:curso|estudios?|repasos?|tarjetas|apuntes|asignatura|todo|course|study|cards|notes))?"
)
_FORGETS = re.compile(r"(?:olvid|borra|quita|forget|delete|remove|clear)\w*(?: .*)?")
_IS_SENTENCE = re.compile(r"\b(?:examen|parcial|exam|midterm|plan)\b")
_BEFORE = re.compile(r"^(?:del?|en|para|of|in|for)\s+")
_HOW_LONG = re.compile(
    r"(?:\b\d+ )?\b(?:semanas?|dias?|horas?|weeks?|days?|hours?)\b(?! \d)"
    r"|\b\d+ (?:preguntas|temas|unidades|problemas|ejercicios|puntos|questions|topics|units"
    r"|problems|exercises|points)\b"
)
_BEHIND = re.compile(r"\b(?:del?|sobre|of|on|about)\s+([^,.;:!?]*)")
_NO_TOPIC = frozenset(
    """plan estudio estudios estudiar repasar parcial final prueba asignatura materia proximo
    proxima proximos proximas viene hoy primer primero primera segundo segunda tercer tercero
    tercera ultimo ultima parte mitad teoria practica practicas problemas ejercicios recuperacion
    convocatoria ordinaria extraordinaria oral escrito escrita tipo test tema temas unidad unidades
    study studying midterm subject next first second third last part half resit retake written
    theory practice problems exercises unit units""".split()
) | frozenset(ONE_TO_TWELVE)
"""Words that say what a plan is like, and not what it is about."""
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
_NEAR = re.compile(
    r"(?<![\w/-])(?:(?P<after>pasado\s+manana|the\s+day\s+after\s+tomorrow)"
    r"|(?P<next>(?<!la\s)manana|tomorrow)"
    rf"|(?:en|dentro\s+de|in)\s+(?P<n>\d{{1,3}}|una?|an?|{'|'.join(ONE_TO_TWELVE)})"
    r"\s+(?:(?P<days>dias?|days?)|semanas?|weeks?)"
    rf"|(?:(?:el|este|proximo|on|next)\s+)?(?P<day>{_DAY_OF_WEEK}))"
    r"(?![\w/-])"
)


@dataclass(frozen=True, slots=True)
class Plan:
    """What to do on each day until an exam."""

    exam: date
    days: Sequence[Day]
    about: tuple[str, ...] = ()
    """What the exam is about, in the words that chose its cards; all of them without any."""
    missing: str = ""
    """What was said that it is about, where no card is: it chose none."""

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
    said = folded(text[:LONGEST_QUESTION])
    if word := _COMMAND.match(said):
        return said[word.end() :].strip()
    return said if _asks_plan(said) or _tells_exam(said) else None


def _asks_plan(said: str) -> bool:
    """Whether a folded text asks for a plan: "hazme un plan de estudio"; also "plan de estudio",
    where no more than a day or weeks follows.
    """
    if _ASKS_PLAN.search(said) and _STUDIES.search(said):
        return True
    bare = said.strip(_AROUND)
    if not (plan_of := _IS_PLAN.match(bare)):
        return False
    rest = bare[plan_of.end() :]
    return not rest or _day_in(rest) is not None or _WEEKS_ONLY.fullmatch(rest) is not None


def _tells_exam(said: str) -> bool:
    """Whether it says only on which day one has an exam, and of what."""
    bare = said.strip(_AROUND)
    exam, day = _HAS_EXAM.match(bare), _day_in(bare)
    return (
        exam is not None
        and day is not None
        and not _SAYS_MORE.search(bare, exam.end(), max(exam.end(), day.start()))
        and _CHOICE.fullmatch(bare, max(exam.end(), day.end())) is not None
    )


def progress_asked(text: str) -> bool:
    """Whether a line asks how one is doing: "¿cómo voy?"."""
    return _ASKS_PROGRESS.fullmatch(folded(text[:LONGEST_QUESTION]).strip(_AROUND)) is not None


def planned(
    said: str,
    sources: Collection[Source],
    store: StudyStore,
    course: str,
    *,
    retention: float,
    kept: Preferences,
) -> Plan | None:
    """The plan until the day that `said` names, of its weeks, authors, documents or topic; of all
    where it names none, or a topic that no card is about.

    It is remembered in `kept`: where no day is said, the exam is on the one that was said last, and
    where nothing is, about the same. None where it is to be forgotten. Raises `StudyError`, where
    no day to come is named or known, too.
    """
    now, said, name = store.now(), folded(said), f"exam:{course}"
    if _FORGETS.fullmatch(said):
        kept.keep(name, "")
        return None
    recogniser, known = Recogniser(sources), kept.get(name)
    if known and not _day_in(said):
        recognised, which = _about(said, recogniser, sources)
        if recognised.phrases or (which.topic and store.cards(course, which)):
            said = f"{known[: len('2026-12-10')]}, {said}"
        elif not said or _asks_plan(said):
            said = known
    exam, rest = day_said(said, now)
    recognised, which = _about(rest, recogniser, sources)
    about, missing = [_BEFORE.sub("", one) for one in recognised.phrases], ""
    if not (cards := store.cards(course, which)) and which.topic:
        missing, which = which.topic, Selection(which.sources)
        cards = store.cards(course, which)
    if not cards:
        cardless = without_cards(documents_of(which, sources), store.cards(course))
        raise none_fits(lacking(recognised.filter, sources), cardless)
    days = plan(cards, Scheduler(retention, fuzz=False), now, exam)
    told = Plan(exam, days, (*about, *filter(None, [which.topic])), missing)
    kept.keep(name, told.said)
    return told


def _about(
    said: str, recogniser: Recogniser, sources: Collection[Source]
) -> tuple[Recognised, Selection]:
    """The documents that a text names, and the topic besides: of a sentence what stands behind
    "de" or "sobre".
    """
    recognised = recogniser.recognise(said)
    rest = _HOW_LONG.sub(" ", re.sub(_HOUR, " ", recognised.rest))
    if _IS_SENTENCE.search(rest):
        rest = " ".join(_BEHIND.findall(rest))
    words = [word for word in topic_of(rest).split() if word not in _NO_TOPIC]
    topic = " ".join(words) if any(map(re.compile("[^\\W\\d_]").search, words)) else ""
    chosen = recognised.filter.select(sources) if recognised.phrases else None
    return recognised, Selection(chosen, topic)


def _day_in(said: str) -> re.Match[str] | None:
    """Where a folded text names a day: a date comes before "mañana" and "el viernes"."""
    found = (form.search(said) for form in (*_DAYS, _NEAR))
    return next(filter(None, found), None)


def day_said(said: str, now: datetime) -> tuple[date, str]:
    """The first day that is named, in a year to come where none is, and the text without it.

    Raises `StudyError` where none is named.
    """
    said, today = folded(said), now.astimezone().date()
    if match := _day_in(said):
        if match.re is _NEAR:
            return today + timedelta(days=_days_until(match, today)), _without(said, match)
        month = MONTHS.get(match["month"]) or int(match["month"])
        years = [int(match["year"])] if match["year"] else [today.year, today.year + 1]
        with suppress(ValueError):
            days = [date(year, month, int(match["day"])) for year in years]
            return next((day for day in days if day > today), days[0]), _without(said, match)
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
    n = int(near["n"]) if near["n"].isdecimal() else ONE_TO_TWELVE.get(near["n"], 1)
    return n if near["days"] else 7 * n
