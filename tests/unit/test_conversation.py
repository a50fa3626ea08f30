"""A conversation that is saved as it happens: what is kept of an answer that ended early."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.scripted import HITS, FixedStore, ScriptedModel
from tutor.answer import Agent
from tutor.answer.conversation import Conversation
from tutor.embedding import BundledEmbedder
from tutor.events import Retrieved, Token, Verified
from tutor.history import SessionStore, TurnState
from tutor.model import EXTRACTIVE, Citation, Ending, Route, Strategy

QUESTION = "¿Qué es una red neuronal?"
OWN = "Una red neuronal es un modelo formado por capas de neuronas."
WRONG = "La inventaron en 1815 los marcianos."


@pytest.fixture
def sessions(tmp_path: Path) -> Iterator[SessionStore]:
    with SessionStore(tmp_path / "sessions.db") as store:
        yield store


def _conversation(sessions: SessionStore, model: ScriptedModel | None = None) -> Conversation:
    agent = Agent(
        store=FixedStore(HITS),
        embedder=BundledEmbedder(),
        strategy=Strategy.FIXED,
        k=4,
        model=model,
        why_no_model="",
        quotes_on_failure=False,
    )
    return Conversation(agent, sessions, sessions.create("default", "es"))


def test_what_was_verified_of_a_stopped_answer_is_kept(sessions: SessionStore) -> None:
    conversation = _conversation(sessions, ScriptedModel([f"{OWN} " * 3, f"{WRONG} ", "Y luego"]))
    events = conversation.ask(QUESTION)
    verified = []
    for event in events:
        verified += [event] if isinstance(event, Verified) else []
        if isinstance(event, Verified) and event.citation is None:
            break
    events.close()
    (turn,) = sessions.turns(conversation.session.id)
    assert turn.state is TurnState.STOPPED
    assert turn.answer
    assert turn.text == turn.answer.text
    assert turn.answer.ending is Ending.STOPPED
    assert turn.answer.route is Route.FIXED
    assert turn.answer.model == "scripted"
    cited = [one.citation for one in verified if one.citation]
    assert [one.quote for one in turn.answer.citations] == [
        one.quote for one in cited if isinstance(one, Citation)
    ]
    assert [turn.text[start:end] for start, end in turn.answer.unsupported] == [WRONG]
    own = turn.text[turn.answer.written :]
    assert own.startswith(OWN)
    assert sessions.history(conversation.session.id) == conversation.history
    assert conversation.history[0].written == turn.answer.written
    assert "[1]" in sessions.export_markdown(conversation.session.id)


def test_quotes_that_no_model_went_on_from_are_no_models_words(sessions: SessionStore) -> None:
    conversation = _conversation(sessions, ScriptedModel([OWN]))
    events = conversation.ask(QUESTION)
    next(event for event in events if isinstance(event, Verified))
    events.close()
    (turn,) = sessions.turns(conversation.session.id)
    assert turn.answer
    assert (turn.answer.model, turn.answer.written) == (EXTRACTIVE, 0)
    (said,) = sessions.history(conversation.session.id)
    assert said == conversation.history[0]
    assert said.answer[said.written :] == ""
    assert len(turn.answer.citations) == 1


def test_of_an_answer_that_was_stopped_before_its_first_word_nothing_is_kept(
    sessions: SessionStore,
) -> None:
    conversation = _conversation(sessions)
    events = conversation.ask(QUESTION)
    next(event for event in events if isinstance(event, Retrieved))
    events.close()
    (turn,) = sessions.turns(conversation.session.id)
    assert (turn.state, turn.text, turn.answer) == (TurnState.STOPPED, "", None)
    assert conversation.last_answer is None
    assert conversation.history == []


def test_a_finished_answer_is_what_its_events_add_up_to(sessions: SessionStore) -> None:
    conversation = _conversation(sessions, ScriptedModel([f"{OWN} {WRONG}"]))
    text = "".join(event.text for event in conversation.ask(QUESTION) if isinstance(event, Token))
    (turn,) = sessions.turns(conversation.session.id)
    assert turn.answer
    assert turn.answer == conversation.last_answer
    assert (turn.answer.text, turn.answer.ending) == (text, Ending.COMPLETE)
