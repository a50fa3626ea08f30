"""What a student graded and wrote is kept, whatever becomes of the notes and of the file."""

from __future__ import annotations

import sqlite3
import stat
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.study_cards import Clock, card, course, origin
from tutor.errors import StudyError
from tutor.model import SourceId
from tutor.study.card import CardKind
from tutor.study.practice import Practice
from tutor.study.saved import VERSION, SavedCard
from tutor.study.schedule import LEECH_LAPSES, Grade, Scheduler
from tutor.study.store import FILE_NAME, Merged, StudyStore
from tutor.study.topics import Selection

PLAIN = Scheduler(0.9, fuzz=False)


def questions(store: StudyStore, numbers: list[int]) -> list[str]:
    return [store.get(number).card.question for number in numbers]


def test_cards_made_anew_keep_schedule_edit_and_marks(store: StudyStore) -> None:
    first = course(3)
    assert store.merge("ia", first) == Merged(3, 0, 0)
    number = store.find("ia", first[0].id).number
    store.grade(number, Grade.EASY, PLAIN)
    store.edit(number, "¿Qué es cero?", "Es cero.")
    store.suspend(number)
    before = store.get(number)
    moved = [replace(first[0], origin=origin(start=7, page=9)), *first[1:]]
    assert store.merge("ia", moved) == Merged(0, 3, 0)
    after = store.get(number)
    assert after.schedule == before.schedule
    assert (after.card.question, after.card.answer) == ("¿Qué es cero?", "Es cero.")
    assert after.suspended
    assert after.made.origin == moved[0].origin


def test_what_the_notes_no_longer_say_is_kept_and_marked(store: StudyStore) -> None:
    gone, left = course(2)
    own = card("mía", kind=CardKind.OWN)
    store.merge("ia", [gone, left])
    store.add("ia", [own])
    store.merge("otro", [gone])
    store.grade(store.find("ia", gone.id).number, Grade.GOOD, PLAIN)
    assert store.merge("ia", [left]) == Merged(0, 1, 1)
    stale = store.find("ia", gone.id)
    assert stale.stale
    assert stale.schedule is not None
    assert not store.find("ia", own.id).stale
    assert not store.find("otro", gone.id).stale
    store.merge("otro", [])
    assert store.new("otro", 9) == []  # what the notes no longer say is not begun
    assert store.merge("ia", [gone, left]) == Merged(0, 2, 0)
    assert not store.find("ia", gone.id).stale


def test_a_deleted_card_is_not_made_again_but_can_be_brought_back(store: StudyStore) -> None:
    one, other = course(2)
    store.merge("ia", [one, other])
    number = store.find("ia", one.id).number
    store.delete(number)
    assert store.merge("ia", [one, other]) == Merged(0, 2, 0)
    assert questions(store, store.new("ia", 9)) == [other.question]
    assert [saved.card for saved in store.cards("ia", deleted=True)] == [one]
    store.delete(number, deleted=False)
    assert len(store.cards("ia")) == 2


def test_a_deleted_card_of_ones_own_comes_back_when_it_is_added_again(store: StudyStore) -> None:
    own = card("mía", kind=CardKind.OWN)
    assert store.add("ia", [own, own]) == 1
    store.delete(store.find("ia", own.id).number)
    assert store.add("ia", [own]) == 0
    assert not store.find("ia", own.id).deleted


def test_the_longest_due_comes_first(store: StudyStore, clock: Clock) -> None:
    store.merge("ia", course(3))
    numbers = store.new("ia", 3)
    for number, grade in zip(numbers, (Grade.GOOD, Grade.AGAIN, Grade.EASY), strict=True):
        store.grade(number, grade, PLAIN)
    clock.forward(minutes=11)
    assert store.due("ia") == [numbers[1], numbers[0]]
    clock.forward(days=30)
    assert store.due("ia") == [numbers[1], numbers[0], numbers[2]]
    store.suspend(numbers[1])
    store.delete(numbers[0])
    assert store.due("ia") == [numbers[2]]


def test_new_cards_are_limited_by_the_day(store: StudyStore, clock: Clock) -> None:
    store.merge("ia", course(5))
    numbers = store.new("ia", 2)
    assert len(numbers) == 2
    store.grade(numbers[0], Grade.AGAIN, PLAIN)
    clock.forward(minutes=2)
    store.grade(numbers[0], Grade.GOOD, PLAIN)  # not new any more
    assert len(store.new("ia", 2)) == 1
    clock.forward(days=1)
    assert len(store.new("ia", 2)) == 2


@pytest.mark.parametrize("graded", [0, 1])
@pytest.mark.parametrize("deleted", [True, False])
def test_what_another_process_deletes_or_brings_back_meanwhile_is_left_out(
    store: StudyStore,
    clock: Clock,
    monkeypatch: pytest.MonkeyPatch,
    graded: int,
    deleted: bool,
) -> None:
    store.merge("ia", course(3))
    (number, *others) = store.new("ia", 3)
    for one in [number, *others][:graded]:
        store.grade(one, Grade.AGAIN, PLAIN)
    clock.forward(days=1)
    store.delete(number, deleted=not deleted)
    read = store.cards

    def cards(*args: Any) -> list[SavedCard]:
        before = read(*args)
        store.delete(number, deleted=deleted)
        return read(*args) if deleted else before

    for chosen in (lambda: store.new("ia", 9), lambda: Practice(9).chosen(store, "ia")):
        with monkeypatch.context() as patch:
            patch.setattr(store, "cards", cards)
            assert chosen() == others
        store.delete(number, deleted=not deleted)


def test_siblings_of_a_section_come_after_the_cards_of_others(store: StudyStore) -> None:
    first, second = origin(start=0), replace(origin(start=500), section="A*")
    cards = [*(card(name, place=first) for name in "abc"), card("d", place=second)]
    store.merge("ia", cards)
    assert questions(store, store.new("ia", 9)) == ["a", "d", "b", "c"]
    store.grade(store.new("ia", 1)[0], Grade.GOOD, PLAIN)  # the next day goes on with others
    assert questions(store, store.new("ia", 9)) == ["d", "b", "c"]


def test_cards_are_chosen_by_document_and_topic(store: StudyStore) -> None:
    store.merge("ia", [card("¿Qué es la poda?"), card("¿Qué es k?", place=origin("s2"))])
    store.add("ia", [card("mía", kind=CardKind.OWN)])
    of_s2 = Selection(frozenset([SourceId("s2")]))
    assert questions(store, store.new("ia", 9, of_s2)) == ["¿Qué es k?"]
    assert questions(store, store.new("ia", 9, Selection(topic="PODA heuristicas"))) == [
        "¿Qué es la poda?"
    ]
    assert store.new("ia", 9, Selection(topic="poda ausente")) == []
    assert store.new("ia", 9, Selection(frozenset())) == []


def test_a_grade_is_taken_back_with_all_that_followed_from_it(
    store: StudyStore, clock: Clock
) -> None:
    store.merge("ia", course(1))
    (number,) = store.new("ia", 1)
    first = store.grade(number, Grade.EASY, PLAIN)
    clock.forward(days=20)
    second = store.grade(number, Grade.AGAIN, PLAIN)
    assert store.get(number).schedule == second.schedule
    with pytest.raises(StudyError, match="graded again since"):
        store.undo(first.id)
    store.undo(second.id)
    assert store.get(number).schedule == first.schedule
    store.undo(first.id)
    assert store.get(number).schedule is None
    assert store.counts("ia").reviews == 0


def test_a_card_forgotten_too_often_is_a_leech(store: StudyStore, clock: Clock) -> None:
    store.merge("ia", course(1))
    (number,) = store.new("ia", 1)
    store.grade(number, Grade.EASY, PLAIN)
    for lapse in range(1, LEECH_LAPSES + 1):
        clock.forward(days=30)
        review = store.grade(number, Grade.AGAIN, PLAIN)
        assert review.is_new_leech == (lapse == LEECH_LAPSES)
        assert store.get(number).leech == (lapse == LEECH_LAPSES)
        if lapse < LEECH_LAPSES:
            clock.forward(minutes=11)
            store.grade(number, Grade.GOOD, PLAIN)
    store.undo(review.id)
    assert not store.get(number).leech


def test_an_edit_takes_the_place_of_the_answer_and_its_parts(store: StudyStore) -> None:
    made = card("q", "uno; dos", CardKind.LIST, items=("uno", "dos"))
    store.merge("ia", [made])
    number = store.find("ia", made.id).number
    edited = store.edit(number, "q", "uno")
    assert edited.card == replace(made, answer="uno", items=())
    assert edited.is_edited
    assert not store.edit(number, " q ", "uno; dos").is_edited
    with pytest.raises(StudyError, match="needs a question and an answer"):
        store.edit(number, " ", "uno")


def test_a_card_is_found_by_the_beginning_of_its_id(store: StudyStore) -> None:
    cards = course(40)
    store.merge("ia", cards)
    assert store.find("ia", cards[7].id[:12].upper()).card == cards[7]
    with pytest.raises(StudyError, match="There is no card `zz`"):
        store.find("ia", "zz")
    for empty in ("", " "):
        with pytest.raises(StudyError, match="There is no card"):
            store.find("ia", empty)
    shared = next(c.id[0] for c in cards if sum(o.id[0] == c.id[0] for o in cards) > 1)
    with pytest.raises(StudyError, match="Several cards"):
        store.find("ia", shared)


def test_a_course_in_numbers(store: StudyStore, clock: Clock) -> None:
    store.merge("ia", course(4))
    store.add("ia", [card("mía", kind=CardKind.OWN)])
    numbers = store.new("ia", 4)
    store.grade(numbers[0], Grade.EASY, PLAIN)
    store.grade(numbers[1], Grade.AGAIN, PLAIN)
    store.suspend(numbers[2])
    clock.forward(minutes=5)
    counts = store.counts("ia")
    assert (counts.cards, counts.new, counts.learning, counts.known) == (5, 3, 1, 1)
    assert (counts.due, counts.suspended, counts.own) == (1, 1, 1)
    assert (counts.reviews, counts.remembered, counts.reviews_today) == (2, 1, 2)
    assert sum(counts.due_by_day) == 1  # the other one is due in more than a week
    assert store.counts("ausente").cards == 0
    assert store.next_due("ausente") is None


def test_texts_that_no_file_can_hold_are_stored_all_the_same(store: StudyStore) -> None:
    odd = card("a\0b", "c\x85", CardKind.OWN)
    assert store.add("curso\udce9", [odd]) == 1
    assert store.add("curso\udce9", [odd]) == 0
    assert store.cards("curso\udce9")[0].card == odd
    number = store.find("curso\udce9", odd.id).number
    assert store.edit(number, "d\0e\ud800", "f").card.question == "d�e�"


@pytest.mark.usefixtures("store")
def test_the_file_is_its_owners_alone(tmp_path: Path) -> None:
    assert stat.S_IMODE((tmp_path / FILE_NAME).stat().st_mode) == 0o600


def refused(path: Path, words: str) -> None:
    before = path.read_bytes()
    with pytest.raises(StudyError, match=words) as caught:
        StudyStore(path)
    assert caught.value.remedy
    assert path.read_bytes() == before


def test_a_file_that_is_none_of_ours_is_left_as_it_is(tmp_path: Path) -> None:
    noise = tmp_path / "noise.db"
    noise.write_text("apuntes que alguien guardó aquí " * 50)
    refused(noise, "is broken")
    foreign = tmp_path / "foreign.db"
    with closing(sqlite3.connect(foreign)) as connection:
        connection.execute("CREATE TABLE cards (id)")
    refused(foreign, "another program")
    newer = tmp_path / "newer.db"
    StudyStore(newer).close()
    with closing(sqlite3.connect(newer)) as connection:
        connection.execute(f"PRAGMA user_version = {VERSION + 1}")
    refused(newer, "newer version")


def test_a_file_of_a_former_version_keeps_its_cards(tmp_path: Path) -> None:
    path = tmp_path / FILE_NAME
    with StudyStore(path) as store:
        store.merge("ia", course(2))
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(
            "UPDATE cards SET kind = 'apply', made = json_set(made, '$.kind', 'apply')"
        )
        connection.execute("DROP TABLE asked")
        connection.execute("DROP TABLE courses")
        connection.execute("ALTER TABLE exam_answers DROP COLUMN changed")
        connection.execute("PRAGMA user_version = 1")
    with StudyStore(path) as store:
        assert {saved.made.kind for saved in store.cards("ia")} == {CardKind.QUESTION}
        store.keep_written("ia", "key", None)
        assert store.known("ia") == {"key", *(one.id for one in course(2))}


def test_a_card_with_what_cards_once_had_is_read(tmp_path: Path) -> None:
    path = tmp_path / FILE_NAME
    with StudyStore(path) as store:
        store.keep_written("ia", "key", course(1)[0])
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE cards SET made = json_set(made, '$.hint', 'Piense en nodos.')")
    with StudyStore(path) as store:
        assert [saved.card for saved in store.cards("ia")] == [course(1)[0]]


def test_what_a_model_wrote_or_failed_to_write_is_known(store: StudyStore) -> None:
    written = replace(course(1)[0], model="m")
    store.keep_written("ia", "one", written)
    store.keep_written("ia", "one", None)
    store.keep_written("ia", "two", None)
    assert store.known("ia") == {"one", "two", written.id}
    assert store.known("otro") == set()
    assert [saved.made for saved in store.cards("ia")] == [written]
    store.delete(store.find("ia", written.id).number)
    assert written.id in store.known("ia")
    assert store.cards("ia") == []


def test_the_conversations_are_no_file_of_cards(tmp_path: Path) -> None:
    from tutor.history import SessionStore

    path = tmp_path / "sessions.db"
    SessionStore(path).close()
    refused(path, "another program")


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("UPDATE cards SET made = '{'", "record of the card"),
        ("UPDATE cards SET made = '[]'", "record of the card"),
        ("UPDATE schedules SET memory = '{}'", "schedule of a card"),
        ("UPDATE schedules SET memory = 'x'", "schedule of a card"),
    ],
)
def test_damaged_records_are_told(tmp_path: Path, clock: Clock, statement: str, words: str) -> None:
    path = tmp_path / FILE_NAME
    with StudyStore(path, now=clock) as store:
        store.merge("ia", course(1))
        (number,) = store.new("ia", 1)
        store.grade(number, Grade.GOOD, PLAIN)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(statement)
    with StudyStore(path, now=clock) as store, pytest.raises(StudyError, match=words):
        store.grade(number, Grade.GOOD, PLAIN)
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT count(*) FROM reviews").fetchone() == (1,)
