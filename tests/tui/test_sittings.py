"""What students stumbled over in long sittings, each with the keys that they pressed."""

from __future__ import annotations

import shutil
import threading
from typing import TYPE_CHECKING

import pytest
from textual.command import CommandList, CommandPalette
from textual.events import Key
from textual.widgets import Input, Static

from tests.scripted import ScriptedModel
from tests.slow import also_slow
from tests.study_cards import card
from tests.tui.stage import playing, staged, until
from tests.tui.test_chat import QUESTION, RATE, EndlessModel, ask, state, turns
from tests.tui.test_comfort import box, command, keys_shown, offered, on_screen
from tests.tui.test_waiting import waits
from tutor.events import Notice, Rewritten, Token
from tutor.model import AnswerLength
from tutor.study.card import CardKind
from tutor.tui import frame
from tutor.tui.screens.courses import CoursesScreen
from tutor.tui.screens.dialogs import CommentModal, FieldModal, HelpScreen
from tutor.tui.screens.sessions import SessionsScreen
from tutor.tui.screens.study import StudyScreen
from tutor.tui.screens.whole_text import WholeTextScreen
from tutor.tui.widgets.conversation import _LAID_OUT_S, Offers, Reading
from tutor.tui.widgets.question_box import CommandMenu, QuestionBox
from tutor.tui.widgets.state_line import StatusLine
from tutor.tui.widgets.turn import TurnView

if TYPE_CHECKING:
    from tests.course import Workspace
    from tutor.config import Config
    from tutor.tui.workspace.workspace import Workspace as Opened

NETWORKS = "¿Qué es una red neuronal?"


async def test_a_new_conversation_is_found_and_exported_under_its_title(indexed: Workspace) -> None:
    async with playing(indexed, ScriptedModel([RATE])) as (app, pilot):
        await ask(pilot)
        await command(pilot, app, "/export")
        exports = indexed.root / "exports"
        await until(pilot, lambda: exports.is_dir() and list(exports.iterdir()))
        (file,) = exports.iterdir()
        assert file.name.startswith("que-tasa-de-aprendizaje-recomienda")
        await command(pilot, app, "/find")
        await until(pilot, lambda: isinstance(app.screen, WholeTextScreen))
        assert str(app.screen.query_one("#heading").render()).startswith(QUESTION)


async def test_a_course_without_an_index_offers_nothing_of_the_one_before(
    indexed: Workspace,
) -> None:
    (indexed.notes / "redes").mkdir()
    shutil.copy(indexed.notes / "09_SEMANA_AI_20250929_1.pdf", indexed.notes / "redes")

    async with playing(indexed) as (app, pilot):
        await ask(pilot)
        await pilot.press("ctrl+n")
        await until(pilot, lambda: offered(app))
        app.indexer._tried.add("redes")
        await pilot.press("f5")
        await until(pilot, lambda: isinstance(app.screen, CoursesScreen))
        await until(pilot, lambda: app.screen.query_one("ItemList").option_count == 2)  # pyrefly: ignore[missing-attribute]
        await pilot.press("down", "enter")
        await until(pilot, lambda: app.workspace.opened is None)
        await until(pilot, lambda: not offered(app))
        assert "Week" not in on_screen(app)


async def test_enter_right_after_tab_takes_the_first_offer(indexed: Workspace) -> None:
    async with playing(indexed) as (app, pilot):
        await ask(pilot)
        await pilot.press("ctrl+n")
        await until(pilot, lambda: offered(app) == [f"Go on with: {QUESTION}"])
        offers = app.chat.query_one("Offers")
        offers.highlighted = None  # pyrefly: ignore[missing-attribute]
        offers.action_select()  # pyrefly: ignore[missing-attribute]
        await until(pilot, lambda: turns(app))
        assert turns(app)[0].question == QUESTION


async def test_a_conversation_taken_up_again_offers_what_comes_next(indexed: Workspace) -> None:
    async with playing(indexed) as (app, pilot):
        await ask(pilot, NETWORKS)
        offers = app.chat.query_one(Offers)
        await until(pilot, lambda: offers.border_title == "Next, perhaps")
        known = offered(app)
        await pilot.press("ctrl+n")
        await until(pilot, lambda: offers.border_title == "For example")
        offers.highlighted = len(offered(app)) - 1
        offers.action_select()
        await until(pilot, lambda: turns(app))
        await until(pilot, lambda: offered(app) == known)


async def test_every_key_is_named_by_itself_but_in_the_footer(indexed: Workspace) -> None:
    async with playing(indexed, ScriptedModel([RATE])) as (app, pilot):
        (await ask(pilot)).focus()
        await until(pilot, lambda: keys_shown(app).get("Rate") == "^g^b")
        await pilot.press("f1")
        await until(pilot, lambda: isinstance(app.screen, HelpScreen))
        shown = str(app.screen.query("Static").first().render())
        assert " ^g ^b  Rate" in shown
        assert " ← →  Marks" in shown
        await pilot.press("escape", "slash", "g")
        menu = app.chat.query_one(CommandMenu)
        await until(pilot, lambda: [one.word for one in menu.items] == ["/good"])
        assert str(menu.options[0].prompt).endswith("  ^g")


async def test_the_answer_in_sight_is_the_one_that_the_keys_go_to(indexed: Workspace) -> None:
    async with playing(indexed, size=(80, 16)) as (app, pilot):
        for question in (QUESTION, NETWORKS, "¿Qué es un árbol de decisión?"):
            await ask(pilot, question)
        await pilot.press("ctrl+home")
        scroll = app.chat.query_one("#conversation")
        await until(pilot, lambda: scroll.scroll_offset.y == 0)
        await until(pilot, lambda: turns(app)[0].region.overlaps(scroll.region))
        seen = [turn for turn in turns(app) if turn.region.overlaps(scroll.region)]
        assert len(seen) < 3
        await pilot.press("ctrl+up")
        await until(pilot, lambda: app.focused is seen[-1])
        await pilot.press("escape", "ctrl+end")
        await until(pilot, lambda: scroll.scroll_offset.y == scroll.max_scroll_y)
        await pilot.press("ctrl+up")
        await until(pilot, lambda: app.focused is turns(app)[-1])


async def test_stopping_leaves_in_sight_that_it_was_stopped(indexed: Workspace) -> None:
    model = EndlessModel("")
    async with playing(indexed, model, size=(50, 16)) as (app, pilot):
        box(app).insert(NETWORKS)
        await pilot.press("enter")
        scroll = app.chat.query_one("#conversation")
        await until(pilot, lambda: turns(app) and turns(app)[0].marks)
        await until(pilot, lambda: turns(app)[0].region.height > scroll.size.height)
        await pilot.press("escape")
        await until(pilot, lambda: turns(app)[0].is_over)
        await pilot.pause()
        assert "stopped" in state(turns(app)[0])
        if not turns(app)[0].state_line.region.overlaps(scroll.region):  # long quotes are read on
            assert any(told.message.startswith("■ stopped") for told in app._notifications)


async def test_what_is_told_of_a_question_is_told_once(indexed: Workspace) -> None:
    async with playing(indexed) as (app, _pilot):
        turn = TurnView(QUESTION)
        await app.chat.query_one("#conversation").mount(turn)
        understood = Rewritten("it", "this", "rules")
        for event in (understood, Notice("no key"), understood):
            await turn.take(event)
        about = turn.query_one(".about", Static)
        assert str(about.render()) == "Understood as: this\nno key"
        await turn.take(Rewritten("it", "this thing", "spelling"))
        assert str(about.render()) == "Understood as: this thing\nno key"


async def test_a_turn_brought_back_stands_before_the_comparison_made_after_it(
    indexed: Workspace,
) -> None:
    async with playing(indexed, ScriptedModel([RATE], [RATE])) as (app, pilot):
        await ask(pilot)
        (await ask(pilot)).focus()
        app.chat.show_comparison("Compared")
        await pilot.press("ctrl+d")
        await until(pilot, lambda: len(turns(app)) == 1)
        await pilot.press("ctrl+z")
        await until(pilot, lambda: len(turns(app)) == 2)
        order = [*app.chat.query_one("#turns").children].index
        assert order(turns(app)[1]) < order(app.chat.query_one(".compared"))


@pytest.mark.parametrize("keys", ["ctrl+n", *also_slow("slash")])
async def test_no_size_of_the_terminal_ends_the_app(indexed: Workspace, keys: str) -> None:
    async with playing(indexed, size=(160, 50)) as (app, pilot):
        await ask(pilot)
        await pilot.press(keys)
        await pilot.pause()
        await until(pilot, lambda: keys != "ctrl+n" or offered(app))
        for size in ((20, 6), (160, 50), (3, 3), (1, 1), (160, 50)):
            await pilot.resize_terminal(*size)
            await pilot.pause()
        assert app.is_running


async def test_what_is_asked_before_the_course_is_open_is_asked_then(indexed: Workspace) -> None:
    app = staged(indexed)
    opens, may_open = app._open_workspace, threading.Event()

    def late(config: Config) -> Opened:
        may_open.wait()
        return opens(config)

    app._open_workspace = late
    async with app.run_test() as pilot:
        await until(pilot, lambda: isinstance(app.focused, QuestionBox))
        # As it comes from a terminal into which it was typed before the app was there.
        for key in (*NETWORKS, "\n"):
            name = "ctrl+j" if key == "\n" else key
            app.chat.post_message(Key(name, key))
        await pilot.pause()
        typed, waiting, begun = box(app).text, [*waits(app)], turns(app)
        may_open.set()
        assert (typed, waiting, begun) == ("", [NETWORKS], [])
        await until(pilot, lambda: turns(app) and turns(app)[0].is_over)
        assert turns(app)[0].question == NETWORKS
        assert not box(app).text


async def test_enter_chooses_among_commands_and_the_footer_says_so(indexed: Workspace) -> None:
    async with playing(indexed) as (app, pilot):
        await until(pilot, lambda: keys_shown(app).get("Ask") == "⏎")
        await pilot.press("slash", "s", "h")
        await until(pilot, lambda: keys_shown(app).get("Choose") == "⏎")
        assert "Ask" not in keys_shown(app)
        await pilot.press("enter")
        await until(pilot, lambda: app.workspace.config.length is AnswerLength.SHORT)
        await until(pilot, lambda: keys_shown(app).get("Ask") == "⏎")


async def test_the_answer_before_does_not_come_back_over_the_one_being_written(
    indexed: Workspace,
) -> None:
    async with playing(indexed, size=(50, 12)) as (app, pilot):
        first = await ask(pilot, NETWORKS)
        await ask(pilot, QUESTION)
        view = app.chat.query_one(Reading).scroll
        view.scroll_end(animate=False)
        await until(pilot, lambda: view.scroll_offset.y == view.max_scroll_y)
        assert first.region.height > view.size.height
        app.chat.query_one(Reading).show_beginning(first)
        await pilot.pause()
        assert view.scroll_offset.y == view.max_scroll_y


async def test_quotes_that_fill_the_screen_stay_while_a_model_writes_below(
    indexed: Workspace,
) -> None:
    model = EndlessModel(f"{RATE} " * 12)
    async with playing(indexed, model, size=(50, 14)) as (app, pilot):
        box(app).insert(NETWORKS)
        await pilot.press("enter")
        await until(pilot, lambda: turns(app) and RATE in turns(app)[0].text)
        (turn,) = turns(app)
        view, status = app.chat.query_one(Reading).scroll, app.chat.query_one(StatusLine)
        await until(pilot, lambda: view.max_scroll_y > view.size.height)  # far below
        await until(pilot, lambda: view.region.contains_point(turn.region.offset))
        await until(pilot, lambda: str(status.render()).startswith("▼ The model writes below"))
        await pilot.press("ctrl+end")
        await until(pilot, lambda: view.scroll_offset.y == view.max_scroll_y)
        await until(pilot, lambda: "writes below" not in str(status.render()))
        end = view.max_scroll_y
        turn.call_later(turn.take, Token("Otra línea.\n\n" * 10))
        await until(pilot, lambda: view.max_scroll_y > end)
        assert view.scroll_offset.y == view.max_scroll_y  # followed from there on
        await pilot.press("pageup")
        await until(pilot, lambda: "writes below" in str(status.render()))
        await pilot.press("escape")
        await until(pilot, lambda: turn.is_over)
        assert "writes below" not in str(status.render())


async def test_quotes_that_just_fit_stay_too(indexed: Workspace) -> None:
    async with playing(indexed, size=(50, 60)) as (app, pilot):
        turn = await ask(pilot, NETWORKS)
        quotes = turn.markdown.children[-1].region.bottom - turn.region.y
        around = 60 - app.chat.query_one(Reading).scroll.size.height
    model = EndlessModel(f"{RATE} " * 12, after_s=2 * _LAID_OUT_S)
    async with playing(indexed, model, size=(50, quotes + around + 3)) as (app, pilot):
        box(app).insert(NETWORKS)
        await pilot.press("enter")
        view = app.chat.query_one(Reading).scroll
        await until(pilot, lambda: view.max_scroll_y > view.size.height)
        await until(pilot, lambda: view.region.contains_point(turns(app)[0].region.offset))
        await pilot.press("escape")
        await until(pilot, lambda: turns(app)[0].is_over)


async def test_below_quotes_with_room_a_model_is_followed(indexed: Workspace) -> None:
    model = EndlessModel(f"{RATE} " * 40)
    async with playing(indexed, model, size=(50, 60)) as (app, pilot):
        box(app).insert(NETWORKS)
        await pilot.press("enter")
        view = app.chat.query_one(Reading).scroll
        await until(pilot, lambda: view.max_scroll_y > 5)
        assert view.scroll_offset.y == view.max_scroll_y
        await pilot.press("escape")
        await until(pilot, lambda: turns(app)[0].is_over)


@pytest.mark.parametrize("width", [40, *also_slow(60, 200)])
async def test_the_menu_is_in_sight_in_any_width_and_has_the_keys_of_each_screen(
    indexed: Workspace, width: int
) -> None:
    async with playing(indexed, ScriptedModel([RATE]), size=(width, 20)) as (app, pilot):
        await ask(pilot)
        await pilot.press("f6")
        await until(pilot, lambda: isinstance(app.screen, SessionsScreen))
        sessions = app.screen
        await until(pilot, lambda: keys_shown(app).get("Menu") == "^p")
        menu = sessions.query("FooterKey.-command-palette").first()
        assert sessions.region.contains_region(menu.region)
        assert menu.region.right == width
        commands = {command.name: command.help_text for command in frame.offered(app)}
        assert {"Rename": "f2", "Delete": "^d", "Help": "f1"}.items() <= commands.items()
        assert not {"Menu", "Bring back"} & set(commands)  # nothing was deleted
        await pilot.press("ctrl+p")
        await until(pilot, lambda: isinstance(app.screen, CommandPalette))
        await pilot.press(*"rename")
        listed = app.screen.query_one(CommandList)
        await until(pilot, lambda: listed.option_count == 1)
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, FieldModal))


async def test_an_answer_is_rated_without_leaving_the_question(indexed: Workspace) -> None:
    async with playing(indexed, ScriptedModel([RATE])) as (app, pilot):
        turn = await ask(pilot)
        assert app.focused is box(app)
        await pilot.press("ctrl+g")
        await until(pilot, lambda: isinstance(app.screen, CommentModal))
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is app.chat)
        assert "▲ good" in state(turn)
        await pilot.press("ctrl+r")
        await until(pilot, lambda: len(turns(app)) == 2)


async def test_an_answer_that_is_being_written_is_neither_rated_nor_deleted_and_says_so(
    indexed: Workspace,
) -> None:
    async with playing(indexed, EndlessModel()) as (app, pilot):
        await pilot.press(*"una red", "enter")
        await until(pilot, lambda: turns(app) and RATE in turns(app)[0].text)
        for key in ("ctrl+g", "ctrl+d"):
            app.clear_notifications()
            await until(pilot, lambda: not app._notifications)
            turns(app)[0].focus()
            await pilot.press(key)
            await until(pilot, lambda: app._notifications)
            assert "being written" in next(iter(app._notifications)).message
        await pilot.press("escape")
        await until(pilot, lambda: turns(app)[0].is_over)


async def test_on_a_narrow_screen_the_sources_are_told_while_the_model_writes(
    indexed: Workspace,
) -> None:
    async with playing(indexed, EndlessModel(), size=(80, 24)) as (app, pilot):
        await pilot.press(*"una red neuronal", "enter")
        await until(pilot, lambda: turns(app) and turns(app)[0].marks)
        cited = turns(app)[0].query_one(".cited")
        await until(pilot, lambda: cited.region.height)
        assert "[1] Redes" in str(cited.render())
        assert not turns(app)[0].is_over
        await pilot.press("escape")
        await until(pilot, lambda: turns(app)[0].is_over)


async def test_a_long_notice_stays_for_longer(indexed: Workspace) -> None:
    async with playing(indexed) as (app, pilot):
        app.notify("Copied.")
        app.notify("Written: " + "x" * 111)
        app.notify("Once.", timeout=1)
        await until(pilot, lambda: len(app._notifications) == 3)
        assert [one.timeout for one in app._notifications] == [3, 10, 1]


async def test_a_card_says_how_its_answer_is_typed(indexed: Workspace) -> None:
    async with playing(indexed) as (app, pilot):
        await pilot.press("f9")
        await until(pilot, lambda: isinstance(app.screen, StudyScreen))
        screen = app.screen
        assert isinstance(screen, StudyScreen)
        field = screen.query_one(Input)
        await until(pilot, lambda: field.placeholder)
        assert "press Enter to see it" in field.placeholder
        pairs = card("Match", "a → b", CardKind.MATCH, items=("a",), choices=("b",))
        screen.ask(pairs, "")
        assert field.placeholder.startswith("Type the pairs as 1b 2a 3c")
        screen.ask(card("Which?", "a", CardKind.CHOICE, choices=("a", "b")), "")
        assert field.placeholder.startswith("Type its number")
        keys = {active.binding.id for active in app.screen.active_bindings.values()}
        assert "study.undo" not in keys  # nothing was done yet


async def test_a_short_conversation_begins_at_the_top_and_a_long_one_is_followed(
    indexed: Workspace,
) -> None:
    async with playing(indexed, ScriptedModel([RATE]), size=(120, 40)) as (app, pilot):
        turn = await ask(pilot)
        scroll = app.chat.query_one("#conversation")
        assert turn.region.y == scroll.region.y
        while scroll.max_scroll_y == 0:
            turn = await ask(pilot)
        await until(pilot, lambda: scroll.scroll_offset.y == scroll.max_scroll_y)
        assert turn.region.overlaps(scroll.region)


async def test_the_help_has_keys_that_work_in_the_same_place_under_one_heading(
    indexed: Workspace,
) -> None:
    async with playing(indexed) as (app, pilot):
        await pilot.press("f6")
        await until(pilot, lambda: isinstance(app.screen, SessionsScreen))
        await pilot.press("f1")
        await until(pilot, lambda: isinstance(app.screen, HelpScreen))
        shown = str(app.screen.query("Static").first().render())
        assert shown.count("Keys here") == 1
        assert "Resume" in shown
        assert "Leave" in shown


async def test_a_narrow_line_at_the_top_has_whole_words(indexed: Workspace) -> None:
    async with playing(indexed, size=(60, 24)) as (app, _pilot):
        line = app.chat.query_one(StatusLine)
        going_on = "Indexing ... · 10/10 files, 33/124 passages"
        line.show(app.workspace, going_on)
        assert str(line.render()) == going_on
        line.show(app.workspace, "Stopping ...")
        assert str(line.render()) == "Stopping ... · without a model: quotes"
        line.show(app.workspace, "")
        shown = "without a model: quotes · all local · index: fixed windows"
        assert str(line.render()) == shown


async def test_what_can_leave_the_machine_is_said_in_a_narrow_line_too(indexed: Workspace) -> None:
    async with playing(indexed, ScriptedModel([RATE]), size=(60, 24)) as (app, _pilot):
        away = {"ollama.host": "http://192.0.2.1:11434"}
        app.workspace.config = app.workspace.config.varied(away)
        line = app.chat.query_one(StatusLine)
        line.show(app.workspace, "Indexing ... · 10/10 files")
        shown = "Indexing ... · 10/10 files · ⇄ questions and notes go to 192.0.2.1"
        assert str(line.render()) == shown


async def test_a_letter_right_after_escape_is_not_lost(indexed: Workspace) -> None:
    async with playing(indexed, ScriptedModel([RATE])) as (app, pilot):
        turn = await ask(pilot)
        turn.focus()
        await until(pilot, lambda: app.focused is turn)
        for key in (Key("alt+q", "q"), Key("u", "u"), Key("e", "e")):  # as terminals send them
            app.post_message(key)
        await until(pilot, lambda: box(app).text == "que")
