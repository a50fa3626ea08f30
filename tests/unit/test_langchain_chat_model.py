"""A language model of this program as one of LangChain's, and its messages."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from langchain_core.messages import (
    AIMessage,
    BaseMessage,
    ChatMessage,
    HumanMessage,
    RemoveMessage,
    SystemMessage,
    ToolMessage,
    convert_to_messages,
    trim_messages,
)

from tests.engines import ScriptedEngine
from tutor.errors import EngineError
from tutor.events import Reasoning, Stage, Token, Waiting
from tutor.integrations.langchain import TutorChatModel, from_langchain
from tutor.model import Message

CALL = '{"tool": "RAG_Sem_Tool", "arguments": {"question": "¿Qué?"}}'


def test_langchains_agent_runs_on_a_model_of_this_program() -> None:
    from langchain.agents import create_agent

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
    stream.close()  # pyrefly: ignore[missing-attribute]
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
@example(["ba", "b"], ["a", "bab"])
def test_stop_sequences_cut_the_same_however_the_text_arrives(
    pieces: list[str], stop: list[str]
) -> None:
    text = "".join(pieces)
    found = [(text.find(one) + len(one), text.find(one)) for one in stop if one and one in text]
    model = TutorChatModel(engine=ScriptedEngine(*map(Token, pieces)))
    assert model.invoke("x", stop=stop).text == text[: min(found, default=(0, len(text)))[1]]


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
        Message("assistant", f"Busco.\n{CALL}"),
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


@given(st.lists(st.tuples(st.sampled_from(("system", "user", "assistant")), st.text(max_size=20))))
def test_messages_keep_their_role_and_text(messages: list[tuple[str, str]]) -> None:
    expected = tuple(Message(role, text) for role, text in messages)
    assert from_langchain(convert_to_messages(messages)) == expected


TOOLS = [
    {"name": "RAG_Sem_Tool", "description": "Notes.", "parameters": {"type": "object"}},
    {"name": "WebSearch_Tool", "description": "Web.", "parameters": {"type": "object"}},
]


def _said(*pieces: str, stop: list[str] | None = None, **options: Any) -> Any:
    engine = ScriptedEngine(Reasoning("Pienso."), *map(Token, pieces))
    model = TutorChatModel(engine=engine).bind_tools(TOOLS, **options)
    return engine, model.invoke([("system", "Sé breve."), ("human", "¿Qué?")], stop=stop)


def test_a_model_calls_the_tool_that_it_names() -> None:
    engine, message = _said(CALL[:20], CALL[20:])
    (call,) = message.tool_calls
    assert (call["name"], call["args"]) == ("RAG_Sem_Tool", {"question": "¿Qué?"})
    assert message.text == ""
    assert message.usage_metadata["total_tokens"] == 17
    assert message.additional_kwargs["reasoning_content"] == "Pienso."
    messages, _max_tokens, schema = engine.asked[0]
    assert [m.role for m in messages] == ["system", "system", "user"]
    assert all(tool["description"] in messages[0].content for tool in TOOLS)
    offered = [list(choice["properties"]) for choice in schema["anyOf"]]
    assert offered == [["tool", "arguments"], ["tool", "arguments"], ["answer"]]


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ('{"answer": "Un modelo."}', "Un modelo."),
        ('{"answer": "Un mode', "Un mode"),
        ("Un modelo.", "Un modelo."),
        ("[1, 2]", "[1, 2]"),
        ("", ""),
    ],
)
def test_what_is_no_call_is_the_answer(written: str, text: str) -> None:
    message = _said(written)[1]
    assert (message.text, message.tool_calls) == (text, [])


def test_a_tools_schema_reaches_the_server_without_what_its_grammars_refuse() -> None:
    text = {"type": "string", "pattern": r"\S", "maxLength": 2000, "title": "T", "format": "uri"}
    parameters = {"type": "object", "properties": {"title": text, "also": {"anyOf": [text]}}}
    tools = [{"name": name, "description": "", "parameters": parameters} for name in "ab"]
    tools.append({"name": "c", "description": "", "parameters": {"type": "object"}})
    tools[1]["parameters"] = {"type": "object", "properties": {}}
    engine = ScriptedEngine(Token(CALL))
    TutorChatModel(engine=engine).bind_tools(tools).invoke("x")
    first, second, third, _answer = engine.asked[0][2]["anyOf"]
    plain = {"type": "string"}
    properties = {"title": plain, "also": {"anyOf": [plain]}}
    assert first["properties"]["arguments"] == {"type": "object", "properties": properties}
    assert second["properties"]["arguments"] == {"type": "object"}
    assert third["properties"]["arguments"]["type"] == "object"
    assert r"\\S" in engine.asked[0][0][0].content


def test_no_call_is_offered_where_none_is_wanted() -> None:
    engine, message = _said("Hola.", tool_choice="none")
    assert message.text == "Hola."
    assert engine.asked[0][2] is None


def test_an_answer_beside_tools_ends_at_a_stop_sequence() -> None:
    assert _said('{"answer": "uno FIN dos"}', stop=["FIN"])[1].text == "uno "


@pytest.mark.parametrize("arguments", ['"x"', "null", "[1]"])
def test_a_call_whose_arguments_are_none_is_one_without_any(arguments: str) -> None:
    _engine, message = _said(f'{{"tool": "RAG_Sem_Tool", "arguments": {arguments}}}')
    assert [(call["name"], call["args"]) for call in message.tool_calls] == [("RAG_Sem_Tool", {})]


@pytest.mark.parametrize(
    ("choice", "names", "answers"),
    [
        ("auto", ["RAG_Sem_Tool", "WebSearch_Tool"], True),
        ("any", ["RAG_Sem_Tool", "WebSearch_Tool"], False),
        ("WebSearch_Tool", ["WebSearch_Tool"], False),
    ],
)
def test_a_call_can_be_demanded(choice: str, names: list[str], answers: bool) -> None:
    engine, _message = _said(CALL, tool_choice=choice)
    choices = engine.asked[0][2]["anyOf"]
    tools = [c["properties"]["tool"]["const"] for c in choices if "tool" in c["properties"]]
    assert tools == names
    assert any("answer" in c["properties"] for c in choices) == answers
