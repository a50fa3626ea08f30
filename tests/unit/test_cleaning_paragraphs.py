"""Lines folded into paragraphs, and what keeps its lines."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import pdfs
from tests.pages import SID, cleaned
from tutor.ingest.cleaning.document import clean
from tutor.ingest.reading.document import read_pdf
from tutor.model import Document, Page, PageLine
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


def test_a_unit_of_measurement_makes_no_code_of_words() -> None:
    item = "• La conductividad hidráulica de un suelo, que se da en m/d, depende del medio\n"
    rest = "y del fluido. Grava, más de 1 000 m/d; arena, de 1 a 100;"
    assert paragraphs(f"{item}{rest}\n• Otro") == f"{item.strip()} {rest}\n• Otro"


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


def typeset(folder: Path, page: str) -> str:
    document = read_pdf(pdfs.typeset(folder / "a.pdf", page), SID, ocr="off")
    return clean(document).text


def test_a_title_above_two_columns_does_not_make_their_lines_short(tmp_path: Path) -> None:
    text = typeset(
        tmp_path,
        """#set page(width: 20cm, height: 10cm, margin: 2cm)
#align(center, text(17pt)[*Un título que llega por encima de dos columnas*])
#columns(2)[
- Atapuerca: allí se hallaron al menos 28 individuos según los huesos contados \
  (2016). Entre ellos está el cráneo que llaman Miguelón y también una pelvis.
]
""",
    )
    assert "contados (2016). Entre ellos" in text


def set_at(*lines: tuple[str, float, float]) -> str:
    """What becomes of lines with a left and a right edge, the first of which is parted."""
    placed = [
        PageLine(text, number == 0, 11.0, left, right)
        for number, (text, left, right) in enumerate(lines)
    ]
    page = Page(SID, 1, "\n".join(line.text for line in placed), lines=tuple(placed))
    return clean(Document(SID, (page,))).text


def test_a_line_is_full_if_the_next_word_has_no_room_in_it() -> None:
    long = "Monómeros-trifuncionales-y-bifuncionales reaccionan unos con otros:"
    short = "Monómeros trifuncionales reaccionan unos con otros y con los demás:"
    first = "Un polímero cuya cadena crece por pasos se forma entre dos"
    assert set_at((first, 70, 400), (long, 70, 520)) == f"{first} {long}"
    assert set_at((first, 70, 400), (short, 70, 520)) == f"{first}\n\n{short}"


def test_a_decimal_at_the_beginning_of_a_line_is_no_item() -> None:
    text = set_at(
        ("• Se elige entre los tokens más probables", 70, 300),
        ("cuya suma llega a p. Con la p de", 80, 300),
        ("0.9 quedan dos.", 80, 200),
        ("• Among those who did not reoffend later,", 70, 300),
        ("44.9 % had been labelled.", 80, 250),
        ("• Otras", 70, 120),
        ("1. Una de las que se usan más que otras", 80, 300),
        ("2. Otra", 80, 120),
    )
    assert "Con la p de 0.9 quedan dos." in text
    assert "later, 44.9 % had" in text
    assert "• Otras\n1. Una de las que se usan más que otras\n2. Otra" in text


def test_coordinates_at_the_beginning_of_a_line_go_on() -> None:
    points = "Los puntos son (1, 1), (1, 2), (2, 1), (2, 2), (3, 2),"
    assert (
        set_at((points, 70, 300), ("(6, 5) y el (4, 9).", 70, 200))
        == f"{points} (6, 5) y el (4, 9)."
    )
