"""Exams are drawn fairly, scored with their uncertainty, and kept."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from scipy.stats import binomtest

from tests.study_cards import card, course, origin
from tutor.presentation.cards import exam_standing
from tutor.study.card import CardKind
from tutor.study.exams import ExamSitting, drawn, weak_sections, wilson
from tutor.study.store import StudyStore
from tutor.study.typed import TypedVerdict


@pytest.mark.parametrize(("right", "n"), [(0, 1), (1, 1), (0, 20), (13, 20), (20, 20), (99, 500)])
def test_the_interval_is_wilsons(right: int, n: int) -> None:
    theirs = binomtest(right, n).proportion_ci(method="wilson")
    assert wilson(right, n) == pytest.approx((theirs.low, theirs.high), abs=1e-6)


def test_questions_are_drawn_one_of_a_block(store: StudyStore) -> None:
    terms = [replace(made, kind=CardKind.TERM) for made in course(30)]
    sibling = card("otra", kind=CardKind.CLOZE, place=terms[0].origin)
    store.merge("ia", [*terms, sibling])
    cards = store.cards("ia")
    for seed in range(20):
        chosen = drawn(cards, 30, random.Random(seed))
        assert len({c.card.origin for c in chosen}) == 30
        assert [c.number for c in chosen] == sorted(c.number for c in chosen)
        *_others, last = drawn(cards, 99, random.Random(seed))  # too few facts: siblings, last
        assert last.card.origin == terms[0].origin
    few = [tuple(c.number for c in drawn(cards, 5, random.Random(seed))) for seed in range(20)]
    assert {len(numbers) for numbers in few} == {5}
    assert len(set(few)) > 10


def test_what_cannot_be_scored_or_is_set_aside_is_not_asked(store: StudyStore) -> None:
    fit, stale, aside = (
        card(name, kind=CardKind.TERM, place=origin(start=k)) for k, name in enumerate("abc")
    )
    store.merge("ia", [stale])
    phrase = card("e", "maximiza en cada paso la utilidad esperada", CardKind.ROW)
    store.merge("ia", [fit, aside, phrase, card("d", kind=CardKind.DEFINITION)])
    store.suspend(store.find("ia", aside.id).number)
    assert [saved.card for saved in drawn(store.cards("ia"), 9, random.Random(1))] == [fit]


def test_an_exam_is_kept_with_its_answers(store: StudyStore) -> None:
    store.merge("ia", course(4))
    chosen = store.cards("ia")
    exam = store.exams.begin("ia", chosen)
    for saved, verdict in zip(
        chosen, (TypedVerdict.RIGHT, TypedVerdict.PARTLY, TypedVerdict.WRONG), strict=False
    ):
        store.exams.answer(exam, saved.number, "x", verdict)
    (killed,) = store.exams.of_course("ia")  # as it is if the process is killed now
    assert (killed.ended, killed.right, len(killed.verdicts)) == (None, 1, 3)
    ended = store.exams.end(exam)
    assert ended
    assert ended.failed == [saved.number for saved in chosen[1:]]
    assert store.exams.of_course("ia") == [ended]
    assert store.exams.of_course("otro") == []
    assert store.counts("ia").reviews == 0


def test_an_exam_left_without_an_answer_is_not_kept(store: StudyStore) -> None:
    store.merge("ia", course(1))
    assert store.exams.end(store.exams.begin("ia", store.cards("ia"))) is None
    assert store.exams.of_course("ia") == []


def test_an_exam_whose_time_went_by_without_an_answer_is_kept(store: StudyStore) -> None:
    store.merge("ia", course(2))
    seconds = iter([0.0])
    sitting = ExamSitting(store.exams, "ia", store.cards("ia"), 60, lambda: next(seconds, 61.0))
    sitting.answer("tarde")
    assert sitting.too_late == "tarde"
    ended = sitting.end()
    assert ended
    assert (ended.right, len(ended.failed), ended.typed) == (0, 2, {})
    assert store.exams.of_course("ia") == [ended]


def test_the_weakest_section_comes_first(store: StudyStore) -> None:
    podas = [replace(origin(start=k, page=7 - k), section="Poda") for k in range(2)]
    made = [card("a", place=origin(start=9)), *(card(str(p.start), place=p) for p in podas)]
    store.merge("ia", made)
    store.add("ia", [card("mía", kind=CardKind.OWN)])
    assert [(o.section, o.first_page, n) for o, n in weak_sections(store.cards("ia"))] == [
        ("Poda", 6, 2),
        ("Heurísticas", 3, 1),
    ]


def test_answers_are_saved_as_they_come_until_the_time_is_over(store: StudyStore) -> None:
    asked = [card(f"¿{n}?", n, CardKind.CLOZE, origin(start=100 * k)) for k, n in enumerate("abc")]
    store.merge("ia", asked)
    now = [0.0]

    def clock() -> float:
        return now[0]

    sitting = ExamSitting(store.exams, "ia", store.cards("ia"), 60, clock)
    assert sitting.left_s == 60
    now[0] = 20.0
    sitting.answer("a")
    (saved,) = store.exams.of_course("ia")  # as it is if the process is killed now
    assert saved.right == 1
    now[0] = 60.5
    sitting.answer("b")
    assert sitting.is_late
    assert sitting.current is None
    ended = sitting.end()
    assert ended
    assert (ended.right, len(ended.verdicts), len(ended.failed)) == (1, 1, 2)


@pytest.mark.parametrize(
    ("left", "told"),
    [(600, "10 min left"), (61, "2 min left"), (60, "60 s left"), (0.4, "1 s left")],
)
def test_the_last_minute_is_told_in_seconds(store: StudyStore, left: float, told: str) -> None:
    store.merge("ia", course(1))
    sitting = ExamSitting(store.exams, "ia", store.cards("ia"), left, lambda: 0.0)
    assert told in exam_standing(sitting)
