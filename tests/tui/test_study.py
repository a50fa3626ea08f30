"""Cards reviewed on a screen: made of the notes, asked, shown with their page, graded, undone."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from filelock import FileLock
from textual.widgets import Input, Static, TextArea

from tests import pdfs
from tests.scripted import ScriptedModel
from tests.study_cards import card
from tests.tui.stage import playing, until
from tutor.events import Rewritten
from tutor.study.practice import Practice
from tutor.study.schedule import Grade, Scheduler
from tutor.study.store import StudyStore
from tutor.tui.screens import study
from tutor.tui.screens.changes import ChangesScreen
from tutor.tui.screens.dialogs import EditCardModal
from tutor.tui.screens.passage import PassageScreen
from tutor.tui.screens.study import StudyScreen
from tutor.tui.widgets.page_text import PageText
from tutor.tui.widgets.question_box import QuestionBox
from tutor.tui.widgets.turn import TurnView

if TYPE_CHECKING:
    from textual.pilot import Pilot

    from tests.course import Workspace
    from tutor.tui.app import TutorApp

QUESTION = "¿Qué tasa de aprendizaje recomienda el curso?"


def text(screen: StudyScreen, selector: str) -> str:
    return str(screen.query_one(selector, Static).render())


def keys(screen: StudyScreen) -> set[str | None]:
    """The names of the keys that do something now."""
    return {active.binding.id for active in screen.active_bindings.values()}


async def opened(pilot: Pilot[None], app: TutorApp) -> StudyScreen:
    """The screen with its first card."""
    await pilot.press("f9")
    await until(pilot, lambda: isinstance(app.screen, StudyScreen))
    screen = app.screen
    assert isinstance(screen, StudyScreen)
    await until(pilot, lambda: text(screen, "#question"))
    return screen


def counts(indexed: Workspace) -> tuple[int, int]:
    """Cards that were never seen, and reviews, as another process would read them."""
    with StudyStore(indexed.store.parent / "study.db") as store:
        found = store.counts(indexed.store.name)
    return found.new, found.reviews


async def test_a_card_is_asked_shown_with_its_page_and_graded(indexed: Workspace) -> None:
    async with playing(indexed, size=(80, 24)) as (app, pilot):
        screen = await opened(pilot, app)
        first = text(screen, "#question")
        new, reviews = counts(indexed)
        assert new >= 2
        assert reviews == 0
        assert not text(screen, "#answer")

        await pilot.press("x", "1")  # goes to what is typed, and grades nothing
        assert screen.query_one(Input).value == "x1"
        place = screen.query_one("#question").region.offset
        await pilot.press("enter")
        await until(pilot, lambda: "Not right." in text(screen, "#answer"))
        assert screen.query_one("#question").region.offset == place
        assert "p. 1" in text(screen, "#answer")

        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, PassageScreen))
        await until(pilot, lambda: app.screen.query_one(PageText).quote)
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is screen)

        await pilot.press("4")
        await until(pilot, lambda: text(screen, "#question") != first)
        assert counts(indexed) == (new - 1, 1)
        assert "Again in" in text(screen, "#heading")

        await pilot.press("ctrl+z")
        await until(pilot, lambda: text(screen, "#question") == first)
        assert counts(indexed) == (new, 0)
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is app.chat)


async def test_grades_are_shown_and_given_by_their_keys_as_they_are_set(indexed: Workspace) -> None:
    async with playing(indexed, size=(80, 24), TUTOR_TUI_KEYS="study.hard=8") as (app, pilot):
        screen = await opened(pilot, app)
        first = text(screen, "#question")
        await pilot.press("enter")
        await until(pilot, lambda: "8 hard" in text(screen, "#grades"))
        assert "2 hard" not in text(screen, "#grades")
        await pilot.press("8")
        await until(pilot, lambda: text(screen, "#question") != first)
        assert counts(indexed)[1] == 1


async def test_the_space_bar_shows_the_answer_and_grades_only_when_pressed_anew(
    indexed: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with playing(indexed, size=(80, 24)) as (app, pilot):
        screen = await opened(pilot, app)
        first = text(screen, "#question")
        new, _reviews = counts(indexed)
        await pilot.press("a", "space", "b")
        assert screen.query_one(Input).value == "a b"
        screen.query_one(Input).value = ""

        monkeypatch.setattr(study, "_AGAIN_S", 1000.0)
        await pilot.press("space", "space", "space")
        await until(pilot, lambda: text(screen, "#answer"))
        await pilot.press("space")
        assert text(screen, "#question") == first
        assert counts(indexed) == (new, 0)

        monkeypatch.setattr(study, "_AGAIN_S", 0.0)
        await pilot.press("space")
        await until(pilot, lambda: text(screen, "#question") != first)
        assert counts(indexed) == (new - 1, 1)
        assert screen.query_one(Input).value == ""


async def test_a_grade_is_pressed_with_the_mouse(indexed: Workspace) -> None:
    async with playing(indexed, size=(80, 24)) as (app, pilot):
        screen = await opened(pilot, app)
        await pilot.press("enter")
        await until(pilot, lambda: "easy" in text(screen, "#grades"))
        await pilot.click("#grades", offset=(text(screen, "#grades").index("easy") + 1, 0))
        await until(pilot, lambda: counts(indexed)[1] == 1)


async def test_an_answer_that_comes_before_the_cards_ends_nothing(indexed: Workspace) -> None:
    async with playing(indexed, size=(80, 24)) as (app, pilot):
        screen = StudyScreen()
        await app.push_screen(screen)
        field = screen.query_one(Input)
        field.post_message(Input.Submitted(field, "x"))
        await until(pilot, lambda: text(screen, "#question"))
        assert not text(screen, "#answer")
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is app.chat)


async def test_letters_that_come_after_the_answer_is_shown_change_no_card(
    indexed: Workspace,
) -> None:
    async with playing(indexed, size=(80, 24)) as (app, pilot):
        screen = await opened(pilot, app)
        asked = text(screen, "#question")
        await pilot.press("enter", *"desu")
        await pilot.pause()
        assert app.screen is screen
        assert text(screen, "#question") == asked
        assert text(screen, "#answer")
        with StudyStore(indexed.store.parent / "study.db") as store:
            cards = store.cards(indexed.store.name)
            assert not [card for card in cards if card.suspended]
            assert not store.cards(indexed.store.name, deleted=True)


async def test_a_card_is_rewritten_set_aside_and_deleted(indexed: Workspace) -> None:
    async with playing(indexed, size=(80, 24)) as (app, pilot):
        screen = await opened(pilot, app)
        await pilot.press("enter", "ctrl+e")
        await until(pilot, lambda: isinstance(app.screen, EditCardModal))
        app.screen.query(TextArea).first().text = "¿Lo [b]mío[/b]?"
        await pilot.press("ctrl+s")
        await until(pilot, lambda: "¿Lo [b]mío[/b]?" in text(screen, "#question"))

        await pilot.press("enter", "ctrl+s")
        await until(pilot, lambda: "¿Lo [b]mío[/b]?" not in text(screen, "#question"))
        second = text(screen, "#question")
        await pilot.press("enter", "ctrl+d")
        await until(pilot, lambda: text(screen, "#question") != second)
        with StudyStore(indexed.store.parent / "study.db") as store:
            cards = store.cards(indexed.store.name)
            assert [card.card.question for card in cards if card.suspended] == ["¿Lo [b]mío[/b]?"]
            assert len(store.cards(indexed.store.name, deleted=True)) == 1
        await pilot.press("ctrl+z")
        await until(pilot, lambda: text(screen, "#question") == second)


async def test_a_long_card_is_scrolled_by_keys_and_its_answer_comes_into_sight(
    indexed: Workspace,
) -> None:
    long = card("\n".join(f"línea {n}" for n in range(40)))
    with StudyStore(indexed.store.parent / "study.db") as store:
        store.add(indexed.store.name, [long])
        numbers = tuple(one.number for one in store.cards(indexed.store.name))

    async with playing(indexed, size=(80, 24)) as (app, pilot):
        screen = StudyScreen(Practice(1, numbers=numbers))
        await app.push_screen(screen)
        await until(pilot, lambda: "línea 39" in text(screen, "#question"))
        assert "never seen" not in text(screen, "#heading")  # that is of the whole course
        pane = screen.query_one("#card")
        await pilot.press("pagedown", "pagedown")
        assert pane.scroll_offset.y > pane.size.height
        await pilot.press("pageup", "pageup")
        assert pane.scroll_offset.y == 0
        await pilot.press("x", "enter")
        await until(pilot, lambda: "la respuesta" in text(screen, "#answer"))
        answer = screen.query_one("#answer")
        await until(pilot, lambda: pane.region.contains_region(answer.region))


async def test_a_review_ends_with_what_it_was(indexed: Workspace) -> None:
    async with playing(indexed, TUTOR_STUDY_NEW_PER_DAY="1", size=(80, 24)) as (app, pilot):
        screen = await opened(pilot, app)
        await pilot.press("enter", "4")
        await until(pilot, lambda: "1 card reviewed" in text(screen, "#question"))
        assert "1 of them remembered" in text(screen, "#question")
        assert "The next card is due in" in text(screen, "#question")

        await pilot.press("m")  # what is there stays as it is
        await until(pilot, lambda: "Nothing is due now." in text(screen, "#question"))
        assert counts(indexed)[1] == 1


async def test_what_comes_back_is_counted_and_said_to_come_early(indexed: Workspace) -> None:
    async with playing(indexed, TUTOR_STUDY_NEW_PER_DAY="2", size=(80, 24)) as (app, pilot):
        screen = await opened(pilot, app)
        first = text(screen, "#question")
        await pilot.press("enter", "3")
        await until(pilot, lambda: "1 card left · 1 comes back" in text(screen, "#heading"))
        assert "comes early" not in text(screen, "#remarks")
        await pilot.press("enter", "3")
        await until(pilot, lambda: text(screen, "#question") == first)
        assert "1 card left · 1 comes back" in text(screen, "#heading")
        assert "this card comes early" in text(screen, "#remarks")


async def test_a_file_of_cards_that_is_none_is_told_and_left(indexed: Workspace) -> None:
    broken = indexed.store.parent / "study.db"
    broken.write_bytes(b"no database " * 100)

    async with playing(indexed, size=(80, 24)) as (app, pilot):
        screen = await opened(pilot, app)
        await until(pilot, lambda: "study.db" in text(screen, "#question"))
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is app.chat)
    assert broken.read_bytes() == b"no database " * 100


async def test_without_an_index_it_says_how_to_make_one(fresh: Workspace) -> None:
    fresh.store.mkdir(parents=True)
    with FileLock(fresh.store / "writer.lock"):  # the app makes none meanwhile
        async with playing(fresh, size=(80, 24)) as (app, pilot):
            screen = await opened(pilot, app)
            await until(pilot, lambda: "no index" in text(screen, "#question"))


async def test_the_conversation_says_how_many_cards_are_due(indexed: Workspace) -> None:
    async with playing(indexed, size=(120, 30)) as (app, pilot):
        await opened(pilot, app)
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is app.chat)
        status = app.chat.query_one("#status", Static)
        assert "due" not in str(status.render())

        long_ago = datetime(2020, 1, 1, tzinfo=UTC)
        with StudyStore(indexed.store.parent / "study.db", now=lambda: long_ago) as store:
            (first, *_more) = store.new(indexed.store.name, 5)
            store.grade(first, Grade.GOOD, Scheduler(0.9))
        await pilot.press("f9")
        await until(pilot, lambda: isinstance(app.screen, StudyScreen))
        await pilot.press("escape")
        await until(pilot, lambda: "1 card is due (f9)" in str(status.render()).lower())


async def test_an_answer_becomes_a_card_on_its_page(indexed: Workspace) -> None:
    async with playing(indexed, size=(120, 30)) as (app, pilot):
        app.chat.query_one(QuestionBox).insert(QUESTION)
        await pilot.press("enter")
        await until(pilot, lambda: app.chat.query(TurnView) and app.chat.query(TurnView)[0].marks)
        await until(pilot, lambda: app.chat.query(TurnView)[0].is_over)
        app.chat.query(TurnView)[0].focus()
        await pilot.press("ctrl+k")
        path = indexed.store.parent / "study.db"
        await until(pilot, path.exists)
        with StudyStore(path) as store:
            await until(pilot, lambda: store.cards(indexed.store.name))
            (card,) = [one.card for one in store.cards(indexed.store.name)]
        assert card.question == QUESTION
        assert card.answer.startswith("La tasa de aprendizaje")  # the best sentence alone
        assert "0,01" in card.answer
        origin = card.origin
        assert origin is not None
        with app.workspace.using() as course:
            text_of = course.store.text(origin.source_id).text
        assert text_of[origin.start : origin.end] == origin.text
        assert "0,01" in origin.text
        understood = "¿Qué es una pila? · ¿y por qué?"
        await app.chat.query(TurnView)[0].take(Rewritten("¿y por qué?", understood, "context"))
        await pilot.press("ctrl+k")
        with StudyStore(path) as store:
            await until(pilot, lambda: len(store.cards(indexed.store.name)) == 2)
            asked = [one.card.question for one in store.cards(indexed.store.name)]
        assert "¿y por qué? (pila)" in asked  # a follow-up asks nothing by itself


async def test_a_card_of_what_a_model_wrote_says_what_the_notes_say(indexed: Workspace) -> None:
    written = "La tasa de aprendizaje que se recomienda en el curso es 0,01."
    async with playing(indexed, ScriptedModel([written]), size=(120, 30)) as (app, pilot):
        app.chat.query_one(QuestionBox).insert(QUESTION)
        await pilot.press("enter")
        await until(pilot, lambda: app.chat.query(TurnView) and app.chat.query(TurnView)[0].is_over)
        turn = app.chat.query(TurnView)[0]
        turn.focus()
        turn.markdown.point_at(len(turn.marks) - 1)
        assert turn.marks[-1].sentence == written
        assert turn.marks[-1].citation
        await pilot.press("ctrl+k")
        path = indexed.store.parent / "study.db"
        await until(pilot, path.exists)
        with StudyStore(path) as store:
            await until(pilot, lambda: store.cards(indexed.store.name))
            (card,) = [one.card for one in store.cards(indexed.store.name)]
        assert card.origin is not None
        assert card.answer == card.origin.text.strip()
        assert "0,01" in card.answer


def test_cards_that_the_notes_changed_are_shown_updated_kept_and_left(fresh: Workspace) -> None:
    def write(first: str, second: str) -> None:
        body = f"*Heurística admisible*: {first}\n\n*Cola de prioridad*: {second}"
        pdfs.typeset(
            fresh.notes / "10_SEMANA_AI_20251006_1.pdf",
            f'#set text(lang: "es")\n= Búsqueda\n\n{body}',
        )

    write("función que nunca sobreestima el coste real.", "estructura que da el menor primero.")
    assert fresh.run_here("index").returncode == 0
    assert fresh.run_here("study", "--week", "10", typed="\n3\n" * 20).returncode == 0
    write("función que jamás supera el coste real.", "lista en la que el menor sale primero.")
    assert fresh.run_here("index").returncode == 0

    async def body() -> None:
        async with playing(fresh, size=(80, 24)) as (app, pilot):
            screen = await opened(pilot, app)
            assert "changed" in text(screen, "#heading")
            await pilot.press("enter", "c")
            await until(pilot, lambda: isinstance(app.screen, ChangesScreen))
            shown = app.screen
            n = int(str(shown.query_one("#heading", Static).render()).rpartition("/")[2])
            assert n >= 2
            assert "sobreestima" in str(shown.query_one("#before", Static).render())
            assert "jamás supera" in str(shown.query_one("#now", Static).render())
            await pilot.press("enter")
            await until(pilot, lambda: isinstance(app.screen, PassageScreen))
            await pilot.press("escape")
            await until(pilot, lambda: app.screen is shown)
            for left, key in enumerate(("ctrl+u", "ctrl+k", *["ctrl+d"] * (n - 2)), 1):
                await pilot.press(key)
                await until(
                    pilot,
                    lambda left=left: (
                        app.screen is screen
                        or f"1/{n - left}" in str(shown.query_one("#heading", Static).render())
                    ),
                )
            await until(pilot, lambda: app.screen is screen)
            await until(pilot, lambda: "changed" not in text(screen, "#heading"))

    asyncio.run(body())
    assert fresh.json_here("cards", "changes") == []
    with StudyStore(fresh.store.parent / "study.db") as store:
        assert store.counts(fresh.store.name).reviews
        assert any(
            one.schedule for one in store.cards(fresh.store.name) if "jamás" in one.card.answer
        )
