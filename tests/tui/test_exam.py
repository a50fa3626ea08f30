"""Exams on a screen: no word until the end, nothing lost, and what was wrong practised at once."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from textual.widgets import Input, Static

from tests.study_cards import card, origin
from tests.tui.stage import playing, until
from tutor.study.card import CardKind
from tutor.study.exams import Exam
from tutor.study.store import StudyStore
from tutor.tui.screens.dialogs import ConfirmModal
from tutor.tui.screens.exam import ExamScreen, WeakSections
from tutor.tui.screens.passage import PassageScreen
from tutor.tui.screens.study import StudyScreen
from tutor.tui.widgets.question_box import QuestionBox

if TYPE_CHECKING:
    from textual.pilot import Pilot

    from tests.course import Workspace
    from tutor.tui.app import TutorApp

ANSWERS = ("uno", "dos", "tres")


@pytest.fixture
def noted(indexed: Workspace) -> Workspace:
    """A course with three questions about nothing that is in its notes, on pages of them."""
    assert indexed.run_here("cards", "make").returncode == 0
    source = indexed.manifest()["indexed"][0]["source"]["id"]
    with StudyStore(indexed.store.parent / "study.db") as store:
        store.add(
            indexed.store.name,
            [
                card(f"¿Cifra {n}?", n, CardKind.CLOZE, origin(source, 50 * k, page=1))
                for k, n in enumerate(ANSWERS)
            ],
        )
    return indexed


def exams(noted: Workspace) -> list[Exam]:
    with StudyStore(noted.store.parent / "study.db") as store:
        return store.exams.of_course(noted.store.name)


def text(app: TutorApp, selector: str) -> str:
    return str(app.screen.query_one(selector, Static).render())


async def begun(pilot: Pilot[None], app: TutorApp, line: str) -> None:
    app.chat.query_one(QuestionBox).insert(line)
    await pilot.press("enter")
    await until(pilot, lambda: isinstance(app.screen, ExamScreen))
    await until(pilot, lambda: text(app, "#question"))


async def answer(pilot: Pilot[None], app: TutorApp, typed: str) -> None:
    before = text(app, "#question")
    app.screen.query_one(Input).value = typed
    await pilot.press("enter")
    await until(pilot, lambda: text(app, "#question") != before)


async def test_an_exam_is_sat_scored_and_its_faults_practised(noted: Workspace) -> None:
    async with playing(noted, size=(80, 24)) as (app, pilot):
        await begun(pilot, app, "/examen sobre cifra 10")
        assert "1/3 (the notes give no more) · Búsqueda informada" in text(app, "#heading")
        await answer(pilot, app, "uno")
        assert "uno" not in text(app, "#question")
        assert "Right" not in text(app, "#question")
        (saved,) = exams(noted)  # as it is if the app is killed now
        assert (saved.right, saved.ended) == (1, None)
        await answer(pilot, app, "nada")
        await answer(pilot, app, "")
        await until(pilot, lambda: "Score: 1 of 3 right" in text(app, "#question"))
        assert "with this number of questions" in text(app, "#question")
        told = text(app, "#question")
        assert "nothing else" in told
        assert "Your answer: nada  ✗\nRight: dos" in told
        assert "Your answer: (none)  ✗\nRight: tres" in told
        assert "¿Cifra uno?" not in told
        weak = app.screen.query_one(WeakSections)
        assert "2 ×" in str(weak.options[0].prompt)
        assert "p. 1" in str(weak.options[0].prompt)
        result = app.screen.query_one("#card")
        await pilot.resize_terminal(80, 12)
        await until(pilot, lambda: result.max_scroll_y)
        await pilot.press("pagedown")
        await until(pilot, lambda: result.scroll_offset.y)
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, PassageScreen))
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, ExamScreen))
        await pilot.press("p")
        await until(pilot, lambda: isinstance(app.screen, StudyScreen))
        await until(pilot, lambda: "2 cards left" in text(app, "#heading"))
        assert "¿Cifra dos?" in text(app, "#question")
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, ExamScreen))
        assert "Score: 1 of 3 right" in text(app, "#question")
    (sat,) = exams(noted)
    assert sat.ended
    assert sat.right == 1


async def test_esc_asks_before_an_exam_is_given_up(noted: Workspace) -> None:
    async with playing(noted, size=(80, 24)) as (app, pilot):
        await begun(pilot, app, "/examen cifra")
        await pilot.press("escape")  # nothing was answered yet
        await until(pilot, lambda: app.screen is app.chat)
        assert exams(noted) == []
        await begun(pilot, app, "/examen cifra")
        await answer(pilot, app, "uno")
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, ConfirmModal))
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, ExamScreen))
        assert "2/3" in text(app, "#heading")
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, ConfirmModal))
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, ExamScreen))
        await until(pilot, lambda: "Score: 1 of 3 right" in text(app, "#question"))
        assert "2 were not answered" in text(app, "#question")


async def test_a_review_leads_to_an_exam_and_no_card_is_told(noted: Workspace) -> None:
    async with playing(noted, TUTOR_STUDY_NEW_PER_DAY="0", size=(80, 24)) as (app, pilot):
        await pilot.press("f9")
        await until(pilot, lambda: isinstance(app.screen, StudyScreen))
        await until(pilot, lambda: "Nothing is due" in text(app, "#question"))
        await pilot.press("x")
        await until(pilot, lambda: isinstance(app.screen, ExamScreen))
        await until(pilot, lambda: "?" in text(app, "#question"))
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is app.chat)
        await begun(pilot, app, "/examen sobre ornitorrincos")
        assert "No card fits" in text(app, "#question")
        await pilot.press("enter", "escape")
        await until(pilot, lambda: app.screen is app.chat)


async def test_a_review_tells_that_the_days_new_cards_are_used_up(noted: Workspace) -> None:
    assert noted.run_here("study", "--new", "1", typed="\n4\n").returncode == 0
    async with playing(noted, TUTOR_STUDY_NEW_PER_DAY="1", size=(80, 24)) as (app, pilot):
        await pilot.press("f9")
        await until(pilot, lambda: isinstance(app.screen, StudyScreen))
        await until(pilot, lambda: "Nothing is due" in text(app, "#question"))
        told = "Today's new card has been begun. For more, ask for them: “give me 10 questions”."
        assert told in text(app, "#question")


async def test_a_letter_stands_for_the_number_of_a_choice(noted: Workspace) -> None:
    course, place = noted.store.name, origin(noted.manifest()["indexed"][0]["source"]["id"])
    of_four = replace(
        card("¿Qué letra?", "dos", CardKind.CHOICE, place), choices=("uno", "dos", "tres", "cuatro")
    )
    with StudyStore(noted.store.parent / "study.db") as store:
        store.add(course, [of_four])
    async with playing(noted, size=(80, 24)) as (app, pilot):
        for typed, told in (("b", "Score: 1 of 1 right"), ("c", "Your answer: 3) tres")):
            await begun(pilot, app, "/examen qué letra")
            await answer(pilot, app, typed)
            await until(pilot, lambda told=told: told in text(app, "#question"))
            await pilot.press("escape")
            await until(pilot, lambda: app.screen is app.chat)


async def test_an_exam_whose_time_is_over_ends_by_itself_and_is_kept(noted: Workspace) -> None:
    async with playing(noted, size=(80, 24)) as (app, pilot):
        await begun(pilot, app, "/examen sobre cifra 10, 0.03 min")
        assert "s left" in text(app, "#heading")
        await until(pilot, lambda: "Score: 0 of 3 right" in text(app, "#question"))
        assert "The time is over." in text(app, "#question")
        assert "3 were not answered" in text(app, "#question")
        assert "Right: tres" in text(app, "#question")
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is app.chat)
    (sat,) = exams(noted)
    assert (len(sat.questions), len(sat.verdicts)) == (3, 0)


async def test_what_is_typed_when_the_time_is_over_is_the_last_answer(noted: Workspace) -> None:
    async with playing(noted, size=(80, 24)) as (app, pilot):
        await begun(pilot, app, "/examen sobre cifra 10, 0.05 min")
        app.screen.query_one(Input).value = "uno"
        await until(pilot, lambda: "Score: 1 of 3 right" in text(app, "#question"))
        assert "2 were not answered" in text(app, "#question")


async def test_what_is_none_of_the_choices_is_asked_again(noted: Workspace) -> None:
    course, place = noted.store.name, origin(noted.manifest()["indexed"][0]["source"]["id"])
    sides = replace(
        card("¿Qué lado?", "Falso", CardKind.TRUE_FALSE, place), choices=("Verdadero", "Falso")
    )
    with StudyStore(noted.store.parent / "study.db") as store:
        store.add(course, [sides])
    async with playing(noted, size=(80, 24)) as (app, pilot):
        await begun(pilot, app, "/examen qué lado")
        field = app.screen.query_one(Input)
        field.value = "4"
        await pilot.press("enter")
        await until(pilot, lambda: not field.value)
        assert "¿Qué lado?" in text(app, "#question")
        assert exams(noted) == []
        await answer(pilot, app, "f")
        await until(pilot, lambda: "Score: 1 of 1 right" in text(app, "#question"))
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is app.chat)
        app.chat.query_one(QuestionBox).insert("/repasar qué lado")
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, StudyScreen))
        await until(pilot, lambda: "¿Qué lado?" in text(app, "#question"))
        app.screen.query_one(Input).value = "4"
        await pilot.press("enter")
        assert not text(app, "#answer")
        app.screen.query_one(Input).value = "4"
        await pilot.press("enter")
        await until(pilot, lambda: "Not right" in text(app, "#answer"))
