"""What a card does not ask: what gives its answer away, what is true of two, what names nothing."""

from __future__ import annotations

from tests.unit.study.material import cards
from tutor.map.wording import stands_alone
from tutor.study.card import Card, CardKind
from tutor.study.making.choosing import fits_article, related


def asked(made: list[Card], kind: CardKind) -> set[str]:
    return {card.question for card in made if card.kind is kind}


def test_an_article_before_a_blank_wants_choices_of_one_gender_and_number() -> None:
    said = "En obligaciones a plazo, la ____ se produce por su solo vencimiento."
    assert not fits_article(said, ("Daño", "Dolo", "Multa"))
    assert not fits_article(said, ("Cargas", "Multas", "Obligación"))
    assert fits_article(said, ("Dolo", "Multa", "Obligación"))
    assert fits_article("____ puede extinguirse.", ("Daño", "Dolo", "Multa"))
    assert not fits_article("Las filas de un ____ no tienen orden.", ("Tupla", "Clave", "Unión"))


ONE = "veces que puede participar una entidad del modelo en una relación"
OTHER = "cantidad de veces que una entidad se enlaza con filas ajenas a su propia tabla"
APART = "valores que admite cada columna cuando se escribe una fila nueva"


def sides(heading: str, *said: str) -> set[str]:
    """The answers of what is true or false, by so many names that a coin falls on both sides."""
    answers: set[str] = set()
    for names in (("Grado", "Alcance"), ("Cota", "Orden"), ("Peso", "Rango"), ("Nivel", "Base")):
        listed = "\n".join(f"• {name}: {one}." for name, one in zip(names, said, strict=True))
        made = cards(heading, f"L {listed}", kind=CardKind.TRUE_FALSE)
        answers |= {card.answer for card in made}
    return answers


def test_no_statement_is_false_that_may_be_true_of_the_other_one() -> None:
    assert related(ONE, OTHER)
    assert not related(ONE, APART)
    assert sides("# Modelo relacional", ONE, OTHER) == {"Verdadero"}
    assert sides("# Modelo relacional", ONE, APART) == {"Verdadero", "Falso"}


def test_a_sentence_that_counts_from_another_one_does_not_stand_alone() -> None:
    assert not stands_alone("Un año después, los problemas comenzaron.")
    assert not stands_alone("Two years later the war ended.")
    assert stands_alone("Un año después de la guerra, los problemas comenzaron.")


def test_the_first_chapter_is_not_over_the_later_ones() -> None:
    listed = (
        "L • Independencia: los datos se cambian sin tocar los programas que los usan.\n"
        "• Integridad: los datos guardados no se corrompen aunque falle una operación.\n"
        "• Concurrencia: muchas personas consultan a la vez las mismas tablas del disco."
    )
    parts = ("# 1 Modelo de datos", "P Texto.", "# 2 DBMS", listed)
    questions = asked(cards(*parts, title="1 Modelo de datos"), CardKind.DEFINITION)
    assert "[DBMS] Explica «Independencia»." in questions
    questions = asked(cards(*parts, title="Bases de datos"), CardKind.DEFINITION)
    assert "[Bases de datos › DBMS] Explica «Independencia»." in questions


def test_how_a_course_is_graded_is_no_matter() -> None:
    table = "T Parte | Cuándo\nPráctica de VHDL | 14 de marzo\nControl escrito | 25 de abril"
    shown = ("K Tabla 1: Fechas de cada parte", table)
    assert cards("# Evaluación de circuitos", *shown)
    assert not cards("# Evaluación del bloque", *shown)
    assert not cards("# Cómo usar esta guía", *shown)


def test_a_term_is_not_asked_for_by_a_name_it_comes_from_but_told_apart() -> None:
    listed = (
        "L • Pliniano: columna muy alta, que describió Plinio a propósito del Vesubio.\n"
        "• Hawaiano: coladas fluidas que corren lejos desde fisuras del terreno abierto.\n"
        "• Vulcaniano: bombas y ceniza densa tras romperse un tapón de lava sólida."
    )
    made = cards("# Estilos", listed)
    assert not [card for card in made if card.answer == "Pliniano"]
    assert "Pliniano" in {item for card in made for item in card.items}


def test_no_heading_over_a_question_names_its_term_in_the_plural() -> None:
    said = "P A fault is a fracture along which there has been visible displacement of rock."
    made = cards("# Faults", said, kind=CardKind.TERM, title="Geology")
    assert [card.question.split(" Which")[0] for card in made] == ["[Geology]"]


def test_a_value_a_label_or_two_terms_behind_a_label_explain_nothing() -> None:
    listed = (
        "L • Quórum: mitad más uno de los miembros presentes en la sala cuando se vota.\n"
        "• Senado: 2 meses para el veto, que se aprueba por mayoría absoluta.\n"
        "• Amparo: plazos: veinte días contra los actos de una administración.\n"
        "• Selectivo: inhibe a unos y deja crecer a otros · Diferencial: lleva un indicador.\n"
        "• Enmienda: propuesta de cambio que un grupo presenta al texto que se debate.\n"
        "• Ponencia: grupo de diputados que informa el texto antes de la comisión."
    )
    made = cards("# Procedimiento", listed, kind=CardKind.DEFINITION)
    assert {card.subject for card in made} == {"Quórum", "Enmienda", "Ponencia"}
