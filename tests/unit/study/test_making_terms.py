"""Cards of definitions: what is asked, what must not be, and what stands beside an answer."""

from __future__ import annotations

import pytest

from tests.unit.study.material import cards, notes
from tutor.study.card import CardKind
from tutor.study.making import course_cards

AGENT = (
    "D Definición (Agente). Un agente es todo aquello que percibe su entorno por medio de"
    " sensores y actúa sobre él por medio de actuadores."
)
KINDS = (
    "L • Aprendizaje supervisado: cada ejemplo trae su etiqueta y se aprende a predecir.\n"
    "• Aprendizaje por refuerzo (reinforcement learning): un programa recibe recompensas y"
    " castigos por sus acciones;\n"
    "• Agrupamiento: se buscan conjuntos de datos parecidos sin conocer ninguna clase.\n"
    "• Reducción de dimensionalidad: pocas variables nuevas conservan lo que decían muchas."
)


def test_a_definition_is_asked_both_ways_without_its_term_in_the_question() -> None:
    definition, term = cards("# 3 Conducta racional", AGENT)
    assert definition.kind is CardKind.DEFINITION
    assert definition.question == "[Conducta racional] ¿Cómo se define «Agente»?"
    assert definition.answer.startswith("Un agente es todo aquello que percibe")
    assert definition.origin is not None
    assert definition.origin.text == AGENT[2:]
    assert term.kind is CardKind.TERM
    assert term.answer == "Agente"
    assert "Un ____ es todo aquello" in term.question
    assert "agente" not in term.question.lower()


def test_a_short_form_is_not_asked_for_by_its_long_form() -> None:
    said = "es una red recurrente que evita que el gradiente se desvanezca con puertas de olvido."
    (card,) = cards("# Redes", f"D Definición (LSTM). Una long short-term memory (LSTM) {said}")
    assert card.kind is CardKind.DEFINITION
    assert len(cards("# Redes", f"D Definición (LSTM). Una LSTM {said}")) == 2


def test_a_heading_that_names_the_term_does_not_stand_over_its_question() -> None:
    (term,) = cards("# Agentes", AGENT, kind=CardKind.TERM)
    assert not term.question.startswith("[Agentes]")


@pytest.mark.parametrize(
    ("sentence", "question", "answer"),
    [
        (
            "Una época es una pasada por todo el conjunto de entrenamiento.",
            "¿Qué es una época?",
            "Una pasada por todo el conjunto de entrenamiento.",
        ),
        (
            "Los embeddings (vectores densos) son los vectores que representan el significado.",
            "¿Qué son los embeddings?",
            "Los vectores que representan el significado.",
        ),
    ],
)
def test_a_sentence_that_says_what_something_is_defines_it(
    sentence: str, question: str, answer: str
) -> None:
    (card,) = cards("# Redes", f"P {sentence}", kind=CardKind.DEFINITION)
    assert (card.question.split("] ")[-1], card.answer) == (question, answer)


@pytest.mark.parametrize(
    "sentence",
    [
        "Este método es una manera de ordenar los datos que se miden.",
        "El resultado es una distribución de probabilidad sobre todas las clases.",
        "Es un clasificador binario lineal con una sola neurona de salida.",
        "Una red bayesiana es la que se ve en la Figura 3 con sus probabilidades.",
        "Una heurística es, como vimos, una estimación de lo que falta hasta la meta.",
        "Un caso es el anterior, una mezcla de dos distribuciones normales.",
    ],
)
def test_what_needs_its_surroundings_defines_nothing(sentence: str) -> None:
    assert not cards("# Redes", f"P {sentence}", kind=CardKind.DEFINITION)


@pytest.mark.parametrize(
    "block",
    [
        "D Ejemplo (Taxi). Un taxi es un agente que percibe las calles y conduce por ellas.",
        "D Definición (Sigmoide). La función sigmoide, conocida como función logística, se",
        "D Definición (Inversa). La inversa es la matriz A⁻¹ = (1 0 que cumple lo pedido.",
        "D Definición (Norma). La norma de un vector cumple kAk ≥ 0 para toda matriz cuadrada A.",
        "D Definición (Identidad). La identidad tiene ceros en el resto: donde a es un vector.",
        "D Definición (Grafo). La matriz de la definición anterior se llama así desde siempre.",
        (
            "L • Conserva el orden: la clase con mayor logit es también la más probable.\n"
            "• Si la pérdida es nan: hay que bajar la tasa y revisar todos los datos."
        ),
    ],
    ids=[
        "example",
        "cut off",
        "broken formula",
        "bars read as letters",
        "formula elsewhere",
        "points back",
        "labels that are clauses",
    ],
)
def test_no_definition_is_made_of(block: str) -> None:
    assert not cards("# Redes", block, kind=CardKind.DEFINITION)


def test_the_steps_of_an_example_define_nothing() -> None:
    example = "D Ejemplo (Taxi autónomo)."
    step = "D Sensores: cámaras, lidar, velocímetro, acelerómetro y micrófono."
    assert cards("# PEAS", step, kind=CardKind.DEFINITION)
    assert not cards("# PEAS", example, step, kind=CardKind.DEFINITION)


@pytest.mark.parametrize("heading", ["6 Ejercicios", "Bibliografía", "Índice", "Exercises"])
def test_sections_with_nothing_to_learn_make_no_cards(heading: str) -> None:
    assert not cards(f"# {heading}", AGENT, KINDS)


def test_the_formula_below_belongs_to_the_definition() -> None:
    (card,) = cards(
        "# Curvas",
        "D Definición (Sigmoide). La sigmoide de un número z se calcula de la siguiente manera:",
        "F σ(z) = 1/(1 + e⁻ᶻ)",
        kind=CardKind.DEFINITION,
    )
    assert card.answer.endswith("\nσ(z) = 1/(1 + e⁻ᶻ)")


def test_wrong_terms_stand_nearby_and_are_not_right_too() -> None:
    made = cards("# Formas de aprender", KINDS, kind=CardKind.CHOICE)
    assert len(made) == 4
    for card in made:
        assert card.answer in card.choices
        assert len(set(card.choices)) == len(card.choices) == 4


def test_no_term_is_a_wrong_choice_that_another_name_or_description_makes_right() -> None:
    twin = (
        "L • Clustering: se buscan conjuntos de datos parecidos sin conocer ninguna clase.\n"
        + (KINDS[2:])
    )
    answers = {card.answer for card in cards("# Formas de aprender", twin, kind=CardKind.CHOICE)}
    terms = {card.answer for card in cards("# Formas de aprender", twin, kind=CardKind.TERM)}
    assert "Agrupamiento" not in answers | terms
    assert "Clustering" not in answers | terms
    kind = "L • Aprendizaje: se mejora con la experiencia sin programar cada regla.\n" + KINDS[2:]
    for card in cards("# Formas de aprender", kind, kind=CardKind.CHOICE):
        kinds = [choice for choice in card.choices if choice.startswith("Aprendizaje")]
        assert "Aprendizaje" not in kinds or len(kinds) == 1


def test_an_acronym_is_no_choice_beside_one_that_ends_with_it() -> None:
    nets = (
        "L • LAN: la red de los equipos de una casa o de una oficina pequeña.\n"
        "• WLAN: la red sin cables que enlaza por radio los equipos de un edificio.\n"
        "• MAN: la red que junta los edificios de una ciudad entera con fibra.\n"
        "• WAN: la red que cruza países y mares por los cables de un operador.\n"
        "• PAN: la red que llega a un par de metros de quien lleva el equipo."
    )
    made = cards("# Alcance de las redes", nets, kind=CardKind.CHOICE)
    assert {"LAN", "WLAN"} <= {card.answer for card in made}
    assert not [card for card in made if {"LAN", "WLAN"} <= set(card.choices)]


def test_a_false_statement_is_one_that_the_same_list_makes_of_another_term() -> None:
    made = cards("# Formas de aprender", KINDS, kind=CardKind.TRUE_FALSE)
    assert {card.answer for card in made} == {"Verdadero", "Falso"}
    items = [item[2:].rstrip(";.") for item in KINDS[2:].split("\n")]
    for card in made:
        assert card.choices == ("Verdadero", "Falso")
        said = card.question.split("»: ", 1)[1].rstrip(".")
        holder = next(item for item in items if said.lower() in item.lower())
        is_own = holder.startswith(card.subject.split(" (")[0])
        assert is_own == (card.answer == "Verdadero")


def test_an_english_document_asks_in_english() -> None:
    card, *_rest = cards(
        "# Training a model",
        "D Definition (Epoch). An epoch is a pass over all of the training data.",
    )
    assert card.question == "[Training a model] How is “Epoch” defined?"
    assert card.language == "en"


def test_a_course_asks_once_and_the_newest_version_answers() -> None:
    other = AGENT.replace("actuadores", "brazos y ruedas")
    old = notes("# Conducta", AGENT, path="1.pdf", version="1", week=1)
    new = notes("# Conducta", other, path="2.pdf", version="2", week=1)
    copy = notes("# Conducta", other, path="z.pdf")
    for documents in ([old, new, copy], [new, copy, old]):
        made = [card for card in course_cards(documents) if card.kind is CardKind.DEFINITION]
        assert [card.answer[-16:] for card in made] == ["brazos y ruedas."]


def test_a_course_does_not_say_the_same_under_two_headings() -> None:
    documents = [notes("# Conducta", AGENT, path="1.pdf"), notes("# Robots", AGENT, path="2.pdf")]
    made = [card for card in course_cards(documents) if card.kind is CardKind.DEFINITION]
    assert len(made) == 1


def test_the_same_notes_make_the_same_cards_again() -> None:
    parts = ("# Formas de aprender", AGENT, KINDS)
    assert cards(*parts) == cards(*parts)
    alone = {card.id: card for card in cards(*parts)}
    in_course = course_cards([notes(*parts), notes("# Otra", "P Nada que decir.", path="b.pdf")])
    assert {card.id for card in in_course} == set(alone)


@pytest.mark.parametrize(
    ("headings", "sentence", "question"),
    [
        (
            ("# Enlace químico", "## Electrones y átomos"),
            "El enlace químico es la unión entre átomos que forma sustancias nuevas.",
            "¿Qué es el enlace químico?",
        ),
        (
            ("# Marketing y ventas", "## Producto propio"),
            "Marketing es el conjunto de actividades con que una empresa atiende al comprador.",
            "[Marketing y ventas] ¿Qué es Marketing?",
        ),
        (
            ("# Los cerrojos", "## Evaluación de Spin Lock"),
            "Un spin lock es el tipo de cerrojo en que un hilo espera y gasta ciclos de la CPU.",
            "[Evaluación de Spin Lock] ¿Qué es un spin lock?",
        ),
    ],
    ids=["article", "no article", "indefinite article"],
)
def test_a_sentence_on_what_a_heading_names_defines_it(
    headings: tuple[str, ...], sentence: str, question: str
) -> None:
    (card,) = cards(*headings, f"P {sentence}", kind=CardKind.DEFINITION)
    assert card.question == question


@pytest.mark.parametrize(
    "sentence",
    [
        "El enlace químico es la herramienta importante de la química de hoy en día.",
        "El enlace químico es una de las ideas más fecundas de toda la química moderna.",
        "El enlace químico es lo que une los átomos de cada molécula de una sustancia.",
        "El enlace químico es la unión que vimos en la clase anterior entre los átomos.",
        "El enlace químico es un aspecto que impacta en la estabilidad de toda sustancia.",
        "El enlace químico es una técnica fundamental para el manejo de los átomos sueltos.",
        "El enlace químico es la parte más importante de la química que se ve en la escuela.",
        "El enlace químico es un ejemplo de una fuerza que une los átomos de una sustancia.",
        "Una de las fuerzas del enlace químico es la atracción entre cargas de distinto signo.",
        "Un claro ejemplo es la unión de un átomo de sodio con un átomo de cloro en la sal.",
        "El sabor amargo es la señal que las plantas con veneno dan a los animales.",
    ],
    ids=[
        "tool",
        "one of several",
        "no class",
        "points away",
        "aspect",
        "praise",
        "praised part",
        "an example",
        "one of those named",
        "example",
        "no heading names it",
    ],
)
def test_a_sentence_that_tells_no_class_or_of_another_thing_defines_nothing(sentence: str) -> None:
    assert not cards("# Enlace químico", f"P {sentence}", kind=CardKind.DEFINITION)


def test_what_is_defined_in_so_many_words_is_not_defined_by_a_sentence_too() -> None:
    said = "P El agente es el programa que percibe su entorno con sensores y actúa sobre él."
    made = cards("# Agente y entorno", AGENT, said, kind=CardKind.DEFINITION)
    assert [card.question for card in made] == ["[Agente y entorno] ¿Cómo se define «Agente»?"]


def test_an_index_in_brackets_is_no_translation() -> None:
    said = "los carnívoros que nadie caza y que cierran la cadena de quienes comen."
    listed = KINDS.replace("Agrupamiento", "Consumidores finales C_(F)")
    made = cards("# Niveles", f"{listed}\n• Descomponedores: {said}", kind=CardKind.CHOICE)
    assert "Consumidores finales C_(F)" in {card.answer for card in made}
