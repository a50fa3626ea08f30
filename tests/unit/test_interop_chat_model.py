"""A language model of this program as one of LangChain's, and its messages."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain.agents import create_agent
from langchain_core.messages import (
    AIMessage,
    BaseMessage,
    ChatMessage,
    HumanMessage,
    RemoveMessage,
    SystemMessage,
    ToolMessage,
    trim_messages,
)

from tests.engines import ScriptedEngine
from tutor.errors import EngineError
from tutor.events import Reasoning, Stage, Token, Waiting
from tutor.interop import (
    TutorChatModel,
    from_langchain,
    to_langchain,
)
from tutor.types import Message


def test_langchains_agent_runs_on_a_model_of_this_program() -> None:
    engine = ScriptedEngine(Token("Hola, "), Token("soy el tutor."))
    agent = create_agent(TutorChatModel(engine=engine), [], system_prompt="Sé breve.")
    ended = agent.invoke({"messages": [HumanMessage("Hola")]})
    assert ended["messages"][-1].content == "Hola, soy el tutor."
    assert engine.asked[0][0] == (Message("system", "Sé breve."), Message("user", "Hola"))


def test_a_model_streams_its_text_its_reasoning_and_its_figures() -> None:
    engine = ScriptedEngine(
        Waiting(Stage.LOADING), Reasoning("Pienso"), Reasoning(" mucho."), Token("Dos "), Token("+")
    )
    chunks = list(TutorChatModel(engine=engine).stream("¿Cuánto?"))
    assert [str(chunk.text) for chunk in chunks if chunk.text] == ["Dos ", "+"]
    whole = TutorChatModel(engine=engine).invoke("¿Cuánto?")
    assert whole.text == "Dos +"
    assert whole.additional_kwargs["reasoning_content"] == "Pienso mucho."
    assert [block["type"] for block in whole.content_blocks] == ["reasoning", "text"]
    assert whole.usage_metadata == {"input_tokens": 12, "output_tokens": 5, "total_tokens": 17}
    assert whole.response_metadata["finish_reason"] == "length"
    assert whole.response_metadata["model_name"] == "scripted"
    assert sum(bool(chunk.usage_metadata) for chunk in chunks) == 1


def test_a_model_can_be_asked_without_waiting() -> None:
    async def pieces() -> list[str]:
        model = TutorChatModel(engine=ScriptedEngine(Token("a"), Token("b")))
        return [str(chunk.text) async for chunk in model.astream("x") if chunk.text]

    assert asyncio.run(pieces()) == ["a", "b"]


def test_length_and_schema_reach_the_model_and_anything_else_is_refused() -> None:
    engine = ScriptedEngine(Token("{}"))
    model = TutorChatModel(engine=engine)
    model.bind(max_tokens=7, schema={"type": "object"}).invoke("x")
    assert engine.asked[0][1:] == (7, {"type": "object"})
    with pytest.raises(TypeError, match="temperature"):
        model.invoke("x", temperature=1)


def test_leaving_the_stream_stops_the_model() -> None:
    engine = ScriptedEngine(Token("uno "), Token("dos "), Token("tres"))
    stream = TutorChatModel(engine=engine).stream("x")
    next(stream)
    stream.close()  # type: ignore[attr-defined]
    assert engine.stopped


def test_a_failure_in_mid_answer_comes_through_as_it_is() -> None:
    model = TutorChatModel(engine=ScriptedEngine(Token("a"), EngineError("Gone.", "Start it.")))
    heard: list[str] = []
    with pytest.raises(EngineError, match="Start it"):
        heard.extend(str(chunk.text) for chunk in model.stream("x"))
    assert heard == ["a"]
    with pytest.raises(EngineError):
        model.invoke("x")


@pytest.mark.parametrize("pieces", [["uno FIN dos"], ["uno F", "I", "N dos"], ["uno ", "FIN"]])
def test_a_stop_sequence_ends_the_answer_and_the_model(pieces: list[str]) -> None:
    engine = ScriptedEngine(*map(Token, pieces), Token("tres"))
    answer = TutorChatModel(engine=engine).invoke("x", stop=["FIN", "NADA"])
    assert answer.text == "uno "
    assert answer.usage_metadata is None
    assert engine.stopped


@given(
    st.lists(st.text("ab.", min_size=1, max_size=4), max_size=8),
    st.lists(st.text("ab.", max_size=3), max_size=2),
)
def test_stop_sequences_cut_the_same_however_the_text_arrives(
    pieces: list[str], stop: list[str]
) -> None:
    text = "".join(pieces)
    ends = [text.find(sequence) for sequence in stop if sequence and sequence in text]
    model = TutorChatModel(engine=ScriptedEngine(*map(Token, pieces)))
    assert model.invoke("x", stop=stop).text == text[: min(ends, default=len(text))]


def test_messages_are_trimmed_without_a_tokeniser() -> None:
    model = TutorChatModel(engine=ScriptedEngine())
    messages = [HumanMessage("palabra " * 50), AIMessage("sí"), HumanMessage("¿y eso?")]
    kept = trim_messages(messages, max_tokens=40, token_counter=model, strategy="last")
    assert kept == messages[1:]
    assert model.get_num_tokens("palabra") > 1


def test_every_kind_of_message_finds_a_role() -> None:
    call = {"name": "RAG_Sem_Tool", "args": {"question": "¿Qué?"}, "id": "1", "type": "tool_call"}
    messages: list[BaseMessage] = [
        SystemMessage("Sé breve."),
        HumanMessage([{"type": "text", "text": "Hola "}, "tú"]),
        AIMessage("Busco.", tool_calls=[call]),
        ToolMessage("[1] a.pdf", tool_call_id="1", name="RAG_Sem_Tool"),
        AIMessage([{"type": "reasoning", "reasoning": "hm"}, {"type": "text", "text": "Ya."}]),
        ChatMessage(content="Otra", role="User"),
    ]
    assert from_langchain(messages) == (
        Message("system", "Sé breve."),
        Message("user", "Hola tú"),
        Message("assistant", 'Busco.\n[RAG_Sem_Tool {"question": "¿Qué?"}]'),
        Message("user", "[RAG_Sem_Tool]\n[1] a.pdf"),
        Message("assistant", "Ya."),
        Message("user", "Otra"),
    )


@pytest.mark.parametrize(
    "message",
    [
        HumanMessage([{"type": "image_url", "image_url": {"url": "data:image/png;base64,AA"}}]),
        ChatMessage(content="x", role="critic"),
        RemoveMessage(id="1"),
    ],
)
def test_what_no_local_model_can_read_is_refused(message: BaseMessage) -> None:
    with pytest.raises(ValueError, match=r"image_url|critic|remove"):
        from_langchain([message])


def test_an_unknown_role_is_refused() -> None:
    with pytest.raises(ValueError, match="critic"):
        to_langchain([Message("critic", "x")])


@given(
    st.lists(
        st.builds(Message, st.sampled_from(("system", "user", "assistant")), st.text(max_size=20))
    )
)
def test_messages_come_back_as_they_were(messages: list[Message]) -> None:
    assert list(from_langchain(to_langchain(messages))) == messages
