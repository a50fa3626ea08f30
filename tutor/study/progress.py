"""How much of a course is known, topic by topic, and what is to be done until an exam."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from tutor.errors import StudyError
from tutor.i18n import _
from tutor.study.rows import SavedCard
from tutor.study.schedule import Grade, Scheduler

_LONGEST_PLAN = timedelta(days=366)
_HOUR_OF_STUDY = time(12)


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
        key = (origin.week, origin.title, origin.section) if origin else (None, "", "")
        groups.setdefault(key if sections else (*key[:2], ""), []).append(saved)
    return [_topic(key, group, scheduler, now) for key, group in groups.items()]


def _topic(
    key: tuple[int | None, str, str],
    cards: Sequence[SavedCard],
    scheduler: Scheduler,
    now: datetime,
) -> TopicProgress:
    schedules = [saved.schedule for saved in cards if saved.schedule]
    known = sum(scheduler.retrievability(schedule, now) for schedule in schedules)
    return TopicProgress(*key, len(cards), len(schedules), known)


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
        raise StudyError(_("%(day)s is more than a year away.") % {"day": exam})
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
            reviews.update(_due_days(scheduler, saved, due, exam))
    return [Day(day, reviews[day], news[day]) for day in days]


def _due_days(
    scheduler: Scheduler, saved: SavedCard | None, due: datetime, exam: date
) -> Counter[date]:
    """The days before the exam on which a card is asked, if it is always known."""
    found: Counter[date] = Counter()
    schedule = saved.schedule if saved else None
    while (day := due.astimezone().date()) < exam:
        found[day] = 1  # what comes back within minutes is one card all the same
        schedule = scheduler.graded(schedule, Grade.GOOD, due)
        due = schedule.due
    return found
