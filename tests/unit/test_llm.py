"""The chat model over HTTP: what is sent, and a message with a remedy for every failure."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.ollama_double import ANSWER, OllamaDouble, ollama_double
from tutor.config import OllamaConfig
from tutor.errors import EngineError
from tutor.llm import OllamaChat
from tutor.types import Message, Token

if TYPE_CHECKING:
    from collections.abc import Iterator

MESSAGES = (Message("system", "Eres el tutor."), Message("user", "¿Qué es una red?"))


@pytest.fixture
def server() -> Iterator[OllamaDouble]:
    with ollama_double() as double:
        yield double


def _chat(server: OllamaDouble, model: str) -> OllamaChat:
    return OllamaChat(OllamaConfig(host=server.host, model=model, num_ctx=4096))


def test_the_answer_comes_in_pieces_and_nothing_is_cut_in_silence(server: OllamaDouble) -> None:
    pieces = list(_chat(server, "good").stream(MESSAGES))
    assert len(pieces) > 5
    assert "".join(p.text for p in pieces if isinstance(p, Token)).strip() == ANSWER
    (sent,) = server.chats
    assert sent["truncate"] is False
    assert sent["shift"] is False
    assert sent["options"]["num_ctx"] == 4096
    assert sent["options"]["temperature"] == 0.2
    assert [message["role"] for message in sent["messages"]] == ["system", "user"]


def test_closing_the_stream_stops_the_server(server: OllamaDouble) -> None:
    stream = _chat(server, "endless").stream(MESSAGES)
    next(stream)
    stream.close()
    assert server.abandoned.wait(5)


def test_an_answer_that_was_cut_says_so(server: OllamaDouble) -> None:
    stream = _chat(server, "cut").stream(MESSAGES)
    reason = None
    while reason is None:
        try:
            next(stream)
        except StopIteration as end:
            reason = end.value
    assert reason == "length"


@pytest.mark.parametrize(
    ("model", "message", "remedy"),
    [
        ("dies", "broke off: an error was encountered", "restart"),
        ("hangs-up", "broke off", "Ask again"),
        ("garbage", "not Ollama", "OLLAMA_HOST"),
        ("overflow", "exceeds the available context", "num_ctx"),
        ("absent", "`absent` is not on the Ollama server", "ollama pull absent"),
    ],
)
def test_every_failure_has_its_words(
    server: OllamaDouble, model: str, message: str, remedy: str
) -> None:
    with pytest.raises(EngineError) as caught:
        list(_chat(server, model).stream(MESSAGES))
    assert message in caught.value.message
    assert remedy in caught.value.remedy
    assert "\x1b" not in str(caught.value)


def test_a_server_that_is_not_there_is_named() -> None:
    with ollama_double() as double:
        host = double.host
    error = OllamaChat(OllamaConfig(host=host)).why_not()
    assert error is not None
    assert host in error.message
    assert "ollama serve" in error.remedy


def test_a_model_is_known_by_its_short_name(server: OllamaDouble) -> None:
    assert _chat(server, "good").why_not() is None
    assert _chat(server, "good:latest").why_not() is None
    missing = _chat(server, "good:7b").why_not()
    assert missing is not None
    assert "ollama pull good:7b" in missing.remedy
