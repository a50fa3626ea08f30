"""What is typed where there is a choice, and what is none."""

from __future__ import annotations

from dataclasses import replace
from time import perf_counter

import pytest

from tests.study_cards import card
from tutor.study.card import CardKind
from tutor.study.choices import choices_typed, gives_up, is_unfit
from tutor.study.exams import ExamSitting
from tutor.study.store import StudyStore
from tutor.study.typed import TypedVerdict, compare

FOUR = replace(
    card("¿Quién luchó?", "Las Milicias Populares", CardKind.CHOICE),
    choices=("Los carlistas", "Las Milicias Populares", "La CNT", "Los moderados"),
)
SIDES = replace(
    card("¿Verdadero o falso?", "Falso", CardKind.TRUE_FALSE), choices=("Verdadero", "Falso")
)
PAIRS = replace(card("¿Qué con qué?", "a → b", CardKind.MATCH), items=("a",), choices=("b",))


@pytest.mark.parametrize(
    "typed",
    "2 b B b) 2) (b) dos two la_2 opción_b la_segunda La_b. 2)_Las_Milicias las_milicias milicias"
    " populares respuesta:_b Respuesta:b la_respuesta_es:_b B_es_la_correcta. b_is_the_right_one"
    " la_b_es_correcta la_segunda_es_la_respuesta_correcta".split(),
)
def test_the_second_choice_is_understood(typed: str) -> None:
    typed = typed.replace("_", " ")
    assert choices_typed(typed, FOUR) == ["Las Milicias Populares"]
    assert not is_unfit(typed, FOUR)


@pytest.mark.parametrize(
    ("typed", "side"),
    [
        *(("v", 0), ("V", 0), ("verdadero", 0), ("verdad", 0), ("sí", 0), ("a", 0), ("cierto.", 0)),
        *(("f", 1), ("es falso", 1), ("no", 1), ("2", 1), ("dos", 1)),
    ],
)
def test_a_side_is_understood(typed: str, side: int) -> None:
    assert choices_typed(typed, SIDES) == [SIDES.choices[side]]


@pytest.mark.parametrize(
    ("typed", "asked"),
    [
        ("brigadas", FOUR),
        ("7", FOUR),
        ("los", FOUR),
        ("2) Los carlistas", FOUR),
        ("no se deriva", FOUR),
        ("1" * 5000, FOUR),
        ("1" * 1900, FOUR),
        ("4", SIDES),
        ("quizás", SIDES),
        ("b", PAIRS),
    ],
)
def test_what_is_none_of_the_choices_is_unfit(typed: str, asked: object) -> None:
    assert isinstance(asked, type(FOUR))
    assert is_unfit(typed, asked)


@pytest.mark.parametrize(
    "typed",
    "no sé|No sé qué es|no se|¡No se!|no lo sé|no lo se|Ni idea.|x|I don't know|?|"
    "no se\u0301 nada|no me acuerdo de eso|nosé|no tengo ni idea|"
    "no sabría decirte|lo he olvidado|no me suena|".split("|"),
)
def test_who_does_not_know_is_not_asked_again(typed: str) -> None:
    assert gives_up(typed)
    assert not is_unfit(typed, FOUR)
    assert not is_unfit(typed, PAIRS)


@pytest.mark.parametrize(
    "typed",
    [
        "no se actualizan los pesos de la capa de entrada",
        "No se dispone de etiquetas en los datos de entrenamiento",
    ],
)
def test_what_is_not_done_is_an_answer(typed: str) -> None:
    assert not gives_up(typed)
    asked = card("¿Qué pasa al congelarla?", f"{typed}.", CardKind.DEFINITION)
    assert compare(f"Al congelarla {typed}", asked).verdict is TypedVerdict.RIGHT
    assert compare(" ".join(typed.split()[:-1]), asked).verdict is not TypedVerdict.WRONG


@pytest.mark.parametrize(
    "typed", ["." * 8_000 + "x y", "." * 1_990 + "x y", " b" * 900, "la " * 600]
)
def test_a_long_text_takes_no_time(typed: str) -> None:
    began = perf_counter()
    assert is_unfit(typed, FOUR) or gives_up(typed)
    assert perf_counter() - began < 0.05


def test_where_there_is_no_choice_nothing_is_unfit() -> None:
    assert not is_unfit("brigadas", card("¿Quién?", "otros"))
    assert not gives_up("ninguna")


def test_an_exam_asks_once_again(store: StudyStore) -> None:
    store.merge("ia", [SIDES])
    sitting = ExamSitting(store.exams, "ia", store.cards("ia"))
    assert sitting.is_unfit("4")
    assert not sitting.is_unfit("4")
    sitting.answer("f")
    exam = sitting.end()
    assert exam
    assert exam.right == 1
