"""One sitting: what comes next, and what can be taken back."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.study_cards import Clock, card, course, origin
from tutor.presentation.cards import used_up_text
from tutor.study.schedule import Grade, Scheduler
from tutor.study.sitting import Sitting
from tutor.study.store import StudyStore

PLAIN = Scheduler(0.9, fuzz=False)


@pytest.fixture
def store(store: StudyStore) -> StudyStore:
    store.merge("ia", course(3))
    return store


def sitting(store: StudyStore, new: int = 10) -> Sitting:
    return Sitting(store, "ia", PLAIN, new)


def asked(sitting: Sitting) -> str:
    card = sitting.advance()
    assert card is not None
    return card.card.answer


def test_due_cards_come_before_new_ones(store: StudyStore, clock: Clock) -> None:
    last = store.new("ia", 3)[2]
    store.grade(last, Grade.EASY, PLAIN)
    clock.forward(days=30)
    review = sitting(store)
    assert review.left == 3
    assert asked(review) == "Es 2."
    review.grade(Grade.EASY)
    assert [asked(review), review.left] == ["Es 0.", 2]


def test_what_was_forgotten_comes_back_after_the_others(store: StudyStore) -> None:
    review = sitting(store)
    order = []
    for grade in (Grade.AGAIN, Grade.EASY, Grade.EASY, Grade.EASY):
        order.append(asked(review))
        review.grade(grade)
    assert order == ["Es 0.", "Es 1.", "Es 2.", "Es 0."]
    assert review.advance() is None
    assert review.grades == [Grade.AGAIN, Grade.EASY, Grade.EASY, Grade.EASY]


def test_what_was_forgotten_comes_back_when_its_minute_is_over(
    store: StudyStore, clock: Clock
) -> None:
    review = sitting(store)
    assert asked(review) == "Es 0."
    review.grade(Grade.AGAIN)
    clock.forward(minutes=2)
    assert asked(review) == "Es 0."
    assert not review.is_early


@pytest.mark.parametrize(
    "do",
    [lambda s: s.grade(Grade.GOOD), Sitting.suspend, Sitting.delete],
    ids=["grade", "suspend", "delete"],
)
def test_whatever_was_done_last_can_be_taken_back(
    store: StudyStore, do: Callable[[Sitting], object]
) -> None:
    review = sitting(store)
    first = review.advance()
    do(review)
    second = asked(review)
    assert review.undo()
    assert review.advance() == first
    review.grade(Grade.EASY)
    assert asked(review) == second
    review.grade(Grade.EASY)
    assert asked(review) == "Es 2."
    assert not store.counts("ia").suspended
    assert store.counts("ia").cards == 3


def test_a_card_graded_before_its_time_can_be_taken_back(store: StudyStore) -> None:
    review = sitting(store, new=1)
    asked(review)
    review.grade(Grade.AGAIN)
    assert asked(review) == "Es 0."  # nothing else is left
    assert review.is_early
    review.grade(Grade.EASY)
    assert review.advance() is None
    review.undo()
    assert asked(review) == "Es 0."
    assert review.grades == [Grade.AGAIN]


def test_nothing_was_done_yet(store: StudyStore) -> None:
    assert not sitting(store).undo()


def test_what_another_window_has_done_is_not_asked_again(store: StudyStore) -> None:
    review, other = sitting(store), sitting(store)
    asked(review)
    review.grade(Grade.EASY)
    asked(review)
    review.suspend()
    assert asked(other) == "Es 2."


def test_an_edit_shows_at_once(store: StudyStore) -> None:
    review = sitting(store)
    review.advance()
    review.edit("¿Cero?", "Cero.")
    assert review.current is not None
    assert review.current.card.answer == "Cero."
    assert store.get(review.current.number).is_edited


def test_no_new_cards_are_wanted(store: StudyStore) -> None:
    review = sitting(store, new=0)
    assert review.advance() is None
    assert review.left == 0
    assert review.next_due is None


def test_what_the_notes_lose_before_it_was_seen_is_not_asked_by_a_sitting_that_waits(
    store: StudyStore,
) -> None:
    review = sitting(store)
    assert asked(review) == "Es 0."
    review.grade(Grade.AGAIN)
    store.merge("ia", course(3)[2:])
    assert asked(review) == "Es 2."
    review.grade(Grade.EASY)
    assert asked(review) == "Es 0."  # it was learned: the card itself says that it has changed


def test_a_question_asked_in_two_ways_is_not_asked_twice_in_a_row(store: StudyStore) -> None:
    twice = [card("¿Qué es A*?", answer, place=origin(start=900)) for answer in ("uno", "dos")]
    store.merge("b", [*twice, card("¿Qué es B?", "tres", place=origin(start=1500))])
    review = Sitting(store, "b", PLAIN, 10)
    order = []
    for grade in (Grade.AGAIN, Grade.EASY, Grade.EASY):
        order.append(asked(review))
        review.grade(grade)
    assert order == ["uno", "tres", "dos"]


def test_a_practice_asks_each_card_once_and_what_was_forgotten_once_more(
    store: StudyStore, clock: Clock
) -> None:
    numbers = [saved.number for saved in store.cards("ia")][:3]
    practice = Sitting(store, "ia", Scheduler(0.9), 0, only=numbers)
    given = {numbers[0]: Grade.GOOD, numbers[1]: Grade.AGAIN, numbers[2]: Grade.HARD}
    seen = []
    while saved := practice.advance():
        assert len(seen) < 9
        seen.append(saved.number)
        practice.grade(given[saved.number])
        clock.forward(minutes=2)
    assert seen == [*numbers, numbers[1]]
    assert practice.coming_back == 0


def test_that_a_days_new_cards_are_used_up_is_told(store: StudyStore, clock: Clock) -> None:
    store.merge("ia", course(6))
    first = sitting(store, new=2)
    assert first.used_up is None
    for saved in store.cards("ia")[:3]:  # as in a quiz
        store.grade(saved.number, Grade.EASY, Scheduler(0.9))
    later = sitting(store, new=2)
    assert later.advance() is None
    assert later.used_up == (3, 2)
    told = used_up_text(later, "100% mine/tutor study --new {}".format)
    assert told == "Today's 3 new cards have been begun. 100% mine/tutor study --new 5"
    assert sitting(store, new=0).used_up is None
    clock.forward(days=1)
    assert sitting(store, new=2).used_up is None
    assert used_up_text(sitting(store, new=2), str) == ""


def test_nothing_is_used_up_where_every_card_was_seen(store: StudyStore) -> None:
    for saved in store.cards("ia"):
        store.grade(saved.number, Grade.EASY, Scheduler(0.9))
    assert sitting(store, new=1).used_up is None


def test_the_cards_of_a_course_are_read_once_for_a_sitting(
    store: StudyStore, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.merge("ia", course(40))
    for saved in store.cards("ia")[:20]:
        store.grade(saved.number, Grade.EASY, PLAIN)
    clock.forward(days=100)
    read: list[str] = []
    for reads in (StudyStore.cards, StudyStore.get):
        monkeypatch.setattr(
            StudyStore,
            reads.__name__,
            lambda *args, reads=reads: read.append(reads.__name__) or reads(*args),
        )
    review = sitting(store)
    assert (review.left, read) == (30, ["cards"])
    assert review.advance()
    review.compare("Es un nodo.")
    assert read == ["cards", "get"]
    assert review.used_up is None


def test_what_waits_is_not_read_to_part_siblings(
    store: StudyStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.merge("b", [card("¿Qué es A*?", f"Es {n}.", place=origin("s2", n)) for n in range(50)])
    review = Sitting(store, "b", PLAIN, 50)
    review.advance()
    review.grade(Grade.EASY)
    read: list[int] = []
    get = StudyStore.get
    monkeypatch.setattr(
        StudyStore, "get", lambda self, number: read.append(number) or get(self, number)
    )
    assert review.advance()
    assert len(read) <= 3


def test_a_question_rewritten_in_the_sitting_parts_from_its_new_siblings(store: StudyStore) -> None:
    review = sitting(store)
    review.advance()
    review.edit("¿Qué es 1?", "Es 0.")
    review.grade(Grade.EASY)
    assert asked(review) == "Es 2."
