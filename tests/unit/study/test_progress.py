"""What is known by topic, and a plan that can be kept."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from tests.study_cards import BEGIN, Clock, card, course, origin
from tutor.errors import StudyError
from tutor.study.card import CardKind
from tutor.study.progress import plan, topics
from tutor.study.schedule import Grade, Scheduler
from tutor.study.store import FILE_NAME, StudyStore

PLAIN = Scheduler(0.9, fuzz=False)
TODAY = BEGIN.astimezone().date()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(tmp_path: Path, clock: Clock) -> Iterator[StudyStore]:
    with StudyStore(tmp_path / FILE_NAME, now=clock) as opened:
        yield opened


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
