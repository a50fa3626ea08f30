"""Cards of what the notes call something, and when; and of what items of lists define."""

from __future__ import annotations

import pytest

from tests.unit.study.material import cards
from tutor.study.card import CardKind


@pytest.mark.parametrize(
    ("sentence", "question", "answer"),
    [
        (
            "Un grafo se dice hamiltoniano si tiene un circuito hamiltoniano.",
            "¿Cuándo un grafo se dice hamiltoniano?",
            "Si tiene un circuito hamiltoniano.",
        ),
        (
            "Un circuito C en un grafo (o red) G es euleriano si usa cada arista de G.",
            "¿Cuándo un circuito C en un grafo (o red) G es euleriano?",
            "Si usa cada arista de G.",
        ),
        (
            "Dos grafos son isomorfos si existen aplicaciones biyectivas entre sus vértices.",
            "¿Cuándo dos grafos son isomorfos?",
            "Si existen aplicaciones biyectivas entre sus vértices.",
        ),
    ],
)
def test_when_something_is_called_so_is_asked(sentence: str, question: str, answer: str) -> None:
    for written in (
        f"P {sentence}",
        f"L • {sentence}\n• Hay algoritmos para hallarlo en un grafo.",
    ):
        (card,) = cards("# Recorridos de una red", written)
        assert (card.question.split("] ")[-1], card.answer) == (question, answer)


def test_it_is_asked_in_english() -> None:
    said = "A graph is called connected if there is a path between every pair of its vertices."
    (card,) = cards("# Walks through networks", f"P {said}")
    assert card.question == "[Walks through networks] When is a graph connected?"


@pytest.mark.parametrize(
    "sentence",
    [
        "Una abstracción es válida si se puede ejecutar, y útil si ejecutarla es más fácil.",
        "Una de las formas es a través de las interrupciones cuando se entra en la sección.",
        "Un índice es especialmente útil cuando la tabla tiene muchas filas distintas.",
        "Este algoritmo es bueno cuando los procesos tardan lo mismo en ejecutarse.",
    ],
)
def test_what_judges_or_has_two_conditions_is_not(sentence: str) -> None:
    assert not cards("# Recorridos de una red", f"P {sentence}")


def test_half_of_a_relative_clause_is_no_subject_and_no_name() -> None:
    said = "P A cash grant that is withdrawn one for one when somebody earns more is a high tax."
    assert not cards("# Welfare", said, kind=CardKind.DEFINITION)
    said = "P Un quine es un programa que cuando se ejecuta escribe su propio texto entero."
    made = cards("# Recursión", said, kind=CardKind.DEFINITION)
    assert [card.question for card in made] == ["[Recursión] ¿Qué es un quine?"]


def test_of_two_conditions_the_one_that_calls_is_asked() -> None:
    holds = "P Un grafo es euleriano si todos los vértices tienen grado par."
    calls = "P Un grafo se dice euleriano si tiene un circuito que usa cada arista."
    (card,) = cards("# Recorridos", holds, calls)
    assert card.answer == "Si tiene un circuito que usa cada arista."
    assert not cards("# Recorridos", holds, holds.replace("los vértices", "sus nodos"))


def test_items_define_by_whole_sentences() -> None:
    items = (
        "L • Un grafo euleriano es un grafo que tiene un circuito euleriano.\n"
        "• Un camino euleriano en un grafo (o multigrafo) G es un camino que pasa por cada arista"
        " una sola vez.\n• Hay algoritmos para hallarlos."
    )
    made = cards("# Recorridos de una red", items, kind=CardKind.DEFINITION)
    assert [card.question.split("] ")[-1] for card in made] == [
        "¿Qué es un grafo euleriano?",
        "¿Qué es un camino euleriano en un grafo (o multigrafo) G?",
    ]


def test_an_item_whose_subject_has_no_article_defines_nothing() -> None:
    item = "RAID 5 es el compromiso entre la seguridad y el espacio que se desperdicia."
    assert not cards("# Notas de clase de lengua", f"L • {item}\n• Hay más de una forma de verlo.")
