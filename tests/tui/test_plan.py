"""The plan until an exam: its day is given in the conversation or on the screen, and kept."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING

from textual.widgets import Input, Static

from tests.tui.stage import playing, until
from tests.tui.test_comfort import box, on_screen
from tutor.tui.screens.exam import PlanScreen, ProgressScreen
from tutor.tui.screens.study import StudyScreen

if TYPE_CHECKING:
    from tests.course import Workspace
    from tutor.tui.app import TutorApp


def in_nine_days() -> date:
    """From the day on which a test runs, not from that on which the tests began."""
    return (datetime.now().astimezone() + timedelta(days=9)).date()


def told(app: TutorApp) -> str:
    return str(app.screen.query_one("#question", Static).render())


async def test_a_plan_until_an_exam_is_shown_day_by_day(indexed: Workspace) -> None:
    async with playing(indexed, size=(80, 24)) as (app, pilot):
        day = in_nine_days()
        box(app).insert(f"/plan {day}, semana 5")
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, PlanScreen))
        await until(pilot, lambda: "There are no notes of week 5." in told(app))
        field = app.screen.query_one(Input)
        assert app.focused is field
        field.value = str(day)
        await pilot.press("enter")
        await until(pilot, lambda: "never asked" in told(app))
        assert told(app).count("\n") > 9
        assert f"exam on {day} · 9 days are left" in on_screen(app)
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is app.chat)
        await pilot.press(*"/plan", "enter")  # is kept
        await until(pilot, lambda: isinstance(app.screen, PlanScreen) and "never" in told(app))
        field = app.screen.query_one(Input)
        assert field.value == str(day)
        await pilot.press("f9")
        await until(pilot, lambda: isinstance(app.screen, StudyScreen))


async def test_an_empty_field_forgets_the_day(indexed: Workspace) -> None:
    async with playing(indexed, size=(80, 24)) as (app, pilot):
        box(app).insert(f"/plan {in_nine_days()}")
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, PlanScreen) and "never" in told(app))
        field = app.screen.query_one(Input)
        assert "empty: forget it" in field.placeholder
        field.value = ""
        await pilot.press("enter")
        await until(pilot, lambda: "is forgotten" in told(app))
        assert not field.value
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is app.chat)
        await pilot.press(*"/plan", "enter")
        await until(pilot, lambda: isinstance(app.screen, PlanScreen) and "Which day" in told(app))


async def test_how_one_is_doing_is_told_by_document(indexed: Workspace) -> None:
    async with playing(indexed, size=(80, 24)) as (app, pilot):
        box(app).insert("¿cómo voy?")
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, ProgressScreen))
        await until(pilot, lambda: "Known now" in told(app))
        assert "0%" in told(app)
        await pilot.press("f9")
        await until(pilot, lambda: isinstance(app.screen, StudyScreen))
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is app.chat)
        box(app).insert("tengo examen en 9 días, hazme un plan de estudio")
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, PlanScreen) and "never" in told(app))
        assert "9 days are left" in on_screen(app)
