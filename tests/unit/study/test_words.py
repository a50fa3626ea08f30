"""Cards, exams and what has changed in words."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from tests.study_cards import card, origin
from tutor.presentation.cards import (
    answer_text,
    compared,
    exam_standing,
    in_plain_text,
    side_by_side,
)
from tutor.study.card import CardKind
from tutor.study.exams import ExamSitting
from tutor.study.store import FILE_NAME, StudyStore

TEXTS = st.text(st.sampled_from("ab .\n"), max_size=40)


def test_what_is_false_comes_with_what_the_notes_say() -> None:
    false = card("¿Verdadero o falso? …", "Falso", CardKind.TRUE_FALSE)
    assert answer_text(false) == f"Falso\n«{origin().text}»"


def test_a_begun_minute_is_one_that_is_left(tmp_path: Path) -> None:
    now = [0.0]
    with StudyStore(tmp_path / FILE_NAME) as store:
        store.merge("ia", [card("¿?", "x", CardKind.CLOZE)])
        sitting = ExamSitting(store.exams, "ia", store.cards("ia"), 90, lambda: now[0])
        assert exam_standing(sitting) == "1/1 · 2 min left · Búsqueda informada"
        now[0] = 80.0
        assert exam_standing(sitting) == "1/1 · 10 s left · Búsqueda informada"
        now[0] = 91.0
        assert exam_standing(sitting) == "1/1 · 0 s left · Búsqueda informada"


def test_the_words_that_changed_are_marked() -> None:
    old, new = compared("Nunca sobreestima el coste real.", "Nunca supera jamás el coste real.")
    assert in_plain_text(old, "[--]") == "Nunca [-sobreestima-] el coste real."
    assert in_plain_text(new, "{++}") == "Nunca {+supera jamás+} el coste real."


def test_a_number_changes_as_a_whole() -> None:
    old, _new = compared("Vale 0,01.", "Vale 0,1.")
    assert in_plain_text(old, "[--]") == "Vale [-0,01-]."


def test_what_is_gone_altogether_is_not_marked_word_by_word() -> None:
    assert compared("Ya no está.", "") == ([("Ya no está.", False)], [])


@given(TEXTS, TEXTS)
def test_the_pieces_are_the_texts(old: str, new: str) -> None:
    before, after = compared(old, new)
    assert "".join(text for text, _changed in before) == old
    assert "".join(text for text, _changed in after) == new
    same = ["".join(text for text, changed in one if not changed) for one in (before, after)]
    assert not new or same[0] == same[1]


def test_columns_of_unequal_length_stand_beside_each_other() -> None:
    assert list(side_by_side(["a", "bc"], ["d"], 3)) == ["a   │ d", "bc  │"]
