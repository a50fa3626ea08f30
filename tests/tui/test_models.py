"""The models of a server on a screen: seen, chosen, kept, fetched."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING

import pytest
from textual.widgets import Input

from tests.ollama_double import Model, Reply, ollama_double
from tests.tui.stage import looking, settings, until
from tutor.model import EXTRACTIVE
from tutor.preferences import Preferences
from tutor.tui.app import TutorApp
from tutor.tui.screens.chat import ChatScreen
from tutor.tui.screens.dialogs import FieldModal
from tutor.tui.screens.models import ModelList, ModelsScreen
from tutor.tui.widgets.state_line import more_text
from tutor.tui.widgets.turn import TurnView

if TYPE_CHECKING:
    from textual.pilot import Pilot

    from tests.course import Workspace


ANSWER = "Una red neuronal es un modelo de cálculo formado por capas de neuronas [1]."
MODELS = {
    "good": Model(Reply(ANSWER)),
    "embeds": Model(capabilities=("embedding",), context=512),
    "loads": Model(Reply(ANSWER), size=1_300_000_000, context=131_072),
}


async def opened(app: TutorApp, pilot: Pilot[None]) -> tuple[ModelsScreen, list[object]]:
    results: list[object] = []
    screen = ModelsScreen()
    app.push_screen(screen, results.append)
    await until(pilot, lambda: screen.query(ModelList))
    return screen, results


def rows(screen: ModelsScreen) -> list[str]:
    return [str(option.prompt) for option in screen.query_one(ModelList).options]


async def complete(pilot: Pilot[None], screen: ModelsScreen, n: int) -> None:
    """Every model was looked at."""

    def is_known(row: str) -> bool:
        return "tokens of context" in row or "only embeds" in row

    await until(pilot, lambda: len(rows(screen)) == n and all(map(is_known, rows(screen))))


def text(screen: ModelsScreen, selector: str) -> str:
    return str(screen.query_one(selector).render())


def told(app: TutorApp) -> str:
    return "\n".join(one.message for one in app._notifications)


async def test_models_are_shown_with_what_is_known_of_them(indexed: Workspace) -> None:
    with ollama_double(models=MODELS) as server:
        server.memory["good:latest"] = 8192

        async with looking(indexed, server.host, TUTOR_OLLAMA_MODEL="good") as (app, pilot):
            screen, _results = await opened(app, pilot)
            await complete(pilot, screen, 3)
            good, embeds, loads = rows(screen)
            assert good.startswith("● good:latest\n  398 MB · 630.17M parameters · Q4_K_M")
            assert " · 32 768 tokens of context · " in good
            assert good.endswith(" in memory")
            assert embeds.endswith(" · only embeds")
            assert loads.startswith("  loads:latest\n  1.3 GB · ")
            assert loads.endswith(" · 131 072 tokens of context")
            assert "● good" in text(screen, "#heading")


async def test_when_the_server_appears_its_models_answer(
    indexed: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tutor.tui.screens.models.LOOK_EVERY_S", 0.2)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]

    async with looking(indexed, f"127.0.0.1:{port}") as (app, pilot):
        assert "F7" in more_text(app.workspace)
        screen, results = await opened(app, pilot)
        await until(pilot, lambda: screen.query_one("#problem").display)
        assert f"127.0.0.1:{port}" in text(screen, "#problem")
        assert "every few seconds" in text(screen, "#problem")
        assert rows(screen) == []
        with ollama_double(models=MODELS, port=port):
            await complete(pilot, screen, 3)
            assert not screen.query_one("#problem").display
            await pilot.press("enter")
            await until(pilot, lambda: results)
            assert results == ["good:latest"]
            assert more_text(app.workspace) == ""
            chat = app.screen_stack[0]
            assert isinstance(chat, ChatScreen)
            chat.ask("¿Qué es una red neuronal?")
            await until(pilot, lambda: chat.query(TurnView) and chat.query_one(TurnView).is_over)
            answer = chat.query_one(TurnView).answer
            assert answer is not None
            assert answer.model == "good:latest"
            assert answer.text[answer.written :].startswith("Una red neuronal es un modelo")
        chat.ask("¿Qué es una red neuronal?")
        await until(pilot, lambda: len(turns := chat.query(TurnView)) == 2 and turns.last().is_over)
        answer = chat.query(TurnView).last().answer
        assert answer is not None
        assert answer.model == EXTRACTIVE  # the server is gone: the notes are quoted


async def test_a_choice_is_remembered_unless_the_settings_name_another(indexed: Workspace) -> None:
    with ollama_double(models=MODELS) as server:
        async with looking(indexed, server.host) as (app, pilot):
            screen, results = await opened(app, pilot)
            await complete(pilot, screen, 3)
            await pilot.press("down", "down", "enter")
            await until(pilot, lambda: results)
    config = settings(indexed)
    kept = Preferences(config.stores_path)
    assert kept.applied_to(config).ollama.model == "loads:latest"
    named = settings(indexed, TUTOR_OLLAMA_MODEL="absent")
    assert kept.applied_to(named).ollama.model == "absent"


async def test_a_model_that_cannot_be_had_changes_nothing(indexed: Workspace) -> None:
    with ollama_double(models=MODELS) as server:
        async with looking(indexed, server.host) as (app, pilot):
            screen, results = await opened(app, pilot)
            await complete(pilot, screen, 3)
            await pilot.press("down", "enter")
            await until(pilot, lambda: "only embeds" in told(app))
            del server.models["loads:latest"]
            before = app.workspace.config
            await pilot.press("down", "enter")
            await until(pilot, lambda: "loads" in told(app))
            assert app.workspace.config is before
            assert app.workspace.opened is not None
            assert app.workspace.opened.agent.model is None
            await until(pilot, lambda: len(rows(screen)) == 2)
            await pilot.press("escape")
            await until(pilot, lambda: results)
            assert results == [None]


async def test_a_model_is_fetched_and_then_there(indexed: Workspace) -> None:
    with ollama_double(models=MODELS) as server:
        async with looking(indexed, server.host) as (app, pilot):
            screen, _results = await opened(app, pilot)
            await complete(pilot, screen, 3)
            await pilot.press("p")
            await until(pilot, lambda: isinstance(app.screen, FieldModal))
            await until(pilot, lambda: app.screen.query_one(Input).value == "absent")
            await pilot.press(*["backspace"] * 6, *"new", "enter")
            await complete(pilot, screen, 4)
            assert "`new` is ready" in told(app)
            assert not screen.query_one("#pulling").display


async def test_fetching_goes_on_elsewhere_until_it_is_stopped(indexed: Workspace) -> None:
    with ollama_double(models=MODELS) as server:
        async with looking(indexed, server.host) as (app, pilot):
            screen, results = await opened(app, pilot)
            await complete(pilot, screen, 3)
            await pilot.press("p", *["backspace"] * 6, *"huge", "enter")
            await until(pilot, lambda: "of 491 MB" in text(screen, "#pulled"))
            await pilot.press("escape")
            await until(pilot, lambda: results)
            assert app.pull is not None
            assert app.pull.model == "huge"
            assert not server.abandoned.is_set()
            screen, _results = await opened(app, pilot)
            await until(pilot, lambda: screen.query_one("#pulling").display)
            await pilot.press("x")
            await until(pilot, server.abandoned.is_set)
            await until(pilot, lambda: not screen.query_one("#pulling").display)
            assert "model.stop" not in {one.binding.id for one in screen.active_bindings.values()}
            assert "is ready" not in told(app)


async def test_a_model_that_nobody_has_is_reported(indexed: Workspace) -> None:
    with ollama_double(models=MODELS) as server:
        async with looking(indexed, server.host) as (app, pilot):
            screen, _results = await opened(app, pilot)
            await complete(pilot, screen, 3)
            await pilot.press("p", *["backspace"] * 6, *"nowhere", "enter")
            await until(pilot, lambda: "no model `nowhere`" in told(app))
            await until(pilot, lambda: not screen.query_one("#pulling").display)
            await pilot.press("p", "escape")
            await until(pilot, lambda: app.screen is screen)
