"""What two students stumbled over before an exam: one new to all of this, one at a small laptop."""

from __future__ import annotations

import os
import signal
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from textual.widgets import Input, Static

from tests.scripted import ScriptedModel
from tests.tui.stage import playing, settings, until
from tests.tui.test_chat import RATE, ask, state, turns
from tests.tui.test_comfort import box, command, keys_shown, offered, on_screen
from tests.tui.test_indexer import _lengthen, _until_working
from tutor.model import Answer, Citation, Route
from tutor.presentation.answers import with_announced
from tutor.tui import frame
from tutor.tui.answer_markdown import marks_of
from tutor.tui.screens.courses import run_content
from tutor.tui.screens.health import HealthScreen
from tutor.tui.screens.map import MapScreen, TopicTree
from tutor.tui.screens.passage import PassageScreen
from tutor.tui.screens.whole_text import WholeTextScreen
from tutor.tui.widgets.answer_text import AnswerText, _TableContent
from tutor.tui.widgets.conversation import Offers, Reading
from tutor.tui.widgets.page_text import PageText
from tutor.tui.widgets.sources import SourceList, card_content, cards_of
from tutor.tui.workspace.index_run import IndexProcess, IndexRun, Phase

if TYPE_CHECKING:
    from textual.pilot import Pilot

    from tests.course import Workspace
    from tutor.tui.app import TutorApp

REFUSED = "¿Cuál es la receta de la tortilla de patatas con cebolla?"


async def test_the_nearest_pages_of_a_refusal_open_like_marks(indexed: Workspace) -> None:
    async with playing(indexed, size=(120, 40)) as (app, pilot):
        turn = await ask(pilot, REFUSED)
        sources = app.chat.query_one(SourceList)
        assert sources.option_count == len(turn.marks) == 3
        assert sources.border_subtitle == "the nearest pages"
        assert not turn.query_one(".cited").region  # the text has them
        app.screen.set_focus(turn)
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, PassageScreen))
        page = app.screen.citation  # pyrefly: ignore[missing-attribute]
        assert f"{page.source.title}, p. {page.first_page}" in turn.text
    async with playing(indexed, size=(120, 40)) as (app, pilot):  # and once it is saved
        await until(pilot, lambda: offered(app)[-1:] == [f"Go on with: {REFUSED}"])
        await pilot.press("tab", "up", "enter")
        await until(pilot, lambda: turns(app) and len(turns(app)[0].marks) == 3)


async def test_after_a_refusal_questions_of_the_course_are_offered(mapped: Workspace) -> None:
    """Not those next to the nearest pages, which have nothing to do with what was asked."""
    async with playing(mapped, size=(80, 24)) as (app, pilot):
        await ask(pilot, REFUSED)
        offers = app.chat.query_one(Offers)
        await until(pilot, lambda: offers.border_title == "For example" and offered(app))
        assert len(offered(app)) == 3
        await command(pilot, app, "¿Qué es la entropía?")
        await until(pilot, lambda: offers.border_title == "Next, perhaps")


async def test_a_source_card_has_the_lines_of_code_and_lists(indexed: Workspace) -> None:
    async with playing(indexed) as (_app, pilot):
        turn = await ask(pilot)
        mark = turn.marks[0]
        assert isinstance(mark.citation, Citation)
        code = "for k in range(2, 8):\n    km = KMeans(k)\n\nprint(k)"
        chunk = replace(mark.citation.hit.chunk, text=code)
        hit = replace(mark.citation.hit, chunk=chunk)
        cited = replace(mark.citation, hit=hit, quote_start=0, quote_end=len(code))
        (card,) = cards_of([replace(mark, citation=cited)])
        shown = card_content(card).plain
        assert shown.startswith("[1] «for k in range(2, 8):\n    km = KMeans(k)\nprint(k)»\n")


async def test_a_notice_neither_piles_up_nor_stays_over_the_next_screen(
    indexed: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(frame, "_AT_ONCE_S", 0.0)
    async with playing(indexed) as (app, pilot):
        for _time in range(3):
            await command(pilot, app, "/asdf")
        await until(pilot, lambda: len(app._notifications) == 1)
        await pilot.press("ctrl+u", "f8")
        await until(pilot, lambda: isinstance(app.screen, HealthScreen))
        await until(pilot, lambda: not app._notifications)


async def _map_by_weeks(app: TutorApp, pilot: Pilot[Any]) -> TopicTree:
    """Open the map, sorted by weeks."""
    await pilot.press("f10")
    await until(pilot, lambda: isinstance(app.screen, MapScreen))
    tree = app.screen.query_one(TopicTree)
    await until(pilot, lambda: tree.current)
    await pilot.press("ctrl+o")
    await until(pilot, lambda: tree.current and tree.current.title.startswith("Week"))
    return tree


async def test_the_map_says_whether_enter_opens_a_page_or_a_topic(indexed: Workspace) -> None:
    async with playing(indexed, size=(110, 35)) as (app, pilot):
        tree = await _map_by_weeks(app, pilot)
        await until(pilot, lambda: keys_shown(app).get("Open or close"))
        was_open = tree.cursor_node and tree.cursor_node.is_expanded
        await pilot.press("enter")
        await until(pilot, lambda: tree.cursor_node and tree.cursor_node.is_expanded != was_open)
        await pilot.press("enter", "down")
        await until(pilot, lambda: keys_shown(app).get("Open page"))
        await pilot.press(*"red")
        await until(pilot, lambda: keys_shown(app).get("Choose"))
        await until(pilot, lambda: keys_shown(app).get("To what is found"))


async def test_a_topic_is_summed_up_in_english(indexed: Workspace) -> None:
    async with playing(indexed, size=(110, 35)) as (app, pilot):
        await _map_by_weeks(app, pilot)
        await pilot.press("ctrl+r")
        await until(pilot, lambda: turns(app) and turns(app)[0].is_over)
        assert turns(app)[0].question.startswith("Summarize Week")
        assert not turns(app)[0].has_class("-refused")


async def test_a_question_that_the_other_index_is_asked_is_no_follow_up_to_itself(
    indexed: Workspace,
) -> None:
    async with playing(indexed) as (app, pilot):
        await ask(pilot, "silueta")
        await pilot.press("ctrl+r")
        await until(pilot, lambda: len(turns(app)) == 2 and turns(app)[1].is_over)
        assert turns(app)[1].route is Route.SEMANTIC
        assert turns(app)[1].standalone == "silueta"


async def test_what_is_sought_in_the_conversation_is_typed_at_once(indexed: Workspace) -> None:
    async with playing(indexed, ScriptedModel([RATE])) as (app, pilot):
        await ask(pilot)
        await command(pilot, app, "/find")
        await until(pilot, lambda: isinstance(app.screen, WholeTextScreen))
        field = app.screen.query_one(Input)
        await until(pilot, lambda: field.has_focus)
        assert {"Next", "Copy all"}.isdisjoint(keys_shown(app))
        await pilot.press(*"tasa", "enter")
        await until(pilot, lambda: "place 1 of" in on_screen(app))
        await until(pilot, lambda: keys_shown(app).get("Next"))
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is app.chat)

        await command(pilot, app, "/find")
        await until(pilot, lambda: isinstance(app.screen, WholeTextScreen))
        await pilot.press("down")
        await until(pilot, lambda: app.screen.query_one(PageText).has_focus)
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is app.chat)

        await command(pilot, app, "/find tasa")  # the field need not be filled in
        await until(pilot, lambda: "place 1 of" in on_screen(app))
        assert box(app).text == ""


@pytest.mark.parametrize(
    ("key", "name"), [("f6", "Conversations · "), ("f7", "Models · "), ("f8", "Health · ")]
)
async def test_a_screen_is_called_by_its_name(indexed: Workspace, key: str, name: str) -> None:
    async with playing(indexed) as (app, pilot):
        await pilot.press(key)
        await until(pilot, lambda: app.screen is not app.chat)
        heading = app.screen.query_one("#heading", Static)
        await until(pilot, lambda: str(heading.render()).startswith(name))


async def test_a_new_conversation_begins_at_the_top(indexed: Workspace) -> None:
    async with playing(indexed, ScriptedModel(["¿Una línea?\n\n" * 60 + RATE])) as (app, pilot):
        await ask(pilot)
        scroll = app.chat.query_one(Reading).scroll
        await pilot.press("ctrl+end")
        await until(pilot, lambda: scroll.scroll_offset.y)
        await pilot.press("ctrl+n")
        await until(pilot, lambda: "Ask about your notes: " in on_screen(app))


async def test_tab_does_not_scroll_away_what_is_read(indexed: Workspace) -> None:
    async with playing(indexed, ScriptedModel(["¿Una línea?\n\n" * 60 + RATE])) as (app, pilot):
        await ask(pilot)
        scroll = app.chat.query_one(Reading).scroll
        await pilot.press("pageup")
        await until(pilot, lambda: 0 < scroll.scroll_offset.y < scroll.max_scroll_y)
        place = scroll.scroll_offset.y
        await pilot.press("tab")
        await until(pilot, lambda: app.focused is turns(app)[0])
        assert scroll.scroll_offset.y == place


async def test_what_was_not_searched_has_no_index(indexed: Workspace) -> None:
    async with playing(indexed) as (_app, pilot):
        assert "windows" not in state(await ask(pilot, "hola"))
        assert state(await ask(pilot)).endswith(" · fixed windows")


TABLE = """| Capa | Operaciones | Pasos secuenciales | Camino máximo |
|---|---|---|---|
| Autoatención | O(n²d) | O(1) | O(1) con dilataciones |
"""


@pytest.mark.parametrize(("width", "is_tight"), [(64, True), (100, False)])
async def test_no_word_of_a_table_is_cut_that_would_fit_without_air(
    indexed: Workspace, width: int, is_tight: bool
) -> None:
    answer = Answer(TABLE, (), abstained=False, route=Route.FIXED, model="scripted")
    async with playing(indexed, size=(width, 24)) as (app, pilot):
        text = AnswerText(marks_of(answer), answer.text)
        await app.chat.query_one(Reading).page.mount(text, before="#welcome")
        await until(pilot, lambda: text.query(_TableContent))
        table = text.query_one(_TableContent)
        await until(pilot, lambda: table.has_class("-tight") is is_tight)
        words = {"Autoatención", "secuenciales", "dilataciones"}
        await until(pilot, lambda: all(word in on_screen(app) for word in words))


@pytest.mark.skipif(not hasattr(os, "waitid"), reason="no system that tells of it")
async def test_a_process_that_is_halted_from_outside_is_told_as_such(fresh: Workspace) -> None:
    _lengthen(fresh)
    process = IndexProcess(settings(fresh, TUTOR_RETRIEVAL_SENTENCES="false"), "default")
    runs = process.follow(IndexRun("default"))
    _until_working(runs)
    assert not process.is_held
    os.kill(process._process.pid, signal.SIGSTOP)
    async with playing(fresh, TUTOR_RETRIEVAL_SENTENCES="false") as (app, pilot):
        app.indexer._process, app.indexer.run = process, IndexRun("default", phase=Phase.WORKING)
        await until(pilot, lambda: process.is_held)
        app.indexer.watch()
        assert app.indexer.activity == "Indexing is halted from outside"
        assert "has halted the process" in run_content(app.indexer.run).plain
        os.kill(process._process.pid, signal.SIGCONT)
        await until(pilot, lambda: not process.is_held)
        app.indexer.watch()
        assert app.indexer.activity == "Indexing ..."
        process.close()  # before the app takes its time to end, in which it may be done
    assert [*runs][-1].phase is Phase.CANCELLED
    assert not process.is_held


@pytest.mark.parametrize(
    ("end", "said"),
    [
        ("Da pasos en la dirección contraria:", "Da pasos en la dirección contraria:\nθ ≔ θ − α∇J"),
        ("El costo baja.", "El costo baja."),
        ("Ejemplo (Taxi).", "Ejemplo (Taxi).\n\nθ ≔ θ − α∇J\n\nLa tasa fija el tamaño."),
    ],
)
def test_a_card_has_what_its_sentence_announces(end: str, said: str) -> None:
    quote = f"Primero. {end}\n\nθ ≔ θ − α∇J\n\nLa tasa fija el tamaño."
    text = f"{quote}\n\nOtra cita."
    assert with_announced(text, len("Primero. "), len(f"Primero. {end}"), len(quote)) == said


async def test_a_narrower_window_shows_the_same_turn(indexed: Workspace) -> None:
    async with playing(indexed, ScriptedModel([f"{RATE} " * 40]), size=(110, 24)) as (app, pilot):
        for _time in range(3):
            await ask(pilot)
        scroll = app.chat.query_one(Reading).scroll
        second = turns(app)[1]
        scroll.release_anchor()
        scroll.scroll_to_widget(second, top=True, animate=False)
        await until(pilot, lambda: second.region.y == scroll.region.y)
        await until(pilot, lambda: app.chat.query_one(Reading)._at_top is second)
        for width in (60, 110):
            await pilot.resize_terminal(width, 24)
            await until(pilot, lambda: second.region.y == scroll.region.y)


async def test_a_question_for_the_web_without_a_key_says_what_to_do(indexed: Workspace) -> None:
    async with playing(indexed) as (_app, pilot):
        turn = await ask(pilot, "/web ¿Qué es una red neuronal?")
        about = str(turn.query_one(".about", Static).render())
        assert "Searching" not in about  # which it was not
        assert about.startswith("The web was not searched: there is no key for it. serpapi.com")
        assert "Your notes are asked instead." in about
        assert turn.marks
