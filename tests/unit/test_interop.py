"""The course in LangChain's terms, used by LangChain's own agent, chains and histories."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain.agents import create_agent
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
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
from langchain_core.prompts import ChatPromptTemplate, MessagesPlaceholder
from langchain_core.utils.function_calling import convert_to_openai_tool

from tests.passages import make_hit
from tests.serpapi_double import GOOD_KEY, serpapi
from tutor.config import WebConfig
from tutor.embedding import BundledEmbedder
from tutor.errors import EngineError, StoreError, WebSearchError
from tutor.interop import (
    SavedTurns,
    SessionHistory,
    TutorChatModel,
    course_tools,
    from_langchain,
    messages_from_turns,
    to_langchain,
    turns_from_messages,
)
from tutor.memory import SessionStore
from tutor.types import (
    Hit,
    Message,
    Reasoning,
    Route,
    Stage,
    Strategy,
    Token,
    Turn,
    Usage,
    Waiting,
    WebResult,
)
from tutor.websearch import SerpApi

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Mapping, Sequence
    from pathlib import Path

    from langchain_core.tools import BaseTool

    from tutor.types import Chunk, Source, SourceId, Vectors

EMBEDDER = BundledEmbedder()
TEXTS = {
    "redes.pdf": "Una red neuronal es un modelo formado por capas de neuronas.",
    "grad.pdf": "La retropropagación calcula gradientes con la regla de la cadena.",
    "juegos.pdf": "El algoritmo minimax elige la jugada óptima contra un rival perfecto.",
}
MINIMAX = "¿Cómo se elige la mejor jugada en un juego?"


class SmallStore:
    """Passages held in memory, found by cosine; remembers which strategies were asked."""

    def __init__(self, hits: Sequence[Hit]) -> None:
        self._hits = hits
        self._vectors = EMBEDDER.embed_passages([hit.chunk.text for hit in hits])
        self.asked: list[Strategy] = []

    @property
    def sources(self) -> Mapping[SourceId, Source]:
        return {hit.source.id: hit.source for hit in self._hits}

    def search(self, strategy: Strategy, vector: Vectors, k: int) -> list[tuple[Chunk, float]]:
        self.asked.append(strategy)
        cosines = self._vectors @ vector
        return [(self._hits[i].chunk, float(cosines[i])) for i in np.argsort(-cosines)[:k]]

    def page_at(self, source: SourceId, offset: int) -> int:
        return 1


class BrokenStore(SmallStore):
    def search(self, strategy: Strategy, vector: Vectors, k: int) -> list[tuple[Chunk, float]]:
        raise StoreError("The index is broken.", "tutor index --rebuild")


class ScriptedWeb:
    """Finds what it is told to and remembers the questions."""

    def __init__(self, *results: WebResult, failure: WebSearchError | None = None) -> None:
        self._results = list(results)
        self._failure = failure
        self.asked: list[tuple[str, str]] = []

    def search(self, query: str, language: str) -> list[WebResult]:
        self.asked.append((query, language))
        if self._failure:
            raise self._failure
        return self._results


class ScriptedEngine:
    """A language model that says what it is told to; an exception among the pieces is raised."""

    name = "scripted"
    context_tokens = 4096

    def __init__(self, *events: Waiting | Reasoning | Token | EngineError) -> None:
        self._events = events
        self.asked: list[tuple[Sequence[Message], int | None, Any]] = []
        self.stopped = False

    def stream(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int | None = None,
        schema: Mapping[str, Any] | None = None,
    ) -> Generator[Waiting | Reasoning | Token, None, Usage]:
        self.asked.append((messages, max_tokens, schema))
        try:
            for event in self._events:
                if isinstance(event, EngineError):
                    raise event
                yield event
        except GeneratorExit:
            self.stopped = True
            raise
        return Usage("length", prompt_tokens=12, answer_tokens=5)


class ToolCaller(GenericFakeChatModel):
    """Plays a script; being given tools it remembers their names."""

    bound: list[str] = []  # noqa: RUF012 - a field, copied by pydantic for each model

    def bind_tools(self, tools: Sequence[Any], **_options: Any) -> ToolCaller:
        self.bound.extend(tool.name for tool in tools)
        return self


@pytest.fixture(scope="module")
def hits() -> list[Hit]:
    return [make_hit(text, path=path) for path, text in TEXTS.items()]


@pytest.fixture
def store(hits: list[Hit]) -> SmallStore:
    return SmallStore(hits)


RESULT = WebResult(1, "Minimax [wiki]", "Un *algoritmo*.", "https://a.example/m", "A")


def _tools(store: SmallStore, web: ScriptedWeb, k: int = 2) -> dict[str, BaseTool]:
    return {tool.name: tool for tool in course_tools(store, EMBEDDER, web, k)}


def _call(tool: BaseTool, **arguments: object) -> ToolMessage:
    message = tool.invoke({"name": tool.name, "args": arguments, "id": "1", "type": "tool_call"})
    assert isinstance(message, ToolMessage)
    return message


def test_the_tools_say_what_they_do_and_what_they_take(store: SmallStore) -> None:
    tools = _tools(store, ScriptedWeb(), k=3)
    assert list(tools) == ["RAG_Fixed_Tool", "RAG_Sem_Tool", "WebSearch_Tool"]
    for tool in tools.values():
        schema = convert_to_openai_tool(tool)["function"]["parameters"]
        assert len(tool.description) > 80
        assert schema["required"] == ["question"]
        assert schema["properties"]["question"]["type"] == "string"
        assert schema["properties"]["k"]["default"] == 3
        assert schema["properties"]["k"]["type"] == "integer"
        json.dumps(schema)


@pytest.mark.parametrize(
    ("name", "strategy"), [("RAG_Fixed_Tool", "fixed"), ("RAG_Sem_Tool", "semantic")]
)
def test_a_search_of_the_notes_returns_passages_and_hits(
    store: SmallStore, name: str, strategy: str
) -> None:
    message = _call(_tools(store, ScriptedWeb())[name], question=MINIMAX, k=1)
    assert message.content == f"[1] juegos.pdf, pp. 1-2\n{TEXTS['juegos.pdf']}"
    assert [hit.source.path for hit in message.artifact] == ["juegos.pdf"]
    assert store.asked == [Strategy(strategy)]
    assert message.status == "success"


def test_the_usual_number_of_passages_is_found_where_none_is_given(store: SmallStore) -> None:
    message = _call(_tools(store, ScriptedWeb())["RAG_Sem_Tool"], question=MINIMAX)
    assert len(message.artifact) == 2
    assert "\n\n[2] " in str(message.content)


def test_a_passage_of_one_page_names_one_page(hits: list[Hit]) -> None:
    single = replace(hits[0], chunk=replace(hits[0].chunk, last_page=1))
    message = _call(_tools(SmallStore([single]), ScriptedWeb())["RAG_Sem_Tool"], question="red")
    assert str(message.content).startswith("[1] redes.pdf, p. 1\n")


def test_a_search_of_the_web_returns_markdown_and_results(store: SmallStore) -> None:
    web = ScriptedWeb(RESULT, replace(RESULT, rank=2))
    message = _call(_tools(store, web)["WebSearch_Tool"], question="What is the minimax?", k=1)
    assert str(message.content).startswith(r"**[W1] [Minimax \[wiki\]](https://a.example/m)**")
    assert message.artifact == [RESULT]
    assert web.asked == [("What is the minimax?", "en")]
    nothing = _call(_tools(store, ScriptedWeb())["WebSearch_Tool"], question="¿Qué es?")
    assert (nothing.content, nothing.artifact) == ("The web search found nothing.", [])


def test_failures_are_told_to_the_model(hits: list[Hit], store: SmallStore) -> None:
    web = ScriptedWeb(failure=WebSearchError("No key.", "Set SERPAPI_API_KEY."))
    message = _call(_tools(store, web)["WebSearch_Tool"], question="x")
    assert (message.status, message.content) == ("error", "No key.\nSet SERPAPI_API_KEY.")
    message = _call(_tools(BrokenStore(hits), web)["RAG_Fixed_Tool"], question="x")
    assert message.status == "error"
    assert "tutor index --rebuild" in str(message.content)


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"question": ""},
        {"question": "  \n"},
        {"question": "x" * 5000},
        {"question": 7},
        {"question": "x", "k": 0},
        {"question": "x", "k": 10_000},
        {"question": "x", "k": "many"},
    ],
)
def test_arguments_that_make_no_sense_are_refused(
    store: SmallStore, arguments: dict[str, object]
) -> None:
    for tool in _tools(store, web := ScriptedWeb(RESULT)).values():
        assert _call(tool, **arguments).status == "error"
    assert (store.asked, web.asked) == ([], [])


def _asks(name: str, question: str) -> AIMessage:
    call = {"name": name, "args": {"question": question}, "id": name, "type": "tool_call"}
    return AIMessage(content="", tool_calls=[call])


def test_langchains_agent_uses_the_three_tools(store: SmallStore) -> None:
    script = [
        _asks("RAG_Fixed_Tool", "¿Qué es una red neuronal?"),
        _asks("RAG_Sem_Tool", MINIMAX),
        _asks("WebSearch_Tool", "valid minimax"),
        AIMessage("Minimax [1]."),
    ]
    with serpapi() as double:
        web = SerpApi(WebConfig.model_validate({"api_key": GOOD_KEY, "url": double.url}))
        tools = course_tools(store, EMBEDDER, web, 1)
        model = ToolCaller(messages=iter(script))
        ended = create_agent(model, tools).invoke({"messages": [HumanMessage(MINIMAX)]})
    results = [message for message in ended["messages"] if isinstance(message, ToolMessage)]
    assert model.bound[:3] == ["RAG_Fixed_Tool", "RAG_Sem_Tool", "WebSearch_Tool"]
    assert TEXTS["redes.pdf"] in str(results[0].content)
    assert results[1].artifact[0].source.path == "juegos.pdf"
    assert "**[W1] [Transformer" in str(results[2].content)
    assert ended["messages"][-1].content == "Minimax [1]."
    assert turns_from_messages(ended["messages"]) == [Turn(MINIMAX, MINIMAX, "Minimax [1].")]


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
