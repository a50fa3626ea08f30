"""Saved conversations on a screen: found, resumed, renamed, deleted, exported."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta, timezone
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from textual import events
from textual.widgets import Input, Static

from tests import pdfs
from tests.tui.stage import playing, until
from tests.tui.test_comfort import keys_shown
from tutor.history import SessionStore
from tutor.i18n import set_language
from tutor.model import Answer, Ending, Route
from tutor.presentation.amounts import when
from tutor.tui.screens.sessions import SessionList, SessionsScreen
from tutor.tui.screens.whole_text import WholeTextScreen
from tutor.tui.widgets.question_box import QuestionBox
from tutor.tui.widgets.turn import TurnView

if TYPE_CHECKING:
    from textual.pilot import Pilot

    from tests.course import Workspace
    from tutor.tui.app import TutorApp


WIDE = (160, 50)
NARROW = (80, 24)


def said(store: SessionStore, session: str, question: str, answer: str) -> None:
    with store.begin_turn(session, question) as writer:
        writer.finish(Answer(answer, (), abstained=False, route=Route.FIXED, model="m"))


@pytest.fixture
def saved(indexed: Workspace) -> list[str]:
    """Two conversations of the course, the older one first, and one of another."""
    with SessionStore(indexed.root / "stores" / "sessions.db") as store:
        trees, nets = (store.create("default", "es").id for _n in range(2))
        said(store, trees, "¿Qué es la [bold]ganancia[/]?", "Baja la entropía.\x1b[31m")
        said(store, nets, "¿Qué es una red?", "Capas de neuronas.")
        with store.begin_turn(nets, "¿y su costo?") as writer:
            writer.token("Es lineal")
            writer.abandon(Ending.STOPPED)
        said(store, store.create("otro", "es").id, "¿De otro curso?", "Sí.")
    return [trees, nets]


async def opened(app: TutorApp, pilot: Pilot[None]) -> tuple[SessionsScreen, list[object]]:
    results: list[object] = []
    screen = SessionsScreen()
    app.push_screen(screen, results.append)
    await until(pilot, lambda: screen.is_mounted and screen.query("#heading"))
    await until(pilot, lambda: "conversation" in heading(screen))
    return screen, results


def heading(screen: SessionsScreen) -> str:
    return str(screen.query_one("#heading").render())


def listed(screen: SessionsScreen) -> list[str]:
    options = screen.query_one(SessionList).options
    return [str(option.prompt).splitlines()[0] for option in options if not option.disabled]


def none_text(screen: SessionsScreen) -> str:
    (option,) = screen.query_one(SessionList).options
    assert option.disabled
    return str(option.prompt)


async def changed(pilot: Pilot[None], screen: SessionsScreen, titles: list[str]) -> None:
    await until(pilot, lambda: listed(screen) == titles)


def there_are(folder: Path, n: int) -> bool:
    return len([*folder.glob("*.md")]) == n


GAIN, NET = "¿Qué es la [bold]ganancia[/]?", "¿Qué es una red?"


async def test_the_newest_comes_first_and_enter_resumes(
    indexed: Workspace, saved: list[str]
) -> None:
    async with playing(indexed, size=NARROW) as (app, pilot):
        screen, results = await opened(app, pilot)
        assert listed(screen) == [NET, GAIN]
        assert "2 questions" in str(screen.query_one(SessionList).options[0].prompt)
        await pilot.press("down", "enter")
        await until(pilot, lambda: results)
        assert results == [saved[0]]


async def test_typing_searches_questions_and_answers(indexed: Workspace, saved: list[str]) -> None:
    async with playing(indexed, size=NARROW) as (app, pilot):
        screen, results = await opened(app, pilot)
        await pilot.press("/", *"entropia")
        await changed(pilot, screen, [GAIN])
        await pilot.press("x")
        await changed(pilot, screen, [])
        assert "holds these words" in none_text(screen)
        await pilot.press("escape")
        await changed(pilot, screen, [NET, GAIN])
        assert not results
        await pilot.press("/", *"capas")
        await changed(pilot, screen, [NET])
        await pilot.press("enter")
        await until(pilot, lambda: results)
        assert results == [saved[1]]


async def test_letters_act_on_nothing_and_are_searched_for(
    indexed: Workspace, saved: list[str]
) -> None:
    async with playing(indexed, size=NARROW) as (app, pilot):
        screen, _results = await opened(app, pilot)
        await pilot.press(*"redut")
        await changed(pilot, screen, [])
        assert app.screen is screen
        assert screen.query_one(Input).value == "redut"
        await pilot.press("backspace", "backspace", "down")
        await changed(pilot, screen, [NET])
        assert app.focused is screen.query_one(SessionList)
        await pilot.press("ctrl+d")
        await until(pilot, lambda: app._notifications)
        assert "^z brings it back" in next(iter(app._notifications)).message
        await pilot.press("e", "n")  # goes on with what stood there
        assert screen.query_one(Input).value == "reden"


async def test_renaming_is_kept_unless_given_up(indexed: Workspace, saved: list[str]) -> None:
    async with playing(indexed, size=NARROW) as (app, pilot):
        screen, _results = await opened(app, pilot)
        await pilot.press("f2", "home", *"Repaso: ", "escape")
        assert listed(screen) == [NET, GAIN]
        await pilot.press("f2", "home", *"Repaso: ", "enter")
        await changed(pilot, screen, [f"Repaso: {NET}", GAIN])
        assert app.workspace.sessions.get(saved[1]).title == f"Repaso: {NET}"
        assert app.focused is screen.query_one(SessionList)


async def test_deleting_is_undone_here_and_later(indexed: Workspace, saved: list[str]) -> None:
    async with playing(indexed, size=NARROW) as (app, pilot):
        screen, results = await opened(app, pilot)
        await pilot.press("ctrl+d")
        await changed(pilot, screen, [GAIN])
        await pilot.press("ctrl+z")
        await changed(pilot, screen, [NET, GAIN])
        await pilot.press("delete")
        await changed(pilot, screen, [GAIN])
        await pilot.press("ctrl+d")
        await changed(pilot, screen, [])
        await pilot.press("escape")
        await until(pilot, lambda: results)
        assert results == [None]

        screen, results = await opened(app, pilot)
        assert "no saved conversations yet" in none_text(screen)
        await pilot.press("ctrl+o")
        await changed(pilot, screen, [NET, GAIN])
        assert "deleted today" in str(screen.query_one(SessionList).options[0].prompt)
        await pilot.press("enter")
        await changed(pilot, screen, [GAIN])
        await pilot.press("escape")
        await changed(pilot, screen, [NET])
        await pilot.press("escape")
        await until(pilot, lambda: results)
        assert results == [None]


async def test_the_open_one_is_marked_and_its_deletion_told(
    indexed: Workspace, saved: list[str]
) -> None:
    async with playing(indexed, size=NARROW) as (app, pilot):
        app.workspace.resume(saved[0])
        screen, results = await opened(app, pilot)
        marked = ["open now" in str(o.prompt) for o in screen.query_one(SessionList).options]
        assert marked == [False, True]
        await pilot.press("down", "enter")
        await until(pilot, lambda: results)
        assert results == [None]
        screen, results = await opened(app, pilot)
        await pilot.press("/", *"entropia")
        await changed(pilot, screen, [GAIN])
        await pilot.press("enter")  # found by a search, too
        await until(pilot, lambda: results)
        screen, results = await opened(app, pilot)
        await pilot.press("down", "delete", "escape")
        await until(pilot, lambda: results)
        assert results == [""]


async def test_an_export_is_a_file_of_its_own(indexed: Workspace, saved: list[str]) -> None:
    async with playing(indexed, size=NARROW) as (app, pilot):
        await opened(app, pilot)
        folder = indexed.root / "exports"
        for n in (1, 2):
            await pilot.press("ctrl+e")
            await until(pilot, partial(there_are, folder, n))
        first = folder / f"que-es-una-red-{saved[1]}.md"
        assert "Capas de neuronas." in first.read_text(encoding="utf-8")
        await until(pilot, lambda: len(app._notifications) == 2)
        assert str(first) in next(iter(app._notifications)).message


async def test_an_export_that_cannot_be_written_says_so(
    indexed: Workspace, saved: list[str]
) -> None:
    (indexed.root / "exports").write_text("a file")

    async with playing(indexed, size=NARROW) as (app, pilot):
        await opened(app, pilot)
        await pilot.press("ctrl+e")
        await until(pilot, lambda: len(app._notifications))
        assert "cannot be written" in next(iter(app._notifications)).message


async def test_a_wide_screen_looks_into_the_conversation(
    indexed: Workspace, saved: list[str]
) -> None:
    async with playing(indexed, size=WIDE) as (app, pilot):
        screen, _results = await opened(app, pilot)
        preview = screen.query_one("#preview")
        text = preview.query_one("Static")
        await until(pilot, lambda: "¿y su costo?" in str(text.render()))
        assert "Es lineal" in str(text.render())
        await pilot.press("down")
        await until(pilot, lambda: "Baja la entropía." in str(text.render()))
        assert "\x1b" not in str(text.render())
        assert preview.region.width > 60
        await pilot.resize_terminal(*NARROW)
        await until(pilot, lambda: not preview.region)


async def test_what_another_window_removed_is_reported(
    indexed: Workspace, saved: list[str]
) -> None:
    async with playing(indexed, size=NARROW) as (app, pilot):
        screen, _results = await opened(app, pilot)
        with SessionStore(app.workspace.sessions.path) as other:
            other.purge(saved[1])
        await pilot.press("f2", "x", "enter")
        await until(pilot, lambda: len(app._notifications))
        assert "no saved conversation" in next(iter(app._notifications)).message
        await changed(pilot, screen, [GAIN])


async def test_500_conversations_scroll(indexed: Workspace) -> None:
    with SessionStore(indexed.root / "stores" / "sessions.db") as store:
        for n in range(500):
            store.rename(store.create("default", "es").id, f"Conversación {n}")

    async with playing(indexed, size=NARROW) as (app, pilot):
        screen, results = await opened(app, pilot)
        await until(pilot, lambda: len(listed(screen)) == 500)
        await pilot.press("end", "enter")
        await until(pilot, lambda: results)
        oldest = app.workspace.sessions.sessions("default")[-1]
        assert results == [oldest.id]


async def test_the_key_works_while_a_question_is_typed(
    indexed: Workspace, saved: list[str]
) -> None:
    async with playing(indexed, size=NARROW) as (app, pilot):
        await pilot.press("h", "f6")
        await until(pilot, lambda: isinstance(app.screen, SessionsScreen))
        screen = app.screen
        assert isinstance(screen, SessionsScreen)
        await changed(pilot, screen, [NET, GAIN])
        await pilot.press("down", "enter")
        await until(pilot, lambda: app.workspace.conversation)
        assert app.workspace.conversation is not None
        assert app.workspace.conversation.session.id == saved[0]


def test_moments_are_said_by_their_day() -> None:
    now = datetime(2026, 3, 10, 1, 30, tzinfo=timezone(timedelta(hours=2)))
    utc = datetime(2026, 3, 9, 23, 5, tzinfo=UTC)
    assert when(utc, now) == "today 01:05"
    assert when(utc - timedelta(hours=2), now) == "yesterday 23:05"
    assert when(utc - timedelta(days=3), now) == "3 days ago, 01:05"
    assert when(utc - timedelta(days=7), now) == "2026-03-03 01:05"
    assert when(utc + timedelta(days=2), now) == "2026-03-12 01:05"


def test_a_resumed_answer_says_what_the_notes_no_longer_have(fresh: Workspace) -> None:
    def write(said: str) -> None:
        body = f'#set text(lang: "es")\n= Búsqueda\n\n*Heurística admisible*: {said}'
        pdfs.typeset(fresh.notes / "10_SEMANA_AI_20251006_1.pdf", body)
        assert fresh.run_here("index").returncode == 0

    write("función que nunca sobreestima el coste real hasta la meta.")
    assert fresh.run_here("chat", typed="¿Qué es una heurística admisible?\n").returncode == 0
    write("función cuyo valor nunca supera el coste mínimo hasta la meta.")
    (session,) = (one["id"] for one in fresh.json_here("sessions"))

    async def body() -> None:
        async with playing(fresh, size=(80, 24)) as (app, pilot):
            app.resume(session)
            await until(pilot, lambda: app.chat.query(TurnView))
            about = app.chat.query_one(".about", Static)
            assert "no longer have what was quoted as [1]" in str(about.render())

    asyncio.run(body())


@pytest.mark.usefixtures("saved")
@pytest.mark.parametrize("key", ["f6", "f10"])
async def test_no_space_of_what_comes_at_once_is_lost_and_what_is_pasted_is_taken(
    indexed: Workspace, key: str
) -> None:
    async with playing(indexed, size=NARROW) as (app, pilot):
        await pilot.press(key)
        await until(pilot, lambda: app.screen is not app.chat and app.screen.query(Input))
        field = app.screen.query_one(Input)
        await until(pilot, lambda: app.focused)
        typed_at_once(app, "random forest")
        await until(pilot, lambda: field.value == "random forest")
        await pilot.press("escape")
        assert app.focused is not field
        app.post_message(events.Paste("redes\nneuronales"))
        await until(pilot, lambda: field.value == "redes neuronales")
        await pilot.press("escape")
        app.post_message(events.Key("escape", None))
        typed_at_once(app, "y 2 a")
        await until(pilot, lambda: app.chat.query_one(QuestionBox).text == "y 2 a")


@pytest.mark.parametrize("typed", ["/redes", "redes"])
async def test_what_is_typed_ahead_is_searched_for(
    indexed: Workspace, saved: list[str], typed: str
) -> None:
    async with playing(indexed, size=NARROW) as (app, pilot):
        screen, _results = await opened(app, pilot)
        typed_at_once(app, typed)
        await until(pilot, lambda: screen.query_one(Input).value == "redes")
        assert app.screen is screen

        app.push_screen(WholeTextScreen("Un texto", "Uno\nDos\nTres"))
        await until(pilot, lambda: isinstance(app.screen, WholeTextScreen))
        typed_at_once(app, "tres")
        await until(pilot, lambda: app.screen.query_one(Input).value == "tres")


@pytest.mark.usefixtures("saved")
async def test_the_footer_cuts_no_key_and_keeps_the_way_back(indexed: Workspace) -> None:
    set_language("es")
    async with playing(indexed, size=NARROW, language="es") as (app, pilot):
        screen = SessionsScreen()
        app.push_screen(screen)
        await until(pilot, lambda: screen.query(SessionList))
        await until(pilot, lambda: len(listed(screen)) == 2)
        await pilot.press("ctrl+d")
        await until(pilot, lambda: "Recuperar" in keys_shown(app))
        assert list(keys_shown(app))[-2:] == ["Volver", "Menú"]
        ends = [key.region.right for key in screen.query("FooterKey")]
        assert max(ends[:-1]) < screen.query("FooterKey").last().region.x
        await pilot.resize_terminal(120, 24)
        await until(pilot, lambda: "Ayuda" in keys_shown(app))


async def test_where_nothing_is_saved_nothing_is_resumed(indexed: Workspace) -> None:
    async with playing(indexed, size=NARROW) as (app, pilot):
        await opened(app, pilot)
        assert "Resume" not in keys_shown(app)


NAMED = {"/": "slash", " ": "space"}


def typed_at_once(app: TutorApp, text: str) -> None:
    """Keys that come before the first of them is handled."""
    for letter in text:
        app.post_message(events.Key(NAMED.get(letter, letter), letter))
