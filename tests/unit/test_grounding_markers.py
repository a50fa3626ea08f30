"""Markers that a model invents go; code, formulas, indices and intervals stay."""

from __future__ import annotations

import pytest

from tutor.answer.verification.markers import strip_markers
from tutor.answer.verification.remarks import declares_not_covered


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("A* es óptimo [1].", "A* es óptimo."),
        ("A* es óptimo[1][9]. Otra [1, 3] frase [W1].", "A* es óptimo. Otra frase."),
        ("Es así (pasaje 2) y【1】 así [Pasaje 3].", "Es así y así."),
        ("It is so (passage 1).", "It is so."),
        ("**BFS** [1]: busca a lo ancho", "**BFS**: busca a lo ancho"),
        ("Lista:\n1. uno [1]\n2. dos [2]", "Lista:\n1. uno\n2. dos"),
        ("Es cierto.\n\nFuente: [1]", "Es cierto."),
        ("Es cierto.\n\n**Fuentes:**\n- [1] Apuntes\n- [2] x.pdf", "Es cierto."),
        ("[1]", ""),
        ("", ""),
    ],
)
def test_markers_and_source_lists_go(raw: str, text: str) -> None:
    assert strip_markers(raw) == text


@pytest.mark.parametrize(
    "text",
    [
        "Usa a[1] y x[0] y w[2][3] en [0, 1].",
        "El intervalo [1, 5] y valores entre [2, 3], con x ∈ [1, 2].",
        "La matriz [[1, 2],[3, 4]].",
        "W^[2](W^[1]x) = (W^[2]W^[1])x es una sola capa.",
        "`v[1]` y $x_{[1]}$ y $[0,1]$.",
        "```py\na = [1]\nb[2]\n```",
        "[texto](http://x.y) y [1](http://a.b)",
        "np.array([1, 2]) es un vector.",
        "Las fuentes: agua y sol.",
    ],
)
def test_what_is_no_marker_stays(text: str) -> None:
    assert strip_markers(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "Los apuntes no cubren esto.",
        "Lo siento, no hay información sobre eso en los pasajes.",
        "The notes do not cover this.",
        "The provided passages don't mention quantum computing.",
        "No puedo responder a esa pregunta con los pasajes dados.",
        "Los pasajes no mencionan la capital de Francia. Te recomiendo buscar en la web.",
    ],
)
def test_a_refusal_is_recognised(text: str) -> None:
    assert declares_not_covered(text)


@pytest.mark.parametrize(
    "text",
    [
        "No hay retroalimentación en una red feedforward.",
        "El perceptrón no puede representar XOR.",
        (
            "Los apuntes no cubren IDA*, pero describen la búsqueda de costo uniforme, la"
            " profundización iterativa y la búsqueda bidireccional, con sus tiempos, su memoria y"
            " ejemplos numéricos."
        ),
        "",
    ],
)
def test_an_answer_is_no_refusal(text: str) -> None:
    assert not declares_not_covered(text)


def test_a_blank_to_fill_in_is_looked_at_once() -> None:
    # A pattern that could divide it in many ways took minutes, at each token.
    blank = f"Completa:\n{'_' * 60} es una medida.\n{'*' * 60}"
    assert strip_markers(blank) == blank
