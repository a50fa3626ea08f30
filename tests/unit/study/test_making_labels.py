"""Cards of labels: which name something, whose they are, and what gives an answer away."""

from __future__ import annotations

import pytest

from tests.unit.study.material import cards, notes
from tutor.study.card import CardKind
from tutor.study.making import course_cards
from tutor.study.making.choosing import stands_out
from tutor.study.making.labels import is_facet, is_generic

TERMS = (
    "• Duopolio: dos vendedores fijan juntos el precio que pagan todos los compradores.\n"
    "• Monopsonio: un comprador único decide cuánto paga a todos sus vendedores.\n"
)


@pytest.mark.parametrize(
    ("label", "heading"),
    [
        ("Regla especial", "Monopolio"),
        ("Beneficios a largo plazo", "Monopolio"),
        ("Característica clave", "Monopolio"),
        ("Hallazgos clave", "Memoria"),
        ("Componentes principales", "Agentes"),
        ("Regla práctica", "Selección del quantum"),
        ("Scope", "Static tests"),
    ],
)
def test_a_label_of_its_section_names_nothing(label: str, heading: str) -> None:
    assert is_facet(label)
    listed = (
        f"L • {label}: los vendedores acuerdan cuánto paga cada comprador del mercado.\n{TERMS}"
    )
    made = cards(f"# {heading}", listed)
    assert made
    assert not [card for card in made if label in (card.subject, card.answer, *card.choices)]


@pytest.mark.parametrize(
    "label", ["Importante", "Consejo", "Clave", "Ojo", "Nota", "Warning", "Tip"]
)
def test_a_label_that_only_points_makes_no_card(label: str) -> None:
    listed = f"L • {label}: los vendedores acuerdan cuánto paga cada comprador.\n{TERMS}"
    made = cards("# Mercados", listed)
    assert made
    assert label not in {name for card in made for name in (card.subject, card.answer)}


@pytest.mark.parametrize(
    "label",
    [
        "Regla de la cadena",
        "Ecuación de estado",
        "Función simbólica",
        "Alternativas",
        "Beneficios intangibles",
    ],
)
def test_a_noun_with_a_name_of_its_own_is_a_term(label: str) -> None:
    assert not is_facet(label)


def test_a_label_whose_subject_is_nowhere_makes_no_card() -> None:
    listed = f"L • Objetivo: los vendedores acuerdan cuánto paga cada comprador.\n{TERMS}"
    made = cards("# Semana 3: resumen", listed, title="Semana 3")
    assert "Objetivo" not in {card.subject for card in made}
    assert "Duopolio" in {card.subject for card in made}


def test_a_label_of_several_sections_is_no_term_unless_the_heading_has_its_words() -> None:
    first = f"L • Uniforme: camisa azul con boina roja, para todos los afiliados.\n{TERMS}"
    other = (
        "L • Uniforme: traje gris con corbata negra, para cada empleado.\n"
        "• Ventanilla: mesa con cristal en la que cada cliente cobra sus cheques.\n"
        "• Caja fuerte: armario de acero que guarda oro, billetes y joyas ajenas."
    )
    documents = [notes("# Partido", first), notes("# Bancos", other, path="b.pdf")]
    asked = [card for card in course_cards(documents) if card.kind is CardKind.TERM]
    assert "Uniforme" not in {card.answer for card in asked}
    documents = [
        notes("# Tipos de uniforme", first),
        notes("# El uniforme", other, path="b.pdf"),
    ]
    asked = [card for card in course_cards(documents) if card.kind is CardKind.TERM]
    assert "Uniforme" in {card.answer for card in asked}


def test_what_stands_below_an_item_that_is_explained_tells_of_that_item() -> None:
    listed = (
        "L • Carbón mineral: su demanda aumenta por la máquina de vapor y la siderurgia.\n"
        "◦ Asturias: hegemonía por el transporte fácil y los aranceles a la importación.\n"
        "◦ Carbón vegetal: leña quemada sin aire en hornos de tierra, que da una brasa limpia.\n"
        "◦ Carbón de piedra: roca negra que se forma de plantas enterradas sin oxígeno.\n"
        "◦ Carbón de coque: hulla calentada sin aire para fundir mineral de hierro."
    )
    made = cards("# Minería", listed)
    asked = {card.answer for card in made if card.kind is CardKind.TERM}
    assert "Asturias" not in asked
    assert "Carbón vegetal" in asked, "a kind of what stands above"


def test_a_label_that_recurs_in_a_section_is_no_term() -> None:
    listed = (
        "L 1. Variable global del paquete\n"
        "• Destino: queda en el segmento de datos estáticos que tiene todo el programa.\n"
        "2. Variable local de la función\n"
        "• Destino: queda en la pila que se libera cuando la función termina su trabajo.\n"
        "• Marco de pila: argumentos y variables que guarda cada llamada hasta su regreso.\n"
        "• Registro base: dirección desde la que se cuentan todas las demás del marco.\n"
        "• Puntero de pila: dirección del último dato que se ha apilado hasta ahora."
    )
    made = cards("# Memoria", listed)
    asked = {card.answer for card in made if card.kind is CardKind.TERM}
    assert asked == {"Marco de pila", "Registro base", "Puntero de pila"}


@pytest.mark.parametrize(
    "said",
    [
        "por ejemplo, el precio cambia si la entrada se compra en la taquilla.",
        "actitud hacia la política -> apoliticismo general.",
        "programa de la Alianza = principios de la Internacional.",
    ],
    ids=["example", "arrow", "equation of words"],
)
def test_what_defines_nothing_makes_no_card(said: str) -> None:
    listed = f"L • Subasta doble: {said}\n{TERMS}"
    assert "Subasta doble" not in {card.subject for card in cards("# Mercados", listed)}


def test_a_term_is_asked_for_only_where_its_blank_takes_it_as_it_is() -> None:
    said = "la obligación alternativa tiene por objeto una prestación entre varias distintas."
    listed = f"L • Alternativas: {said}\n{TERMS}"
    made = cards("# Tipos de obligaciones", listed)
    assert "Alternativas" not in {card.answer for card in made}
    listed = listed.replace("Alternativas", "Alternativa")
    assert "Alternativa" in {card.answer for card in cards("# Tipos de obligaciones", listed)}


def test_brackets_may_have_the_term_in_another_language() -> None:
    said = (
        "la varianza (en inglés variance) promedia el cuadrado de lo que un dato dista del centro."
    )
    made = cards("# Dispersión", f"L • Varianza: {said}\n{TERMS}", kind=CardKind.TERM)
    assert "Varianza" in {card.answer for card in made}


def test_a_choice_that_alone_has_a_word_of_the_question_stands_out() -> None:
    wrong = ["Descuentos periódicos", "Ofertas esporádicas", "Marca"]
    assert stands_out("Canal directo", wrong, "[Tipos de canales] Se llega al cliente.")
    assert not stands_out("Canal directo", [*wrong, "Canal largo"], "[Tipos de canales]")
    assert not stands_out("Venta directa", wrong, "[Tipos de canales]")


def test_no_choice_is_made_whose_answer_stands_out() -> None:
    listed = f"L • Subasta: precios que suben hasta que nadie ofrece más.\n{TERMS.rstrip()}"
    other = (
        "L • Trueque: dos personas cambian cosas que ninguna de las dos paga con dinero.\n"
        "• Canal corto propio: la fábrica llega a quien compra sin nadie en medio.\n"
        "• Almoneda: la sala llena de gente oye una oferta y otra hasta la última."
    )
    for heading, asked in (("Formas de vender", True), ("Canales de venta", False)):
        made = cards("# Mercados", listed, f"## {heading}", other)
        answers = [card.answer for card in made if card.kind is CardKind.CHOICE]
        assert ("Canal corto propio" in answers) == asked
        assert "Trueque" in answers
        assert "Canal corto propio" in {c.answer for c in made if c.kind is CardKind.TERM}


def test_labels_are_no_choices_beside_what_a_sentence_of_another_section_defines() -> None:
    said = "P La distribución es el conjunto de procesos con que un producto llega al comprador."
    more = "• Trueque: dos personas cambian cosas que ninguna de las dos paga con dinero."
    listed = f"L {TERMS}{more}"
    made = cards("# Marketing", "## Distribución", said, "## Formas de vender", listed)
    assert "Distribución" in {card.answer for card in made if card.kind is CardKind.TERM}
    assert "Distribución" not in {card.answer for card in made if card.kind is CardKind.CHOICE}
    made = cards("# Marketing", "## Distribución", said, listed, kind=CardKind.CHOICE)
    assert "Distribución" in {card.answer for card in made}


def test_a_term_is_not_asked_for_by_a_word_of_its_family() -> None:
    said = "un dato raro en su contexto, como la nieve en una playa del trópico."
    listed = f"L • Contextual: {said}\n{TERMS}"
    made = cards("# Clases de datos raros", listed)
    assert "Contextual" not in {card.answer for card in made}
    listed = listed.replace("en su contexto", "en su entorno")
    assert "Contextual" in {card.answer for card in cards("# Clases de datos raros", listed)}


def test_labels_of_a_section_are_no_wrong_choices() -> None:
    listed = f"L • Alcance: los vendedores acuerdan lo que paga cada comprador.\n{TERMS}"
    more = "• Trueque: dos personas cambian cosas que ninguna de las dos paga con dinero.\n"
    last = "• Franquicia: alguien usa la marca y el modo de trabajar de otra empresa."
    made = cards("# Mercados", f"{listed}{more}{last}", kind=CardKind.CHOICE)
    assert made
    assert not [card for card in made if "Alcance" in card.choices]


THIRD = "• Trueque: dos personas cambian cosas que ninguna de las dos paga con dinero."


def test_terms_of_a_list_are_matched_with_what_it_says_of_them() -> None:
    made = cards("# Mercados", f"L {TERMS}{THIRD}")
    (match,) = (card for card in made if card.kind is CardKind.MATCH)
    assert match.items == ("Duopolio", "Monopsonio", "Trueque")
    assert match.question == "[Mercados] Relaciona cada término con lo que se dice de él."
    right = dict(line.split(" → ") for line in match.answer.split("\n"))
    assert right["Trueque"].startswith("Dos personas cambian cosas")
    assert set(match.choices) == set(right.values())


def test_two_lists_under_one_heading_make_two_cards_that_match() -> None:
    other = (
        "L • Salitre: polvo blanco del desierto que abona los campos y hace pólvora.\n"
        "• Guano: excremento de aves marinas que se recoge en islas sin lluvia.\n"
        "• Caucho: savia lechosa que, calentada con azufre, sirve para ruedas."
    )
    made = cards("# Mercados", f"L {TERMS}{THIRD}", "P Otra cosa es lo que se vende.", other)
    matches = [card.items for card in made if card.kind is CardKind.MATCH]
    assert matches == [("Duopolio", "Monopsonio", "Trueque"), ("Salitre", "Guano", "Caucho")]


def test_what_stands_below_an_item_is_not_matched_with_what_stands_beside_it() -> None:
    listed = (
        "L • Carbón: roca negra que mueve la máquina de vapor y la siderurgia.\n"
        "◦ Carbón vegetal: leña quemada sin aire en hornos cubiertos de tierra.\n"
        "◦ Carbón de coque: hulla calentada sin aire para fundir mineral.\n"
        "• Salitre: polvo blanco del desierto que abona los campos y hace pólvora."
    )
    made = cards("# Minería", listed)
    assert not [card for card in made if card.kind is CardKind.MATCH]


def test_of_fewer_than_three_none_is_asked_by_itself() -> None:
    alone = {CardKind.TERM, CardKind.DEFINITION, CardKind.MATCH}
    assert alone & {card.kind for card in cards("# Mercados", f"L {TERMS}{THIRD}")} == alone
    assert {card.kind for card in cards("# Mercados", f"L {TERMS.rstrip()}")} == {
        CardKind.TRUE_FALSE
    }


def test_labels_of_other_sections_are_no_choices_beside_a_label() -> None:
    more = "• Trueque: dos personas cambian cosas que ninguna de las dos paga con dinero."
    lonely = (
        "L • Carbón: la piedra negra que mueve la máquina de vapor y la siderurgia del norte.\n"
        "• Objetivo: que los trenes lleguen a las minas de todas las provincias."
    )
    made = cards("# Ventas", f"L {TERMS}{more}", "# Minería", lonely)
    assert "Duopolio" in {card.answer for card in made if card.kind is CardKind.CHOICE}
    assert "Carbón" not in {card.answer for card in made if card.kind is CardKind.CHOICE}


def test_a_choice_that_alone_has_a_word_of_the_description_stands_out_whatever_the_heading() -> (
    None
):
    listed = (
        "L • Variables de estado: un conjunto corto de variables con que se describe todo.\n"
        "• Entorno térmico: lo que rodea a un cuerpo y le cede o le quita energía.\n"
        "• Pared térmica: lo que separa dos cuerpos y deja pasar la energía de uno a otro.\n"
        "• Equilibrio térmico: dos cuerpos dejan de ceder energía el uno al otro."
    )
    made = cards("# Física térmica", listed, kind=CardKind.CHOICE)
    assert "Variables de estado" not in {card.answer for card in made}


def test_what_is_said_of_a_kind_is_not_false_of_what_is_of_that_kind() -> None:
    listed = (
        "L • Aparejo: forma de disponer las piezas con que se levanta un muro de carga.\n"
        "• Aparejo inglés: hiladas que alternan piezas a lo largo con piezas de punta.\n"
        "• Aparejo belga: hiladas en las que cada pieza cruza por completo la de abajo."
    )
    made = cards("# Muros", listed, kind=CardKind.TRUE_FALSE)
    false = [card.question for card in made if card.answer == "Falso"]
    assert not [asked for asked in false if "forma de disponer" in asked.lower()]


def test_a_title_below_the_matter_says_what_is_told_of_it() -> None:
    listed = (
        f"L • Trueque: dos personas cambian cosas que ninguna de las dos paga.\n{TERMS.rstrip()}"
    )
    made = cards("# Redes", "## Beneficios principales", listed, kind=CardKind.DEFINITION)
    assert "[Redes › Beneficios principales] Explica «Duopolio»." in {c.question for c in made}


@pytest.mark.parametrize(
    ("title", "generic"),
    [
        ("Conceptos importantes", True),
        ("Conceptos Fundamentales (en un minuto)", True),
        ("Tres componentes", True),
        ("Semana 3 · Sesión 2: Profundización", True),
        ("Comparativa rápida", True),
        ("Tema 2", True),
        ("Tema 2: Ley de Gauss", False),
        ("Ventajas de la compilación", False),
    ],
)
def test_a_title_that_fits_any_subject_is_generic(title: str, generic: bool) -> None:
    assert is_generic(title) == generic


def test_under_a_generic_heading_the_one_above_it_names_the_subject() -> None:
    listed = f"L • Dipolo: dos cargas opuestas a poca distancia una de otra.\n{TERMS}"
    made = cards("# Ley de Gauss", "## Conceptos importantes", listed, title="Física")
    asked = next(card for card in made if card.subject == "Dipolo")
    assert asked.question == "[Ley de Gauss › Conceptos importantes] Explica «Dipolo»."


ZONES = (
    "L • Inicio: solo hay ácido débil en la disolución y nada de base todavía.\n"
    "• Equivalencia: solo queda la base conjugada y el medio ya es básico.\n"
    "• Exceso: manda la base fuerte que sobra al final de la valoración."
)


@pytest.mark.parametrize(
    ("line", "topic"),
    [
        ("Tenemos tres zonas al valorar un ácido débil:", "Curvas › Tenemos tres zonas al"),
        ("Hay tres zonas en la curva:", "Curvas › Hay tres zonas en la curva]"),
        ("Las separamos por lo que queda:", "Curvas]"),
        ("Esta curva tiene tres zonas:", "Curvas]"),
    ],
    ids=["we", "there are", "pronoun", "demonstrative"],
)
def test_labels_of_a_list_are_asked_under_the_line_that_opens_it(line: str, topic: str) -> None:
    (first, *_more) = cards("# Curvas", f"P {line}", ZONES, kind=CardKind.DEFINITION)
    assert first.question.startswith(f"[{topic}")
    assert first.question.endswith("Explica «Inicio».")


@pytest.mark.parametrize(
    "label", ["Al terminar sabrás", "Leyenda", "Remedio", "También lo evitan", "Tres casos"]
)
def test_what_names_nothing_is_no_label(label: str) -> None:
    listed = ZONES.replace("Inicio", label)
    assert not [card for card in cards("# Curvas", listed) if label in card.question]
