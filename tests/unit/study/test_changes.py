"""What becomes of cards when the notes that they stand on are others."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from tests.unit.study.material import notes
from tutor.errors import StudyError
from tutor.model import CleanText, Source
from tutor.study.card import Card, CardKind, card_id
from tutor.study.changes import Change, ChangeAction, Notes
from tutor.study.making import course_cards
from tutor.study.making.material import CardMaterial
from tutor.study.saved import APPLICATION_ID, FIRST_TABLES, Stale
from tutor.study.schedule import Grade, Scheduler
from tutor.study.store import FILE_NAME, Merged, StudyStore
from tutor.study.typed import TypedVerdict

PLAIN = Scheduler(0.9, fuzz=False)
ADMISSIBLE = "D Definición (Heurística admisible). Una función que nunca sobreestima el coste real."
STRICTER = "D Definición (Heurística admisible). Una función que nunca supera el coste mínimo real."
CONSISTENT = (
    "D Definición (Heurística monótona). Una función que cumple la desigualdad del triángulo."
)
OTHER = "P La semana trata de la ganancia de información y de los árboles que parten los datos."
Document = tuple[Source, CleanText]


def take_in(store: StudyStore, *documents: Document) -> Merged:
    return store.merge("ia", course_cards(documents), Notes(documents))


def learned(store: StudyStore, words: str, kind: CardKind = CardKind.DEFINITION) -> int:
    """A card that says this, graded; its number."""
    (number,) = [
        saved.number
        for saved in store.cards("ia")
        if saved.made.kind is kind and words in saved.made.question + saved.made.answer
    ]
    store.grade(number, Grade.GOOD, PLAIN)
    return number


def changes(store: StudyStore, *documents: Document) -> list[Change]:
    return store.changes.of_course("ia", Notes(documents))


def test_what_was_learned_is_marked_and_the_new_card_offered_in_its_place(
    store: StudyStore,
) -> None:
    take_in(store, notes("# Heurísticas", ADMISSIBLE, CONSISTENT))
    number = learned(store, "sobreestima")
    kept = learned(store, "triángulo")
    now = notes("# Heurísticas", STRICTER, CONSISTENT)
    assert take_in(store, now).stale == 1
    assert store.get(number).has_changed
    assert not store.get(kept).stale
    (change,) = changes(store, now)
    assert change.saved.number == number
    assert change.new is not None
    assert "sobreestima" in change.old.text
    assert "supera el coste mínimo" in change.new.text
    schedule = store.get(number).schedule
    before = len(store.cards("ia"))

    store.settle(change, ChangeAction.UPDATE)
    assert change.successor
    after = store.get(change.successor.number)
    assert "supera el coste mínimo" in after.card.answer
    assert after.schedule == schedule
    assert not after.stale
    assert len(store.cards("ia")) == before - 1
    assert store.get(number).deleted
    assert store.counts("ia").reviews == 2
    assert changes(store, now) == []
    assert take_in(store, now).stale == 0


def test_keeping_lasts_and_what_comes_back_is_no_longer_changed(store: StudyStore) -> None:
    old = notes("# Heurísticas", ADMISSIBLE)
    now = notes("# Heurísticas", STRICTER)
    take_in(store, old)
    number = learned(store, "sobreestima")
    take_in(store, now)
    store.settle(changes(store, now)[0], ChangeAction.KEEP)
    assert take_in(store, now).stale == 0
    assert store.get(number).stale is Stale.KEPT
    take_in(store, old)
    assert store.get(number).stale is Stale.NO


def test_a_changed_card_is_deleted_or_rewritten_by_hand(store: StudyStore) -> None:
    take_in(store, notes("# Heurísticas", ADMISSIBLE, CONSISTENT))
    deleted = learned(store, "sobreestima")
    rewritten = learned(store, "triángulo")
    now = notes("# Heurísticas", STRICTER, OTHER)
    take_in(store, now)
    first, second = changes(store, now)
    store.settle(first, ChangeAction.DELETE)
    assert store.get(deleted).deleted
    assert second.successor is None
    with pytest.raises(StudyError, match="no card in place"):
        store.settle(second, ChangeAction.UPDATE)
    store.rewrite(second, "¿Qué es monótona?", "La desigualdad triángulo.")
    after = store.get(rewritten)
    assert after.card.question == "¿Qué es monótona?"
    assert after.schedule
    assert changes(store, now) == []
    assert take_in(store, now).stale == 0


def test_a_newer_version_takes_along_what_it_has_not_changed(store: StudyStore) -> None:
    first = notes("# Heurísticas", ADMISSIBLE, CONSISTENT, path="a_1.pdf", version="1", week=5)
    take_in(store, first)
    changed, kept = learned(store, "sobreestima"), learned(store, "triángulo")
    schedule = store.get(kept).schedule
    second = notes(
        "# Funciones heurísticas", OTHER, CONSISTENT, STRICTER,
        path="a_2.pdf", version="2", week=5,
    )  # fmt: skip
    take_in(store, first, second)  # both files are there; the newer one counts
    assert store.get(kept).schedule == schedule
    origin = store.get(kept).made.origin
    assert origin is not None
    assert origin.path == "a_2.pdf"
    assert not store.get(kept).stale
    (change,) = changes(store, first, second)
    assert change.saved.number == changed
    assert change.new is not None
    assert change.new.path == "a_2.pdf"
    assert change.successor is not None


def test_cards_asked_under_another_heading_keep_what_was_learned(store: StudyStore) -> None:
    rows = "T Algoritmo \u2502 Autor\nA* \u2502 Hart\nDijkstra \u2502 Edsger\nDFS \u2502 Trémaux"
    sentence = (
        "P La búsqueda en anchura (breadth first search) explora por niveles todos los nodos de"
        " la frontera antes de bajar al fondo del árbol."
    )
    take_in(store, notes("# Búsqueda ciega", sentence, rows))
    (cloze,) = [one for one in store.cards("ia") if one.made.kind is CardKind.CLOZE]
    store.grade(cloze.number, Grade.EASY, PLAIN)
    merged = take_in(store, notes("# Recorridos sin información", sentence, rows))
    after = store.get(cloze.number)
    assert merged.stale == 0
    assert not after.stale
    assert after.schedule
    assert after.made.question != cloze.made.question
    assert after.made.id == after.card.id != cloze.made.id


def own_card(document: Document, words: str) -> Card:
    source, text = document
    start = text.text.index(words)
    place = CardMaterial(source, text).origin(start, start + len(words))
    return Card(card_id(CardKind.OWN, "¿Qué?", words), CardKind.OWN, "¿Qué?", words, place)


def test_the_students_own_cards_follow_their_place_or_are_marked(store: StudyStore) -> None:
    old = notes("# Heurísticas", ADMISSIBLE)
    mine = own_card(old, "nunca sobreestima el coste real")
    plain = Card(card_id(CardKind.OWN, "a", "b"), CardKind.OWN, "a", "b", None)
    store.add("ia", [mine, plain])
    moved = notes("# Heurísticas", OTHER, ADMISSIBLE.replace("nunca ", "nunca\n"))
    assert take_in(store, moved).stale == 0
    place = store.find("ia", mine.id).made.origin
    assert place is not None
    assert moved[1].text[place.start : place.end] == "nunca\nsobreestima el coste real"
    gone = notes("# Heurísticas", OTHER)
    assert take_in(store, gone).stale == 1
    (change,) = changes(store, gone)
    assert change.saved.made.id == mine.id
    assert change.new is None
    assert not store.find("ia", plain.id).stale
    store.settle(change, ChangeAction.KEEP)
    assert take_in(store, gone).stale == 0


def test_what_no_rule_makes_any_more_but_stands_unchanged_is_no_change(store: StudyStore) -> None:
    document = notes("# Heurísticas", ADMISSIBLE, CONSISTENT)
    take_in(store, document)
    number = learned(store, "sobreestima")
    assert store.new("ia", 99)
    merged = store.merge("ia", [], Notes([document]))
    assert merged.stale == 0
    assert not store.get(number).stale
    assert store.new("ia", 99) == []  # what was not learned is not begun either


def test_answers_of_exams_are_marked_until_the_notes_say_it_again(store: StudyStore) -> None:
    old = notes("# Heurísticas", ADMISSIBLE, CONSISTENT)
    now = notes("# Heurísticas", STRICTER, CONSISTENT)
    take_in(store, old)
    asked = store.cards("ia")
    exam = store.exams.begin("ia", asked)
    for saved in asked:
        store.exams.answer(exam, saved.number, "x", TypedVerdict.WRONG)
    ended = store.exams.end(exam)
    assert ended
    assert ended.changed == 0
    take_in(store, now)
    (sat,) = store.exams.of_course("ia")
    assert sat.changed == 1
    take_in(store, old)
    (sat,) = store.exams.of_course("ia")
    assert sat.changed == 0


def test_a_file_of_the_first_version_is_brought_up_to_date(tmp_path: Path) -> None:
    path = tmp_path / FILE_NAME
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(FIRST_TABLES)
        connection.execute("INSERT INTO exams (course, begun, questions) VALUES ('ia', '', '[]')")
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute("PRAGMA user_version = 1")
        connection.commit()
    with StudyStore(path) as store:
        assert store.made_of("ia") is None
        take_in(store, notes("# Heurísticas", ADMISSIBLE))
        assert store.made_of("ia") == ""
        assert store.counts("ia").cards > 0
    with StudyStore(path) as again:
        assert again.counts("ia").cards > 0


def test_a_card_that_is_addressed_otherwise_now_keeps_its_schedule(store: StudyStore) -> None:
    document = notes(
        "# Métodos",
        "P La búsqueda en anchura (breadth-first search) expande primero el nodo menos profundo"
        " de toda la frontera.",
        "P Los pasos del ciclo son:",
        "L 1. Formular un problema.\n2. Buscar una solución.\n3. Ejecutar las acciones.",
    )
    now = course_cards([document])
    assert len(now) == 2
    assert all("] Completa" in card.question for card in now)
    worded = [card.question.replace("Completa", "Complete") for card in now]
    former = [
        replace(card, id=card_id(card.kind, question, card.answer), question=question)
        for card, question in zip(now, worded, strict=True)
    ]
    store.merge("ia", former, Notes([document]))
    for saved in store.cards("ia"):
        store.grade(saved.number, Grade.GOOD, PLAIN)
    due = [(saved.number, saved.schedule) for saved in store.cards("ia")]

    assert take_in(store, document) == Merged(0, 2, 0)
    assert [(saved.number, saved.schedule) for saved in store.cards("ia")] == due
    assert [saved.made.question for saved in store.cards("ia")] == [card.question for card in now]
