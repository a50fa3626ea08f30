"""Lines folded into paragraphs, and what keeps its lines."""

from __future__ import annotations

import pytest

from tests.pages import cleaned
from tutor.text.paragraphs import is_formula, runs_on, unnumbered

PROSE = (
    "El descenso por gradiente busca el mínimo de una función de coste\n"
    "dando pasos en la dirección contraria a la de su gradiente, y cada\n"
    "paso es tanto mayor cuanto mayor es la tasa de aprendizaje elegida."
)


def paragraphs(text: str) -> str:
    return cleaned(text).text


def test_the_lines_of_a_paragraph_are_one() -> None:
    assert paragraphs(PROSE) == PROSE.replace("\n", " ")


def test_paragraphs_stay_apart() -> None:
    assert paragraphs(f"{PROSE}\n\n\n\n{PROSE}") == "\n\n".join([PROSE.replace("\n", " ")] * 2)


def test_spaces_are_folded() -> None:
    assert paragraphs("  uno   dos  \n\n\n\n  tres ") == "uno dos\n\ntres"


@pytest.mark.parametrize(
    "text",
    [
        "• Uno\n• Dos\n• Tres",
        "– Uno\n– Dos",
        "▪ Uno\n▪ Dos",
        "1. Uno\n2. Dos\n10. Tres",
        "a) Uno\nb) Dos",
        "(i) Uno\n(ii) Dos",
        "x = 3\ny = 4\nz = x + y",
        "int total = 0;\ntotal += 1;",
        "def suma(a, b):\nreturn a + b",
        "import numpy as np\nimport pandas as pd",
        "modelo <- lm(y ~ x)\nsummary(modelo)",
        "Clase 0.91 0.82 0.13\nOtra 0.77 0.64 0.29",
        "f(x) = ax + b\n∂f/∂x = a",
        "1 Introducción ... 3\n2 Redes ... 17",
    ],
)
def test_what_keeps_its_lines(text: str) -> None:
    assert paragraphs(text).replace("\n\n", "\n") == text


def test_an_item_takes_in_its_own_lines() -> None:
    item = "• El descenso por gradiente busca el mínimo de una función de coste y\n"
    assert paragraphs(item + "da pasos.\n• Otro") == item.replace("\n", " ") + "da pasos.\n• Otro"


def test_a_semicolon_does_not_make_code_of_words() -> None:
    item = "• usa la misma tasa para todos, aunque unos gradientes sean cien veces mayores que\n"
    assert paragraphs(item + "otros;\n• Otro") == item.replace("\n", " ") + "otros;\n• Otro"


def test_a_bullet_drawn_apart_finds_its_text() -> None:
    assert paragraphs("•\nUno\n•\nDos") == "• Uno\n• Dos"


def test_leaders_are_short() -> None:
    assert paragraphs("Redes . . . . . . . . . . 17") == "Redes ... 17"


@pytest.mark.parametrize("text", [PROSE, f"Título\n{PROSE}\n• Uno\n• Dos\n\n{PROSE}\nx = 3\ny = 4"])
def test_folding_twice_changes_nothing(text: str) -> None:
    assert paragraphs(paragraphs(text)) == paragraphs(text)


def test_a_sentence_runs_on() -> None:
    assert runs_on("El gradiente de la función de coste", "es un vector de derivadas.")
    assert not runs_on("El gradiente de la función de coste.", "es un vector de derivadas.")
    assert not runs_on("El gradiente de la función de coste", "Es un vector de derivadas.")
    assert not runs_on("El gradiente de la función de coste", "a) un vector de derivadas")
    assert not runs_on("x = 3", "es un vector de derivadas")


@pytest.mark.parametrize(
    ("line", "formula"),
    [
        ("d = (|diferencia de medias entre los grupos|)/(sd)", True),
        ("precision = tp/(tp + fp)", True),
        ("P(n, r) = n!/((n − r)!)", True),
        ("Ejemplo (Un dado). E[X] = (1 + 2 + 6)/6 y después la varianza", False),
        ("La media = (suma)/(número), como se ha visto antes", False),
        ("El cociente de ambas (a)/(b) crece con cada paso", False),
        ("T = T_server + D / 2", True),
        ("V_(total) = V_(uno) + V_(dos)", True),
        ("tasa = beneficio + costo", False),
    ],
)
def test_words_in_a_fraction_or_below_a_symbol_make_a_formula(line: str, formula: bool) -> None:
    assert is_formula(line) is formula


@pytest.mark.parametrize(
    ("heading", "name"),
    [("2.1 Poda", "Poda"), ("20 de MAYO", "20 de MAYO"), ("2. De muestras", "De muestras")],
)
def test_a_day_is_no_number_of_a_heading(heading: str, name: str) -> None:
    assert unnumbered(heading) == name
