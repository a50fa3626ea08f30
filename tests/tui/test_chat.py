"""The conversation as a student holds it: real course, real retrieval, a model with a script."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Generator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from textual.events import Key

from tests.scripted import ScriptedModel
from tests.tui.stage import playing, ready, staged, until
from tutor.errors import EngineError
from tutor.events import Reasoning, Stage, Token, Waiting
from tutor.history import SessionStore, TurnState
from tutor.model import Message, Route, Strategy, Usage
from tutor.tui.app import TutorApp
from tutor.tui.widgets.conversation import EarlierTurns, Reading
from tutor.tui.widgets.question_box import QuestionBox
from tutor.tui.widgets.sources import SourceList
from tutor.tui.widgets.state_line import FoldedWords
from tutor.tui.widgets.turn import TurnView

if TYPE_CHECKING:
    from textual.pilot import Pilot

    from tests.course import Workspace

RATE = "La tasa de aprendizaje que se recomienda en el curso es 0,01."
QUOTED = "La tasa de aprendizaje recomendada en el curso es 0,01."
SAID = " ".join([RATE] * 3)
WRONG = "La tasa de aprendizaje se inventó en 1815 por los marcianos."
QUESTION = "¿Qué tasa de aprendizaje recomienda el curso?"


class EndlessModel:
    """Writes until it is stopped."""

    name = "endless"
    context_tokens = 8192
    parameters = 0

    def __init__(self, said: str = f"{RATE} ", after_s: float = 0.0) -> None:
        self.stopped = threading.Event()
        self._said, self._after_s = said, after_s

    def stream(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int | None = None,
        schema: Mapping[str, Any] | None = None,
    ) -> Generator[Waiting | Reasoning | Token, None, Usage]:
        try:
            yield Waiting(Stage.LOADING, 1.0)
            self.stopped.wait(self._after_s)
            yield Token(self._said)
            for _tick in range(100_000):
                time.sleep(0.1)  # a second answer is endless, too
                yield Waiting(Stage.READING)
            return Usage()
        finally:
            self.stopped.set()


def turns(app: TutorApp) -> list[TurnView]:
    return list(app.chat.query(TurnView))


async def ask(pilot: Pilot[None], question: str = QUESTION) -> TurnView:
    """Type a question, send it, and wait for its answer."""
    app = pilot.app
    assert isinstance(app, TutorApp)
    known = len(turns(app))
    app.chat.query_one(QuestionBox).focus()
    app.chat.query_one(QuestionBox).insert(question)
    await pilot.press("enter")
    await until(pilot, lambda: len(turns(app)) > known and turns(app)[-1].is_over)
    await pilot.pause()
    return turns(app)[-1]


def state(turn: TurnView) -> str:
    return str(turn.query_one(".state").render())


def about(turn: TurnView) -> str:
    return str(turn.query_one(".about").render())


def saved(workspace: Workspace) -> SessionStore:
    return SessionStore(workspace.root / "stores" / "sessions.db")


def writes(turn: TurnView) -> bool:
    """Whether the model has written its first sentence below the quotes."""
    return RATE in turn.text.partition("En palabras del modelo:")[2]


async def test_an_answer_is_streamed_cited_and_saved(indexed: Workspace) -> None:
    async with playing(indexed, ScriptedModel([SAID, " ", WRONG]), size=(160, 50)) as (
        app,
        pilot,
    ):
        turn = await ask(pilot)
        assert [mark.label for mark in turn.marks] == [*["[1]"] * 4, "[?]"]
        assert RATE in turn.text
        assert "1 sentence without support" in state(turn)
        assert "the model's first word after" in state(turn)  # the notes were quoted before
        assert state(turn).count("answered after") == 1
        # both stand on one page
        await until(pilot, lambda: app.chat.query_one(SourceList).option_count == 1)
    with saved(indexed) as store:
        (session,) = store.sessions()
        (kept,) = store.turns(session.id)
        assert kept.state is TurnState.COMPLETE
        assert kept.text.endswith(f"{SAID} {WRONG}")
        assert kept.text.index(QUOTED) < kept.text.index("En palabras del modelo:")


async def test_of_quotes_longer_than_the_screen_the_best_is_in_sight(indexed: Workspace) -> None:
    async with playing(indexed, size=(50, 12)) as (app, pilot):
        turn = await ask(pilot, "¿Qué es una red neuronal?")
        scroll = app.chat.query_one("#conversation")
        await until(pilot, lambda: turn.region.height > scroll.size.height)
        await until(pilot, lambda: turn.region.y == scroll.region.y)


async def test_the_cards_are_those_of_the_answer_that_is_read(indexed: Workspace) -> None:
    def shown(app: TutorApp) -> list[str]:
        cards = app.chat.query_one(SourceList)
        return [str(cards.get_option_at_index(n).prompt) for n in range(cards.option_count)]

    votes = "El bosque aleatorio entrena 100 árboles sobre muestras con reemplazo."
    async with playing(indexed, ScriptedModel([RATE], [votes, " ", votes]), size=(160, 50)) as (
        app,
        pilot,
    ):
        await ask(pilot)
        await until(pilot, lambda: shown(app))
        first = shown(app)
        assert all("Redes neuronales" in card for card in first)
        await ask(pilot, "¿Cuántos árboles entrena el bosque aleatorio?")
        await until(pilot, lambda: "Árboles" in shown(app)[0])
        await pilot.press("ctrl+up", "ctrl+up")
        await until(pilot, lambda: app.focused is turns(app)[0])
        await until(pilot, lambda: shown(app) == first)
        await pilot.press("ctrl+down")
        await until(pilot, lambda: "Árboles" in shown(app)[0])


async def test_escape_stops_the_answer_and_the_model_at_once(indexed: Workspace) -> None:
    model = EndlessModel()
    async with playing(indexed, model) as (app, pilot):
        app.chat.query_one(QuestionBox).insert(QUESTION)
        await pilot.press("enter")
        await until(pilot, lambda: turns(app) and writes(turns(app)[0]))
        await until(pilot, lambda: state(turns(app)[0]) == "Writing ...")
        await pilot.press("escape")
        await until(pilot, model.stopped.is_set)
        await until(pilot, lambda: turns(app)[0].is_over)
        assert "stopped" in state(turns(app)[0])
    with saved(indexed) as store:
        (turn,) = store.turns(store.sessions()[0].id)
        assert turn.state is TurnState.STOPPED
        assert turn.text.strip().endswith(f"En palabras del modelo:\n\n{RATE}")


async def test_a_stopped_answer_is_taken_up_as_it_was_left(indexed: Workspace) -> None:
    """With its marks, its sources, and what is folded away."""

    model = EndlessModel(f"{SAID} {WRONG} Y entonces")
    async with playing(indexed, model) as (app, pilot):
        app.chat.query_one(QuestionBox).insert(QUESTION)
        await pilot.press("enter")
        await until(pilot, lambda: turns(app) and len(turns(app)[0].marks) == 5)
        await pilot.press("escape")
        await until(pilot, lambda: turns(app)[0].is_over)
        left = turns(app)[0]
        labels = [mark.label for mark in left.marks]
        assert labels == [*["[1]"] * 4, "[?]"]
        assert app.workspace.conversation
        app.resume(app.workspace.conversation.session.id)
        await until(pilot, lambda: turns(app) and turns(app)[0] is not left)
        taken_up = turns(app)[0]
        assert [mark.label for mark in taken_up.marks] == labels
        assert taken_up.markdown.source == left.markdown.source
        assert "without support · ■ stopped" in state(taken_up)
        assert app.chat.query_one(SourceList).option_count == 1


async def test_leaving_in_the_middle_of_an_answer_keeps_what_came(indexed: Workspace) -> None:
    model = EndlessModel()
    async with playing(indexed, model) as (app, pilot):
        app.chat.query_one(QuestionBox).insert(QUESTION)
        await pilot.press("enter")
        await until(pilot, lambda: turns(app) and writes(turns(app)[0]))
        await pilot.press("ctrl+q")
    assert await asyncio.to_thread(model.stopped.wait, 10)
    with saved(indexed) as store:
        (turn,) = store.turns(store.sessions()[0].id)
        assert RATE in turn.text


async def test_a_refusal_looks_like_one(indexed: Workspace) -> None:
    async with playing(indexed, ScriptedModel(["Nunca se pregunta."])) as (app, pilot):
        turn = await ask(pilot, "¿Cuál es la receta de la tortilla de patatas con cebolla?")
        assert turn.has_class("-refused")
        assert "not in the notes" in state(turn)
        app.screen.set_focus(turn)
        await pilot.press("ctrl+k")
        await until(pilot, lambda: app._notifications)
        assert "supports" in next(iter(app._notifications)).message  # no card is made of it


async def test_what_nothing_supports_is_folded_behind_the_quotes(indexed: Workspace) -> None:
    async with playing(indexed, ScriptedModel([WRONG]), size=(80, 24)) as (app, pilot):
        turn = await ask(pilot)
        assert QUOTED in turn.markdown.source
        assert WRONG not in turn.markdown.source
        assert "En palabras del modelo" not in turn.markdown.source
        line = turn.query_one(FoldedWords)
        assert line.region
        assert "could not be verified in the notes" in str(line.render())
        assert "^s" in str(line.render())
        assert "without support" not in state(turn)
        assert about(turn) == ""
        assert [mark.label for mark in turn.marks] == ["[1]"]
        await pilot.press("ctrl+s")
        await until(pilot, lambda: WRONG in turn.markdown.source)
        assert not line.display
        assert [mark.label for mark in turn.marks] == ["[1]", "[?]"]
        assert "1 sentence without support" in state(turn)
        assert app.workspace.conversation
        session = app.workspace.conversation.session.id

    async with playing(indexed, size=(80, 24)) as (app, pilot):
        app.resume(session)
        await until(pilot, lambda: turns(app))
        await pilot.pause()
        (turn,) = turns(app)
        assert WRONG not in turn.markdown.source
        turn.focus()
        await pilot.press("tab", "enter")  # the line is the next thing behind the answer
        await until(pilot, lambda: WRONG in turn.markdown.source)
        app.resume(session)
        await until(pilot, lambda: turns(app) and turns(app)[0] is not turn)
        await pilot.pause()
        (turn,) = turns(app)
        await pilot.click(turn.query_one(FoldedWords))
        await until(pilot, lambda: WRONG in turn.markdown.source)


async def test_a_copy_has_the_folded_words_only_once_they_are_shown(indexed: Workspace) -> None:
    async with playing(indexed, ScriptedModel([WRONG]), size=(80, 24)) as (app, pilot):
        turn = await ask(pilot)
        for key in (Key("ctrl+y", None), Key("alt+y", "y")):  # as terminals send them
            turn.focus()
            app.copy_to_clipboard("")
            app.post_message(key)
            await until(pilot, lambda: app.clipboard)
            assert QUOTED in app.clipboard
            assert WRONG not in app.clipboard
        await turn.action_written()
        turn.action_copy(True)
        assert f"{WRONG} [?]" in app.clipboard


async def test_a_model_that_breaks_off_is_reported_and_what_came_stays(indexed: Workspace) -> None:
    broken = EngineError("The model died.", "Start it again.")
    async with playing(indexed, ScriptedModel([f"{RATE} ", broken])) as (_app, pilot):
        turn = await ask(pilot)
        assert RATE in turn.text
        assert "broken off" in state(turn)
        assert "The model died. Start it again." in state(turn)  # in sight, where it ends
        assert not about(turn)


async def test_a_model_that_never_begins_is_an_error_with_its_remedy(indexed: Workspace) -> None:
    async with playing(
        indexed, ScriptedModel([EngineError("No model.", "Pull it.")]), falls_back=False
    ) as (_app, pilot):
        turn = await ask(pilot)
        assert turn.has_class("-failed")
        assert "Pull it." in state(turn)


async def test_marks_are_walked_and_the_question_before_comes_back(indexed: Workspace) -> None:
    async with playing(indexed, ScriptedModel([f"{RATE} {RATE}"])) as (app, pilot):
        turn = await ask(pilot)
        await pilot.press("tab")
        await until(pilot, lambda: app.focused is turn)
        await pilot.press("right", "right", "right")
        await until(pilot, lambda: turn.current_mark is turn.marks[2])
        await pilot.press("right")
        await until(pilot, lambda: turn.current_mark is turn.marks[0])
        await pilot.press("escape", "up")
        await until(pilot, lambda: app.chat.query_one(QuestionBox).text == QUESTION)
        await pilot.press("down")
        await until(pilot, lambda: app.chat.query_one(QuestionBox).text == "")


async def test_the_other_index_is_asked_the_same(indexed: Workspace) -> None:
    async with playing(indexed, ScriptedModel([RATE])) as (app, pilot):
        await pilot.press("f2")
        chosen = app.workspace.config.strategy
        turn = await ask(pilot)
        assert turn.route is Route(chosen.value)
        await pilot.press("tab", "ctrl+r")
        await until(pilot, lambda: len(turns(app)) == 2 and turns(app)[1].is_over)
        assert {one.route for one in turns(app)} == {Route.FIXED, Route.SEMANTIC}
        assert app.workspace.config.strategy is chosen


async def test_the_slash_words_of_the_plain_mode_work(indexed: Workspace) -> None:
    async with playing(indexed, ScriptedModel([RATE])) as (app, pilot):
        box = app.chat.query_one(QuestionBox)
        for word, strategy in (("/semantico", Strategy.SEMANTIC), ("/fijo", Strategy.FIXED)):
            box.insert(word)
            await pilot.press("enter")
            await until(pilot, lambda is_=strategy: app.workspace.config.strategy is is_)
        await ask(pilot)
        box.insert("/nueva")
        await pilot.press("enter")
        await until(pilot, lambda: not turns(app))
        await until(pilot, lambda: app.workspace.conversation is None)


async def test_a_conversation_is_taken_up_where_it_was_left(indexed: Workspace) -> None:
    async with playing(indexed, ScriptedModel([RATE])) as (app, pilot):
        await ask(pilot)
        assert app.workspace.conversation
        session = app.workspace.conversation.session.id

    with saved(indexed) as store:
        (asked,) = store.turns(session)
        assert asked.answer
        for _time in range(16):
            store.begin_turn(session, QUESTION).finish(asked.answer)
    async with playing(indexed, ScriptedModel([RATE])) as (app, pilot):
        app.resume(session)
        await until(pilot, lambda: len(turns(app)) == 15)
        await until(pilot, lambda: turns(app)[-1].marks[0].label == "[1]")
        conversation, first = app.chat.query_one(Reading).scroll, turns(app)[0]
        conversation.scroll_home(animate=False)
        await pilot.press("pageup")
        await until(pilot, lambda: len(turns(app)) == 17)
        assert not app.chat.query_one(EarlierTurns).display
        await until(pilot, lambda: first.region.y == conversation.region.y)
        await ask(pilot, "¿Por qué?")
        assert app.workspace.conversation
        assert len(app.workspace.conversation.history) == 18


async def test_a_turn_is_deleted_and_brought_back_at_its_place(indexed: Workspace) -> None:
    app, model = staged(indexed, ScriptedModel([RATE])), "¿Qué es una red neuronal?"
    async with app.run_test(size=(80, 24)) as pilot:
        await ready(pilot)
        first, second = await ask(pilot), await ask(pilot, model)
        conversation = app.workspace.conversation
        assert conversation
        first.focus()
        await pilot.press("ctrl+d")
        await until(pilot, lambda: turns(app) == [second])
        assert [turn.question for turn in conversation.history] == [model]
        assert app.focused is app.chat.query_one(QuestionBox)
        await pilot.press("ctrl+z")
        await until(pilot, lambda: len(turns(app)) == 2)
        assert [turn.question for turn in turns(app)] == [QUESTION, model]
        assert [turn.question for turn in conversation.history] == [QUESTION, model]


async def test_a_conversation_whose_turns_are_all_deleted_begins_anew_and_can_be_had_back(
    indexed: Workspace,
) -> None:
    async with playing(indexed, ScriptedModel([RATE]), size=(80, 24)) as (app, pilot):
        await ask(pilot)
        await pilot.press(*"/delete", "enter")
        await until(pilot, lambda: not turns(app))
        await until(pilot, lambda: app.chat.query_one("#guide").display)
        assert not app.chat.has_class("-begun")
        assert not app.chat.query_one(SourceList).option_count
        await pilot.press(*"/undo", "enter")
        await until(pilot, lambda: turns(app))
        await until(pilot, lambda: not app.chat.query_one("#guide").display)
        await until(pilot, lambda: turns(app)[0].marks)
        await ask(pilot, "¿Por qué?")
        assert [turn.question for turn in turns(app)] == [QUESTION, "¿Por qué?"]


async def test_a_turn_among_the_earlier_ones_is_brought_back_there(indexed: Workspace) -> None:
    with saved(indexed) as store:
        session = store.create("default", "es").id
        for number in range(17):
            with store.begin_turn(session, f"¿{number}?") as writer:
                writer.token("Sí.")
        store.delete_turn(store.turns(session)[0].id)

    async with playing(indexed, size=(80, 24)) as (app, pilot):
        app.resume(session)
        await until(pilot, lambda: len(turns(app)) == 15)
        earlier = app.chat.query_one(EarlierTurns)
        assert "1 earlier turn" in str(earlier.render())
        turns(app)[0].focus()
        await pilot.press("ctrl+z")
        await until(pilot, lambda: "2 earlier turns" in str(earlier.render()))
        earlier.focus()
        await pilot.press("enter")
        await until(pilot, lambda: len(turns(app)) == 17)
        assert [turn.question for turn in turns(app)][:3] == ["¿0?", "¿1?", "¿2?"]


async def test_a_course_without_notes_says_what_to_do(tmp_path: Any) -> None:
    from tests.course import Workspace as Folder

    async with playing(Folder(tmp_path)) as (app, pilot):
        app.chat.query_one(QuestionBox).insert(QUESTION)
        await pilot.press("enter")
        await pilot.pause()
        assert not turns(app)
        assert "notes" in str(app.chat.query_one("#welcome").render())
