"""What is known by topic, a plan that can be kept, and how the weeks went."""

from __future__ import annotations

import csv
import io
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from xml.etree import ElementTree

import pytest

from tests.study_cards import BEGIN, Clock, card, course, origin
from tutor.cli.commands.cards_progress import week_plot
from tutor.errors import StudyError
from tutor.presentation.plans import progress_text
from tutor.study.card import CardKind
from tutor.study.progress import (
    Graded,
    TopicProgress,
    Week,
    by_week,
    plan,
    topics,
    weeks_csv,
    weeks_svg,
)
from tutor.study.schedule import Grade, Scheduler
from tutor.study.store import StudyStore

PLAIN = Scheduler(0.9, fuzz=False)
TODAY = BEGIN.astimezone().date()
NOW = datetime(2026, 3, 4, 12, tzinfo=UTC)  # a Wednesday
MONDAY = date(2026, 3, 2)
WEEK = timedelta(days=7)


def test_topics_are_documents_or_their_sections(store: StudyStore, clock: Clock) -> None:
    other = replace(origin("s2", week=6), title="Redes")
    poda = replace(origin(start=50), section="Poda")
    store.merge("ia", [card("a"), card("b", place=poda), card("c", place=other)])
    store.add("ia", [card("mía", kind=CardKind.OWN)])
    store.grade(store.new("ia", 1)[0], Grade.EASY, PLAIN)
    found = topics(store.cards("ia"), PLAIN, clock.now)
    assert [(t.title, t.week, t.cards, t.seen, t.known) for t in found] == [
        ("Búsqueda informada", 5, 2, 1, 1.0),
        ("Redes", 6, 1, 0, 0.0),
        ("", None, 1, 0, 0.0),
    ]
    assert found[0].mastery == 0.5
    by_section = topics(store.cards("ia"), PLAIN, clock.now, sections=True)
    assert [t.section for t in by_section] == ["Heurísticas", "Poda", "Heurísticas", ""]
    clock.forward(days=60)
    assert topics(store.cards("ia"), PLAIN, clock.now)[0].mastery < 0.45


@pytest.fixture
def in_madrid(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The clock goes forward on 2026-03-29, back on 2026-10-25."""
    monkeypatch.setenv("TZ", "Europe/Madrid")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.mark.parametrize(
    ("studied", "now", "is_today"),
    [
        ("2026-03-28T22:30", "2026-03-29T10:00", False),
        ("2026-03-28T23:30", "2026-03-29T10:00", True),
        ("2026-10-24T21:30", "2026-10-25T12:00", False),
        ("2026-10-24T22:30", "2026-10-25T12:00", True),
        ("2026-05-04T22:30", "2026-05-05T10:00", True),
    ],
)
@pytest.mark.usefixtures("in_madrid")
def test_a_day_begins_at_midnight_whatever_the_clock_does_later(
    store: StudyStore, clock: Clock, studied: str, now: str, is_today: bool
) -> None:
    store.merge("ia", course(9))
    clock.now = datetime.fromisoformat(f"{studied}+00:00")
    for number in store.new("ia", 5):
        store.grade(number, Grade.GOOD, PLAIN)
    clock.now = datetime.fromisoformat(f"{now}+00:00")
    begun = 5 if is_today else 0
    assert len(store.new("ia", 5)) == min(5 - begun, 4)
    assert store.counts("ia").reviews_today == begun


@pytest.mark.usefixtures("in_madrid")
def test_what_is_due_is_counted_on_its_own_day_after_a_change_of_the_clock(
    store: StudyStore, clock: Clock
) -> None:
    store.merge("ia", course(1))
    clock.now = datetime(2026, 10, 24, 10, tzinfo=UTC)
    (number,) = store.new("ia", 1)
    due = datetime(2026, 10, 26, 22, 30, tzinfo=UTC)  # half past eleven, on Monday
    store.grade(number, Grade.EASY, PLAIN)
    with store.writing() as connection:
        connection.execute("UPDATE schedules SET due = ?", (due.isoformat(),))
    assert store.counts("ia").due_by_day == (0, 0, 1, 0, 0, 0, 0)


def test_new_cards_are_spread_over_the_days(store: StudyStore) -> None:
    store.merge("ia", course(25))
    days = plan(store.cards("ia"), PLAIN, BEGIN, TODAY + timedelta(days=10))
    assert [day.day for day in days] == [TODAY + timedelta(days=n) for n in range(10)]
    assert sum(day.new for day in days) == 25
    assert {day.new for day in days} == {2, 3}
    assert sum(day.reviews for day in days) > 15  # those begun on the last days need none yet
    assert days[0].reviews == 0


def test_what_is_due_is_planned_for_its_day(store: StudyStore, clock: Clock) -> None:
    store.merge("ia", course(2))
    first, second = store.new("ia", 2)
    due = store.grade(first, Grade.EASY, PLAIN).schedule.due
    store.suspend(second)
    days = plan(store.cards("ia"), PLAIN, clock.now, TODAY + timedelta(days=12))
    assert [day.day for day in days if day.reviews] == [due.astimezone().date()]
    clock.forward(days=30)
    late = plan(store.cards("ia"), PLAIN, clock.now, clock.now.date() + timedelta(days=3))
    assert [day.reviews for day in late] == [1, 0, 0]  # what is overdue is for today


@pytest.mark.parametrize("days", [-1, 0, 400])
def test_a_day_that_cannot_be_planned_for_is_told(store: StudyStore, days: int) -> None:
    store.merge("ia", course(1))
    with pytest.raises(StudyError, match=r"not in the future|more than a year"):
        plan(store.cards("ia"), PLAIN, BEGIN, TODAY + timedelta(days=days))


# --- week by week ---


def graded(days: int, *, was_known: bool = True, remembered: bool = True) -> Graded:
    return Graded(NOW + timedelta(days=days), was_known, remembered)


def test_reviews_and_due_cards_are_counted_by_week() -> None:
    reviews = [
        graded(-14, was_known=False), graded(-14), graded(-12, remembered=False), graded(0),
    ]  # fmt: skip
    due = [NOW - timedelta(days=40), NOW + timedelta(days=1), NOW + timedelta(days=13)]
    assert by_week(reviews, due, NOW) == [
        Week(MONDAY - 2 * WEEK, 3, 2, 1, 0),
        Week(MONDAY - WEEK, 0, 0, 0, 0),
        Week(MONDAY, 1, 1, 1, 2),
        Week(MONDAY + WEEK, 0, 0, 0, 0),
        Week(MONDAY + 2 * WEEK, 0, 0, 0, 1),
    ]
    assert by_week([], [], NOW) == [Week(MONDAY, 0, 0, 0, 0)]


def test_what_is_years_away_makes_no_endless_table() -> None:
    weeks = by_week([graded(-4000)], [NOW + timedelta(days=9000)], NOW)
    assert len(weeks) == 105


def test_a_first_answer_is_no_retention(store: StudyStore, clock: Clock) -> None:
    store.merge("ia", course(1))
    (number,) = store.new("ia", 1)
    for grade, days in ((Grade.EASY, 0), (Grade.AGAIN, 60), (Grade.GOOD, 0)):
        clock.forward(days=days)
        store.grade(number, grade, PLAIN)
    assert [(one.was_known, one.remembered) for one in store.graded("ia")] == [
        (False, True), (True, False), (False, True),
    ]  # fmt: skip
    assert store.graded("otro") == []


def test_the_plot_has_a_bar_for_each_week_in_sight() -> None:
    weeks = by_week([graded(-7 * n) for n in range(30)], [NOW + timedelta(days=70)], NOW)
    lines = week_plot(weeks, NOW.date()).split("\n")
    assert len(lines) == 1 + 12 + 9
    assert "100%" in lines[1]
    assert lines[1].endswith("█" * 36)
    assert not lines[-1].endswith("█")


def test_the_drawing_is_sound_and_the_figures_can_be_read_back() -> None:
    weeks = by_week([graded(-7), graded(-7, remembered=False)], [NOW + timedelta(days=9)], NOW)
    drawing = ElementTree.fromstring(weeks_svg(weeks, "<IA> & más"))
    bars = [one for one in drawing.iter() if one.tag.endswith("rect") and one.get("x")]
    assert len(bars) == 2 * len(weeks)
    assert sum(one.tag.endswith("circle") for one in drawing.iter()) == 1
    assert "<IA> & más" in "".join(drawing.itertext())
    rows = list(csv.DictReader(io.StringIO(weeks_csv(weeks))))
    assert [row["retention"] for row in rows] == ["0.5000", "", ""]
    assert [row["due"] for row in rows] == ["0", "0", "1"]


@pytest.mark.parametrize(("width", "longest"), [(73, 73), (120, 120), (20, 60)])
def test_a_title_takes_the_room_that_the_figures_leave(width: int, longest: int) -> None:
    told = progress_text([TopicProgress(None, "Un título largo " * 9, "", 20, 5, 4.0)], width)
    assert max(map(len, told.splitlines())) == longest
