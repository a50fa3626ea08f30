"""Schedules are those of FSRS, in UTC, and the same each time."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import fsrs
import pytest

from tests.study_cards import BEGIN
from tutor.errors import StudyError
from tutor.study.schedule import Grade, Schedule, Scheduler

GRADES = (Grade.GOOD, Grade.GOOD, Grade.AGAIN, Grade.GOOD, Grade.HARD, Grade.EASY)
PLAIN = Scheduler(0.9, fuzz=False)


def reviewed(scheduler: Scheduler, grades: tuple[Grade, ...]) -> list[Schedule]:
    """The schedules after each of the grades, each given when the card is due."""
    schedules: list[Schedule] = []
    now = BEGIN
    for grade in grades:
        schedules.append(scheduler.graded(schedules[-1] if schedules else None, grade, now))
        now = schedules[-1].due
    return schedules


def test_the_schedule_is_that_of_the_package() -> None:
    theirs = fsrs.Scheduler(desired_retention=0.9, enable_fuzzing=False)
    memory, now = fsrs.Card(card_id=0, due=BEGIN), BEGIN
    for schedule, grade in zip(reviewed(PLAIN, GRADES), GRADES, strict=True):
        memory, _log = theirs.review_card(memory, fsrs.Rating(grade), now)
        assert schedule.due == memory.due
        assert schedule.learning == (memory.state is not fsrs.State.Review)
        assert schedule.due.tzinfo == UTC
        now = memory.due


def test_only_what_was_known_can_lapse() -> None:
    schedules = reviewed(PLAIN, (Grade.AGAIN, Grade.AGAIN, Grade.EASY, Grade.AGAIN, Grade.AGAIN))
    assert [schedule.lapses for schedule in schedules] == [0, 0, 0, 1, 1]


def test_who_wants_to_remember_more_reviews_more_often() -> None:
    easy = (Grade.EASY, Grade.GOOD)
    dues = [reviewed(Scheduler(r, fuzz=False), easy)[-1].due for r in (0.8, 0.9, 0.97)]
    assert dues == sorted(dues, reverse=True)
    assert len(set(dues)) == 3


def test_the_time_zone_of_a_review_does_not_matter() -> None:
    here = BEGIN.astimezone(timezone(timedelta(hours=-6)))
    assert PLAIN.graded(None, Grade.GOOD, here) == PLAIN.graded(None, Grade.GOOD, BEGIN)


def test_what_is_remembered_fades() -> None:
    (schedule,) = reviewed(PLAIN, (Grade.EASY,))
    at_due = PLAIN.retrievability(schedule, schedule.due)
    assert at_due == pytest.approx(0.9, abs=0.02)
    assert PLAIN.retrievability(schedule, BEGIN) == 1
    assert PLAIN.retrievability(schedule, schedule.due + timedelta(days=60)) < at_due


@pytest.mark.parametrize("memory", ["", "{}", "[]", '{"card_id": 0, "state": 9}', "null"])
def test_a_memory_that_makes_no_sense_is_told(memory: str) -> None:
    broken = Schedule(datetime(2026, 1, 1, tzinfo=UTC), False, 0, memory)
    with pytest.raises(StudyError, match="makes no sense"):
        PLAIN.graded(broken, Grade.GOOD, BEGIN)
