"""Every way in which a server can fail has its own words and its own remedy."""

from __future__ import annotations

import json
import re
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.ollama_double import ANSWER, Model, OllamaDouble, Reply, ollama_double
from tests.ollama_replies import UNREACHABLE, line
from tutor.config import OllamaConfig
from tutor.errors import ContextOverflowError, EngineError
from tutor.events import Reasoning, Token, Waiting
from tutor.llm import OllamaChat, OllamaServer
from tutor.llm.failures import broke_off
from tutor.model import Message

KEYS = (
    *("error", "message", "content", "thinking", "done", "done_reason", "eval_count", "n_ctx"),
    *("n_prompt_tokens", "prompt_eval_duration", "load_duration", "type", "code", "status"),
)
MESSAGES = (Message("system", "Eres el tutor."), Message("user", "¿Qué es una red?"))


@pytest.fixture
def server() -> Iterator[OllamaDouble]:
    with ollama_double() as double:
        yield double


def _settings(host: str, model: str = "good", **settings: Any) -> OllamaConfig:
    values: dict[str, Any] = {"host": host, "model": model, "num_ctx": 4096, **settings}
    return OllamaConfig(**values)


def _failure(host: str, model: str = "good", **settings: Any) -> tuple[str, EngineError]:
    """What came before the failure, and the failure."""
    texts: list[str] = []
    stream = OllamaChat(_settings(host, model, **settings)).stream(MESSAGES)
    with pytest.raises(EngineError) as caught:
        texts.extend(event.text for event in stream if isinstance(event, Token))
    return "".join(texts), caught.value


@contextmanager
def _raw_server(*sent: bytes) -> Iterator[str]:
    """Something that answers each connection with fixed bytes, whatever it is asked."""
    listener = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        for data in sent:
            client, _address = listener.accept()
            with client:
                client.recv(65536)
                client.sendall(data)

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        thread.join(5)
        listener.close()


@pytest.mark.parametrize(
    ("model", "message", "remedy"),
    [
        ("dies", "dies broke off: an error was encountered", "restart"),
        ("hangs-up", "ended before the answer", "Ask again"),
        ("garbage", "not Ollama", "OLLAMA_HOST"),
        ("half-a-record", "not Ollama", "OLLAMA_HOST"),
        ("fails", r"failed with the model fails \(500\): unexpected EOF", "log"),
        ("absent", "`absent` is not on the Ollama server", "tutor pull absent"),
        ("embeds", "`embeds` cannot chat", "tutor models"),
    ],
)
def test_every_failure_has_its_words(
    server: OllamaDouble, model: str, message: str, remedy: str
) -> None:
    _text, error = _failure(server.host, model)
    assert re.search(message, error.message), error.message
    assert remedy in error.remedy
    assert "\x1b" not in str(error)


@pytest.mark.parametrize("model", ["dies", "hangs-up"])
def test_what_came_before_the_failure_is_kept(server: OllamaDouble, model: str) -> None:
    text, _error = _failure(server.host, model)
    assert text == ANSWER


def test_a_tag_that_was_held_back_comes_before_the_failure() -> None:
    with ollama_double(lambda _messages: Reply("<thi", end="error")) as server:
        text, _error = _failure(server.host)
    assert text == "<thi"


@pytest.mark.parametrize(("model", "lengths"), [("good", (674, 512)), ("template", (0, 0))])
def test_a_prompt_that_is_too_long_is_told_with_its_lengths(
    server: OllamaDouble, model: str, lengths: tuple[int, int]
) -> None:
    messages = (Message("user", "x" * 2014),)
    with pytest.raises(ContextOverflowError, match="longer than the") as caught:
        list(OllamaChat(_settings(server.host, model, num_ctx=512)).stream(messages))
    assert (caught.value.prompt_tokens, caught.value.context_tokens) == lengths
    assert "num_ctx" in caught.value.remedy


def test_an_overflow_that_is_only_said_in_words_is_understood() -> None:
    said = "request (2378 tokens) exceeds the available context size (1024 tokens), try"
    replies = {"old": Model(Reply(status=400, text=said))}
    with ollama_double(models=replies) as server:
        _text, error = _failure(server.host, "old")
    assert isinstance(error, ContextOverflowError)
    assert (error.prompt_tokens, error.context_tokens) == (2378, 1024)


def test_a_server_that_is_not_there_is_named() -> None:
    with ollama_double() as double:
        host = double.host
    for error in (_failure(host)[1], OllamaChat(_settings(host)).why_not()):
        assert error is not None
        assert host in error.message
        assert "ollama serve" in error.remedy


@pytest.mark.parametrize("model", ["reads-forever", "goes-silent"])
def test_a_server_that_hangs_is_left(server: OllamaDouble, model: str) -> None:
    _text, error = _failure(server.host, model, silence_timeout_s=0.5)
    assert "no sign of life for 0.5 s" in error.message
    assert "silence_timeout_s" in error.remedy
    assert server.abandoned.wait(5)


def test_a_server_that_refuses_foreign_names_says_how_to_reach_it(server: OllamaDouble) -> None:
    server.foreign_host = "localhost"
    _text, error = _failure(server.host.replace("127.0.0.1", "localhost"))
    assert "refuses requests addressed to http://localhost" in error.message
    assert "OLLAMA_HOST=0.0.0.0" in error.remedy


def test_a_redirection_is_not_followed_but_told(server: OllamaDouble) -> None:
    server.redirect_to = "https://login.example/"
    _text, error = _failure(server.host)
    assert "leads elsewhere: https://login.example/" in error.message
    assert "OLLAMA_HOST" in error.remedy
    assert server.requests == []


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"SSH-2.0-OpenSSH_9.6\r\n", "ended before the answer"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]", "not Ollama"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n\xff\xfe{not it", "not Ollama"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n" + b"[" * 5000, "not Ollama"),
        (b"HTTP/1.1 404 Not Found\r\nContent-Length: 18\r\n\r\n404 page not found", "not Ollama"),
        (b'HTTP/1.1 400 Bad\r\nContent-Length: 14\r\n\r\n{"error":null}', "400"),
        (b"", "ended before the answer"),
    ],
)
def test_what_is_no_ollama_is_told(data: bytes, message: str) -> None:
    with _raw_server(data) as host:
        error = OllamaChat(_settings(host)).why_not()
    assert error is not None
    assert message in error.message
    assert error.remedy


@pytest.mark.parametrize(
    ("model", "message", "remedy"),
    [
        ("nowhere", "no model `nowhere` in the Ollama library", "ollama.com/library"),
        ("offline", UNREACHABLE, "needs the internet"),
    ],
)
def test_a_pull_that_fails_says_why(
    server: OllamaDouble, model: str, message: str, remedy: str
) -> None:
    with pytest.raises(EngineError) as caught:
        list(OllamaServer(_settings(server.host)).pull(model))
    assert message in caught.value.message
    assert remedy in caught.value.remedy


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda below: (
        st.lists(below, max_size=3) | st.dictionaries(st.sampled_from(KEYS), below, max_size=4)
    ),
    max_leaves=8,
)


@given(JSON, st.booleans())
def test_any_error_of_any_shape_becomes_words(error: object, nested: bool) -> None:
    said = json.dumps({"error": error}) if nested else error
    failure = broke_off("good", {"error": said})
    assert failure.remedy
    assert failure.message.isprintable()


def test_records_of_any_shape_end_in_an_answer_or_in_words(server: OllamaDouble) -> None:
    chat = OllamaChat(_settings(server.host, "strange"))

    @given(st.lists(st.dictionaries(st.sampled_from(KEYS), JSON), max_size=3))
    def check(records: list[dict[str, Any]]) -> None:
        raw = b"".join(line(record) for record in records)
        server.models["strange:latest"] = Model(Reply(raw=raw or b"\n"))
        with suppress(EngineError):
            for event in chat.stream(MESSAGES):
                assert isinstance(event, Token | Reasoning | Waiting)
                if not isinstance(event, Waiting):
                    event.text.encode()

    check()
