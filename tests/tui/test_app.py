"""The app around its screens: keys, colours, palette, help, faults of its own."""

from __future__ import annotations

from threading import Event
from typing import TYPE_CHECKING

import pytest
from textual.command import CommandInput, CommandList, CommandPalette

from tests.scripted import ScriptedModel
from tests.slow import also_slow
from tests.tui.stage import playing, ready, staged, until
from tutor.errors import ConfigError
from tutor.i18n import set_language
from tutor.tui.frame import ERROR_FILE, offered
from tutor.tui.keys import KEYS, check_keys
from tutor.tui.screens.dialogs import HelpScreen
from tutor.tui.screens.sessions import SessionsScreen
from tutor.tui.threads import in_background

if TYPE_CHECKING:
    from tests.course import Workspace
    from tutor.config import Config
    from tutor.tui.workspace.workspace import Workspace as Opened


async def test_keys_can_be_changed(indexed: Workspace) -> None:
    async with playing(indexed, ScriptedModel(["Sí."]), TUTOR_TUI_KEYS="sessions=f9") as (
        app,
        pilot,
    ):
        await pilot.press("f9")
        await until(pilot, lambda: isinstance(app.screen, SessionsScreen))


def test_every_key_with_a_name_has_one_of_its_own() -> None:
    names = [key.id for keys in KEYS.values() for key in keys if key.id]
    assert {"quit", "sessions", "mark.next", "course.index"} <= set(names)
    assert len(names) == len(set(names))


def test_a_name_that_no_key_has_is_refused_with_a_suggestion() -> None:
    check_keys({"sessions": "f9"})
    with pytest.raises(ConfigError, match="sesions") as caught:
        check_keys({"sesions": "f9"})
    assert "`sessions`" in caught.value.remedy


async def test_the_theme_is_the_one_of_the_settings_and_can_be_switched(indexed: Workspace) -> None:
    async with playing(indexed, ScriptedModel(["Sí."]), TUTOR_TUI_THEME="light") as (app, pilot):
        assert not app.current_theme.dark
        await pilot.press("ctrl+t")
        assert app.current_theme.dark


async def test_help_shows_the_keys_of_the_screen_below_in_the_readers_language(
    indexed: Workspace,
) -> None:
    set_language("es")
    async with playing(indexed, ScriptedModel(["Sí."]), language="es", size=(100, 60)) as (
        app,
        pilot,
    ):
        await pilot.press("f1")
        await until(pilot, lambda: isinstance(app.screen, HelpScreen))
        shown = str(app.screen.query("Static").first().render())
        assert shown.startswith("Teclas de esta pantalla")
        assert "Comparar" in shown
        assert "Compare" not in shown
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is app.chat)


async def test_the_palette_offers_what_the_keys_do(indexed: Workspace) -> None:
    async with playing(indexed, ScriptedModel(["Sí."])) as (app, pilot):
        names = {command.name for command in offered(app)}
        assert {"Compare", "Conversations", "Courses and index", "Leave"} <= names
        await pilot.press("ctrl+p")
        await until(pilot, lambda: isinstance(app.screen, CommandPalette))


async def test_a_palette_without_a_match_says_so_in_the_readers_language(
    indexed: Workspace,
) -> None:
    set_language("es")
    async with playing(indexed, language="es") as (app, pilot):
        app.action_command_palette()
        await until(pilot, lambda: isinstance(app.screen, CommandPalette))
        assert app.screen.query_one(CommandInput).placeholder.startswith("Busca un")
        await pilot.press(*"qqqq")
        listed = app.screen.query_one(CommandList)
        await until(pilot, lambda: listed.option_count == 1)
        told = str(listed.get_option_at_index(0).prompt)
        assert told.startswith("Nada se llama así")


@pytest.mark.parametrize("sought", ["color", "tema"])
async def test_the_palette_looks_through_what_is_said_of_a_command(
    indexed: Workspace, sought: str
) -> None:
    set_language("es")
    async with playing(indexed, language="es") as (app, pilot):
        app.action_command_palette()
        await until(pilot, lambda: isinstance(app.screen, CommandPalette))
        await pilot.press(*sought)
        listed = app.screen.query_one(CommandList)
        await until(
            pilot,
            lambda: any("Claro u oscuro" in str(one.prompt) for one in listed.options),
        )


async def test_a_key_of_the_palette_that_comes_before_its_list_does_nothing(
    indexed: Workspace,
) -> None:
    async with playing(indexed) as (app, pilot):
        await pilot.press("ctrl+p")
        await until(pilot, lambda: app.screen.query(CommandList))
        listed = app.screen.query_one(CommandList)
        await until(pilot, lambda: listed.region)
        listed.display = False
        await until(pilot, lambda: not listed.region)
        listed.set_options(["one", "two"])
        listed.highlighted = 0
        await pilot.press("pageup")
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is app.chat)


async def test_a_fault_of_ours_is_written_down_and_the_app_goes_on(indexed: Workspace) -> None:
    def fault() -> None:
        raise ZeroDivisionError

    async with playing(indexed, ScriptedModel(["Sí."])) as (app, pilot):
        in_background(app.chat, fault)
        await until(pilot, lambda: len(app._notifications))
        assert "ZeroDivisionError" in next(iter(app._notifications)).message
        path = app.config.stores_path / ERROR_FILE
        assert "ZeroDivisionError" in path.read_text(encoding="utf-8")
        assert app.is_running


@pytest.mark.parametrize("key", ["f3", *also_slow("f5", "f6", "f7", "f8", "f9", "f10")])
async def test_a_key_before_the_course_is_open_is_told_so(indexed: Workspace, key: str) -> None:
    app, may_open = staged(indexed), Event()
    opens = app._open_workspace

    def opens_late(config: Config) -> Opened:
        may_open.wait()
        return opens(config)

    app._open_workspace = opens_late
    async with app.run_test() as pilot:
        await pilot.press(key)
        await until(pilot, lambda: len(app._notifications))
        assert app.screen is app.chat
        may_open.set()
        await ready(pilot)
    app.workspace.close()
