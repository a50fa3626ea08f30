"""How words of the notes look on a card."""

from __future__ import annotations

import pytest

from tests.unit.study.material import cards
from tutor.study.card import CardKind
from tutor.study.making.tidying import as_title, tidy, whole_title


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("No existe..", "No existe."),
        ("y así...", "y así..."),
        ("../notas", "../notas"),
        (".. Refiere al directorio padre", ".. Refiere al directorio padre"),
        ("lee después de escribir --->", "lee después de escribir →"),
        ("carbón -> acero", "carbón → acero"),
        ("x <- 3", "x <- 3"),
        ("la **masa crítica** del reactor", "la masa crítica del reactor"),
        ("2**3", "2**3"),
        ("lo que [[CSMA-CD y colisiones|CSMA/CD]] no da", "lo que CSMA/CD no da"),
        ("como en [[Protocolos y modelos]]", "como en Protocolos y modelos"),
        ("para i ∈ [[1,n]] y [[a, b]]", "para i ∈ [[1,n]] y [[a, b]]"),
        ("** Masa", "Masa"),
        ("(ver **masa**), **b**: c", "(ver masa), b: c"),
        ("x**2 + y**2 = r**2", "x**2 + y**2 = r**2"),
        ("(a+b)**2 y (c)**2", "(a+b)**2 y (c)**2"),
        ("**a**b y **c**", "**a**b y c"),
        ("0..1 y 1..*", "0..1 y 1..*"),
        ("1..10", "1..10"),
        ("de 1..", "de 1.."),
        ("p->campo", "p->campo"),
        ("q-->campo -> r->", "q-->campo → r→"),
    ],
)
def test_marks_of_an_editor_are_gone(text: str, shown: str) -> None:
    assert tidy(text) == shown


@pytest.mark.parametrize(
    ("title", "shown"),
    [
        ("ὁ Código en Python", "Código en Python"),
        ("Ὄ 1. Método Gráfico › ὁ Código", "Método Gráfico › Código"),
        ("⚠ Trampa común", "Trampa común"),
        ("Idea clave \U0001f4a1", "Idea clave"),
        ("La función φ(x)", "La función φ(x)"),
        ("ὁ λόγος", "λόγος"),
        ("2 – Fármacos", "Fármacos"),
    ],
)
def test_a_heading_has_no_pictures(title: str, shown: str) -> None:
    assert as_title(title) == shown


@pytest.mark.parametrize(
    ("title", "text", "whole"),
    [
        (
            "TEMA 4: El período de regencias durante el reinado: revolución y Primera Guerra",
            (
                "TEMA 4: El período de regencias durante el reinado: revolución y Primera Guerra"
                " Carlista (1833-1843).\n"
            ),
            "TEMA 4: El período de regencias durante el reinado",
        ),
        ("Gases", "Gases\n\nResumen", "Gases"),
        ("Gases", "Otra cosa", "Gases"),
    ],
)
def test_a_title_that_was_cut_off_is_shown_whole(title: str, text: str, whole: str) -> None:
    assert whole_title(title, text) == whole


def test_the_heading_of_a_card_has_no_pictures() -> None:
    said = "P Una época es una pasada por todo el conjunto de entrenamiento."
    (card,) = cards("# ὁ 1. Redes **profundas**", said)
    assert card.question == "[Redes profundas] ¿Qué es una época?"


def test_a_statement_on_a_cell_with_a_period_has_one() -> None:
    table = "T Gas | Volumen\nIdeal | Puntos sin tamaño.\nReal | Esferas con volumen."
    made = cards("# Gases", "K Tabla 1: Clases de gases", table, kind=CardKind.TRUE_FALSE)
    assert made
    assert not [card for card in made if ".." in card.question]
