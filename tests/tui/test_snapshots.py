"""Pictures of the app, compared with those that were looked at and found good.

After a change that is meant: `pytest tests/tui/test_snapshots.py --snapshot-update`, and look at
what has changed in `__snapshots__`.
"""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING

import pytest
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode

from tests.scripted import ScriptedModel
from tests.tui.stage import ready, staged, until
from tutor.i18n import set_language
from tutor.tui.screens.help import HelpScreen
from tutor.tui.screens.passage import PassageScreen
from tutor.tui.widgets.page_text import PageText
from tutor.tui.widgets.question_box import QuestionBox
from tutor.tui.widgets.turn import TurnView
from tutor.types import Answer, Citation, Ending, Hit, LegScore, Route, Strategy, Usage

if TYPE_CHECKING:
    from syrupy.assertion import SnapshotAssertion
    from textual.pilot import Pilot

    from tests.course import Workspace
    from tutor.tui.app import TutorApp

RATE = "La tasa de aprendizaje recomendada en el curso es 0,01."
INVENTED = "La propuso un marciano en 1815."
FORMULA = (
    "La regla es:\n\n$$w_{t+1} = w_t - \\eta \\frac{\\partial L}{\\partial w}$$\n\n"
    "| símbolo | qué es |\n|---|---|\n| $\\eta$ | tasa de aprendizaje |\n\n"
    "```python\nw -= eta * grad\n```\n"
)
SIZES = {"narrow": (80, 24), "wide": (160, 50)}


class Picture(SingleFileSnapshotExtension):
    file_extension = "svg"
    _write_mode = WriteMode.TEXT


@pytest.fixture
def picture(snapshot: SnapshotAssertion) -> SnapshotAssertion:
    return snapshot.use_extension(Picture)


async def settled(pilot: Pilot[None], app: TutorApp) -> str:
    """The screen once it has stopped moving: scrolling is animated."""
    pictures = [drawn(app)]
    while len(pictures) < 4 or len(set(pictures[-4:])) > 1:
        await pilot.pause(0.1)
        pictures.append(drawn(app))
    return pictures[-1]


def drawn(app: TutorApp) -> str:
    """The screen as SVG, without what is random in it and without its web font."""
    svg = app.export_screenshot()
    svg = re.sub(r"@font-face\s*\{[^}]*\}\s*", "", svg)
    return re.sub(r"terminal-\d+", "terminal", svg)


def cited_hit(app: TutorApp) -> Hit:
    """The chunk of the course that the answer stands on."""
    assert app.desk.opened
    store = app.desk.opened.store
    chunk = next(one for one in store.chunks(Strategy.FIXED).chunks if RATE in one.text)
    return Hit(chunk, store.sources[chunk.source_id], 0.91, 1, {"dense": LegScore(1, 0.87)})


def hold(app: TutorApp) -> str:
    """Save a conversation with an answer, a refusal and a stopped answer. Returns its id."""
    hit = cited_hit(app)
    at = hit.chunk.text.index(RATE)
    page = hit.chunk.last_page
    citation = Citation(0, len(RATE), hit, at, at + len(RATE), page, page, 0.97)
    text = f"{RATE} {INVENTED}\n\n{FORMULA}"
    claim = (len(RATE) + 1, len(RATE) + 1 + len(INVENTED))
    answers = {
        "¿Qué tasa de aprendizaje recomienda el curso?": Answer(
            text,
            (citation,),
            False,
            Route.FIXED,
            "llama3.2",
            {"embed_query": 0.021, "search": 0.003},
            unsupported=(claim,),
            usage=Usage(answer_tokens=120, answer_s=4.0),
        ),
        "¿Quién ganó el mundial de 1986?": Answer(
            "Los apuntes no cubren esto.", (), True, Route.FIXED, "extractive"
        ),
    }
    session = app.desk.sessions.create("default", "es").id
    for question, answer in answers.items():
        writer = app.desk.sessions.begin_turn(session, question)
        writer.routed(Route.FIXED, "strategy")
        writer.finish(answer)
    writer = app.desk.sessions.begin_turn(session, "¿Y la retropropagación?")
    writer.rewritten("¿Qué es la retropropagación?")
    writer.token("La retropropagación calcula ")
    writer.abandon(Ending.STOPPED)
    return session


async def resumed(pilot: Pilot[None], app: TutorApp) -> list[TurnView]:
    await ready(pilot)
    app.resume(hold(app))
    await until(pilot, lambda: len(app.chat.query(TurnView)) == 3)
    app.chat.query_one(QuestionBox).cursor_blink = False
    await settled(pilot, app)
    return list(app.chat.query(TurnView))


@pytest.mark.parametrize(
    ("size", "theme", "language"),
    [
        ("narrow", "dark", "es"),
        ("narrow", "light", "en"),
        ("wide", "dark", "en"),
        ("wide", "light", "es"),
    ],
)
def test_the_conversation(
    indexed: Workspace, picture: SnapshotAssertion, size: str, theme: str, language: str
) -> None:
    async def scenario() -> str:
        set_language(language)
        app = staged(indexed, ScriptedModel(["Sí."]), language=language, TUTOR_TUI_THEME=theme)
        async with app.run_test(size=SIZES[size]) as pilot:
            turns = await resumed(pilot, app)
            turns[0].focus()
            await pilot.press("right")
            return await settled(pilot, app)

    assert asyncio.run(scenario()) == picture


@pytest.mark.parametrize("language", ["es", "en"])
def test_help(indexed: Workspace, picture: SnapshotAssertion, language: str) -> None:
    async def scenario() -> str:
        set_language(language)
        app = staged(indexed, ScriptedModel(["Sí."]), language=language)
        async with app.run_test(size=SIZES["narrow"]) as pilot:
            await resumed(pilot, app)
            await pilot.press("f1")
            await until(pilot, lambda: isinstance(app.screen, HelpScreen))
            return await settled(pilot, app)

    assert asyncio.run(scenario()) == picture


def test_the_page_behind_a_sentence(indexed: Workspace, picture: SnapshotAssertion) -> None:
    async def scenario() -> str:
        app = staged(indexed, ScriptedModel(["Sí."]))
        async with app.run_test(size=SIZES["narrow"]) as pilot:
            turns = await resumed(pilot, app)
            turns[0].focus()
            await pilot.press("right", "enter")
            await until(pilot, lambda: isinstance(app.screen, PassageScreen))
            await until(pilot, lambda: app.screen.query_one(PageText).row_of_quote is not None)
            return await settled(pilot, app)

    assert asyncio.run(scenario()) == picture
