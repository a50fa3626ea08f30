"""The chat model over HTTP: what is sent, what comes back, and what it is waiting for."""

from __future__ import annotations

import json
from collections.abc import Generator, Iterator
from typing import Any

import pytest

from tests.ollama_double import ANSWER, OllamaDouble, Reply, ollama_double
from tests.ollama_replies import TRAINED_CONTEXT
from tutor.config import OllamaConfig
from tutor.events import Reasoning, Stage, Token, Waiting
from tutor.llm import OllamaChat
from tutor.model import Message, Usage

MESSAGES = (Message("system", "Eres el tutor."), Message("user", "¿Qué es una red?"))


@pytest.fixture
def server() -> Iterator[OllamaDouble]:
    with ollama_double() as double:
        yield double


def _chat(server: OllamaDouble, model: str, **settings: Any) -> OllamaChat:
    values: dict[str, Any] = {"host": server.host, "model": model, "num_ctx": 4096, **settings}
    return OllamaChat(OllamaConfig(**values))


def _all(stream: Generator[Any, None, Usage]) -> tuple[list[Any], Usage]:
    events = []
    while True:
        try:
            events.append(next(stream))
        except StopIteration as end:
            return events, end.value


def _waiting(stream: Iterator[Any], n: int) -> list[Waiting]:
    """The next `n` events, which all tell that nothing is new."""
    events = [next(stream) for _n in range(n)]
    assert all(isinstance(event, Waiting) for event in events)
    return events


def _text(events: list[Any], kind: type[Token | Reasoning] = Token) -> str:
    return "".join(event.text for event in events if isinstance(event, kind))


def test_the_answer_comes_in_pieces_and_nothing_is_cut_in_silence(server: OllamaDouble) -> None:
    events, usage = _all(_chat(server, "good").stream(MESSAGES))
    assert sum(isinstance(event, Token) for event in events) > 5
    assert _text(events) == ANSWER
    assert usage.reason == "stop"
    (sent,) = server.chats
    assert sent["truncate"] is False
    assert sent["shift"] is False
    assert sent["keep_alive"] == "10m"
    assert sent["options"] == {"num_ctx": 4096, "temperature": 0.2, "num_predict": 1024}
    assert "format" not in sent
    assert [message["role"] for message in sent["messages"]] == ["system", "user"]


def test_the_server_s_own_figures_are_given_in_tokens_and_seconds(server: OllamaDouble) -> None:
    chat = _chat(server, "good")
    _events, first = _all(chat.stream(MESSAGES))
    _events, second = _all(chat.stream(MESSAGES))
    assert first.prompt_tokens == second.prompt_tokens > 5
    assert first.answer_tokens > 5
    assert first.prompt_s == pytest.approx(first.prompt_tokens * 0.005, rel=0.2)
    assert second.prompt_s < first.prompt_s / 2
    assert first.answer_s > 0


def test_an_answer_that_reaches_its_longest_length_says_so(server: OllamaDouble) -> None:
    events, usage = _all(_chat(server, "cut").stream(MESSAGES, max_tokens=7))
    assert usage.reason == "length"
    assert usage.answer_tokens == 7
    assert len(_text(events).split()) == 7


def test_an_answer_obeys_the_schema(server: OllamaDouble) -> None:
    schema = {"type": "object", "properties": {"standalone": {"type": "string"}}}
    events, _usage = _all(_chat(server, "good").stream(MESSAGES, schema=schema))
    assert set(json.loads(_text(events))) == {"standalone"}
    assert server.chats[0]["format"] == schema


@pytest.mark.parametrize("model", ["thinks", "thinks-aloud"])
def test_reasoning_is_kept_apart_from_the_answer(server: OllamaDouble, model: str) -> None:
    events, _usage = _all(_chat(server, model).stream(MESSAGES))
    assert _text(events, Reasoning).strip() == "Pienso un rato."
    assert _text(events) == ANSWER


def test_the_window_is_the_same_in_every_request(server: OllamaDouble) -> None:
    chat = _chat(server, "good")
    _all(chat.stream(MESSAGES))
    assert chat.context_tokens == 4096
    _all(chat.stream(MESSAGES, max_tokens=5))
    assert server.loads == [("good:latest", 4096)]


def test_a_window_larger_than_the_model_s_is_lowered_to_it(server: OllamaDouble) -> None:
    chat = _chat(server, "small", num_ctx=8192)
    _all(chat.stream(MESSAGES))
    assert chat.context_tokens == 2048
    assert server.chats[0]["options"]["num_ctx"] == 2048
    assert _chat(server, "good", num_ctx=10**6).context_tokens == TRAINED_CONTEXT


def test_the_window_of_a_server_that_is_not_there_is_the_configured_one() -> None:
    with ollama_double() as double:
        host = double.host
    assert OllamaChat(OllamaConfig(host=host, num_ctx=5000)).context_tokens == 5000


def test_while_the_prompt_is_read_its_length_is_told(server: OllamaDouble) -> None:
    server.memory["reads-forever:latest"] = 4096
    stream = _chat(server, "reads-forever").stream((Message("user", "x" * 2500),))
    seen = _waiting(stream, 3)
    stream.close()
    assert seen[-1].stage is Stage.READING
    assert seen[-1].tokens == 1000
    assert seen[-1].seconds > seen[1].seconds > 0


def test_loading_is_told_from_reading(server: OllamaDouble) -> None:
    stream = _chat(server, "loads-forever").stream(MESSAGES)
    assert _waiting(stream, 2)[-1].stage is Stage.LOADING
    server.finish_loading.set()
    events, _usage = _all(stream)
    assert _text(events) == ANSWER


def test_a_server_with_something_else_in_memory_is_not_said_to_be_loading(
    server: OllamaDouble,
) -> None:
    server.memory["good:latest"] = 4096
    stream = _chat(server, "loads-forever").stream(MESSAGES)
    assert _waiting(stream, 2)[-1].stage is Stage.QUEUED
    del server.memory["good:latest"]
    assert _waiting(stream, 6)[-1].stage is Stage.LOADING
    server.memory["loads-forever:latest"] = 512
    assert _waiting(stream, 6)[-1].stage is Stage.QUEUED
    server.finish_loading.set()
    stream.close()


def test_a_silence_in_mid_answer_is_told(server: OllamaDouble) -> None:
    stream = _chat(server, "goes-silent").stream(MESSAGES)
    while not isinstance(next(stream), Token):
        pass
    while not isinstance(next(stream), Waiting):
        pass
    stream.close()
    assert server.abandoned.wait(5)


def test_texts_that_utf8_cannot_carry_are_replaced() -> None:
    with ollama_double(lambda messages: f"eco: {messages[-1]['content']}") as server:
        question = Message("user", "raro \ud800 fin \u2028\u0085.")
        events, _usage = _all(_chat(server, "good").stream((question,)))
    assert _text(events) == "eco: raro ? fin \u2028\u0085."


def test_a_test_may_write_the_answers() -> None:
    with ollama_double(lambda messages: Reply(str(len(messages)), thinking="Cuento.")) as server:
        events, _usage = _all(_chat(server, "good").stream(MESSAGES))
    assert _text(events) == "2"
    assert _text(events, Reasoning) == "Cuento."
