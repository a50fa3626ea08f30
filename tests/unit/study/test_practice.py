"""What asks for cards in a conversation, and what is a question."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from time import perf_counter

import pytest

from tests.study_cards import card, origin
from tutor.errors import StudyError
from tutor.evaluation.cases import load_cases
from tutor.model import Source, source_id
from tutor.study.card import CardKind
from tutor.study.exams import QUESTIONS
from tutor.study.planning import plan_asked, progress_asked
from tutor.study.practice import exam_wanted, practice_wanted
from tutor.study.store import StudyStore
from tutor.study.topics import USUAL

DATA = Path("tutor/evaluation/data")
SOURCES = [
    Source(source_id(path), path, title, "0" * 64, 5, week=week)
    for path, title, week in (
        ("02_SEMANA_AI_20250811_1.pdf", "Búsqueda", 2),
        ("05_SEMANA_AI_20250901_1.pdf", "Regresión logística", 5),
    )
]


@pytest.mark.parametrize(
    ("line", "cards", "topic"),
    [
        ("Hazme 5 preguntas", 5, ""),
        ("hazme preguntas de A*", USUAL, "a*"),
        ("¡Ponme a prueba sobre la búsqueda voraz!", USUAL, "busqueda voraz"),
        ("poneme a prueba sobre la búsqueda voraz", USUAL, "busqueda voraz"),
        ("haceme 3 preguntas de A*", 3, "a*"),
        ("Por favor, dame 12 tarjetas del curso", 12, ""),
        ("pregúntame sobre entropía", USUAL, "entropia"),
        ("Quiz me on gradient descent", USUAL, "gradient descent"),
        ("give me 3 questions about A*", 3, "a*"),
        ("dame un quiz de 4 preguntas de A*", 4, "a*"),
        ("/study A*", USUAL, "a*"),
        ("hazme 3 preguntas difíciles de contratos", 3, "contratos"),
        ("hazme 3 preguntas cortas y fáciles sobre la búsqueda voraz", 3, "busqueda voraz"),
        ("hazme 3 preguntas muy difíciles", 3, ""),
        ("give me 3 hard questions about A*", 3, "a*"),
        ("hazme 3 preguntas de difícil acceso", 3, "dificil acceso"),
        ("hazme preguntas sobre variables aleatorias", USUAL, "variables aleatorias"),
        ("hazme preguntas sobre el camino más corto", USUAL, "camino corto"),
        ("quiz me on what makes a problem NP hard", USUAL, "makes problem np hard"),
        ("dame un quiz de 4 preguntas fáciles de A*", 4, "a*"),
        ("/repasar 3 preguntas de A*", 3, "a*"),
        ("hazme dos preguntas de gases", 2, "gases"),
        ("hazme una pregunta de gases", 1, "gases"),
        ("Hazme diez preguntas", 10, ""),
        ("pregúntame 3 de gases", 3, "gases"),
        ("repasar", USUAL, ""),
        ("¡Repaso!", USUAL, ""),
    ],
)
def test_cards_are_asked_for(line: str, cards: int, topic: str) -> None:
    practice = practice_wanted(line, SOURCES)
    assert practice is not None
    assert (practice.cards, practice.which.topic) == (cards, topic)
    assert practice.which.sources is None


def test_a_week_chooses_its_documents() -> None:
    practice = practice_wanted("hazme 5 preguntas de la semana 5 sobre sigmoide", SOURCES)
    assert practice is not None
    assert practice.which.sources == frozenset({SOURCES[1].id})
    assert practice.which.topic == "sigmoide"
    assert practice.cards == 5


@pytest.mark.parametrize(
    ("line", "questions", "minutes", "topic", "weeks"),
    [
        ("/examen", QUESTIONS, None, "", None),
        ("/exam", QUESTIONS, None, "", None),
        ("/examen semana 5 10", 10, None, "", {5}),
        ("/examen 10 semana 5", 10, None, "", {5}),
        ("/examen sobre regresión, 5 preguntas, 20 minutos", 5, 20.0, "regresion", None),
        ("/exam 2.5 min 3 questions about A*", 3, 2.5, "a*", None),
        ("/examen de las semanas 2 y 5, 15 min", QUESTIONS, 15.0, "", {2, 5}),
        ("hazme un examen de 4 preguntas de la semana 5", 4, None, "", {5}),
        ("¡Quiero un examen de 4 preguntas!", 4, None, "", None),
        ("hazme un examen de cinco preguntas", 5, None, "", None),
        ("hazme un examen del tema 4", QUESTIONS, None, "4", None),
        ("/examen temas 2 y 5", QUESTIONS, None, "2 5", None),
        ("/examen 10 de gases", 10, None, "gases", None),
        ("quiero hacer un examen sobre regresión", QUESTIONS, None, "regresion", None),
        ("Please, give me an exam about week 5", QUESTIONS, None, "", {5}),
        ("give me a mock exam on A*, 20 min", QUESTIONS, 20.0, "a*", None),
        ("/examen 0", 0, None, "", None),
        ("hazme un examen difícil de regresión", QUESTIONS, None, "regresion", None),
        ("hazme un examen sobre muestreo aleatorio", QUESTIONS, None, "muestreo aleatorio", None),
        ("hazme un examen de 3 preguntas fáciles de A*", 3, None, "a*", None),
    ],
)
def test_an_exam_is_asked_for(
    line: str, questions: int, minutes: float | None, topic: str, weeks: set[int] | None
) -> None:
    wanted = exam_wanted(line, SOURCES)
    assert wanted is not None
    assert (wanted.questions, wanted.minutes, wanted.which.topic) == (questions, minutes, topic)
    chosen = wanted.which.sources
    assert (chosen and {one.week for one in SOURCES if one.id in chosen}) == weeks


def test_what_only_speaks_of_an_exam_is_none() -> None:
    assert exam_wanted("¿Qué entra en el examen?", SOURCES) is None
    assert exam_wanted("/examenes 3", SOURCES) is None
    assert exam_wanted("dame la fecha del examen", SOURCES) is None
    assert exam_wanted("dame un consejo para el examen", SOURCES) is None


def refusal(line: str, folder: Path) -> StudyError:
    """What is said where the questions that a line asks for cannot be asked."""
    exam, practice = exam_wanted(line, SOURCES), practice_wanted(line, SOURCES)
    with StudyStore(folder / "study.db") as store:
        store.merge("ia", [card("¿Qué es A*?", kind=CardKind.TERM)])
        with pytest.raises(StudyError) as caught:
            exam.begun(store, "ia") if exam else practice and practice.chosen(store, "ia")
    return caught.value


@pytest.mark.parametrize(
    "line",
    [
        "/examen 0",
        "/examen 999",
        "hazme un examen de 0 preguntas",
        "hazme 0 preguntas",
        "/repasar 501 preguntas",
    ],
)
def test_as_many_questions_as_cannot_be_asked_are_refused(line: str, tmp_path: Path) -> None:
    assert refusal(line, tmp_path).remedy == "Ask for 1 to 500."


@pytest.mark.parametrize(
    "line", ["hazme 5 preguntas de la semana 40", "/examen semana 40", "/repasar semana 40"]
)
def test_a_week_without_notes_is_told(line: str, tmp_path: Path) -> None:
    refused = refusal(line, tmp_path)
    assert refused.message == "There are no notes of week 40."
    assert refused.remedy == "There are notes of weeks 2, 5."


@pytest.mark.parametrize(
    "line",
    [
        "ponme a prueba sobre regresión logística",
        "/examen sobre regresión",
        "hazme 5 preguntas de la semana 5",
    ],
)
def test_a_document_without_cards_is_named(line: str, tmp_path: Path) -> None:
    refused = refusal(line, tmp_path)
    assert refused.message == "No cards come of 05_SEMANA_AI_20250901_1.pdf."
    assert "definitions, lists and tables" in refused.remedy


def test_what_no_document_is_called_fits_no_card(tmp_path: Path) -> None:
    assert refusal("ponme a prueba sobre ornitorrincos", tmp_path).message == "No card fits."


@pytest.mark.parametrize(
    "line",
    [
        "¿Qué preguntas se hacen en una prueba de Turing?",
        "3 preguntas de práctica",
        "¿Cómo se hace un test t?",
        "dame la fórmula de Bayes",
        "ponme un ejemplo de A*",
        "What is a test set?",
    ],
)
def test_a_question_is_none(line: str) -> None:
    assert practice_wanted(line, SOURCES) is None


@pytest.mark.parametrize(
    "line",
    [
        "hazme preguntas sobre " + "-" * 8_000,
        "hazme preguntas sobre " + "-" * 1_900,
        "hazme preguntas " + "-" * 1_900 + "x",
        "/examen " + "-" * 1_900 + "x",
        "." + " " * 1_990 + "x",
    ],
)
def test_a_long_line_takes_no_time(line: str) -> None:
    began = perf_counter()
    practice_wanted(line, SOURCES)
    exam_wanted(line, SOURCES)
    assert perf_counter() - began < 0.05


def test_no_shipped_question_asks_for_cards() -> None:
    asked = [
        case.question for path in DATA.glob("questions*.jsonl") for case in load_cases(path)[0]
    ]
    assert len(asked) > 500
    assert [text for text in asked if practice_wanted(text, SOURCES)] == []
    assert [text for text in asked if exam_wanted(text, SOURCES)] == []
    assert [text for text in asked if plan_asked(text) or progress_asked(text)] == []


def test_cards_about_the_topic_itself_come_first(tmp_path: Path) -> None:
    of_document = replace(origin(), title="Sigmoide y entropía", section="Sigmoide")
    cards = [
        card("¿Qué es la sigmoide?", place=of_document),
        card("¿Qué es la entropía?", place=replace(of_document, section="Entropía")),
        card("¿Qué es A*?", place=origin("s2")),
    ]
    practice = practice_wanted("ponme a prueba sobre entropía", SOURCES)
    assert practice is not None
    with StudyStore(tmp_path / "study.db") as store:
        store.merge("ia", cards)
        asked = [store.get(number).card.question for number in practice.chosen(store, "ia")]
    assert asked == ["¿Qué es la entropía?", "¿Qué es la sigmoide?"]
