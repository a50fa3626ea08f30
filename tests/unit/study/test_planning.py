"""What asks for a plan until an exam, and which day it names."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from tutor.errors import StudyError
from tutor.study.planning import day_said, plan_asked, progress_asked
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
        ("el jueves", date(2026, 12, 3), ""),  # that it is said on one
        ("estudiar mañana hasta el 10/12", date(2026, 12, 10), "estudiar manana hasta el"),
    ],
)
def test_the_day_of_an_exam_is_read_as_people_write_it(said: str, day: date, rest: str) -> None:
    found, left = day_said(said, NOW)
    assert (found, " ".join(left.split())) == (day, rest)


@pytest.mark.parametrize("said", ["", "ayer", "semana 5", "31/2", "2026-13-40", "12"])
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
    ],
)
def test_what_only_speaks_of_plans_asks_for_none(line: str) -> None:
    assert plan_asked(line) is None


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
