"""Other names of a term that the notes themselves give are accepted, and nothing else is."""

from __future__ import annotations

import pytest

from tests.study_cards import card
from tests.unit.study.material import notes
from tutor.study.card import Card, CardKind
from tutor.study.making.course import with_other_names
from tutor.study.making.material import CardMaterial
from tutor.study.typed import TypedVerdict, compare


def named(text: str, *answers: str) -> list[Card]:
    cards = [card(f"¿{k}?", answer, CardKind.TERM) for k, answer in enumerate(answers)]
    return with_other_names(cards, [CardMaterial(*notes("# Redes", f"P {text}"))])


@pytest.mark.parametrize(
    ("text", "answer", "typed"),
    [
        ("La retropropagación (backpropagation) reparte el error.", "Retropropagación",
         "backpropagation"),
        ("Se usa el perceptrón multicapa (MLP) para clasificar.", "Perceptrón multicapa", "mlp"),
        ("Se usa el perceptrón multicapa (MLP) para clasificar.", "MLP", "Perceptrón multicapa"),
        ("Las celdas LSTM (long short-term memory) recuerdan.", "LSTM", "long short term memory"),
        ("La búsqueda en anchura (breadth-first search, BFS) baja.", "Búsqueda en anchura", "BFS"),
        ("Un análisis de componentes (ACP) resume.", "Análisis de componentes", "ACP"),
    ],
)  # fmt: skip
def test_the_notes_other_name_is_right(text: str, answer: str, typed: str) -> None:
    (made,) = named(text, answer)
    assert compare(typed, made).verdict is TypedVerdict.RIGHT
    (bare,) = named("Nada de eso se dice aquí.", answer)
    assert compare(typed, bare).verdict is not TypedVerdict.RIGHT


@pytest.mark.parametrize(
    ("text", "answer", "typed"),
    [
        # The name of a longer term is not that of its last word.
        ("Se elige la tasa de aprendizaje (learning rate) con cuidado.", "Aprendizaje",
         "learning rate"),
        # A remark is no name.
        ("La entropía (siempre positiva) mide el desorden.", "Entropía", "siempre positiva"),
        ("El sesgo (véase la semana 3) crece.", "Sesgo", "véase la semana 3"),
    ],
)  # fmt: skip
def test_what_is_no_other_name_is_not(text: str, answer: str, typed: str) -> None:
    (made,) = named(text, answer)
    assert compare(typed, made).verdict is not TypedVerdict.RIGHT


def test_a_name_of_two_terms_and_an_answer_of_another_card_are_no_names() -> None:
    text = "La precisión (accuracy) no basta. El acierto (accuracy) tampoco; la poda (pruning) sí."
    cards = named(text, "Precisión", "Acierto", "Poda", "pruning")
    assert [one.also for one in cards] == [(), (), (), ()]


def test_what_the_question_says_already_is_no_answer() -> None:
    asked = card("¿Cómo se llama el backpropagation?", "Retropropagación", CardKind.TERM)
    document = notes("# Redes", "P La retropropagación (backpropagation) reparte el error.")
    (made,) = with_other_names([asked], [CardMaterial(*document)])
    assert made.also == ()
