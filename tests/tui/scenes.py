"""Every screen of the app, one after the other, drawn once it stands still."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, TypeAlias

from textual.widgets import Input, OptionList, Static

from tests.study_cards import card, origin
from tests.tui.stage import ready, until
from tutor.history import SessionStore
from tutor.i18n import plural
from tutor.model import Answer, Citation, Ending, Hit, RetrieverScore, Route, Strategy, Usage
from tutor.study.card import Card, CardKind, card_id
from tutor.study.practice import ExamWanted
from tutor.study.store import FILE_NAME, StudyStore
from tutor.study.topics import Selection
from tutor.tui.screens.changes import ChangesScreen
from tutor.tui.screens.compare import ComparedSide, CompareScreen
from tutor.tui.screens.courses import CoursesScreen
from tutor.tui.screens.dialogs import CommentModal, ConfirmModal
from tutor.tui.screens.exam import ExamScreen, WeakSections
from tutor.tui.screens.map import MapScreen, TopicCard, TopicTree
from tutor.tui.screens.models import ModelList
from tutor.tui.screens.passage import PassageScreen
from tutor.tui.screens.study import StudyScreen
from tutor.tui.widgets.page_image import PageImage
from tutor.tui.widgets.page_text import PageText
from tutor.tui.widgets.question_box import CommandMenu, QuestionBox
from tutor.tui.widgets.turn import TurnView
from tutor.tui.workspace.studying import Studying

if TYPE_CHECKING:
    from textual.pilot import Pilot

    from tutor.tui.app import TutorApp

    Scene: TypeAlias = Callable[[Pilot[None], TutorApp], Awaitable[str]]

RATE = "La tasa de aprendizaje recomendada en el curso es 0,01."
INVENTED = "La propuso un marciano en 1815."
FORMULA = (
    "La regla es:\n\n$$w_{t+1} = w_t - \\eta \\frac{\\partial L}{\\partial w}$$\n\n"
    "| símbolo | qué es |\n|---|---|\n| $\\eta$ | tasa de aprendizaje |\n\n"
    "```python\nw -= eta * grad\n```\n"
)
LONG_AGO = datetime(2025, 11, 3, 12, tzinfo=UTC)


async def settled(pilot: Pilot[None], app: TutorApp) -> str:
    """The screen once it has stopped changing."""
    lines: list[object] = []
    while len(lines) < 3 or any(one != lines[-1] for one in lines[-3:]):
        await pilot.pause(0.05)
        await pilot.pause()
        lines.append([list(strip) for strip in app.screen._compositor.render_strips()])
    return drawn(app)


def drawn(app: TutorApp) -> str:
    """The screen as SVG, without what is another each time and without its web font."""
    svg = app.export_screenshot()
    svg = re.sub(r"@font-face\s*\{[^}]*\}\s*", "", svg)
    svg = re.sub(r"terminal-\d+", "terminal", svg)
    svg = re.sub(r"127\.0\.0\.1:\d+", "127.0.0.1:00000", svg)
    svg = re.sub(r"(hoy|today)&#160;\d\d:\d\d", r"\1&#160;12:00", svg)
    return re.sub(r"20\d\d-\d\d-\d\d&#160;\d\d:\d\d", "2025-11-03&#160;12:00", svg)


def cited_hit(app: TutorApp) -> Hit:
    """The chunk of the course that the answer stands on."""
    assert app.workspace.opened
    store = app.workspace.opened.store
    chunk = next(one for one in store.chunks(Strategy.FIXED).chunks if RATE in one.text)
    return Hit(chunk, store.sources[chunk.source_id], 0.91, 1, {"dense": RetrieverScore(1, 0.87)})


def hold(app: TutorApp) -> str:
    """Save a conversation with an answer, a refusal and a stopped answer. Returns its id."""
    hit = cited_hit(app)
    at = hit.chunk.text.index(RATE)
    page = hit.chunk.last_page
    citation = Citation(0, len(RATE), hit, at, at + len(RATE), page, page, 0.97)
    text = f"{RATE} {INVENTED}\n\n{FORMULA}"
    claim = (len(RATE) + 1, len(RATE) + 1 + len(INVENTED))
    answers = {
        "¿Qué tasa de aprendizaje recomienda el curso?": Answer(
            text,
            (citation,),
            False,
            Route.FIXED,
            "llama3.2",
            {"embed_query": 0.021, "search": 0.003},
            unsupported=(claim,),
            usage=Usage(answer_tokens=120, answer_s=4.0),
        ),
        "¿Quién ganó el mundial de 1986?": Answer(
            "Los apuntes no cubren esto.", (), True, Route.FIXED, "extractive"
        ),
    }
    with SessionStore(app.workspace.sessions.path, now=lambda: LONG_AGO) as store:
        session = store.create("default", "es").id
        for question, answer in answers.items():
            writer = store.begin_turn(session, question)
            writer.routed(Route.FIXED, "strategy")
            writer.finish(answer)
        writer = store.begin_turn(session, "¿Y la retropropagación?")
        writer.rewritten("¿Qué es la retropropagación?")
        writer.token("La retropropagación calcula ")
        writer.abandon(Ending.STOPPED)
    return session


async def resumed(pilot: Pilot[None], app: TutorApp) -> list[TurnView]:
    await ready(pilot)
    app.resume(hold(app))
    await until(pilot, lambda: len(app.chat.query(TurnView)) == 3)
    app.chat.query_one(QuestionBox).cursor_blink = False
    await settled(pilot, app)
    return list(app.chat.query(TurnView))


async def empty(pilot: Pilot[None], app: TutorApp) -> str:
    await ready(pilot)
    await until(pilot, lambda: app.indexer.offer)
    await until(pilot, lambda: app.chat.query_one("#guide").size.height)
    app.chat.query_one(QuestionBox).cursor_blink = False
    return await settled(pilot, app)


async def conversation(pilot: Pilot[None], app: TutorApp) -> str:
    turns = await resumed(pilot, app)
    turns[0].focus()
    await pilot.press("right")
    return await settled(pilot, app)


async def sources(pilot: Pilot[None], app: TutorApp) -> str:
    await pilot.press("f4")
    picture = await settled(pilot, app)
    await pilot.press("escape" if app.chat.has_class("-sources") else "f4")
    return picture


async def whole_text(pilot: Pilot[None], app: TutorApp) -> str:
    app.chat.action_find()
    await until(pilot, lambda: app.screen is not app.chat)
    return await left(pilot, app)


async def page(pilot: Pilot[None], app: TutorApp) -> str:
    """The text of the page behind a sentence; where there is room, with its picture."""
    app.chat.query(TurnView).first().focus()
    await pilot.press("enter")
    await until(pilot, lambda: isinstance(app.screen, PassageScreen))
    await until(pilot, lambda: app.screen.query_one(PageText).quote)
    image = app.screen.query_one(PageImage)
    await until(pilot, lambda: image.picture or not image.region.area)
    return await settled(pilot, app)


async def page_image(pilot: Pilot[None], app: TutorApp) -> str:
    """The other of text and picture, or only the text; then back."""
    await pilot.press("i")
    image = app.screen.query_one(PageImage)
    await until(pilot, lambda: image.picture or not image.region.area)
    return await left(pilot, app)


async def comment(pilot: Pilot[None], app: TutorApp) -> str:
    app.push_screen(CommentModal(-1))
    await until(pilot, lambda: app.screen.query("Input"))
    app.screen.query_one(Input).cursor_blink = False
    return await left(pilot, app)


async def help_(pilot: Pilot[None], app: TutorApp) -> str:
    return await above(pilot, app, "f1")


async def compare(pilot: Pilot[None], app: TutorApp) -> str:
    app.compare("¿Qué tasa de aprendizaje recomienda el curso?")
    await until(pilot, lambda: app.screen.query("CompareScreen #choices"))
    screen = app.screen
    assert isinstance(screen, CompareScreen)
    await until(pilot, lambda: not screen.is_comparing)
    turns = [side.turn for side in screen.query(ComparedSide) if side.region]
    assert turns
    parts = [part for turn in turns for part in turn.query(".cited, StateLine")]
    await until(pilot, lambda: all(turn.is_over for turn in turns))
    await until(pilot, lambda: all(part.outer_size.height for part in parts if part.display))
    return await left(pilot, app)


async def courses(pilot: Pilot[None], app: TutorApp) -> str:
    await pilot.press("f5")
    await until(pilot, lambda: isinstance(app.screen, CoursesScreen))
    shown = app.screen.query_one(OptionList)
    await until(pilot, lambda: shown.option_count == 2)
    done = plural("%(n)d file has changed: i updates", "%(n)d files have changed: i updates", 1)
    await until(pilot, lambda: done in str(shown.options[0].prompt))
    return await left(pilot, app)


async def sessions(pilot: Pilot[None], app: TutorApp) -> str:
    return await above(pilot, app, "f6")


async def study(pilot: Pilot[None], app: TutorApp) -> str:
    """A card with its answer."""
    await pilot.press("f9")
    await until(pilot, lambda: isinstance(app.screen, StudyScreen))
    shown = app.screen.query_one("#question", Static)
    await until(pilot, lambda: str(shown.render()))
    await pilot.press(*"capas de neuronas, modelo", "enter")
    return await left(pilot, app)


async def exam(pilot: Pilot[None], app: TutorApp) -> str:
    """A question in the middle of an exam."""
    await _exam_begun(pilot, app)
    picture = await settled(pilot, app)
    await pilot.press("escape")
    await until(pilot, lambda: isinstance(app.screen, ConfirmModal))
    await pilot.press("n")
    await pilot.press("x", "enter", "x", "enter")
    await until(pilot, lambda: app.screen.query_one(WeakSections).display)
    await pilot.press("escape")
    await until(pilot, lambda: app.screen is app.chat)
    return picture


async def exam_result(pilot: Pilot[None], app: TutorApp) -> str:
    """What came of it."""
    await _exam_begun(pilot, app)
    await pilot.press("x", "enter", "x", "enter")
    await until(pilot, lambda: app.screen.query_one(WeakSections).display)
    return await left(pilot, app)


async def _exam_begun(pilot: Pilot[None], app: TutorApp) -> None:
    """The second of three questions of a topic that no note has."""
    course = app.workspace.course
    assert course is not None
    studying = Studying(app.workspace)
    studying.make()  # what is added then is not made by it
    studying.close()
    with StudyStore(app.config.stores_path / FILE_NAME) as store:
        places = (origin(start=0, page=3), origin(start=100, page=4), origin(start=200, page=5))
        questions = ("¿Qué nodo expande A*?", "¿Qué suma f(n)?", "¿Qué es admisible?")
        answers = ("El de menor f(n)", "g(n) y h(n)", "No sobreestimar")
        given = zip(questions, answers, places, strict=True)
        store.add(course.name, [card(q, a, CardKind.CLOZE, place) for q, a, place in given])
    app.action_examine(ExamWanted(which=Selection(None, "busqueda informada")))
    await until(pilot, lambda: isinstance(app.screen, ExamScreen))
    await until(pilot, lambda: str(app.screen.query_one("#question", Static).render()))
    await pilot.press(*"menor f(n)".replace(" ", ""), "enter")
    await until(pilot, lambda: "f(n)?" in str(app.screen.query_one("#question", Static).render()))
    app.screen.query_one(Input).cursor_blink = False


async def changes(pilot: Pilot[None], app: TutorApp) -> str:
    """A card of the student's own whose place reads otherwise now."""
    course = app.workspace.course
    assert course is not None
    with app.workspace.using() as opened:
        (source,) = [one for one in opened.store.sources.values() if "Redes" in one.title]
    text = RATE.replace("0,01", "0,1")
    place = replace(origin(source.id, page=1), path=source.path, title=source.title, text=text)
    mine = Card(card_id(CardKind.OWN, "¿Tasa?", "0,1"), CardKind.OWN, "¿Tasa?", "0,1", place)
    studying = Studying(app.workspace)
    studying.store.add(course.name, [mine])
    studying.make()
    found = studying.changes()
    app.push_screen(ChangesScreen(studying, found))
    await until(pilot, lambda: isinstance(app.screen, ChangesScreen))
    await until(pilot, lambda: "0,1" in str(app.screen.query_one("#before", Static).render()))
    picture = await left(pilot, app)
    studying.store.delete(found[0].saved.number)
    studying.close()
    return picture


async def map_(pilot: Pilot[None], app: TutorApp) -> str:
    """The card of a concept that was looked for, beside all topics."""
    await pilot.press("f10")
    await until(pilot, lambda: isinstance(app.screen, MapScreen))
    await pilot.press(*"red")
    card, tree = app.screen.query_one(TopicCard), app.screen.query_one(TopicTree)
    await until(pilot, lambda: card.option_count and "red neuronal" in str(card.options[0].prompt))
    await pilot.press("escape")
    await until(pilot, lambda: len(tree.root.children) > 2 and tree.current)
    return await left(pilot, app)


async def health(pilot: Pilot[None], app: TutorApp) -> str:
    await pilot.press("f8")
    await until(pilot, lambda: app.screen.query("#results"))
    return await left(pilot, app)


async def models(pilot: Pilot[None], app: TutorApp) -> str:
    await pilot.press("f7")
    await until(pilot, lambda: app.screen.query(ModelList))
    await until(pilot, lambda: app.screen.query_one(ModelList).option_count == 3)
    return await left(pilot, app)


async def palette(pilot: Pilot[None], app: TutorApp) -> str:
    await pilot.press("ctrl+p")
    await until(pilot, lambda: app.screen.query("CommandList"))
    app.screen.query_one(Input).cursor_blink = False
    return await left(pilot, app)


async def commands(pilot: Pilot[None], app: TutorApp) -> str:
    """What a slash offers; then it is taken back."""
    await pilot.press("slash")
    await until(pilot, lambda: app.chat.query_one(CommandMenu).region)
    picture = await settled(pilot, app)
    await pilot.press("backspace")
    await until(pilot, lambda: not app.chat.query_one(CommandMenu).region)
    return picture


async def above(pilot: Pilot[None], app: TutorApp, key: str) -> str:
    """The screen that a key opens, and back."""
    await pilot.press(key)
    await until(pilot, lambda: app.screen is not app.chat)
    return await left(pilot, app)


async def left(pilot: Pilot[None], app: TutorApp) -> str:
    """The screen as it is now; the conversation is gone back to."""
    picture = await settled(pilot, app)
    await pilot.press("escape")
    await until(pilot, lambda: app.screen is app.chat)
    return picture


# In this order: each goes on from where the one before has left.
EVERY: tuple[Scene, ...] = (
    empty, conversation, sources, whole_text, page, page_image, comment, help_, compare, courses,
    sessions, models, study, exam, exam_result, changes, map_, health, commands, palette,
)  # fmt: skip
SOME: tuple[Scene, ...] = (
    empty,
    conversation,
    help_,
    compare,
    sessions,
    exam,
    exam_result,
    changes,
    map_,
)
