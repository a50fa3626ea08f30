"""What asks for a plan until an exam, and which day it names."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path
from time import perf_counter

import pytest

from tests.study_cards import card, origin
from tutor.errors import StudyError
from tutor.model import Source, SourceId
from tutor.preferences import Preferences
from tutor.presentation.plans import plan_text
from tutor.study.planning import Plan, day_said, plan_asked, planned, progress_asked
from tutor.study.progress import Day
from tutor.study.store import StudyStore
from tutor.tui.commands import named_command

NOW = datetime(2026, 11, 26, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("said", "day", "rest"),
    [
        ("2026-12-10", date(2026, 12, 10), ""),
        ("el 10/12, semanas 1 a 5", date(2026, 12, 10), "el , semanas 1 a 5"),
        ("3/2", date(2027, 2, 3), ""),  # the next one
        ("10/12/2027", date(2027, 12, 10), ""),
        ("hasta el 10 de diciembre", date(2026, 12, 10), "hasta el"),
        ("10 de enero de 2027 semana 3", date(2027, 1, 10), "semana 3"),
        ("december 10th", date(2026, 12, 10), ""),
        ("15 march 2027", date(2027, 3, 15), ""),
        ("2026-11-01", date(2026, 11, 1), ""),  # which is said to be over
        ("mañana", date(2026, 11, 27), ""),
        ("tomorrow", date(2026, 11, 27), ""),
        ("pasado mañana", date(2026, 11, 28), ""),
        ("en 3 días, semana 5", date(2026, 11, 29), ", semana 5"),
        ("dentro de una semana", date(2026, 12, 3), ""),
        ("in two weeks", date(2026, 12, 10), ""),
        ("el viernes", date(2026, 11, 27), ""),
        ("viernes", date(2026, 11, 27), ""),
        ("lunes por la mañana", date(2026, 11, 30), "por la manana"),
        ("por la mañana del lunes", date(2026, 11, 30), "por la manana del"),
        ("mañana por la mañana", date(2026, 11, 27), "por la manana"),
        ("en cuatro semanas", date(2026, 12, 24), ""),
        ("dentro de doce días", date(2026, 12, 8), ""),
        ("in a week", date(2026, 12, 3), ""),
        ("el jueves", date(2026, 12, 3), ""),  # that it is said on one
        ("estudiar mañana hasta el 10/12", date(2026, 12, 10), "estudiar manana hasta el"),
    ],
)
def test_the_day_of_an_exam_is_read_as_people_write_it(said: str, day: date, rest: str) -> None:
    found, left = day_said(said, NOW)
    assert (found, " ".join(left.split())) == (day, rest)


GASES = card("¿Qué es un gas?", place=replace(origin("g"), title="Gases", section=""))
WEEK = card("¿Qué es la poda?", place=origin("w"))
SOURCES = [
    Source(SourceId("g"), "gases.pdf", "Gases", "0" * 64, 5),
    Source(SourceId("w"), "05_SEMANA_AI.pdf", "Poda", "1" * 64, 5, week=5),
    Source(SourceId("f"), "filosofia.pdf", "Filosofía", "2" * 64, 5),
]


@pytest.mark.parametrize(
    ("said", "about", "missing", "cards"),
    [
        ("tengo examen de gases el viernes, hazme un plan", ("gases",), "", 1),
        ("hazme un plan de estudio para el examen de los gases del viernes", ("gases",), "", 1),
        ("tengo un examen parcial de gases el lunes a las 9", ("gases",), "", 1),
        ("i have an exam on gas on friday, make me a study plan", ("gas",), "", 1),
        ("viernes, gases", ("gases",), "", 1),  # behind "/plan"
        ("2026-12-10, poda", ("poda",), "", 1),
        ("viernes, semana 5", ("semana 5",), "", 1),
        ("tengo examen de ornitorrincos el viernes, hazme un plan", (), "ornitorrincos", 2),
        ("tengo examen de gases de la semana 5 el viernes", ("la semana 5",), "gases", 1),
        ("hazme un plan de estudio de dos semanas para el examen del viernes", (), "", 2),
        ("tengo examen de la asignatura el viernes por la tarde", (), "", 2),
        ("plan de estudio para el 10 de diciembre", (), "", 2),
        ("tengo examen de 50 preguntas el viernes", (), "", 2),
        ("tengo examen de 3 temas el viernes", (), "", 2),
        ("tengo examen de prácticas el viernes", (), "", 2),
        ("tengo examen de recuperación de gases el viernes", ("gases",), "", 1),
        ("tengo el examen de la segunda parte el viernes, de 2 horas", (), "", 2),
    ],
)
def test_a_plan_is_of_the_topic_that_it_names(
    *,
    said: str,
    about: tuple[str, ...],
    missing: str,
    cards: int,
    store: StudyStore,
    tmp_path: Path,
) -> None:
    store.merge("ia", [GASES, WEEK])

    def made(said: str) -> Plan:
        kept = Preferences(tmp_path)
        plan = planned(said, SOURCES, store, "ia", retention=0.9, kept=kept)
        assert plan is not None
        return plan

    plan = made(said)
    assert (plan.about, plan.missing, plan.never_seen) == (about, missing, cards)
    assert (f"No card is about “{missing}”" in plan_text(plan, 20)) == bool(missing)
    for again in ("", plan.said):  # what was kept, and what the field of the app has
        assert (made(again).about, made(again).never_seen) == (about, cards)
    assert made("gas").about == ("gas",)  # for the day that is known
    with pytest.raises(StudyError, match="Which day is the exam"):
        made("ornitorrincos")


def test_a_plan_of_a_document_without_cards_names_it(store: StudyStore, tmp_path: Path) -> None:
    store.merge("ia", [GASES, WEEK])
    with pytest.raises(StudyError, match=r"No cards come of filosofia\.pdf"):
        planned(
            "mañana, filosofia.pdf",
            SOURCES,
            store,
            "ia",
            retention=0.9,
            kept=Preferences(tmp_path),
        )


@pytest.mark.parametrize("about", [(), ("gases",)])
def test_more_questions_are_offered_of_what_the_plan_is_about(about: tuple[str, ...]) -> None:
    plan = Plan(NOW.date(), [Day(NOW.date(), 0, 30)], about)
    told = plan_text(plan, 20)
    assert "“give me 30 questions about gases”" in told if about else "questions”" in told
    assert "week" not in told  # a course may have none


@pytest.mark.parametrize(
    "said", ["", "ayer", "por la mañana", "semana 5", "31/2", "2026-13-40", "12"]
)
def test_a_day_that_is_none_is_asked_for(said: str) -> None:
    with pytest.raises(StudyError, match="Which day is the exam"):
        day_said(said, NOW)


@pytest.mark.parametrize(
    "line",
    [
        "/plan 10 de diciembre",
        "hazme un plan de estudio hasta el 10 de diciembre",
        "quiero un plan para el examen del 10 de diciembre",
        "give me a study plan until december 10",
        "tengo examen el 10 de diciembre, hazme un plan de estudio",
        "Tengo un examen el 10/12. ¿Me ayudas? Hazme un plan",
        "tengo un examen el 10 de diciembre",
        "mi examen es el 10 de diciembre",
        "plan de estudio hasta el 10 de diciembre",
        "Tengo examen de regresión el 10 de diciembre por la tarde, semanas 1, 2 y 5.",
        "¡mi examen de las semanas 1, 2 y 3 es el 10/12!",
        "I have an exam on december 10th about gradient descent",
        "tengo examen el 10 de diciembre y no entiendo nada, hazme un plan de estudio",
    ],
)
def test_a_plan_is_asked_for(line: str) -> None:
    said = plan_asked(line)
    assert said
    assert day_said(said, NOW)[0] == date(2026, 12, 10)


@pytest.mark.parametrize(
    "line",
    [
        "dame un plan de pruebas",
        "¿Qué es un plan?",
        "/planes",
        "¿cuándo es el examen?",
        "tengo un examen",
        "tengo examen el 10 de diciembre, ¿qué es A*?",
        "¿qué es un plan de pruebas para el examen?",
        "I have an exam tomorrow, explain entropy to me",
        "Tengo examen el viernes y no entiendo la entropía, explícamela",
        "tengo examen mañana: qué es la entropía",
        "tengo examen de entropía y no la entiendo, explícamela antes del viernes",
        "tengo examen el viernes sobre entropía y no entiendo nada",
        "tengo examen el viernes de redes y quiero entender A*",
        "tengo examen el viernes, resumen de la semana 5",
        "tengo examen el lunes, define entropía",
        "tengo un examen el viernes, compara ridge y lasso",
        "I have an exam on Friday, summarize week 5",
        "tengo examen el lunes cuál es la fórmula de la varianza",
        "tengo examen el viernes, fórmulas de la semana 6",
        "Plan de Ayala: causas y estudios",
        "Plan de estudios de 1857",
        "plan de estudios de la carrera",
    ],
)
def test_what_only_speaks_of_plans_asks_for_none(line: str) -> None:
    assert plan_asked(line) is None


@pytest.mark.parametrize(
    "line",
    [
        "tengo examen el viernes",
        "Tengo examen el viernes por la mañana",
        "Mi examen es mañana, a las 10:30",
        "tengo examen el viernes de Pérez y García. Gracias",
        "tengo examen el viernes de la clase de informe técnico",
        "hazme un plan de estudio hasta mañana",
        "plan de estudio",
        "Mi plan de repaso, semanas 1 a 5",
        "/plan mañana",
    ],
)
def test_a_near_day_is_told_or_none(line: str) -> None:
    assert plan_asked(line)


@pytest.mark.parametrize(
    "line",
    [
        "examen " + "." * 15_000,
        "examen " + "." * 1_990,
        "tengo examen " + "a " * 990,
        "tengo examen el viernes " + " " * 1_970 + "x",
        "tengo examen el viernes" + " de a b c d e" * 140 + " y",
        " " * 1_990 + "x",
        "hazme un " * 220,
        "semana 1 " * 220,
        "plan de estudio" + " semana 1" * 210,
    ],
)
def test_a_long_line_takes_no_time(line: str) -> None:
    began = perf_counter()
    assert plan_asked(line) is None
    assert not progress_asked(line)
    assert perf_counter() - began < 0.05


def test_the_command_takes_a_day_behind_it_or_none() -> None:
    command = named_command("/plan")
    assert command
    assert command.does("2026-12-10") == ""  # is sent as it is
    assert command.does("") == "app.plan"


@pytest.mark.parametrize(
    "line",
    [
        "¿cómo voy?",
        "como voy",
        "¿Y cómo voy con el curso?",
        "¿Cómo lo llevo?",
        "¿Qué tal voy?",
        "mi progreso",
        "muéstrame mi progreso",
        "How am I doing?",
        "show my progress",
    ],
)
def test_progress_is_asked_for(line: str) -> None:
    assert progress_asked(line)


@pytest.mark.parametrize(
    "line", ["¿cómo voy a Madrid?", "¿Cómo va el gradiente?", "progreso", "¿qué es el progreso?"]
)
def test_what_asks_something_else_asks_for_no_progress(line: str) -> None:
    assert not progress_asked(line)
