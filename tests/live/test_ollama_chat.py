"""The chat model against a real server."""

from __future__ import annotations

import json
import time
from collections.abc import Generator
from typing import TYPE_CHECKING, Any

import pytest

from tutor.errors import ContextOverflowError, EngineError
from tutor.events import Stage, Token, Waiting
from tutor.listening import tagged
from tutor.llm import OllamaChat, OllamaServer
from tutor.model import Message, Usage

if TYPE_CHECKING:
    from tutor.config import OllamaConfig

QUESTION = (
    Message("system", "Responde en español con una sola frase."),
    Message("user", "¿De qué color es el cielo despejado de día?"),
)
ENDLESS = (Message("user", "Cuenta de uno en uno hasta mil, con palabras."),)


def _all(stream: Generator[Any, None, Usage]) -> tuple[str, Usage]:
    text = ""
    while True:
        try:
            event = next(stream)
        except StopIteration as end:
            return text, end.value
        text += event.text if isinstance(event, Token) else ""


def _after_the_first_token(stream: Generator[Any, None, Usage]) -> None:
    while not isinstance(next(stream), Token):
        pass


def test_an_answer_comes_in_several_pieces_with_the_server_s_figures(ollama: OllamaConfig) -> None:
    pieces = []
    stream = OllamaChat(ollama).stream(QUESTION)
    while True:
        try:
            pieces.append(next(stream))
        except StopIteration as end:
            usage = end.value
            break
    assert sum(isinstance(piece, Token) for piece in pieces) > 1
    assert usage.prompt_tokens > 10
    assert usage.answer_tokens > 1
    assert usage.answer_s > 0


def test_a_closed_stream_leaves_the_server_free_for_the_next_question(ollama: OllamaConfig) -> None:
    chat = OllamaChat(ollama.model_copy(update={"num_predict": 1500}))
    _all(chat.stream(QUESTION, max_tokens=1))
    _text, alone = _all(chat.stream(ENDLESS, max_tokens=8))
    stream = chat.stream(ENDLESS)
    _after_the_first_token(stream)
    stream.close()
    asked = time.monotonic()
    _text, usage = _all(chat.stream(QUESTION, max_tokens=8))
    queued = time.monotonic() - asked - usage.load_s - usage.prompt_s - usage.answer_s
    # Requests to one model queue: had the server gone on, the answer of up to 1500 tokens would
    # have been waited for.
    assert queued < 1500 * alone.answer_s / max(1, alone.answer_tokens) / 2


def test_a_model_that_was_asked_is_in_memory_with_our_window(ollama: OllamaConfig) -> None:
    chat = OllamaChat(ollama)
    _all(chat.stream(QUESTION, max_tokens=1))
    running = {tagged(model.name): model for model in OllamaServer(ollama).running()}
    assert running[tagged(ollama.model)].context_tokens in {0, chat.context_tokens}


def test_the_second_request_does_not_load_the_model_again(ollama: OllamaConfig) -> None:
    chat = OllamaChat(ollama)
    _all(chat.stream(QUESTION, max_tokens=1))
    stages = set()
    stream = chat.stream(ENDLESS, max_tokens=1)
    for event in stream:
        if isinstance(event, Waiting):
            stages.add(event.stage)
    assert Stage.LOADING not in stages


def test_an_unchanged_beginning_is_not_read_again(ollama: OllamaConfig) -> None:
    chat = OllamaChat(ollama)
    # Another beginning each time: a server may still know the one of a run before.
    boxes = " ".join(f"La caja {n} pesa {7 * n % 11} kilos." for n in range(60))
    notes = Message("user", f"Lista {time.time_ns()}. {boxes}")
    _text, first = _all(chat.stream((*QUESTION[:1], notes), max_tokens=1))
    _text, second = _all(chat.stream((*QUESTION[:1], notes, QUESTION[1]), max_tokens=1))
    assert second.prompt_tokens > first.prompt_tokens
    # Reading time per token tells that only what is new was read.
    assert second.prompt_s / second.prompt_tokens < first.prompt_s / first.prompt_tokens


def test_an_answer_that_is_cut_says_so(ollama: OllamaConfig) -> None:
    _text, usage = _all(OllamaChat(ollama).stream(ENDLESS, max_tokens=4))
    assert usage.reason == "length"
    assert usage.answer_tokens <= 4


def test_an_answer_obeys_a_schema(ollama: OllamaConfig) -> None:
    schema = {
        "type": "object",
        "properties": {"color": {"type": "string"}, "seguro": {"type": "boolean"}},
        "required": ["color", "seguro"],
    }
    text, _usage = _all(OllamaChat(ollama).stream(QUESTION, schema=schema))
    record = json.loads(text)
    assert isinstance(record["color"], str)
    assert isinstance(record["seguro"], bool)


def test_a_model_that_is_not_there_is_named(ollama: OllamaConfig) -> None:
    absent = ollama.model_copy(update={"model": "no-such-model:0b"})
    with pytest.raises(EngineError, match="no-such-model:0b") as caught:
        list(OllamaChat(absent).stream(QUESTION))
    assert "pull no-such-model:0b" in caught.value.remedy


@pytest.mark.parametrize(
    "messages",
    [
        (Message("user", "dato " * 6000),),
        (
            *(
                Message(role, "dato número " * 300)
                for _turn in range(8)
                for role in ("user", "assistant")
            ),
            QUESTION[1],
        ),
    ],
    ids=["one long message", "a long history"],
)
def test_a_prompt_that_is_too_long_is_refused_and_not_cut(
    ollama: OllamaConfig, messages: tuple[Message, ...]
) -> None:
    chat = OllamaChat(ollama)
    with pytest.raises(ContextOverflowError) as caught:
        list(chat.stream(messages))
    assert caught.value.context_tokens in {0, chat.context_tokens}
    assert caught.value.prompt_tokens == 0 or caught.value.prompt_tokens > chat.context_tokens


def test_the_server_tells_what_it_has_and_what_it_can_do(ollama: OllamaConfig) -> None:
    server = OllamaServer(ollama)
    assert server.version()
    entry = next(m for m in server.models() if tagged(m.name) == tagged(ollama.model))
    assert entry.size > 0
    assert entry.parameters
    info = server.show(ollama.model)
    assert info.chats
    assert info.context_tokens >= 512
    assert info.parameters > 10**8
