"""The app on a small real course, with a language model that says what it is told to."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tests.scripted import ScriptedModel
from tutor.config import load_config
from tutor.tui.app import TutorApp
from tutor.tui.workspace.workspace import Workspace as Opened
from tutor.tui.workspace.workspace import open_workspace

if TYPE_CHECKING:
    from textual.pilot import Pilot

    from tests.course import Workspace
    from tutor.config import Config
    from tutor.llm.chat_model import ChatModel

LONGEST_WAIT_S = 120.0
"""A busy machine is slow; only what never comes true waits for so long."""


def settings(workspace: Workspace, **extra: str) -> Config:
    """The settings of a workspace, as the command reads them."""
    names = {k: v for k, v in workspace.environment(**extra).items() if k.startswith("TUTOR_")}
    return load_config(workspace.root, names)


def staged(
    workspace: Workspace,
    model: ChatModel | None = None,
    *,
    language: str = "en",
    falls_back: bool = True,
    **extra: str,
) -> TutorApp:
    """The app; with a `model` answers are generated, else quoted.

    `falls_back`: whether the notes are quoted when the model fails before its first word.
    """

    def open_scripted(config: Config) -> Opened:
        workspace = open_workspace(config)
        if workspace.opened:
            agent = replace(workspace.opened.agent, model=model, quotes_on_failure=falls_back)
            workspace.opened = replace(workspace.opened, agent=agent)
        return workspace

    app = TutorApp(settings(workspace, TUTOR_LANG=language, **extra), open_scripted)
    app.animation_level = "none"  # scrolling is there at once, and nothing waits for its steps
    return app


async def until(pilot: Pilot[None], condition: Callable[[], object]) -> None:
    """Wait for something to come true, and then for the app to have done what follows from it.

    It is looked at while the app works: `pause` comes back only once nothing computes, or after a
    second.
    """
    begun = time.monotonic()
    while not condition():
        assert time.monotonic() - begun < LONGEST_WAIT_S, "it never came true"
        await asyncio.sleep(0.01)
    await pilot.pause()


async def ready(pilot: Pilot[None]) -> None:
    """Wait for the course to be open."""
    app = pilot.app
    assert isinstance(app, TutorApp)
    await until(pilot, lambda: app.is_ready)
    await pilot.pause()


@asynccontextmanager
async def playing(
    workspace: Workspace,
    model: ChatModel | None = None,
    *,
    size: tuple[int, int] = (80, 24),
    **how: Any,
) -> AsyncIterator[tuple[TutorApp, Pilot[None]]]:
    """The app of `staged` with its course open, and what presses its keys.

    Afterwards its threads have ended, as they have when the command does.
    """
    app = staged(workspace, model, **how)
    loop, threads = asyncio.get_running_loop(), ThreadPoolExecutor()
    loop.set_default_executor(threads)
    async with app.run_test(size=size) as pilot:
        await ready(pilot)
        yield app, pilot
    loop.set_default_executor(ThreadPoolExecutor())
    await asyncio.to_thread(threads.shutdown)
    app.workspace.close()


@asynccontextmanager
async def looking(
    workspace: Workspace, host: str, *, size: tuple[int, int] = (80, 24), **extra: str
) -> AsyncIterator[tuple[TutorApp, Pilot[None]]]:
    """The app over a course, looking for its model at `host`."""
    extra.setdefault("TUTOR_OLLAMA_MODEL", "absent")
    app = TutorApp(settings(workspace, TUTOR_OLLAMA_HOST=host, **extra), open_workspace)
    async with app.run_test(size=size) as pilot:
        await ready(pilot)
        yield app, pilot
    app.workspace.close()


__all__ = ["ScriptedModel", "looking", "playing", "ready", "settings", "staged", "until"]
