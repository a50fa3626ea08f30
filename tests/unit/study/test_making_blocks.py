"""Cards of lists, tables, sentences with a blank and listings."""

from __future__ import annotations

import ast

import pytest

from tests.unit.study.material import cards
from tutor.study.card import CardKind

CRITERIA = (
    "P Un algoritmo de búsqueda se juzga con tres criterios:",
    "L • completitud: ¿encuentra una solución?\n• optimalidad: ¿es la mejor?\n• memoria que ocupa;",
)
STEPS = "L 1. Leer los documentos;\n2. Dividir en\nfragmentos;\n3. Guardar los vectores."
TABLE = (
    "K Tabla 1: Medidas de clasificación",
    (
        "T Medida | Pregunta | Fórmula\n"
        "Precisión | ¿Cuánto de lo marcado era cierto? | VP/(VP + FP)\n"
        "Exhaustividad | ¿Cuánto de lo que había se marcó? | VP/(VP + FN)\n"
        "Especificidad | ¿Cuántos negativos se respetaron? | VN/(VN + FP)"
    ),
)
FUNCTION = """C def media(valores):
    total = 0
    for valor in valores:
        total += valor  # suma
    return total / len(valores)"""


def test_a_list_is_asked_by_the_line_that_opens_it() -> None:
    (card,) = cards("# Búsqueda", *CRITERIA, kind=CardKind.LIST)
    assert card.question.endswith(f"lista de 3 puntos: {CRITERIA[0][2:]}")
    assert card.items == (
        "completitud: ¿encuentra una solución?",
        "optimalidad: ¿es la mejor?",
        "memoria que ocupa",
    )
    assert not card.ordered
    assert card.origin is not None
    assert card.origin.text.startswith("Un algoritmo")


def test_steps_have_an_order_and_lines_below_an_item_are_its_own() -> None:
    (card,) = cards("# Indexar: los tres pasos", STEPS, kind=CardKind.LIST, title="RAG")
    assert card.question == "[RAG] ¿Cuáles son los 3 puntos de «Indexar: los tres pasos»?"
    assert card.ordered
    assert card.items[1] == "Dividir en fragmentos"
    assert card.answer.startswith("1. Leer los documentos\n2. ")


@pytest.mark.parametrize(
    ("lead", "items"),
    [
        ("Tiene dos problemas:", "• es lento de entrenar;\n• ocupa mucha memoria."),
        ("Para pasarla un programa necesita:", "• razonar con reglas;\n• aprender de los datos."),
        ("Un agente se puede describir así:", "• como muestra la figura 3;\n• con una tabla."),
        ("Un agente se puede describir así:", "• con una tabla;\n◦ de acciones;\n• con reglas."),
        ("Un agente se puede describir así:", "• con una tabla;\n• con las reglas de la"),
        ("Algunas propiedades de los agentes son:", "• que perciben;\n• que actúan."),
        ("Para los conductistas:", "• el aprendizaje cuenta;\n• la mente es una caja negra."),
        ("El color es luz en los ojos:", "• rojo, que es cálido;\n• azul, que es frío."),
        ("Los electrones están deslocalizados:", "• son de todos;\n• conducen la corriente."),
        ("Hay cuatro clases de troyanos:", "• los que descargan;\n• los que espían, etc."),
        ("Hay cuatro clases de troyanos:", "• los que espían;\n• ladrones y otros atacantes"),
    ],
    ids=[
        "no subject",
        "pronoun",
        "figure",
        "two levels",
        "cut off",
        "some",
        "nothing asked",
        "nothing left open",
        "a statement",
        "and so on",
        "and others",
    ],
)
def test_no_card_is_made_of_a_list_with(lead: str, items: str) -> None:
    assert not cards("# Agentes", f"P {lead}", f"L {items}", kind=CardKind.LIST)


THINGS = "L • Un precio que atrae\n• Una marca que se recuerda\n• Un envase que se recicla"


def test_a_list_that_a_heading_counts_is_asked_under_the_one_above_it() -> None:
    titles = ("# Obligaciones", "## Tres requisitos")
    (card,) = cards(*titles, THINGS, kind=CardKind.LIST, title="Derecho")
    assert card.question == "[Obligaciones] ¿Cuáles son los 3 puntos de «Tres requisitos»?"


def test_a_line_that_says_as_much_as_its_heading_stands_under_the_one_above_that() -> None:
    lead = "P La guerra tuvo consecuencias graves:"
    parts = ("## Consecuencias graves de la guerra", lead, THINGS)
    (card,) = cards("# Las guerras carlistas", *parts, kind=CardKind.LIST)
    assert card.question.startswith("[Las guerras carlistas] Completa la lista de 3 puntos: La")


@pytest.mark.parametrize(
    "heading",
    [
        "Requisitos",
        "Dos requisitos",
        "Los pasos",
        "Precios bajos",
        "Semana 3",
        "Unidad tres: precio",
    ],
)
def test_no_list_is_asked_of_a_heading_that_says_not_how_many(heading: str) -> None:
    assert not cards("# Marketing", f"## {heading}", THINGS, kind=CardKind.LIST)


def test_a_list_that_may_go_on_below_is_not_asked() -> None:
    assert not cards("# Búsqueda", *CRITERIA, "F f(n) = g(n) + h(n)", kind=CardKind.LIST)


def test_a_row_is_asked_by_its_name_and_the_head_of_its_column() -> None:
    made = cards("# Evaluación", *TABLE, kind=CardKind.ROW)
    assert len(made) == 6
    assert made[1].question == ("[Medidas de clasificación] Precisión (Medida) · Fórmula: ____")
    assert made[1].answer == "VP/(VP + FP)"
    assert made[1].origin is not None
    assert made[1].origin.text == TABLE[1][2:].split("\n")[1]


def test_other_rows_are_the_wrong_choices_and_the_false_statements() -> None:
    for card in cards("# Evaluación", *TABLE, kind=CardKind.CHOICE):
        assert card.answer in card.choices
        assert len(card.choices) == 3
    made = cards("# Evaluación", *TABLE, kind=CardKind.TRUE_FALSE)
    rows = {row.split(" | ")[0]: row for row in TABLE[1][2:].split("\n")[1:]}
    assert len(made) == 3
    for card in made:
        said = card.question.rsplit(": ", 1)[1].removesuffix(".")
        assert (said in rows[card.subject]) == (card.answer == "Verdadero")


def test_a_table_is_matched_by_its_columns_and_notes_below_it_are_no_answers() -> None:
    (card,) = cards("# Evaluación", *TABLE, kind=CardKind.MATCH)
    assert card.question.endswith("Relaciona cada «Medida» con su «Fórmula».")
    assert card.items == ("Precisión", "Exhaustividad", "Especificidad")
    table = "T Método | Completo\nAnchura | síᵃ\nProfundidad | no"
    made = cards("# Búsqueda", "K Tabla 4: Métodos no informados", table, kind=CardKind.ROW)
    assert [card.answer for card in made] == ["no"]


def test_a_table_under_a_generic_heading_is_asked_under_the_one_above_it() -> None:
    table = "P Las fuentes de la ventaja:", TABLE[1]
    (card, *_more) = cards("# Clasificadores", "## Conceptos clave", *table, kind=CardKind.ROW)
    assert card.question.startswith("[Clasificadores › Conceptos clave]")


def test_of_years_the_year_is_asked() -> None:
    table = "T Año | Hito\n1950 | Juego de imitación\n1958 | El perceptrón\n1966 | ELIZA"
    made = cards("# Historia", "K Tabla 2: Hitos de la historia", table, kind=CardKind.ROW)
    assert [card.answer for card in made] == ["1950", "1958", "1966"]
    assert made[1].question.endswith(" El perceptrón. ¿Año?")


def test_a_table_of_aspects_is_asked_by_its_columns() -> None:
    table = "T Aspecto | RAG | Fine-tuning\nCita la fuente | siempre | nunca\nCosto | alto | bajo"
    made = cards("# Técnicas", "K Tabla 3: Cuándo conviene cada técnica", table, kind=CardKind.ROW)
    assert made[0].question.endswith("RAG · Cita la fuente: ____")
    false = [c for c in cards("# T", "K Tabla 3: Cuándo conviene", table) if c.answer == "Falso"]
    for card in false:
        words = card.question
        assert ("siempre" in words or "nunca" in words) == ("Cita la fuente" in words)


HEADED = (
    "T Capa | Descripción | Ejemplo\n"
    "Miocardio | Capa de músculo que se contrae | el de un perro\n"
    "Endocardio | Revestimiento interno de las cavidades | el de un gato\n"
    "Nervio vago | Nervio vago (X). Frena el corazón | el de un pez"
)


def test_a_table_without_a_caption_has_a_head_that_differs_from_its_rows() -> None:
    made = cards("# Paredes del corazón", HEADED, kind=CardKind.ROW)
    asked = {card.question: card.answer for card in made}
    assert asked == {
        "[Paredes del corazón] Miocardio (Capa) · Descripción: ____": (
            "Capa de músculo que se contrae"
        ),
        "[Paredes del corazón] Endocardio (Capa) · Descripción: ____": (
            "Revestimiento interno de las cavidades"
        ),
    }


def test_a_year_is_asked_for_all_that_its_row_tells() -> None:
    rows = "\n1906 | Bowley | defiende el azar\n1934 | Neyman | separa estratos\n1953 | Hansen |"
    opened = ("K Tabla 2: Historia del muestreo", f"T Año | Quién | Qué{rows}")
    made = cards("# Muestreo", *opened, kind=CardKind.ROW)
    assert {card.question.split("] ")[1]: card.answer for card in made} == {
        "Bowley · defiende el azar. ¿Año?": "1906",
        "Neyman · separa estratos. ¿Año?": "1934",
        "Hansen. ¿Año?": "1953",
    }


def test_cells_of_an_open_column_are_told_apart_and_not_recalled() -> None:
    rows = (
        "\nIntegral | porina | extracción con detergentes\nPeriférica | espectrina | lavado salino"
    )
    opened = ("K Tabla 2: Proteínas de la membrana", f"T Tipo | Ejemplo | Cómo se extrae{rows}")
    made = cards("# Proteínas", *opened)
    asked = [card.question for card in made if card.kind is CardKind.ROW]
    assert asked
    assert not [question for question in asked if "Ejemplo" in question]
    assert [
        card for card in made if card.kind is CardKind.TRUE_FALSE and "Ejemplo" in card.question
    ]


def test_timetables_make_no_cards() -> None:
    table = "T Qué | Dónde\nTutorías | Despacho 117\nPrácticas | Laboratorio 3"
    shown = ("K Tabla 1: Lugares de cada grupo", table)
    assert cards("# Prácticas", *shown)
    assert not cards("# Horario y tutorías", *shown)


def test_figures_below_it_tell_a_head_too() -> None:
    table = "T Nota | Duración\nRedonda | 4 tiempos\nBlanca | 2 tiempos\nNegra | 1 tiempo"
    made = cards("# Duración de las notas", table, kind=CardKind.ROW)
    assert [card.answer for card in made] == ["4 tiempos", "2 tiempos", "1 tiempo"]


def test_a_table_of_differences_is_asked_by_its_columns() -> None:
    table = "T Diferencias | Compilador | Intérprete\nProceso | traduce todo | va línea a línea"
    table += "\nErrores | salen antes | salen al ejecutar"
    made = cards("# Traductores", table, kind=CardKind.ROW)
    assert made[0].question.endswith("Compilador · Proceso: ____")


def test_no_choice_of_a_table_has_alone_a_word_of_its_question() -> None:
    table = (
        "T Programa | Qué guarda\nCon metas | el estado y sus metas\n"
        "Reflejo | reglas fijas sobre cada suceso\nCon modelo | una imagen interna del mundo"
    )
    made = cards("# Agentes", "K Tabla 2: Programas de un agente", table, kind=CardKind.CHOICE)
    assert "Con metas" not in {card.subject for card in made}
    assert "Reflejo" in {card.subject for card in made}


HEADLESS = (
    "T Precisión | cuánto de lo marcado era cierto\n"
    "Exhaustividad | cuánto de lo que había se marcó\n"
    "Especificidad | cuántos negativos se respetaron"
)


@pytest.mark.parametrize(
    "parts",
    [
        (HEADLESS,),
        ("T Mitosis | División celular\nMeiosis | Reduce a la mitad los cromosomas de ella",) * 2,
        ("T Regulador | Anexo normativo\nQueso curado | Leche entera\nPan blanco | Harina fina",),
        ("T Compilar | Compilador\nResultado: un programa | Un programa que traduce otros",) * 2,
        (TABLE[0], "T Paso | g\n1 | 0\n2 | 13"),
        (TABLE[0], "T Ventajas | Desventajas\nRápidos | Sobreajustan\nSe leen | Inestables"),
        (TABLE[0], "T Nombre | Uso\nReLU | oculta\nReLU | salida"),
        (TABLE[0], "T Nombre | Uso\nReLU | oculta | barata\nTanh | salida"),
    ],
    ids=[
        "no head",
        "a first row like the second",
        "a first row like the others",
        "two lists side by side",
        "numbers",
        "two lists",
        "name twice",
        "cells that shift",
    ],
)
def test_no_card_is_made_of_a_table_with(parts: tuple[str, ...]) -> None:
    asked = {CardKind.ROW, CardKind.CHOICE, CardKind.TRUE_FALSE, CardKind.MATCH}
    assert not [card for card in cards("# Evaluación", *parts) if card.kind in asked]


def test_a_blank_is_left_for_a_term_with_another_name() -> None:
    told = "deja pasar números positivos y anula los negativos."
    sentence = f"P La ReLU (rectified linear unit) {told}"
    (card,) = cards("# Historia breve", sentence, kind=CardKind.CLOZE)
    assert card.answer == "ReLU (rectified linear unit)"
    assert f"La ____ {told}" in card.question


@pytest.mark.parametrize(
    "sentence",
    [
        "Este algoritmo (breadth-first search) expande primero el nodo menos profundo de todos.",
        "Las letras hacen referencia a cuatro productos (artículos de la tienda) distintos.",
        "El modelo ajustado explica el 37.3 % de la variabilidad que hay en la respuesta medida.",
        "La red AlexNet bajó el error del concurso al 15.3 % con capas profundas.",
        "Los algoritmos usan una estrategia voraz (greedy) que parte los datos sin volver atrás.",
        "La búsqueda voraz (greedy search) expande el nodo más cercano.",
        "The paired test (PT) compares the means of one group at two points in time.",
        r"La ReLU (rectified linear unit) es \emph{lineal} a la derecha y nula a la izquierda.",
        "Alan Turing propuso en 1950 reemplazar la pregunta por un juego de imitación escrito.",
    ],
    ids=[
        "demonstrative",
        "remark",
        "number of an example",
        "share",
        "no subject",
        "little is told",
        "English",
        "TeX",
        "a year",
    ],
)
def test_no_blank_is_left_in(sentence: str) -> None:
    assert not cards("# Historia breve", f"P {sentence}", kind=CardKind.CLOZE)


def test_a_formula_is_asked_by_the_sentence_that_opens_it() -> None:
    lead = "P La regresión logística supone que el logaritmo de los momios es lineal:"
    (card,) = cards(
        "# Regresión logística", lead, "F log p/(1 − p) = θ₀ + θ₁x₁ (2.1)", kind=CardKind.CLOZE
    )
    assert card.answer == "log p/(1 − p) = θ₀ + θ₁x₁"
    assert card.question.endswith(f"{lead[2:]} ____")


@pytest.mark.parametrize(
    "formula",
    ["n=0 2 4\nx = 1", "f(x = 3", "∞"],
    ids=["lines", "bracket", "no relation"],
)
def test_no_broken_formula_is_asked(formula: str) -> None:
    lead = "P La regresión logística supone que el logaritmo de los momios es lineal:"
    assert not cards("# Regresión logística", lead, f"F {formula}", kind=CardKind.CLOZE)


@pytest.mark.parametrize(
    "lead",
    [
        "La original usa senos y cosenos de varias frecuencias:",
        "En cada ejemplo se calcula la predicción de la regresión logística y se corrige:",
        "La regresión logística con la tasa λ supone que el logaritmo es lineal:",
    ],
    ids=["no subject", "begins with a circumstance", "has a symbol"],
)
def test_no_formula_is_asked_by(lead: str) -> None:
    assert not cards(
        "# Regresión logística", f"P {lead}", "F log p = θ₀ + θ₁x₁", kind=CardKind.CLOZE
    )


def test_a_line_of_a_function_is_left_out() -> None:
    made = cards(
        "# Media de una lista", "P El código es de la clase.", FUNCTION, kind=CardKind.CODE
    )
    assert {card.answer for card in made} <= {"total += valor", "return total / len(valores)"}
    assert made
    for card in made:
        assert "«media»" in card.question
        ast.parse(card.question.split("\n\n", 1)[1].replace("____", card.answer))


@pytest.mark.parametrize(
    "listing",
    [
        "C ##  Shapiro-Wilk normality test\n## W = 0.97432, p-value = 0.06337",
        "C ggplot(data = Cars93, aes(x = Weight)) + geom_point(colou\nr = 'red')",
        "C import numpy as np\nx = np.arange(1, 9)\ny = x + 1\nprint(x, y)",
    ],
    ids=["output", "another language", "no function"],
)
def test_no_line_is_left_out_of(listing: str) -> None:
    assert not cards("# Listas", listing, kind=CardKind.CODE)
