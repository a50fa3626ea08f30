"""A course in numbers: its cards, topic by topic, until an exam, and week by week."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, date, datetime, time, timedelta
from html import escape

from tutor.errors import StudyError
from tutor.i18n import _
from tutor.study.saved import CHANGED, LIVE, SavedCard
from tutor.study.schedule import Grade, Schedule, Scheduler
from tutor.text.cells import csv_text

_LONGEST_PLAN = timedelta(days=366)
_HOUR_OF_STUDY = time(12)
_WEEK = timedelta(days=7)
_MOST_WEEKS = 52
"""Weeks that are looked back and ahead at most."""


@dataclass(frozen=True, slots=True)
class CardCounts:
    """A course in numbers: of cards that are not deleted, and of reviews of all."""

    due_by_day: tuple[int, ...]
    """Cards due until the end of today, tomorrow, and so on for a week; none is counted twice."""
    cards: int
    new: int
    learning: int
    known: int
    due: int
    suspended: int
    leeches: int
    stale: int
    edited: int
    own: int
    reviews: int
    remembered: int
    reviews_today: int
    """Since midnight here."""


def midnight(day: date) -> datetime:
    """When a day begins here, in UTC: days on which the clock is changed are no 24 hours long."""
    return datetime.combine(day, time()).astimezone(UTC)


def counted(connection: sqlite3.Connection, course: str, now: datetime) -> CardCounts:
    """A course in numbers."""
    today = now.astimezone().date()
    ends = {f"end_{n}": midnight(today + timedelta(days=n)).isoformat() for n in range(1, 8)}
    due = [f"total(NOT c.suspended AND s.due < :{end})" for end in ends]
    cards = connection.execute(
        f"""
        SELECT {", ".join(due)},
            count(*), total(s.card IS NULL), total(s.learning), total(NOT s.learning),
            total(s.due <= :now AND NOT c.suspended), total(c.suspended), total(c.leech),
            total({CHANGED}), total(c.question IS NOT NULL OR c.answer IS NOT NULL),
            total(c.kind = 'own')
        FROM cards c LEFT JOIN schedules s ON s.card = c.number WHERE {LIVE}
        """,  # noqa: S608 - ours
        {**ends, "course": course, "now": now.isoformat()},
    ).fetchone()
    reviews = connection.execute(
        """
        SELECT count(*), total(r.grade > 1), total(r.reviewed >= ?)
        FROM reviews r JOIN cards c ON c.number = r.card WHERE c.course = ?
        """,
        (midnight(today).isoformat(), course),
    ).fetchone()
    *until, last = map(int, cards[: len(ends)])
    by_day = tuple(n - before for n, before in zip((*until, last), (0, *until), strict=True))
    return CardCounts(by_day, *map(int, (*cards[len(ends) :], *reviews)))


@dataclass(frozen=True, slots=True)
class TopicProgress:
    """A document or a section of it: its cards, how many were ever asked, and how many of them
    would be remembered now, as FSRS expects.
    """

    week: int | None
    title: str
    section: str
    cards: int
    seen: int
    known: float

    @property
    def mastery(self) -> float:
        """The share of all cards that would be remembered now."""
        return self.known / self.cards


@dataclass(frozen=True, slots=True)
class Day:
    """What one day of a plan asks for, in cards."""

    day: date
    reviews: int
    new: int


def topics(
    cards: Iterable[SavedCard], scheduler: Scheduler, now: datetime, *, sections: bool = False
) -> list[TopicProgress]:
    """The topics in the order of the notes; cards of one's own have no title."""
    groups: dict[tuple[int | None, str, str], list[SavedCard]] = {}
    for saved in cards:
        origin = saved.card.origin
        key: tuple[int | None, str, str]
        key = (origin.week, origin.title, origin.section) if origin else (None, "", "")
        groups.setdefault(key if sections else (key[0], key[1], ""), []).append(saved)
    return [
        TopicProgress(
            *key,
            cards=len(group),
            seen=sum(saved.schedule is not None for saved in group),
            known=sum(
                scheduler.retrievability(saved.schedule, now) for saved in group if saved.schedule
            ),
        )
        for key, group in groups.items()
    ]


def plan(cards: Iterable[SavedCard], scheduler: Scheduler, now: datetime, exam: date) -> list[Day]:
    """What to do on each day from today to the one before the exam.

    New cards are spread evenly; every review is taken to be good, so that it may be more in the
    end. Raises `StudyError` for a day that is over, or more than a year away.
    """
    today = now.astimezone().date()
    if exam <= today:
        raise StudyError(
            _("%(day)s is not in the future.") % {"day": exam},
            _("Give the day of the exam as in 2026-12-10."),
        )
    if exam - today > _LONGEST_PLAN:
        raise StudyError(
            _("%(day)s is more than a year away.") % {"day": exam},
            _("Give a day until %(last)s.") % {"last": today + _LONGEST_PLAN},
        )
    days = [today + timedelta(days=n) for n in range((exam - today).days)]
    asked = [saved for saved in cards if not saved.suspended]
    fresh = [saved for saved in asked if saved.schedule is None and not saved.stale]
    news: Counter[date] = Counter()
    reviews: Counter[date] = Counter()
    for place, _saved in enumerate(fresh):
        begun = days[place * len(days) // len(fresh)]
        news[begun] += 1
        first = datetime.combine(begun, _HOUR_OF_STUDY).astimezone()
        reviews.update(_due_days(scheduler, None, first, exam) - Counter([begun]))
    for saved in asked:
        if saved.schedule:
            due = max(saved.schedule.due, now)
            reviews.update(_due_days(scheduler, saved.schedule, due, exam))
    return [Day(day, reviews[day], news[day]) for day in days]


def _due_days(
    scheduler: Scheduler, schedule: Schedule | None, due: datetime, exam: date
) -> Counter[date]:
    """The days before the exam on which a card is asked, if it is always known."""
    found: Counter[date] = Counter()
    while (day := due.astimezone().date()) < exam:
        found[day] = 1  # what comes back within minutes is one card all the same
        schedule = scheduler.graded(schedule, Grade.GOOD, due)
        due = schedule.due
    return found


# --- week by week ---


@dataclass(frozen=True, slots=True)
class Graded:
    """A review: when, of a card that was known before or not, and whether it was remembered."""

    when: datetime
    was_known: bool
    remembered: bool


@dataclass(frozen=True, slots=True)
class Week:
    """A week from Monday on: reviews, those of known cards, those of them that were remembered,
    and cards that come due. What is overdue comes due this week.
    """

    monday: date
    reviews: int
    known: int
    remembered: int
    due: int

    @property
    def retention(self) -> float | None:
        """The share of known cards that were remembered; None where none was asked."""
        return self.remembered / self.known if self.known else None


def by_week(reviews: Iterable[Graded], due: Iterable[datetime], now: datetime) -> list[Week]:
    """The weeks from the first review to the last card that comes due, this one among them."""
    today = _monday(now)
    given = [(_monday(review.when), review) for review in reviews]
    done = Counter(monday for monday, _review in given)
    known = Counter(monday for monday, review in given if review.was_known)
    good = Counter(monday for monday, one in given if one.was_known and one.remembered)
    coming = Counter(max(today, _monday(when)) for when in due)
    first = max(min(done, default=today), today - _MOST_WEEKS * _WEEK)
    last = min(max(coming, default=today), today + _MOST_WEEKS * _WEEK)
    mondays = [
        min(first, today) + n * _WEEK for n in range((last - min(first, today)).days // 7 + 1)
    ]
    return [Week(day, done[day], known[day], good[day], coming[day]) for day in mondays]


def _monday(when: datetime) -> date:
    day = when.astimezone().date()
    return day - timedelta(days=day.weekday())


def weeks_csv(weeks: Iterable[Week]) -> str:
    """The weeks as CSV."""
    records = [
        {
            **asdict(week),
            "week": week.monday,
            "retention": None if week.retention is None else f"{week.retention:.4f}",
        }
        for week in weeks
    ]
    return csv_text(("week", "reviews", "known", "remembered", "retention", "due"), records)


_LEFT, _STEP, _HEIGHT, _TOP = 60, 26, 150, 50
"""Of the drawing, in pixels: margin, a week, one of its two panels, what is above each of them."""


def weeks_svg(weeks: Sequence[Week], title: str) -> str:
    """Retention above, reviews (full) and cards that come due (pale) below, as a drawing."""
    width, lower = _LEFT + max(10, len(weeks)) * _STEP + 20, 2 * _TOP + _HEIGHT
    most = max(1, *(week.reviews + week.due for week in weeks))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{lower + _HEIGHT + 50}">',
        '<rect width="100%" height="100%" fill="#fff"/>',
        '<g font-family="sans-serif" font-size="11" fill="#333">',
        f'<text x="{_LEFT}" y="22" font-size="15">{escape(title)}</text>',
        *_panel(_TOP, _("Remembered, of known cards"), ("0%", "50%", "100%"), width),
        *_panel(lower, _("Reviews (full) and due (pale)"), ("0", str(most)), width),
    ]
    points = []
    for place, week in enumerate(weeks):
        x, y = _LEFT + place * _STEP, lower + _HEIGHT
        for n, colour in ((week.reviews, "#2a6fb0"), (week.due, "#a9cdeb")):
            height = round(_HEIGHT * n / most)
            y -= height
            parts.append(
                f'<rect x="{x}" y="{y}" width="{_STEP - 6}" height="{height}" fill="{colour}"/>'
            )
        if place % 4 == 0:
            below = lower + _HEIGHT + 16
            parts.append(f'<text x="{x}" y="{below}">{week.monday:%d.%m.%y}</text>')
        if week.retention is not None:
            points.append((x + _STEP // 2 - 3, _TOP + round(_HEIGHT * (1 - week.retention))))
    line = " ".join(f"{x},{y}" for x, y in points)
    parts.append(f'<polyline points="{line}" fill="none" stroke="#b0502a" stroke-width="2"/>')
    parts += [f'<circle cx="{x}" cy="{y}" r="3" fill="#b0502a"/>' for x, y in points]
    return "\n".join((*parts, "</g></svg>")) + "\n"


def _panel(top: int, title: str, marks: Sequence[str], width: int) -> list[str]:
    """A panel's title, and lines across it, from below, each with what it means."""
    step = _HEIGHT // (len(marks) - 1)
    lines = [(top + _HEIGHT - place * step, told) for place, told in enumerate(marks)]
    return [f'<text x="{_LEFT}" y="{top - 6}">{escape(title)}</text>'] + [
        f'<line x1="{_LEFT}" x2="{width - 10}" y1="{y}" y2="{y}" stroke="#ddd"/>'
        f'<text x="{_LEFT - 8}" y="{y + 4}" text-anchor="end">{told}</text>'
        for y, told in lines
    ]
