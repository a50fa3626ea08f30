"""Questions that are typed while another one is answered, or before anything can be."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.tui.stage import playing, until
from tests.tui.test_chat import QUESTION, EndlessModel, turns
from tests.tui.test_comfort import on_screen
from tutor.tui.screens.exam import ExamScreen
from tutor.tui.widgets.question_box import QuestionBox, WaitingQuestions

if TYPE_CHECKING:
    from textual.pilot import Pilot

    from tests.course import Workspace
    from tutor.tui.app import TutorApp


def waits(app: TutorApp) -> list[str]:
    return app.chat.query_one(WaitingQuestions).questions


async def send(pilot: Pilot[None], box: QuestionBox, question: str) -> None:
    box.insert(question)
    await pilot.press("enter")
    await pilot.pause()


async def answering(app: TutorApp, pilot: Pilot[None]) -> QuestionBox:
    """The question box, while a question is answered."""
    box = app.chat.query_one(QuestionBox)
    await send(pilot, box, QUESTION)
    await until(pilot, lambda: app.chat.is_answering)
    return box


async def test_what_waits_stays_a_question_of_its_own(indexed: Workspace) -> None:
    async with playing(indexed, EndlessModel(), size=(80, 24)) as (app, pilot):
        box = await answering(app, pilot)
        await send(pilot, box, "¿Qué es k-medias?")
        assert box.text == ""
        await send(pilot, box, "¿Y la silueta?")
        box.insert("otra cosa")
        assert waits(app) == ["¿Qué es k-medias?", "¿Y la silueta?"]
        await until(pilot, lambda: "⧗ ¿Y la silueta?" in on_screen(app))
        await pilot.press("escape")
        await until(pilot, lambda: len(turns(app)) == 2 and app.chat.is_answering)
        assert turns(app)[1].question == "¿Qué es k-medias?"
        assert waits(app) == ["¿Y la silueta?"]
        assert box.text == "otra cosa"
        await pilot.press("ctrl+u", "up")  # nothing is typed: what waits comes back
        assert (box.text, waits(app)) == ("¿Y la silueta?", [])
        assert not app.chat.query_one(WaitingQuestions).region
        await pilot.press("up")
        assert box.text == "¿Qué es k-medias?"  # which was asked
        await pilot.press("escape")
        await until(pilot, lambda: not app.chat.is_answering)
        assert len(turns(app)) == 2


async def test_a_screen_that_waits_opens_over_the_conversation_only(indexed: Workspace) -> None:
    async with playing(indexed, EndlessModel(), size=(100, 30)) as (app, pilot):
        box = await answering(app, pilot)
        await send(pilot, box, "hazme un examen de 2 preguntas")
        await pilot.press("f1")
        await until(pilot, lambda: app.screen is not app.chat)
        app.chat.action_stop()
        await until(pilot, lambda: not app.chat.is_answering)
        assert len(waits(app)) == 1
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, ExamScreen))
        assert waits(app) == []
