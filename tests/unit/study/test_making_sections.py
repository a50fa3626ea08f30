"""Cards of what a sentence says that several things, or a meeting, are."""

from __future__ import annotations

import pytest

from tests.unit.study.material import cards
from tutor.study.card import CardKind


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        (
            (
                "Las expresiones regulares, también conocidas como regex, son patrones de búsqueda"
                " utilizados para encontrar y manipular cadenas de texto."
            ),
            "Patrones de búsqueda utilizados para encontrar y manipular cadenas de texto.",
        ),
        (
            (
                "Las expresiones regulares son una herramienta poderosa que tienen los editores."
                " Las expresiones regulares son patrones que describen conjuntos de cadenas."
            ),
            "Patrones que describen conjuntos de cadenas.",
        ),
    ],
    ids=["another name", "after praise"],
)
def test_a_class_in_the_plural_needs_no_article(said: str, answer: str) -> None:
    made = cards("# Qué son las expresiones regulares", f"P {said}", kind=CardKind.DEFINITION)
    assert [card.answer for card in made] == [answer]


@pytest.mark.parametrize(
    "said", ["conocidas de todos", "parecidas a las que", "partes de aquello que"]
)
def test_an_adjective_is_no_class(said: str) -> None:
    sentence = f"P Las expresiones regulares son {said} se usan en los editores de texto."
    assert not cards("# Expresiones regulares", sentence)


def test_a_sentence_that_the_page_cuts_off_defines_up_to_its_semicolon() -> None:
    cut = (
        "P El Sprint Planning es una reunión que se realiza al comienzo de cada ciclo del equipo;"
        " sirve para revisar el Backlog del"
    )
    (card,) = cards("# 1ª ceremonia: Sprint Planning", cut, kind=CardKind.DEFINITION)
    assert card.answer == "Una reunión que se realiza al comienzo de cada ciclo del equipo."
    assert not cards("# 1ª ceremonia: Sprint Planning", cut.replace(";", ","))
