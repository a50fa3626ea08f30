"""The three tools, used by LangChain's own agent."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import (
    AIMessage,
    HumanMessage,
    ToolMessage,
)
from langchain_core.utils.function_calling import convert_to_openai_tool

from tests.passages import make_hit
from tests.scripted import BrokenStore, FixedStore, NearestStore
from tests.serpapi_double import GOOD_KEY, serpapi
from tutor.answer import Agent, answer
from tutor.app import find_course, make_agent, make_embedder, open_course
from tutor.config import WebConfig, load_config
from tutor.embedding import BundledEmbedder
from tutor.errors import WebSearchError
from tutor.events import Retrieved
from tutor.integrations.langchain import course_tools, turns_from_messages
from tutor.model import Hit, Strategy, Turn, WebResult
from tutor.web import SerpApi

if TYPE_CHECKING:
    from langchain_core.tools import BaseTool

    from tests.course import Workspace


EMBEDDER = BundledEmbedder()
TEXTS = {
    "redes.pdf": "Una red neuronal es un modelo formado por capas de neuronas.",
    "grad.pdf": "La retropropagación calcula gradientes con la regla de la cadena.",
    "juegos.pdf": "El algoritmo minimax elige la jugada óptima contra un rival perfecto.",
}
MINIMAX = "¿Cómo se elige la mejor jugada en un juego?"


class ScriptedWeb(SerpApi):
    """Finds what it is told to and remembers the questions."""

    def __init__(self, *results: WebResult, failure: WebSearchError | None = None) -> None:
        self._scripted = list(results)
        self._failure = failure
        self.asked: list[tuple[str, str]] = []

    def search(self, query: str, language: str) -> list[WebResult]:
        self.asked.append((query, language))
        if self._failure:
            raise self._failure
        return self._scripted


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
def store(hits: list[Hit]) -> NearestStore:
    return NearestStore(hits, EMBEDDER)


RESULT = WebResult(1, "Minimax [wiki]", "Un *algoritmo*.", "https://a.example/m", "A")


def _agent(store: FixedStore, web: SerpApi | None, k: int = 2) -> Agent:
    return Agent(store=store, embedder=EMBEDDER, strategy=Strategy.FIXED, k=k, web=web)


def _tools(store: FixedStore, web: ScriptedWeb, k: int = 2) -> dict[str, BaseTool]:
    return {tool.name: tool for tool in course_tools(_agent(store, web, k))}


def _call(tool: BaseTool, **arguments: object) -> ToolMessage:
    message = tool.invoke({"name": tool.name, "args": arguments, "id": "1", "type": "tool_call"})
    assert isinstance(message, ToolMessage)
    return message


def test_the_tools_say_what_they_do_and_what_they_take(store: NearestStore) -> None:
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
    store: NearestStore, name: str, strategy: str
) -> None:
    message = _call(_tools(store, ScriptedWeb())[name], question=MINIMAX, k=1)
    assert message.content == f"[1] juegos.pdf, pp. 1-2\n{TEXTS['juegos.pdf']}"
    assert [hit.source.path for hit in message.artifact] == ["juegos.pdf"]
    assert store.asked == [Strategy(strategy)]
    assert message.status == "success"


def test_the_usual_number_of_passages_is_found_where_none_is_given(store: NearestStore) -> None:
    message = _call(_tools(store, ScriptedWeb())["RAG_Sem_Tool"], question=MINIMAX)
    assert len(message.artifact) == 2
    assert "\n\n[2] " in str(message.content)


def test_a_passage_of_one_page_names_one_page(hits: list[Hit]) -> None:
    single = replace(hits[0], chunk=replace(hits[0].chunk, last_page=1))
    message = _call(
        _tools(NearestStore([single], EMBEDDER), ScriptedWeb())["RAG_Sem_Tool"], question="red"
    )
    assert str(message.content).startswith("[1] redes.pdf, p. 1\n")


def test_a_search_of_the_web_returns_markdown_and_results(store: NearestStore) -> None:
    web = ScriptedWeb(RESULT, replace(RESULT, rank=2))
    message = _call(_tools(store, web)["WebSearch_Tool"], question="What is the minimax?", k=1)
    assert str(message.content).startswith(r"**[W1] [Minimax \[wiki\]](https://a.example/m)**")
    assert message.artifact == [RESULT]
    assert web.asked == [("What is the minimax?", "en")]
    nothing = _call(_tools(store, ScriptedWeb())["WebSearch_Tool"], question="¿Qué es?")
    assert (nothing.content, nothing.artifact) == ("The web search found nothing.", [])


def test_an_agent_without_web_search_has_two_tools(store: NearestStore) -> None:
    tools = course_tools(_agent(store, None))
    assert [tool.name for tool in tools] == ["RAG_Fixed_Tool", "RAG_Sem_Tool"]


@pytest.mark.parametrize(
    "question",
    [
        "¿Cómo se calcula el gradiente del error?",
        "En la semana 8, ¿qué se recalcula?",
        "¿Qué se vio de árboles el 15 de septiembre?",
        "¿Qué se dice en la semana 3?",
    ],
)
def test_the_notes_are_searched_as_an_answer_searches_them(
    indexed: Workspace, question: str
) -> None:
    options = {"engine": "extractive", "embedder": {"kind": "bundled", "precision": "float32"}}
    config = load_config(indexed.root, {}, options)
    embedder, _why = make_embedder(config)
    with open_course(config, find_course(config), embedder) as store:
        agent = make_agent(config, store, embedder)
        tools = {tool.name: tool for tool in course_tools(agent)}
        for name, strategy in (
            ("RAG_Fixed_Tool", Strategy.FIXED),
            ("RAG_Sem_Tool", Strategy.SEMANTIC),
        ):
            events = list(answer(question, replace(agent, strategy=strategy)))
            retrieved = [hit for e in events if isinstance(e, Retrieved) for hit in e.hits]
            hits = _call(tools[name], question=question).artifact
            assert [hit.chunk.id for hit in hits] == [hit.chunk.id for hit in retrieved[: agent.k]]
            assert [hit.retrievers for hit in hits] == [
                hit.retrievers for hit in retrieved[: agent.k]
            ]


def test_failures_are_told_to_the_model(hits: list[Hit], store: NearestStore) -> None:
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
    store: NearestStore, arguments: dict[str, object]
) -> None:
    for tool in _tools(store, web := ScriptedWeb(RESULT)).values():
        assert _call(tool, **arguments).status == "error"
    assert (store.asked, web.asked) == ([], [])


def _asks(name: str, question: str) -> AIMessage:
    call = {"name": name, "args": {"question": question}, "id": name, "type": "tool_call"}
    return AIMessage(content="", tool_calls=[call])


def test_langchains_agent_uses_the_three_tools(store: NearestStore) -> None:
    from langchain.agents import create_agent

    script = [
        _asks("RAG_Fixed_Tool", "¿Qué es una red neuronal?"),
        _asks("RAG_Sem_Tool", MINIMAX),
        _asks("WebSearch_Tool", "valid minimax"),
        AIMessage("Minimax [1]."),
    ]
    with serpapi() as double:
        web = SerpApi(WebConfig.model_validate({"api_key": GOOD_KEY, "url": double.url}))
        tools = course_tools(_agent(store, web, 1))
        model = ToolCaller(messages=iter(script))
        ended = create_agent(model, tools).invoke({"messages": [HumanMessage(MINIMAX)]})
    results = [message for message in ended["messages"] if isinstance(message, ToolMessage)]
    assert model.bound[:3] == ["RAG_Fixed_Tool", "RAG_Sem_Tool", "WebSearch_Tool"]
    assert TEXTS["redes.pdf"] in str(results[0].content)
    assert results[1].artifact[0].source.path == "juegos.pdf"
    assert "**[W1] [Transformer" in str(results[2].content)
    assert ended["messages"][-1].content == "Minimax [1]."
    assert list(turns_from_messages(ended["messages"])) == [Turn(MINIMAX, MINIMAX, "Minimax [1].")]
