"""Both indexes asked the same: side by side, stopped, judged, and kept."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Generator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import pytest
from textual import events
from textual.widgets import Static

from tests.ollama_double import Model, Reply, ollama_double
from tests.slow import also_slow
from tests.tui.stage import ScriptedModel, looking, playing, ready, staged, until
from tutor.errors import EngineError
from tutor.events import Reasoning, Stage, Token, Waiting
from tutor.history import Preference, SessionStore
from tutor.model import Ending, Message, Route, Turn, Usage
from tutor.tui.screens.compare import ComparedSide, CompareScreen, PassageList
from tutor.tui.widgets.conversation import Reading
from tutor.tui.widgets.question_box import QuestionBox
from tutor.tui.widgets.turn import TurnView
from tutor.tui.workspace.comparing import turns_before

if TYPE_CHECKING:
    from textual.pilot import Pilot

    from tests.course import Workspace
    from tutor.history import SavedComparison
    from tutor.tui.app import TutorApp

RATE = "La tasa de aprendizaje que se recomienda en el curso es 0,01."
WRONG = "La tasa de aprendizaje se inventó en 1815 por los marcianos."
QUESTION = "¿Qué tasa de aprendizaje recomienda el curso?"


def own(text: str) -> str:
    """What the model wrote below the quotes."""
    return text.partition("En palabras del modelo:")[2].strip()


class StopsAtSecond:
    """Answers once; its second answer never ends by itself."""

    name = "stops"
    context_tokens = 8192
    parameters = 0

    def __init__(self) -> None:
        self.stopped = threading.Event()
        self._answers = 0

    def stream(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int | None = None,
        schema: Mapping[str, Any] | None = None,
    ) -> Generator[Waiting | Reasoning | Token, None, Usage]:
        self._answers += 1
        yield Token(f"{RATE} ")
        if self._answers == 1:
            return Usage()
        try:
            while not self.stopped.wait(0.1):
                yield Waiting(Stage.READING)
        finally:
            self.stopped.set()
        return Usage()


async def comparing(app: TutorApp, pilot: Pilot[None], question: str = QUESTION) -> CompareScreen:
    await ready(pilot)
    app.compare(question)
    await until(pilot, lambda: app.screen.query("CompareScreen #choices"))
    screen = app.screen
    assert isinstance(screen, CompareScreen)
    return screen


async def over(pilot: Pilot[None], screen: CompareScreen) -> None:
    await until(pilot, lambda: all(side.turn.is_over for side in screen.query(ComparedSide)))
    await until(pilot, lambda: not screen.is_comparing)
    await pilot.pause()


def kept(workspace: Workspace) -> list[SavedComparison]:
    with SessionStore(workspace.root / "stores" / "sessions.db") as store:
        return [one for session in store.sessions() for one in store.comparisons(session.id)]


def shown(screen: CompareScreen, selector: str) -> str:
    return str(screen.query_one(selector).render())


@pytest.mark.parametrize("size", [(80, 24), *also_slow((160, 50))])
async def test_both_answer_are_kept_and_judged(indexed: Workspace, size: tuple[int, int]) -> None:
    async with playing(indexed, ScriptedModel([RATE], [WRONG]), size=size) as (app, pilot):
        screen = await comparing(app, pilot)
        await over(pilot, screen)
        left, right = screen.query(ComparedSide)
        assert [mark.label for mark in left.turn.marks] == ["[1]", "[1]"]
        assert [mark.label for mark in right.turn.marks] == ["[1]"]
        await right.turn.action_written()
        assert [mark.label for mark in right.turn.marks] == ["[1]", "[?]"]
        assert (left.turn.route, right.turn.route) == (Route.FIXED, Route.SEMANTIC)
        assert left.passages.option_count > 0
        assert "found by both" in shown(screen, "#summary")
        assert left.region.width == (160 // 2 if size[0] == 160 else 80)
        assert bool(right.region) is (size[0] == 160)
        await pilot.press("f2")
        await until(pilot, lambda: right.region and app.focused is right.turn)
        await pilot.press("1")
        await until(pilot, lambda: kept(indexed)[0].choice is Preference.LEFT)
        await pilot.click("#choices", offset=(shown(screen, "#choices").index("both") + 1, 0))
        await until(pilot, lambda: kept(indexed)[0].choice is Preference.BOTH)
        await pilot.press("3")
        await until(pilot, lambda: kept(indexed)[0].choice is None)
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is app.chat)
    (comparison,) = kept(indexed)
    assert comparison.question == QUESTION
    assert (own(comparison.left.text), own(comparison.right.text)) == (RATE, WRONG)


async def test_both_sides_quote_the_notes_before_the_model_has_said_a_word(
    indexed: Workspace,
) -> None:
    reads = {"reads": Model(Reply(RATE, reading_s=3600))}
    with ollama_double(models=reads) as server:
        named = {"TUTOR_OLLAMA_MODEL": "reads"}
        async with looking(indexed, server.host, size=(160, 50), **named) as (app, pilot):
            screen = await comparing(app, pilot)
            left, right = screen.query(ComparedSide)
            await until(pilot, lambda: server.chats)
            for side in (left, right):
                await until(pilot, lambda: side.turn.text and side.turn.marks)  # noqa: B023
                assert side.passages.option_count
            assert len(server.chats) == 1
            assert shown(screen, "#semantic .state") == "Waiting for the model ..."
            await until(pilot, lambda: "The model writes in A" in shown(screen, "#summary"))
            await pilot.press("escape")
            await over(pilot, screen)
            assert "found by both" in shown(screen, "#summary")
    (comparison,) = kept(indexed)
    assert comparison.left.citations
    assert comparison.right.citations
    assert {comparison.left.ending, comparison.right.ending} == {Ending.STOPPED}


def test_a_question_asked_again_is_no_follow_up_to_itself() -> None:
    turns = [
        Turn(question, question, "") for question in ("¿Qué es A*?", "¿y su costo?", "gracias")
    ]
    assert turns_before("¿y su costo?", turns) == turns[:1]
    assert turns_before("¿Qué es una red?", turns) == turns


async def test_escape_stops_the_server_and_what_came_is_kept(indexed: Workspace) -> None:
    model = StopsAtSecond()
    async with playing(indexed, model) as (app, pilot):
        screen = await comparing(app, pilot)
        right = list(screen.query(ComparedSide))[1]
        await until(pilot, lambda: RATE in own(right.turn.text))
        assert (screen.check_action("stop", ()), screen.check_action("leave", ())) == (True, False)
        await pilot.press("1")  # nothing to judge yet
        await pilot.press("y", "space")  # the next question, which stops nothing
        await until(pilot, lambda: "next question: y" in shown(screen, "#summary"))
        await pilot.press("escape")
        await until(pilot, model.stopped.is_set)
        await over(pilot, screen)
        assert "stopped" in str(right.turn.query_one(".state").render())
        assert app.screen is screen
        await pilot.press("l", "a", "?")
        await until(pilot, lambda: app.screen is app.chat)
        box = app.chat.query_one(QuestionBox)
        await until(pilot, lambda: box.text == "y la?")
        assert box.has_focus
        conversation = app.workspace.conversation  # which goes on from what was compared
        assert conversation
        assert [turn.question for turn in conversation.history] == [QUESTION]
    (comparison,) = kept(indexed)
    assert own(comparison.left.text) == own(comparison.right.text) == RATE
    assert (comparison.left.ending, comparison.right.ending) == (Ending.COMPLETE, Ending.STOPPED)
    assert comparison.choice is None


async def test_what_was_compared_first_of_all_is_in_sight(indexed: Workspace) -> None:
    async with playing(indexed, size=(50, 14)) as (app, pilot):
        screen = await comparing(app, pilot)
        await over(pilot, screen)
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is app.chat and app.chat.query(".compared"))
        note, scroll = app.chat.query_one(".compared"), app.chat.query_one(Reading).scroll
        assert scroll.max_scroll_y
        await until(pilot, lambda: scroll.region.contains_region(note.region))


class WaitsAtFirst(StopsAtSecond):
    """Begins its first answer only when it is told to."""

    def __init__(self) -> None:
        super().__init__()
        self.go_on = threading.Event()

    def stream(
        self, messages: Sequence[Message], **how: Any
    ) -> Generator[Waiting | Reasoning | Token, None, Usage]:
        self.go_on.wait(60)
        return (yield from super().stream(messages, **how))


async def test_a_side_is_said_to_be_written_and_does_not_count_the_time_of_the_other_one(
    indexed: Workspace,
) -> None:
    model = WaitsAtFirst()
    async with playing(indexed, model, size=(100, 32)) as (app, pilot):
        screen = await comparing(app, pilot)
        right = list(screen.query(ComparedSide))[1]
        await until(pilot, lambda: shown(screen, "#summary") == "The model writes in A")
        line = right.turn.state_line
        await until(pilot, lambda: line.is_asking)
        line._begun -= 1000
        model.go_on.set()
        await until(pilot, lambda: RATE in own(right.turn.text))
        assert shown(screen, "#summary").endswith("The model writes in B")
        assert line.written_s
        assert line.written_s < 900
        await pilot.press("escape")
        await over(pilot, screen)


async def test_leaving_the_app_in_the_middle_keeps_what_came(indexed: Workspace) -> None:
    model = StopsAtSecond()
    async with playing(indexed, model) as (app, pilot):
        screen = await comparing(app, pilot)
        right = list(screen.query(ComparedSide))[1]
        await until(pilot, lambda: RATE in own(right.turn.text))
        await pilot.press("ctrl+q")
    assert await asyncio.to_thread(model.stopped.wait, 10)
    (comparison,) = kept(indexed)
    assert RATE in comparison.left.text
    assert RATE in comparison.right.text


async def test_one_side_that_fails_does_not_keep_the_other_from_answering(
    indexed: Workspace,
) -> None:
    broken = EngineError("The model died.", "Start it again.")
    async with playing(
        indexed, ScriptedModel([f"{RATE} ", broken], [RATE]), falls_back=False, size=(160, 50)
    ) as (app, pilot):
        screen = await comparing(app, pilot)
        await over(pilot, screen)
        left, right = screen.query(ComparedSide)
        assert own(right.turn.text) == RATE
        assert RATE in left.turn.text


async def test_judgements_are_shown_by_their_keys_as_they_are_set(indexed: Workspace) -> None:
    keys = "compare.both=b"
    async with playing(indexed, ScriptedModel([RATE]), TUTOR_TUI_KEYS=keys) as (app, pilot):
        screen = await comparing(app, pilot)
        await over(pilot, screen)
        choices = screen.query_one("#choices", Static)
        assert "b  both" in str(choices.render())
        await pilot.press("b")
        await until(pilot, lambda: "✓ both" in str(choices.render()))


async def test_without_a_question_nothing_is_compared(indexed: Workspace) -> None:
    app = staged(indexed)
    async with app.run_test(notifications=True) as pilot:
        await ready(pilot)
        await pilot.press("f3")
        await until(pilot, lambda: app.screen.query("Toast"))
        assert app.screen is app.chat


async def test_every_judgement_is_in_sight_on_a_small_screen(indexed: Workspace) -> None:
    async with playing(indexed, language="es", size=(60, 20)) as (app, pilot):
        screen = await comparing(app, pilot)
        await over(pilot, screen)
        await pilot.press("1")  # its mark takes room, too
        await until(pilot, lambda: "✓" in shown(screen, "#choices"))
        assert len(shown(screen, "#choices")) <= screen.query_one("#choices").content_size.width


async def test_a_passage_opens_its_page(indexed: Workspace) -> None:
    async with playing(indexed, ScriptedModel([RATE]), size=(160, 50)) as (app, pilot):
        screen = await comparing(app, pilot)
        await over(pilot, screen)
        passages = screen.query(PassageList).first()
        passages.focus()
        await pilot.press("down", "enter")
        await until(pilot, lambda: type(app.screen).__name__ == "PassageScreen")
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is screen)


async def test_a_question_that_comes_at_once_is_asked_though_both_answers_are_in_sight(
    indexed: Workspace,
) -> None:
    async with playing(indexed) as (app, pilot):
        await over(pilot, await comparing(app, pilot))
        app.post_message(events.Paste("entre 1 y 2:"))
        for letter in " qué es una red":
            app.post_message(events.Key("space" if letter == " " else letter, letter))
        app.post_message(events.Key("enter", "\r"))
        await until(pilot, lambda: app.chat.query(TurnView))
        assert app.screen is app.chat
        assert app.chat.query_one(TurnView).question == "entre 1 y 2: qué es una red"


async def test_a_question_that_is_typed_while_both_are_written_is_asked_with_enter(
    indexed: Workspace,
) -> None:
    async with playing(indexed, StopsAtSecond()) as (app, pilot):
        screen = await comparing(app, pilot)
        await until(pilot, lambda: RATE in screen.query_one(TurnView).text)
        await pilot.press(*"red", "space", "1", "enter")
        await until(pilot, lambda: app.chat.query(TurnView))
        assert app.chat.query_one(TurnView).question == "red 1"
