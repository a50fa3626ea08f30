"""Cards and exams in words."""

from __future__ import annotations

from pathlib import Path

from tests.study_cards import card, origin
from tutor.presentation.cards import answer_text, exam_standing
from tutor.study.card import CardKind
from tutor.study.exams import ExamSitting
from tutor.study.store import FILE_NAME, StudyStore


def test_what_is_false_comes_with_what_the_notes_say() -> None:
    false = card("¿Verdadero o falso? …", "Falso", CardKind.TRUE_FALSE)
    assert answer_text(false) == f"Falso\n«{origin().text}»"


def test_a_begun_minute_is_one_that_is_left(tmp_path: Path) -> None:
    now = [0.0]
    with StudyStore(tmp_path / FILE_NAME) as store:
        store.merge("ia", [card("¿?", "x", CardKind.CLOZE)])
        sitting = ExamSitting(store.exams, "ia", store.cards("ia"), 90, lambda: now[0])
        assert exam_standing(sitting) == "1/1 · 2 min left"
        now[0] = 80.0
        assert exam_standing(sitting) == "1/1 · 1 min left"
        now[0] = 91.0
        assert exam_standing(sitting) == "1/1 · 0 min left"
