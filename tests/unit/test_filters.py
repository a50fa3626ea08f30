"""What a question says of weeks, days, authors and documents is found, and nothing else is."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tutor.errors import ExitCode, FilterError
from tutor.i18n import catalog
from tutor.model import Filter, Source, source_id
from tutor.search.filters import FilterChoice, Recogniser, chosen_filter, in_words, what_exists


def _source(path: str, title: str, week: int | None, day: date | None, *authors: str) -> Source:
    return Source(source_id(path), path, title, path, 3, week, day, "1", authors)


SOURCES = [
    _source(
        "02_SEMANA_AI_20250811_1.pdf",
        "Búsqueda informada: heurísticas y A*",
        2,
        date(2025, 8, 11),
        "Gabriela Umaña Fallas",
        "Óscar Villalobos Peña",
    ),
    _source(
        "05_SEMANA_AI_20250901_1.pdf",
        "Introducción a la inteligencia artificial y agentes racionales",
        5,
        date(2025, 9, 1),
        "Andrés Zúñiga Mora",
        "Paula Cordero Jiménez",
    ),
    _source("07_1.pdf", "Árboles de decisión", 7, date(2025, 9, 15), "Emilio Vásquez Prado"),
    _source(
        "07_2.pdf",
        "Árboles de decisión: construcción y poda",
        7,
        date(2025, 9, 18),
        "Marcos Elizondo Prado",
    ),
    _source("redes.pdf", "Notas", 12, None, "Samantha Brown Ortega"),
]
BY_ID = {source.id: source for source in SOURCES}
RECOGNISER = Recogniser(SOURCES)


def _said(question: str) -> str:
    return in_words(RECOGNISER.recognise(question).filter, BY_ID, catalog("en"))


@pytest.mark.parametrize(
    ("question", "weeks"),
    [
        ("¿Qué es la entropía en la semana 5?", (5,)),
        ("que es la entropia EN LA SEMANA 5", (5,)),
        ("¿Qué vimos en las semanas 3 a 5?", (3, 4, 5)),
        ("¿Qué vimos en las semanas 3-5?", (3, 4, 5)),
        ("¿Qué vimos de la semana tres a la cinco?", (3, 4, 5)),
        ("desde la semana 3 hasta la semana 5, ¿qué modelos hay?", (3, 4, 5)),
        ("entre las semanas 3 y 5, ¿qué modelos hay?", (3, 4, 5)),
        ("¿Qué modelos hay en las semanas 3, 5 y 7?", (3, 5, 7)),
        ("Compara la poda de la semana 7 con la búsqueda de la semana 2", (2, 7)),
        ("¿Qué es softmax en la semana 5 o 6?", (5, 6)),
        ("En la semana 5, 3 ejemplos de clasificación", (5,)),
        ("hasta la semana 2, ¿qué métodos hay?", (1, 2)),
        ("a partir de la semana once, ¿qué redes hay?", (11, 12)),
        ("antes de la semana 3, ¿qué métodos hay?", (1, 2)),
        ("¿Qué se dijo en la semana 5 de la entropía cruzada?", (5,)),
        ("según los apuntes de la semana 5, ¿qué es un agente?", (5,)),
        ("en la clase de la semana 5 de este curso, ¿qué es un agente?", (5,)),
        ("What is an agent, in week 5?", (5,)),
        ("What is pruning in weeks five to seven?", (5, 6, 7)),
        ("week 7 notes: what is pruning?", (7,)),
        ("the notes from week 7 about pruning", (7,)),
        ("¿Qué es un perceptrón en la semana 14?", (14,)),
        ("¿Qué vimos en la quinta semana?", (5,)),
        ("en la 5ta semana, ¿qué es un agente?", (5,)),
        ("sem 5 que es un agente", (5,)),
        ("¿qué es un agente, en la última semana?", (12,)),
        ("What is an agent, in the last week?", (12,)),
    ],
)
def test_weeks(question: str, weeks: tuple[int, ...]) -> None:
    assert RECOGNISER.recognise(question).filter == Filter(weeks=weeks)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("¿Cuál es la fórmula del 11 de agosto?", "2025-08-11"),
        ("la clase del 11/08, ¿qué es una heurística?", "2025-08-11"),
        ("la clase del 2025-08-11, ¿qué es una heurística?", "2025-08-11"),
        ("What is a heuristic, from August 11?", "2025-08-11"),
        ("What is a heuristic in the class of 11 August 2025?", "2025-08-11"),
        ("¿Qué vimos el 11 de agosto?", "2025-08-11"),
        ("la clase del lunes 11 de agosto, ¿qué es A*?", "2025-08-11"),
        ("What did we see on Monday, August 11?", "2025-08-11"),
        ("la clase de agosto 11, ¿qué es A*?", "2025-08-11"),
        ("¿Qué es A* en la clase del 12 de agosto?", "2025-08-12"),
        ("del 1 al 15 de septiembre, ¿qué modelos hay?", "2025-09-01 - 2025-09-15"),
        ("en la semana del 13 de agosto, ¿qué es A*?", "2025-08-11 - 2025-08-17"),
        ("clase del 11 ago, qué es A*", "2025-08-11"),
        ("la sesión del 11/08/25, ¿qué es A*?", "2025-08-11"),
        ("20250811 qué es A*", "2025-08-11"),
        ("las clases de agosto: ¿qué es una heurística?", "2025-08-01 - 2025-08-31"),
        ("durante agosto, ¿qué es una heurística?", "2025-08-01 - 2025-08-31"),
        ("¿qué es A* según Umaña?", "notes by Gabriela Umaña Fallas"),
        ("SEGUN UMANA, que es A*?", "notes by Gabriela Umaña Fallas"),
        ("de los apuntes de gabriela umana fallas: qué es A*", "notes by Gabriela Umaña Fallas"),
        ("¿qué es A* según la profesora Gabriela Umaña?", "notes by Gabriela Umaña Fallas"),
        ("in Paula Cordero's notes, what is AI?", "notes by Paula Cordero Jiménez"),
        ("What is ethics according to Brown?", "notes by Samantha Brown Ortega"),
        ("¿Cómo define Umaña una heurística?", "notes by Gabriela Umaña Fallas"),
        ("lo que escribió Gabriela Umaña sobre A*", "notes by Gabriela Umaña Fallas"),
        ("en 07_2.pdf, ¿qué es la poda?", "07_2.pdf"),
        ("¿Qué es A* en 02_SEMANA_AI_20250811_1?", "02_SEMANA_AI_20250811_1.pdf"),
        ("en el archivo redes, ¿qué es la ética?", "redes.pdf"),
        ("¿Qué es la poda en los apuntes de Árboles de decisión?", "07_1.pdf, 07_2.pdf"),
        ("¿Qué es la poda en «Árboles de decisión»?", "07_1.pdf"),
        (
            "¿Qué es un agente en introduccion a la inteligencia artificial y agentes racionales?",
            "05_SEMANA_AI_20250901_1.pdf",
        ),
        (
            "en la semana 5, según Zúñiga, ¿qué es la IA?",
            "week 5; notes by Andrés Zúñiga Mora",
        ),
    ],
)
def test_days_authors_and_documents(question: str, said: str) -> None:
    assert _said(question) == said


@pytest.mark.parametrize(
    "question",
    [
        "¿Qué vimos la semana pasada?",
        "El profesor dio un plazo de 5 semanas para el proyecto, ¿qué hay que hacer?",
        "¿Qué pasa en la semana 5 del embarazo?",
        "¿Qué hay que entregar en la semana 8?",
        "¿Qué modelos hay, salvo en la semana 5?",
        "What is due in week 5?",
        "¿Qué es la semana 2025?",
        "¿Qué modelos hay, menos los de la semana 5?",
        "¿Por qué es 11/8 el cociente?",
        "las ventas del 12 de agosto",
        "¿Qué pasó el 12 de agosto de 1956 en Dartmouth?",
        "¿Qué se propuso del 11 de agosto de 1956?",
        "What happened on August 12, 1956?",
        "¿Qué es un agente según Russell?",
        "¿Qué es un agente según los apuntes de Russell?",
        "¿Qué es un agente según Russell y Norvig?",
        "¿Qué es un agente según Andrew Mora?",
        "¿Qué es la IA según Mora Díaz?",
        "¿Qué es GPT-3 según Brown et al.?",
        "¿Qué es k-means según Prado?",
        "según prado verde de la zona",
        "¿Quién es Brown?",
        "¿Qué es la poda en árboles de decisión?",
        "¿Qué es la poda en los apuntes de árboles de decisión bayesianos?",
        "¿Qué dice el documento desconocido.pdf?",
        "¿Qué son las redes?",
        "¿Qué son las notas de un curso?",
        "¿qué es la raíz en un documento de redes?",
        "what is a link in a file of redes?",
        "cómo paso un archivo a pdf en redes",
        "",
        "¿?",
        "x" * 5000,
    ],
)
def test_what_names_no_documents_filters_nothing(question: str) -> None:
    found = RECOGNISER.recognise(question)
    assert not found.filter
    assert found.rest == question
    assert found.phrases == ()


def test_a_course_without_weeks_dates_or_authors_recognises_none() -> None:
    bare = Recogniser([_source("a.pdf", "", None, None)])
    for question in ("¿Qué es A* en la semana 5?", "la clase del 12/08", "según Umaña, qué es A*"):
        assert not bare.recognise(question).filter


@pytest.mark.parametrize(
    ("question", "rest"),
    [
        ("¿Qué es la poda en la semana 7?", "¿Qué es la poda?"),
        ("En la semana 7, ¿qué es la poda?", "¿qué es la poda?"),
        ("¿Qué es, según Umaña, una heurística?", "¿Qué es, una heurística?"),
        ("¿Qué es la poda (semana 7)?", "¿Qué es la poda?"),
        ("What did we see in week 7 about pruning?", "What did we see about pruning?"),
        ("¿Qué es A* según Umaña en la semana 2?", "¿Qué es A*?"),
    ],
)
def test_the_words_of_the_filter_are_not_searched_for(question: str, rest: str) -> None:
    found = RECOGNISER.recognise(question)
    assert found.rest == rest
    assert found.asks
    assert not found.has_only_filter


@pytest.mark.parametrize(
    ("question", "leans"),
    [
        ("¿Y en la semana 6?", True),
        ("what about week 6?", True),
        ("semana 6", True),
        ("¿De qué trata la semana 5?", False),
        ("resumen de la clase del 11 de agosto", False),
        ("dame las ideas principales de la semana 4", False),
        ("esquema de la última semana para estudiar", False),
        ("¿Qué se ve en el curso durante agosto?", False),
        ("what are the key points of week 9?", False),
        ("What did we learn in weeks 5 and 7?", False),
    ],
)
def test_a_question_may_ask_for_nothing_but_documents(question: str, *, leans: bool) -> None:
    found = RECOGNISER.recognise(question)
    assert found.filter
    assert not found.asks
    assert found.has_only_filter is leans


@given(st.text(max_size=300))
def test_any_text_is_read(text: str) -> None:
    found = RECOGNISER.recognise(text)
    assert bool(found.filter) == bool(found.phrases)


@given(
    st.lists(
        st.sampled_from(
            "semana semanas week 5 99 3-5 de la y del 12/08 31/02 agosto según Umaña Brown el clase"
            " 00 0/0 2025-13-45 , . ¿ ? «Notas» 07_1.pdf primero to entre".split()
        ),
        max_size=14,
    ).map(" ".join)
)
def test_any_mix_of_its_words_is_read(text: str) -> None:
    found = RECOGNISER.recognise(text)
    assert all(phrase in text for phrase in found.phrases)
    assert len(found.rest) <= len(text)


def test_a_document_passes_all_kinds_of_conditions_and_one_value_of_each() -> None:
    ids = [source.id for source in SOURCES]
    assert Filter().select(SOURCES) == set(ids)
    assert Filter(weeks=(2, 7)).select(SOURCES) == {ids[0], ids[2], ids[3]}
    day = date(2025, 9, 15)
    assert Filter(weeks=(7,), dates=((day, day),)).select(SOURCES) == {ids[2]}
    assert Filter(authors=("Emilio Vásquez Prado",), weeks=(2,)).select(SOURCES) == set()
    assert Filter(documents=(ids[4],)).select(SOURCES) == {ids[4]}
    assert not Filter()
    assert Filter(weeks=(2,), authors=("A",)).overridden_by(Filter(weeks=(3,))) == Filter(
        weeks=(3,), authors=("A",)
    )


@pytest.mark.parametrize(
    ("choice", "said"),
    [
        (FilterChoice(), ""),
        (FilterChoice("5"), "week 5"),
        (FilterChoice("5-7,2"), "weeks 2, 5-7"),
        (FilterChoice("7-5"), "weeks 5-7"),
        (FilterChoice("5 a 99"), "weeks 5-99"),
        (FilterChoice("", ("umana",)), "notes by Gabriela Umaña Fallas"),
        (
            FilterChoice("", ("prado",)),
            "notes by Emilio Vásquez Prado, Marcos Elizondo Prado",
        ),
        (FilterChoice("", ("umaña", "Samantha Brown")), None),
        (FilterChoice("", (), ("redes.pdf",)), "redes.pdf"),
        (FilterChoice("", (), ("arboles de decision",)), "07_1.pdf"),
        (FilterChoice("", (), ("poda",)), "07_2.pdf"),
        (FilterChoice("", (), ("07",)), "07_1.pdf, 07_2.pdf"),
    ],
)
def test_options_choose_a_filter(choice: FilterChoice, said: str | None) -> None:
    chosen = chosen_filter(choice, SOURCES)
    assert chosen.select(SOURCES)
    if said is not None:
        assert in_words(chosen, BY_ID, catalog("en")) == said


@pytest.mark.parametrize(
    ("choice", "remedy"),
    [
        (FilterChoice("lunes"), "--week 5"),
        (FilterChoice("0"), "2, 5, 7, 12"),
        (FilterChoice("50-60"), "2, 5, 7, 12"),
        (FilterChoice("5-"), "--week"),
        (FilterChoice("", ("Russell",)), "Gabriela Umaña Fallas"),
        (FilterChoice("", ("",)), "Gabriela Umaña Fallas"),
        (FilterChoice("", (), ("redez",)), "redes.pdf"),
        (FilterChoice("", (), ("",)), "07_1.pdf"),
        (FilterChoice("2", ("Brown",)), ""),
    ],
)
def test_an_option_that_fits_nothing_says_what_there_is(choice: FilterChoice, remedy: str) -> None:
    with pytest.raises(FilterError) as caught:
        chosen_filter(choice, SOURCES)
    assert remedy in caught.value.remedy
    assert caught.value.remedy
    assert caught.value.exit_code is ExitCode.USAGE


def test_what_exists_is_what_was_asked_for() -> None:
    say = catalog("en")
    assert what_exists(Filter(weeks=(14,)), SOURCES, say) == "There are notes of weeks 2, 5, 7, 12."
    of_brown = Filter(weeks=(2,), authors=("Samantha Brown Ortega",))
    assert "There are notes of week 12." in what_exists(of_brown, SOURCES, say)
    day = date(2025, 8, 12)
    assert "2025-08-11" in what_exists(Filter(dates=((day, day),)), SOURCES, say)


LECTURES = [
    _source("algo_iii.pdf", "Algoritmos III - Apuntes para final", None, None),
    _source("algo.pdf", "Algorítmica", None, None),
    _source("43_Reglas_de_asociacion.pdf", "Reglas de asociación con R", None, None),
    _source("48.pdf", "Optimización con algoritmo genético", None, None),
    _source("mmi.pdf", "Modelos", None, None),
    _source("r1.pdf", "Redes recurrentes: LSTM", None, None),
    _source("r2.pdf", "Redes recurrentes: LSTM", None, None),
    _source("c.pdf", "Redes convolucionales", None, None),
    _source("a1.pdf", "Árboles", 7, date(2025, 9, 15)),
    _source("a2.pdf", "Árboles: construcción y poda", 7, date(2025, 9, 15)),
    _source("p3.pdf", "Práctica 3", None, None),
]


@pytest.mark.parametrize(
    ("question", "paths", "rest"),
    [
        (
            "resumeme el documento de reglas de asociacion",
            "43_Reglas_de_asociacion.pdf",
            "resumeme",
        ),
        ("de que trata el apunte de algoritmos 3", "algo_iii.pdf", "de que trata"),
        ("¿de qué trata el PDF sobre el algoritmo genético?", "48.pdf", "¿de qué trata?"),
        ("qué es la poda en la clase de redes convolucionales", "c.pdf", "qué es la poda"),
        ("qué es una puerta en la clase de LSTM", "r1.pdf, r2.pdf", "qué es una puerta"),
        (
            "en el documento de reglas de asociación que es el soporte",
            "43_Reglas_de_asociacion.pdf",
            "que es el soporte",
        ),
        ("de que trata mmi", "mmi.pdf", "de que trata"),
        ("resumen de mmi?", "mmi.pdf", "resumen"),
        ("¿De qué va la práctica 3?", "p3.pdf", "¿De qué va?"),
        ("definiciones de la clase de árboles", "a1.pdf, a2.pdf", "definiciones"),
    ],
)
def test_a_part_of_a_title_names_a_document_behind_a_word_for_one(
    question: str, paths: str, rest: str
) -> None:
    found = Recogniser(LECTURES).recognise(question)
    by_id = {source.id: source.path for source in LECTURES}
    assert ", ".join(sorted(by_id[one] for one in found.filter.documents)) == paths
    assert found.rest.strip("?") == rest.strip("?")


@pytest.mark.parametrize(
    "question",
    [
        "resumeme las reglas de asociacion",
        "resumen del ejercicio 3",
        "de que va la práctica 3 en grupos",
        "cuándo se entrega la práctica 3",
        "el documento de redes, ¿qué dice?",
        "el documento de reglas de inferencia",
        "qué clase de reglas hay",
        "una clase de reglas de asociación",
        "el apunte de 3",
        "el documento de la reunión",
        "qué es mmi",
        "de que trata mmi en biología",
    ],
)
def test_a_part_of_a_title_elsewhere_or_of_several_names_none(question: str) -> None:
    assert not Recogniser(LECTURES).recognise(question).filter
