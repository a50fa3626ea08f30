"""Turns of a conversation as LangChain's messages and histories."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import (
    AIMessage,
    BaseMessage,
    HumanMessage,
    SystemMessage,
)
from langchain_core.prompts import ChatPromptTemplate, MessagesPlaceholder

from tests.engines import ScriptedEngine
from tutor.events import Token
from tutor.history import SessionStore
from tutor.integrations.langchain import (
    SessionHistory,
    TutorChatModel,
    messages_from_turns,
    turns_from_messages,
)
from tutor.model import Route, Turn

TURNS = st.lists(
    st.builds(Turn, st.text(max_size=9), st.text(max_size=9), st.text(max_size=9), st.booleans()),
    max_size=5,
)


@given(TURNS)
def test_turns_come_back_as_they_were(turns: list[Turn]) -> None:
    messages = messages_from_turns(turns)
    assert [type(message) for message in messages] == [HumanMessage, AIMessage] * len(turns)
    assert list(turns_from_messages(messages)) == turns


def test_only_questions_with_answers_make_turns() -> None:
    messages: Iterable[BaseMessage] = [
        SystemMessage("Sé breve."),
        AIMessage("¡Bienvenido!"),
        HumanMessage("¿Qué es"),
        HumanMessage("minimax?"),
        AIMessage("Un algoritmo."),
        AIMessage("¿Algo más?"),
        HumanMessage("¿Y su coste?"),
    ]
    question = "¿Qué es\nminimax?"
    assert list(turns_from_messages(messages)) == [Turn(question, question, "Un algoritmo.")]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SessionStore]:
    with SessionStore(tmp_path / "sessions.sqlite") as store:
        yield store


@pytest.fixture
def history(store: SessionStore) -> SessionHistory:
    session = store.create("ia", "es").id
    return SessionHistory(store, session, route=Route.FIXED, model="another")


def test_a_history_keeps_a_question_until_its_answer_comes(
    store: SessionStore, history: SessionHistory
) -> None:
    history.add_message(HumanMessage("¿Qué es minimax?"))
    assert store.history(history.session) == []
    assert [message.text for message in history.messages] == ["¿Qué es minimax?"]
    history.add_message(AIMessage("Un algoritmo."))
    turn = Turn("¿Qué es minimax?", "¿Qué es minimax?", "Un algoritmo.")
    assert store.history(history.session) == [turn]
    assert [message.type for message in history.messages] == ["human", "ai"]
    history.add_message(HumanMessage("¿Y su coste?"))
    history.clear()
    assert history.messages == []


def test_a_history_is_a_saved_conversation(store: SessionStore, history: SessionHistory) -> None:
    session = history.session
    turn = Turn("¿Y su coste?", "¿Cuál es el coste de minimax?", "Exponencial.", abstained=True)
    history.add_messages(messages_from_turns([turn]))
    assert store.history(session) == [turn]
    assert store.turns(session)[0].route is Route.FIXED
    assert list(turns_from_messages(history.messages)) == [turn]
    history.clear()
    assert history.messages == []
    assert history.session != session
    assert store.get(history.session).course == "ia"
    assert store.undelete(session).turns == 1


def test_a_chain_remembers_the_conversation_through_its_history(history: SessionHistory) -> None:
    engine = ScriptedEngine(Token("Respuesta."))
    template = ChatPromptTemplate.from_messages(
        [("system", "Sé breve."), MessagesPlaceholder("past"), ("human", "{question}")]
    )
    chain = template | TutorChatModel(engine=engine)
    for question in ("Primera", "Segunda"):
        answer = chain.invoke({"question": question, "past": history.messages})
        history.add_messages([HumanMessage(question), answer])
    assert [message.type for message in history.messages] == ["human", "ai"] * 2
    assert [message.content for message in engine.asked[1][0]] == [
        *("Sé breve.", "Primera", "Respuesta.", "Segunda"),
    ]
