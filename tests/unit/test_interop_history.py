"""Turns of a conversation as LangChain's messages and histories."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
from tutor.interop import (
    SavedTurns,
    SessionHistory,
    TutorChatModel,
    messages_from_turns,
    turns_from_messages,
)
from tutor.memory import SessionStore
from tutor.types import Route, Turn

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path


TURNS = st.lists(
    st.builds(Turn, st.text(max_size=9), st.text(max_size=9), st.text(max_size=9), st.booleans()),
    max_size=5,
)


@given(TURNS)
def test_turns_come_back_as_they_were(turns: list[Turn]) -> None:
    messages = messages_from_turns(turns)
    assert [type(message) for message in messages] == [HumanMessage, AIMessage] * len(turns)
    assert turns_from_messages(messages) == turns


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
    assert turns_from_messages(messages) == [Turn(question, question, "Un algoritmo.")]


class ListedTurns:
    """The simplest store of turns."""

    def __init__(self) -> None:
        self._turns: list[Turn] = []

    def turns(self) -> Sequence[Turn]:
        return self._turns

    def add(self, turn: Turn) -> None:
        self._turns.append(turn)

    def clear(self) -> None:
        self._turns.clear()


def test_a_history_keeps_a_question_until_its_answer_comes() -> None:
    store = ListedTurns()
    history = SessionHistory(store)
    history.add_message(HumanMessage("¿Qué es minimax?"))
    assert store.turns() == []
    assert [message.text for message in history.messages] == ["¿Qué es minimax?"]
    history.add_message(AIMessage("Un algoritmo."))
    assert store.turns() == [Turn("¿Qué es minimax?", "¿Qué es minimax?", "Un algoritmo.")]
    assert [message.type for message in history.messages] == ["human", "ai"]
    history.add_message(HumanMessage("¿Y su coste?"))
    history.clear()
    assert history.messages == []
    assert store.turns() == []


def test_a_saved_conversation_is_a_history(tmp_path: Path) -> None:
    with SessionStore(tmp_path / "sessions.sqlite") as store:
        session = store.create("ia", "es").id
        saved = SavedTurns(store, session, route=Route.SEMANTIC, model="another")
        history = SessionHistory(saved)
        turn = Turn("¿Y su coste?", "¿Cuál es el coste de minimax?", "Exponencial.", abstained=True)
        history.add_messages(messages_from_turns([turn]))
        assert saved.turns() == [turn]
        assert store.turns(session)[0].route is Route.SEMANTIC
        assert turns_from_messages(history.messages) == [turn]
        history.clear()
        assert history.messages == []
        assert saved.session != session
        assert store.get(saved.session).course == "ia"
        assert store.undelete(session).turns == 1


def test_a_chain_remembers_the_conversation_through_its_history() -> None:
    history = SessionHistory(ListedTurns())
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
