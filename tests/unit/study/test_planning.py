"""What asks for a plan until an exam, and which day it names."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from tutor.errors import StudyError
from tutor.study.practice import _day, plan_asked
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
    ],
)
def test_the_day_of_an_exam_is_read_as_people_write_it(said: str, day: date, rest: str) -> None:
    found, left = _day(said, NOW)
    assert (found, " ".join(left.split())) == (day, rest)


@pytest.mark.parametrize("said", ["", "ayer", "semana 5", "31/2", "2026-13-40", "12"])
def test_a_day_that_is_none_is_asked_for(said: str) -> None:
    with pytest.raises(StudyError, match="Which day is the exam"):
        _day(said, NOW)


@pytest.mark.parametrize(
    "line",
    [
        "/plan 10 de diciembre",
        "hazme un plan de estudio hasta el 10 de diciembre",
        "quiero un plan para el examen del 10 de diciembre",
        "give me a study plan until december 10",
    ],
)
def test_a_plan_is_asked_for(line: str) -> None:
    said = plan_asked(line)
    assert said
    assert _day(said, NOW)[0] == date(2026, 12, 10)


@pytest.mark.parametrize(
    "line", ["dame un plan de pruebas", "¿Qué es un plan?", "/planes", "¿cuándo es el examen?"]
)
def test_what_only_speaks_of_plans_asks_for_none(line: str) -> None:
    assert plan_asked(line) is None


def test_the_command_takes_a_day_behind_it_or_none() -> None:
    command = named_command("/plan")
    assert command
    assert command.does("2026-12-10") == ""  # is sent as it is
    assert command.does("") == "app.plan"
