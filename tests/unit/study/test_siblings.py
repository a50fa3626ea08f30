"""Of cards that stand on one fact of the notes one is asked in a quiz, an exam, a day."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest

from tests.study_cards import Clock, card, origin
from tutor.study.card import Card, CardKind, Origin
from tutor.study.practice import Practice
from tutor.study.saved import SavedCard, Stale
from tutor.study.schedule import Grade, Scheduler
from tutor.study.siblings import are_siblings, siblings_last, spread
from tutor.study.sitting import Sitting
from tutor.study.store import StudyStore

KINDS = (CardKind.TERM, CardKind.CHOICE, CardKind.TRUE_FALSE)


def of_fact(n: int) -> list[Card]:
    """The three cards of a definition."""
    place = origin(start=100 * n)
    return [card(f"¿{kind} {n}?", f"término {n}", kind, place) for kind in KINDS]


@pytest.fixture
def facts(store: StudyStore) -> StudyStore:
    store.merge("ia", [made for n in range(3) for made in of_fact(n)])
    return store


def places(store: StudyStore, numbers: list[int]) -> list[int]:
    found = [store.get(number).card.origin for number in numbers]
    return [place.start for place in found if place]


def test_a_quiz_asks_each_fact_once_before_any_twice(facts: StudyStore) -> None:
    assert places(facts, Practice(3).chosen(facts, "ia")) == [0, 100, 200]
    assert places(facts, Practice(7).chosen(facts, "ia")) == [0, 100, 200] * 2 + [0]


def test_new_cards_of_a_day_are_of_facts_apart(facts: StudyStore, clock: Clock) -> None:
    first, *_others = facts.new("ia", 2)
    assert places(facts, facts.new("ia", 2)) == [0, 100]
    facts.grade(first, Grade.EASY, Scheduler(0.9))
    assert places(facts, facts.new("ia", 3)) == [100, 200]
    assert places(facts, facts.new("ia", 9)) == [100, 200, 0, 100, 200, 0, 100, 200]
    clock.forward(days=1)
    assert places(facts, facts.new("ia", 3)) == [0, 100, 200]


def test_nothing_new_is_of_a_fact_that_is_due(facts: StudyStore, clock: Clock) -> None:
    facts.grade(facts.new("ia", 1)[0], Grade.AGAIN, Scheduler(0.9))
    clock.forward(days=1)
    assert places(facts, facts.new("ia", 2)) == [100, 200]


def test_what_is_due_of_one_fact_is_put_apart(facts: StudyStore, clock: Clock) -> None:
    for number in range(1, 10):
        facts.grade(number, Grade.EASY, Scheduler(0.9, fuzz=False))
    clock.forward(days=100)
    sitting, asked = Sitting(facts, "ia", Scheduler(0.9), 0), []
    while saved := sitting.advance():
        asked.append(saved.number)
        sitting.grade(Grade.EASY)
    assert places(facts, asked) == [0, 100, 200] * 3


def test_siblings_overlap_or_ask_the_same(tmp_path: Path) -> None:
    whole = card("¿Lista?", place=replace(origin(), end=300))
    one, two = card("¿Uno?", place=origin(start=10)), card("¿Dos?", place=origin(start=200))
    assert are_siblings(whole, one)
    assert are_siblings(whole, two)
    assert not are_siblings(one, two)
    elsewhere = card("[Tema] ¿Uno?", place=origin("s2"))
    assert are_siblings(one, elsewhere)
    with StudyStore(tmp_path / "study.db") as store:
        store.merge("ia", [one, two, whole, elsewhere])
        questions = [saved.card.question for saved in siblings_last(store.cards("ia"))]
    assert questions == ["¿Uno?", "¿Dos?", "¿Lista?", "[Tema] ¿Uno?"]


def saved(number: int, question: str, place: Origin | None = None) -> SavedCard:
    made = card(question, f"Es {number}.", CardKind.ROW if place else CardKind.OWN, place)
    return SavedCard(number, "ia", made, made, None, False, False, Stale.NO, False)


def rounds(cards: list[SavedCard], asked: tuple[SavedCard, ...] = ()) -> list[list[int]]:
    return [[one.number for one in cards_of_round] for cards_of_round in spread(cards, asked)]


@pytest.mark.parametrize("place", [None, origin()])
def test_of_many_siblings_each_has_a_round(place: Origin | None) -> None:
    alike = [saved(n, f"¿{n}?" if place else "¿Qué señala la flecha?", place) for n in range(300)]
    assert rounds([*alike, saved(300, "¿Otra?")]) == [[0, 300], *([n] for n in range(1, 300))]


def test_no_more_cards_are_looked_at_than_are_taken() -> None:
    waiting = (saved(n, f"¿{n // 2}?") for n in range(100))
    assert [one.number for one in islice(siblings_last(waiting), 3)] == [0, 2, 4]
    assert next(waiting).number == 5


def test_a_sibling_of_what_was_asked_is_none_of_the_first_round() -> None:
    row, other = saved(1, "¿Fila 1?", origin()), saved(5, "¿Fila 5?", origin(start=50))
    table = saved(2, "¿Tabla?", replace(origin(), end=100))
    assert rounds([other], (row,)) == [[5]]
    assert rounds([other], (row, table)) == [[], [5]]
    assert rounds([other], (table, row)) == [[], [5]]
    renamed = replace(other, card=replace(other.card, question="[Tema] ¿Fila 1?"))
    assert rounds([saved(6, "¿Fila 6?", origin(start=60))], (row, renamed)) == [[], [6]]
    assert rounds([saved(7, "¿Fila 7?", origin(start=100))], (row, table, other)) == [[7]]
