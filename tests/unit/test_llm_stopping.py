"""Stopping really stops the server, except where that would throw a half-loaded model away."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from tests.ollama_double import Model, OllamaDouble, Reply, ollama_double
from tutor.config import OllamaConfig
from tutor.events import Stage, Token, Waiting
from tutor.llm import OllamaChat, OllamaServer
from tutor.model import Message

MESSAGES = (Message("user", "¿Qué es una red?"),)
PATIENCE_S = 10
SLOW = {"slow": Model(Reply(reading_s=3600.0), load_s=3600.0)}


@pytest.fixture
def server() -> Iterator[OllamaDouble]:
    with ollama_double() as double:
        yield double


@pytest.fixture(autouse=True)
def _no_thread_stays() -> Iterator[None]:
    yield
    for thread in threading.enumerate():
        if thread.name.startswith("ollama"):
            thread.join(PATIENCE_S)
            assert not thread.is_alive()


def _chat(server: OllamaDouble, model: str) -> OllamaChat:
    return OllamaChat(OllamaConfig(host=server.host, model=model, num_ctx=4096))


def _wait_for(stream: Iterator[object], stage: Stage) -> None:
    event = next(stream)
    while not (isinstance(event, Waiting) and event.stage is stage):
        event = next(stream)


def test_closing_in_mid_answer_stops_the_server(server: OllamaDouble) -> None:
    stream = _chat(server, "endless").stream(MESSAGES)
    while not isinstance(next(stream), Token):
        pass
    stream.close()
    assert server.abandoned.wait(PATIENCE_S)
    assert not any(thread.name == "ollama" for thread in threading.enumerate())


def test_closing_while_the_prompt_is_read_stops_the_server() -> None:
    with ollama_double(models=SLOW) as server:
        stream = _chat(server, "slow").stream(MESSAGES)
        _wait_for(stream, Stage.LOADING)
        server.finish_loading.set()
        _wait_for(stream, Stage.READING)
        stream.close()
        assert not any(thread.name == "ollama" for thread in threading.enumerate())
        assert server.abandoned.wait(PATIENCE_S)
        assert not server.aborted.is_set()


def test_closing_while_the_model_loads_lets_it_load_and_then_stops(server: OllamaDouble) -> None:
    chat = _chat(server, "loads-forever")
    stream = chat.stream(MESSAGES)
    _wait_for(stream, Stage.LOADING)
    stream.close()
    assert not server.abandoned.wait(1.5)
    server.finish_loading.set()
    next_answer = [event for event in chat.stream(MESSAGES) if isinstance(event, Token)]
    assert next_answer
    assert not server.aborted.is_set()


def test_a_stopped_load_is_not_followed_by_an_answer_that_nobody_wants() -> None:
    with ollama_double(models=SLOW) as server:
        stream = _chat(server, "slow").stream(MESSAGES)
        _wait_for(stream, Stage.LOADING)
        stream.close()
        server.finish_loading.set()
        assert server.abandoned.wait(PATIENCE_S)
        assert not server.aborted.is_set()
        assert server.loads == [("slow:latest", 4096)]


def test_a_stream_that_was_never_asked_for_sends_nothing(server: OllamaDouble) -> None:
    _chat(server, "good").stream(MESSAGES).close()
    assert server.requests == []


def test_a_finished_answer_leaves_nobody(server: OllamaDouble) -> None:
    assert list(_chat(server, "good").stream(MESSAGES))
    assert not server.abandoned.is_set()


def test_closing_a_pull_ends_it(server: OllamaDouble) -> None:
    progress = OllamaServer(OllamaConfig(host=server.host)).pull("huge")
    next(progress)
    progress.close()
    assert server.abandoned.wait(PATIENCE_S)
