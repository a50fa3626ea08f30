"""Cards of what a section's first sentences say that its heading, or an item's name, is."""

from __future__ import annotations

import pytest

from tests.unit.study.material import cards
from tutor.study.card import CardKind

RULED = "P Es un régimen en el que una potencia domina a otros pueblos. Duró un siglo."


def test_a_heading_that_asks_what_something_is_is_answered_below_it() -> None:
    (card,) = cards("# Historia", "## ¿Qué es el imperialismo?", RULED)
    assert card.question.endswith("Explica «imperialismo».")
    assert card.answer == "Es un régimen en el que una potencia domina a otros pueblos."


@pytest.mark.parametrize("heading", ["Historia del átomo", "Fotosíntesis y respiración"])
def test_a_heading_that_tells_of_something_or_of_two_is_not_defined(heading: str) -> None:
    assert not cards("# Ciencias", f"## {heading}", RULED)


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        (
            "Esta es la persona a cargo de la lista de trabajo pendiente.",
            "Es la persona a cargo de la lista de trabajo pendiente.",
        ),
        (
            "Se trata de una persona que decide sobre la lista de trabajo pendiente.",
            "Se trata de una persona que decide sobre la lista de trabajo pendiente.",
        ),
    ],
)
def test_an_item_that_stands_alone_is_defined_by_the_sentence_below_it(
    said: str, answer: str
) -> None:
    item = "L • Product Owner o responsable del producto"
    (card,) = cards("# Roles de Scrum", item, f"P {said}", kind=CardKind.DEFINITION)
    assert card.question == "[Roles de Scrum] Explica «Product Owner o responsable del producto»."
    assert card.answer == answer
    assert not cards("# Roles de Scrum", f"{item}\n• Equipo", f"P {said}")


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
