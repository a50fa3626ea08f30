"""Cards of tables: what stands over them, what they are about, and which columns are open."""

from __future__ import annotations

import pytest

from tests.unit.study.material import cards
from tutor.study.card import CardKind

MARGINS = (
    "T Group | Typical estimate\nMarried women | 0.2 to 0.4\nSingle mothers | about 0.7\n"
    "Prime-age men | −0.1 to 0.1"
)
TRAITS = (
    "T Rasgo | Estrategas r | Estrategas K\nAmbiente | variable | estable\n"
    "Tamaño corporal | pequeño | grande\nEjemplo | ratón | elefante"
)


@pytest.mark.parametrize(
    ("caption", "topic"),
    [
        ("K Table 1. Elasticities of hours. Rounded.", "Income effects › Elasticities of hours"),
        ("K Table 1. Income effects by group.", "Income effects by group"),
        ("P Table 1 has more of them.", "Income effects"),
        ("K Table 1: Estimates of the previous section", "Income effects"),
    ],
    ids=["says more", "names the topic", "no caption", "points elsewhere"],
)
def test_a_caption_below_a_table_says_what_its_heads_are_of(caption: str, topic: str) -> None:
    made = cards("# Income effects", MARGINS, caption, kind=CardKind.ROW)
    assert [card.question.split("] ")[0] for card in made] == [f"[{topic}"] * 3


def test_a_caption_over_the_next_table_is_not_of_the_one_above_it() -> None:
    following = MARGINS.replace("Group", "Sector").replace("estimate", "share")
    made = cards("# Income effects", MARGINS, "K Table 2: Sectors of work", following)
    above = {card.question for card in made if "(Group)" in card.question}
    assert above
    assert not [question for question in above if "Sectors" in question]


def test_a_table_of_traits_is_asked_by_what_has_them() -> None:
    made = cards("# Estrategias de vida", "P Hay dos extremos:", TRAITS)
    rows = [card for card in made if card.kind is CardKind.ROW]
    assert [card.question.split("] ")[1] for card in rows] == [
        "Estrategas r · Ambiente: ____",
        "Estrategas K · Ambiente: ____",
        "Estrategas r · Tamaño corporal: ____",
        "Estrategas K · Tamaño corporal: ____",
    ]
    sizes = [card for card in made if "Tamaño" in card.question and "____" not in card.question]
    assert all("pequeño" in card.question or "grande" in card.question for card in sizes)


def test_traits_that_are_only_described_are_the_rows() -> None:
    table = "T Propiedad | Descripción\nInercia | no cambia de estado\nMasa | cuánta materia hay"
    made = cards("# Cuerpos", "K Tabla 1: Rasgos de un cuerpo", table, kind=CardKind.ROW)
    assert made[0].question.endswith("Inercia (Propiedad) · Descripción: ____")


@pytest.mark.parametrize("column", ["Obra", "Casos de uso", "Mal ejemplo", "Muestra"])
def test_what_could_be_another_one_is_not_recalled(column: str) -> None:
    rows = "\nTirso | El burlador de Sevilla\nAlarcón | La verdad sospechosa\nLope | Fuenteovejuna"
    shown = ("K Tabla 1: Autores del ciclo", f"T Autor | {column}{rows}")
    made = cards("# Teatro", *shown)
    assert made
    assert not [card for card in made if card.kind is CardKind.ROW]
