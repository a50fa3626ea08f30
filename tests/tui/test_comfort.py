"""What a student reaches for without having read anything: keys, commands, first questions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from textual.widget import Widget
from textual.widgets import Static

from tests.slow import also_slow
from tests.tui.stage import ScriptedModel, playing, ready, staged, until
from tests.tui.test_chat import QUESTION, RATE, ask, turns
from tutor.answer.routing import looks_like_command
from tutor.history import SessionStore
from tutor.i18n import set_language
from tutor.model import AnswerLength, Strategy
from tutor.tui.base import KeyBar
from tutor.tui.commands import completions, named_command
from tutor.tui.screens.compare import CompareScreen
from tutor.tui.screens.dialogs import CommentModal, HelpScreen
from tutor.tui.screens.passage import PassageScreen
from tutor.tui.screens.whole_text import WholeTextScreen
from tutor.tui.widgets.conversation import Offers
from tutor.tui.widgets.page_text import PageText
from tutor.tui.widgets.question_box import CommandMenu, QuestionBox
from tutor.tui.widgets.sources import SourceList

if TYPE_CHECKING:
    from textual.pilot import Pilot

    from tests.course import Workspace
    from tutor.tui.app import TutorApp

NARROW, WIDE = (80, 24), (160, 50)


def box(app: TutorApp) -> QuestionBox:
    return app.chat.query_one(QuestionBox)


def status(app: TutorApp) -> str:
    return str(app.chat.query_one("#status").render())


def offered(app: TutorApp) -> list[str]:
    return [str(option.prompt) for option in app.chat.query_one(Offers).options]


def on_screen(app: TutorApp) -> str:
    return "\n".join(strip.text for strip in app.screen._compositor.render_strips())


def toast(app: TutorApp) -> Widget:
    return app.screen.query("Toast").last()


def keys_shown(app: TutorApp) -> dict[str, str]:
    bar = app.screen.query_one(KeyBar)
    return {key.description: key.key_display for key in bar.query("FooterKey")}  # pyrefly: ignore[missing-attribute]


async def command(pilot: Pilot[None], app: TutorApp, word: str) -> None:
    box(app).text = word
    await pilot.press("enter")


async def test_page_keys_scroll_while_the_question_has_the_focus(indexed: Workspace) -> None:
    async with playing(indexed, ScriptedModel(["¿Una línea?\n\n" * 60 + RATE]), size=NARROW) as (
        app,
        pilot,
    ):
        await ask(pilot)
        assert app.focused is box(app)
        scroll = app.chat.query_one("#conversation")
        await until(pilot, lambda: scroll.scroll_offset.y > 10)
        before = scroll.scroll_offset.y
        await pilot.press("pageup")
        await until(pilot, lambda: scroll.scroll_offset.y < before)
        before = scroll.scroll_offset.y
        await pilot.press("pagedown")
        await until(pilot, lambda: scroll.scroll_offset.y > before)


async def test_letters_are_a_question_wherever_the_focus_is(indexed: Workspace) -> None:
    async with playing(indexed, ScriptedModel([RATE]), size=WIDE) as (app, pilot):
        turn = await ask(pilot)
        turn.focus()
        await pilot.press("a", "o", "plus")
        await until(pilot, lambda: box(app).text == "ao+")
        app.chat.query_one(SourceList).focus()
        await pilot.press("v")
        await until(pilot, lambda: box(app).text == "ao+v")
        assert app.focused is box(app)
        assert len(turns(app)) == 1
        assert app.screen is app.chat


async def test_a_new_answer_is_seen_on_a_narrow_screen_that_showed_sources(
    indexed: Workspace,
) -> None:
    async with playing(indexed, ScriptedModel([RATE], [RATE]), size=NARROW) as (app, pilot):
        turn = await ask(pilot)
        assert "p. " in str(turn.query_one(".cited", Static).render())
        await until(pilot, lambda: turn.query_one(".cited").region)
        await pilot.press("f4")
        await until(pilot, lambda: app.chat.query_one(SourceList).region)
        await pilot.press("enter")  # the first card is pointed at
        await until(pilot, lambda: isinstance(app.screen, PassageScreen))
        await pilot.press("escape")
        await until(pilot, lambda: app.focused is app.chat.query_one(SourceList))
        turn = await ask(pilot)
        await until(pilot, lambda: turn.region)
        await until(pilot, lambda: not app.chat.query_one(SourceList).region)


async def test_a_page_has_one_card_quote_first_and_scores_behind_a_key(indexed: Workspace) -> None:
    async with playing(indexed, ScriptedModel([RATE, " ", RATE]), size=WIDE) as (app, pilot):
        turn = await ask(pilot)
        cards = app.chat.query_one(SourceList)
        labels = {mark.label for mark in turn.marks if mark.citation}
        await until(pilot, lambda: cards.option_count == len(labels) < len(turn.marks))
        first = str(cards.get_option_at_index(0).prompt)
        assert first.startswith("[1] «")
        assert "support" not in first
        cards.focus()
        await pilot.press("ctrl+e")
        await until(pilot, lambda: "support" in str(cards.get_option_at_index(0).prompt))
        lines = str(cards.get_option_at_index(0).prompt).splitlines()
        assert len({*lines}) == len(lines)  # scores of the same passage are told once


async def test_lines_are_no_longer_than_can_be_read(indexed: Workspace) -> None:
    async with playing(indexed, ScriptedModel([RATE]), size=(200, 50)) as (app, pilot):
        turn = await ask(pilot)
        await until(pilot, lambda: app.chat.query_one(SourceList).region.width > 80)
        assert 0 < turn.markdown.size.width <= 106


async def test_marks_of_an_older_answer_do_not_stay_inverted(indexed: Workspace) -> None:
    async with playing(indexed, ScriptedModel([RATE], [RATE]), size=NARROW) as (app, pilot):
        first = await ask(pilot)
        first.focus()
        await pilot.press("right")
        await until(pilot, lambda: first.markdown.current == 0)
        await pilot.press("ctrl+r")
        await until(pilot, lambda: len(turns(app)) == 2 and turns(app)[1].is_over)
        await until(pilot, lambda: first.markdown.current is None)
        assert app.focused is box(app)


@pytest.mark.parametrize("language", ["es", *also_slow("en")])
async def test_the_keys_fit_a_narrow_screen_whatever_has_the_focus(
    indexed: Workspace, language: str
) -> None:
    set_language(language)
    app = staged(indexed, ScriptedModel([RATE], [RATE], [RATE]), language=language)

    async def fits(own: str) -> None:
        await until(pilot, lambda: own in keys_shown(app).values())
        await pilot.pause()
        last = app.screen.query("FooterKey").last().region
        assert last.right <= 80, keys_shown(app)
        assert {"^p", "f1"} <= {*keys_shown(app).values()}

    async with app.run_test(size=NARROW) as pilot:
        await ready(pilot)
        await until(pilot, lambda: keys_shown(app))
        assert not {"Stop", "Detener"} & {*keys_shown(app)}
        turn = await ask(pilot)
        turn.focus()
        await fits("^y")
        await pilot.press("enter")
        await fits("np")
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is app.chat)
        box(app).focus()
        await fits("⏎")
        await pilot.press("f3")
        await until(pilot, lambda: isinstance(app.screen, CompareScreen))
        await until(pilot, lambda: not app.screen.is_comparing)  # pyrefly: ignore[missing-attribute]
        await fits("f2")


async def test_the_keys_are_there_in_a_terminal_without_the_focus(indexed: Workspace) -> None:
    app = staged(indexed, ScriptedModel([RATE]))
    async with app.run_test(size=NARROW) as pilot:
        app.app_focus = False
        await ready(pilot)
        await until(pilot, lambda: keys_shown(app))


async def test_help_begins_with_all_keys_those_of_an_answer_too(indexed: Workspace) -> None:
    async with playing(indexed, ScriptedModel([RATE]), size=NARROW) as (app, pilot):
        await ask(pilot)
        await pilot.press("f1")
        await until(pilot, lambda: isinstance(app.screen, HelpScreen))
        shown = str(app.screen.query("Static").first().render())
        assert shown.startswith("Keys here")
        for key in ("^o", "^j", "^p", "tab", "f4"):
            assert f"{key} " in shown
        here = shown.partition("\n\n")[0].splitlines()
        assert [line.split() for line in here if "esc " in line] == ["esc Stop · Back".split()]


async def test_a_slash_offers_commands_that_are_completed_and_done(indexed: Workspace) -> None:
    async with playing(indexed, ScriptedModel([RATE]), size=NARROW) as (app, pilot):
        menu = app.chat.query_one(CommandMenu)
        await pilot.press("slash")
        await until(pilot, lambda: menu.region)
        await pilot.press("s", "e")
        await until(pilot, lambda: [one.word for one in menu.items][:1] == ["/sessions"])
        await pilot.press("tab")
        await until(pilot, lambda: box(app).text == "/sessions")
        await pilot.press("enter")
        await until(pilot, lambda: app.screen is not app.chat)
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is app.chat)
        assert not menu.region
        await pilot.press("slash", "f", "enter")
        await until(pilot, lambda: app.workspace.config.strategy is Strategy.FIXED)
        await pilot.press("slash", "s", "e", "m")
        await until(pilot, lambda: [one.word for one in menu.items] == ["/semantic"])
        await until(pilot, lambda: menu.region)
        await pilot.click(menu, offset=(3, 1))
        await until(pilot, lambda: app.workspace.config.strategy is Strategy.SEMANTIC)
        await pilot.press("slash", "w", "down", "up", "enter")
        await until(pilot, lambda: box(app).text == "/web ")


async def test_what_is_left_of_a_command_is_no_part_of_the_next_question(
    indexed: Workspace,
) -> None:
    async with playing(indexed, ScriptedModel([RATE]), size=NARROW) as (app, pilot):
        menu = app.chat.query_one(CommandMenu)
        await pilot.press("slash", "n")
        await until(pilot, lambda: menu.region)
        await pilot.press("escape")
        await until(pilot, lambda: not menu.display)
        await pilot.press("y")
        assert box(app).text == "y"


async def test_a_new_conversation_after_a_long_one_has_its_first_screen(indexed: Workspace) -> None:
    async with playing(indexed, ScriptedModel([RATE]), size=WIDE) as (app, pilot):
        turn = await ask(pilot)
        assert turn.answer
        assert app.workspace.conversation
        session = app.workspace.conversation.session.id
        with SessionStore(indexed.root / "stores" / "sessions.db") as store:
            for _time in range(14):
                store.begin_turn(session, QUESTION).finish(turn.answer)
        app.resume(session)
        await until(pilot, lambda: len(turns(app)) == 15)
        await pilot.press("ctrl+n")
        await until(pilot, lambda: not turns(app))
        for selector in ("#welcome", "#guide", "Offers"):
            assert app.chat.query_one(selector).region, selector


async def test_a_notice_hides_neither_the_first_heading_nor_the_question(
    indexed: Workspace,
) -> None:
    app = staged(indexed, ScriptedModel([RATE]))
    async with app.run_test(size=NARROW, notifications=True) as pilot:
        await ready(pilot)
        await until(pilot, lambda: app.chat.query_one("#welcome").region)
        app.notify("¡Hola!")
        await until(pilot, lambda: app.screen.query("Toast") and toast(app).region)
        assert not toast(app).region.overlaps(app.chat.query_one("#welcome").region)
        assert not toast(app).region.overlaps(box(app).region)
        await ask(pilot)
        app.notify("¡Otra vez!")
        await until(pilot, lambda: app.screen.query("Toast") and toast(app).region.y < 3)


async def test_an_unknown_command_is_no_question(indexed: Workspace) -> None:
    async with playing(indexed, ScriptedModel([RATE]), size=NARROW) as (app, pilot):
        await command(pilot, app, "/nuevo")
        await until(pilot, lambda: app._notifications)
        assert not turns(app)
        assert box(app).text == "/nuevo"


async def test_text_behind_a_command_is_taken_or_stays_in_the_box(indexed: Workspace) -> None:
    async with playing(indexed, ScriptedModel([RATE], [RATE]), size=NARROW) as (app, pilot):
        await command(pilot, app, "/nueva sobre redes")
        await until(pilot, lambda: app._notifications)
        assert next(iter(app._notifications)).message == "/nueva takes no text behind it."
        assert box(app).text == "/nueva sobre redes"
        await command(pilot, app, f"/compare {QUESTION}")
        await until(pilot, lambda: app.screen.query("CompareScreen #choices"))
        screen = app.screen
        assert isinstance(screen, CompareScreen)
        assert QUESTION in str(screen.query_one("#heading", Static).render())
        assert box(app).text == ""
        await until(pilot, lambda: not screen.is_comparing)
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is app.chat)
        await command(pilot, app, "/export mine.md")
        await until(pilot, (indexed.root / "mine.md").exists)
        await command(pilot, app, "/export mine.md")
        await until(pilot, lambda: "already there" in next(iter(app._notifications)).message)
        assert not turns(app)


async def test_keys_act_on_the_answer_read_last_while_nothing_is_typed(indexed: Workspace) -> None:
    async with playing(indexed, ScriptedModel([RATE]), size=NARROW) as (app, pilot):
        await pilot.press("ctrl+y")
        await until(pilot, lambda: app._notifications)
        assert next(iter(app._notifications)).message == "There is no answer yet."
        await ask(pilot)
        await until(pilot, lambda: turns(app) and turns(app)[0].is_over)
        assert app.focused is box(app)
        box(app).text = "no"
        await pilot.press("ctrl+y")
        assert not app.clipboard
        box(app).text = ""
        await pilot.press("ctrl+y")
        await until(pilot, lambda: RATE in app.clipboard)
        await pilot.press("ctrl+k")
        await until(pilot, lambda: "A card was made" in next(iter(app._notifications)).message)
        await pilot.press("ctrl+d")
        await until(pilot, lambda: not turns(app))


async def test_commands_act_on_the_answer_read_last(indexed: Workspace) -> None:
    async with playing(indexed, ScriptedModel([RATE]), size=NARROW) as (app, pilot):
        await ask(pilot)
        await command(pilot, app, "/cite")
        await until(pilot, lambda: "[1] Redes neuronales" in app.clipboard)
        await command(pilot, app, "/good")
        await until(pilot, lambda: isinstance(app.screen, CommentModal))
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is app.chat)
        await command(pilot, app, "/edit")
        await until(pilot, lambda: box(app).text == QUESTION)
        await command(pilot, app, "/find")
        await until(pilot, lambda: isinstance(app.screen, WholeTextScreen))
        read = str(app.screen.query_one(PageText).query("Static").first().render())
        assert RATE in read
        assert "_SEMANA_AI_" in read  # a file's name, without Markdown's escapes
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is app.chat)
        await command(pilot, app, "/export")
        await until(pilot, lambda: list((indexed.root / "exports").glob("*.md")))


async def test_the_first_screen_has_questions_of_the_course_and_the_last_conversation(
    indexed: Workspace,
) -> None:
    async with playing(indexed, size=NARROW) as (app, pilot):
        await until(pilot, lambda: app.chat.query_one("#guide", Static).display)
        await until(pilot, lambda: "Árboles" in on_screen(app))
        await ask(pilot)
    async with playing(indexed, size=NARROW) as (app, pilot):
        await until(pilot, lambda: offered(app)[-1:] == [f"Go on with: {QUESTION}"])
        await pilot.press("tab", "up", "enter")
        await until(pilot, lambda: len(turns(app)) == 1)
        assert turns(app)[0].question == QUESTION


async def test_choices_are_remembered(indexed: Workspace) -> None:
    async with playing(indexed, size=NARROW) as (app, pilot):
        assert app.current_theme.dark
        await pilot.press("ctrl+t", "f2")
        await until(pilot, lambda: app.workspace.config.strategy is Strategy.SEMANTIC)
        await command(pilot, app, "/corta")
        await until(pilot, lambda: "short answers" in status(app))
    async with playing(indexed, size=NARROW) as (app, pilot):
        assert not app.current_theme.dark
        assert app.workspace.config.strategy is Strategy.SEMANTIC
        assert app.workspace.opened
        assert app.workspace.opened.agent.length is AnswerLength.SHORT
        app.workspace.open()  # as after an index run: what was chosen stays
        assert app.workspace.opened.agent.length is AnswerLength.SHORT
    async with playing(
        indexed, TUTOR_TUI_THEME="dark", TUTOR_STRATEGY="fixed", TUTOR_LENGTH="long", size=NARROW
    ) as (app, pilot):
        assert app.current_theme.dark
        assert app.workspace.config.strategy is Strategy.FIXED
        assert app.workspace.config.length is AnswerLength.LONG


async def test_the_line_at_the_top_names_the_index_whatever_else_there_is(
    indexed: Workspace,
) -> None:
    async with playing(indexed, size=WIDE) as (app, pilot):
        await command(pilot, app, "/short")
        await command(pilot, app, "/semantic")
        await until(pilot, lambda: "whole sentences" in status(app))
        assert status(app).startswith("your notes · without a model: quotes · all local · ")
        await pilot.resize_terminal(*NARROW)
        await until(pilot, lambda: len(status(app)) <= 78)
        assert "all local · short answers · index: whole sentences" in status(app)
        await pilot.resize_terminal(*WIDE)
        await until(pilot, lambda: status(app).startswith("your notes"))


async def test_the_pane_of_sources_keeps_the_width_that_it_was_given(indexed: Workspace) -> None:
    async with playing(indexed, ScriptedModel([RATE]), size=WIDE) as (app, pilot):
        await ask(pilot)
        sources = app.chat.query_one(SourceList)
        before = sources.outer_size.width
        sources.focus()
        await pilot.press("left", "left")
        await until(pilot, lambda: sources.outer_size.width == before + 8)
        await pilot.press("right")
        await until(pilot, lambda: sources.outer_size.width == before + 4)
        box(app).focus()
        await command(pilot, app, "/wider")
        await until(pilot, lambda: sources.outer_size.width == before + 8)
        sources.action_widen(40)
        conversation = app.chat.query_one("#conversation")
        await until(pilot, lambda: conversation.outer_size.width == 50)
        sources.action_widen(-40)  # no further than to what the answers leave free
        await until(pilot, lambda: sources.outer_size.width == WIDE[0] - 108)
        width = sources.outer_size.width

    async with playing(indexed, ScriptedModel([RATE]), size=WIDE) as (app, pilot):
        await ask(pilot)
        sources = app.chat.query_one(SourceList)
        await until(pilot, lambda: sources.outer_size.width == width)
        await pilot.resize_terminal(*NARROW)
        await pilot.press("f4")
        await until(pilot, lambda: sources.outer_size.width == NARROW[0])
        await pilot.press("left")
        box(app).focus()
        await command(pilot, app, "/wider")
        await pilot.pause()
        assert sources.outer_size.width in {0, NARROW[0]}
        await pilot.resize_terminal(*WIDE)
        await until(pilot, lambda: sources.outer_size.width == width)


async def test_ctrl_c_twice_leaves(indexed: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tutor.tui.frame._TWICE_S", 600.0)  # a busy machine is slow

    async with playing(indexed, size=NARROW) as (app, pilot):
        await pilot.press("ctrl+c")
        assert app.is_running
        await pilot.press("ctrl+c")
        await until(pilot, lambda: not app.is_running)


async def test_a_comparison_takes_the_question_and_is_told_in_the_conversation(
    indexed: Workspace,
) -> None:
    async with playing(indexed, ScriptedModel([RATE], [RATE]), size=WIDE) as (app, pilot):
        box(app).insert(QUESTION)
        await pilot.press("f3")
        await until(pilot, lambda: isinstance(app.screen, CompareScreen))
        screen = app.screen
        assert isinstance(screen, CompareScreen)
        await until(pilot, lambda: screen.query("#choices") and not screen.is_comparing)
        await pilot.press("1")
        choices = screen.query_one("#choices", Static)
        await until(pilot, lambda: str(choices.render()).startswith(" 1  ✓ A is better "))
        await pilot.press("escape")
        await until(pilot, lambda: app.chat.query(".compared"))
        told = str(app.chat.query(".compared").first(Static).render())
        assert told == f"⇄ Compared: “{QUESTION}” · A is better"
        assert box(app).text == ""
    with SessionStore(indexed.root / "stores" / "sessions.db") as store:
        (session,) = store.sessions()
        assert store.comparisons(session.id)


def test_commands_are_words_of_both_languages_and_never_part_of_a_question() -> None:
    assert completions("/")[0].words[0] == "/nueva"
    assert completions("¿qué /") == completions("/web qué") == []

    def does(word: str, text: str = "") -> str | None:
        command = named_command(word)
        assert command
        return command.does(text)

    assert named_command("/Semántico") == named_command("/semantic")
    assert named_command("/nuevo") is named_command("qué") is named_command("") is None
    assert does("/web") == does("/web", "qué") == ""
    assert does("/corta", "qué es") is does("/new", "x") is None
    assert does("/Comparar:", "A*") == does("/compare", "A*") == "compare('A*')"
    assert all(map(looks_like_command, ("/", "/nuevo", "/nuevo:", "/ayuda2")))
    assert not any(map(looks_like_command, ("/usr/bin", "/x", "/2", "/f(x)", "qué", "")))
