"""The chat model against a real server."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tutor.errors import EngineError
from tutor.llm import OllamaChat
from tutor.types import Message, Token

if TYPE_CHECKING:
    from tutor.config import OllamaConfig

QUESTION = (
    Message("system", "Responde en español con una sola frase."),
    Message("user", "¿De qué color es el cielo despejado de día?"),
)


def test_an_answer_comes_in_several_pieces(ollama: OllamaConfig) -> None:
    pieces = list(OllamaChat(ollama).stream(QUESTION))
    assert len(pieces) > 1
    assert "".join(p.text for p in pieces if isinstance(p, Token)).strip()


def test_a_closed_stream_leaves_the_server_ready(ollama: OllamaConfig) -> None:
    endless = Message("user", "Cuenta de uno en uno hasta mil, con palabras.")
    stream = OllamaChat(ollama).stream((endless,))
    next(stream)
    stream.close()
    assert list(OllamaChat(ollama).stream(QUESTION))


def test_an_answer_that_is_cut_says_so(ollama: OllamaConfig) -> None:
    short = ollama.model_copy(update={"num_predict": 4})
    endless = Message("user", "Cuenta de uno en uno hasta mil, con palabras.")
    stream = OllamaChat(short).stream((endless,))
    reason = None
    while reason is None:
        try:
            next(stream)
        except StopIteration as end:
            reason = end.value
    assert reason == "length"


def test_a_model_that_is_not_there_is_named(ollama: OllamaConfig) -> None:
    absent = ollama.model_copy(update={"model": "no-such-model:0b"})
    with pytest.raises(EngineError, match="no-such-model:0b") as caught:
        list(OllamaChat(absent).stream(QUESTION))
    assert "ollama pull no-such-model:0b" in caught.value.remedy


def test_a_prompt_that_is_too_long_is_refused_and_not_cut(ollama: OllamaConfig) -> None:
    long = Message("user", "dato " * 6000)
    with pytest.raises(EngineError) as caught:
        list(OllamaChat(ollama).stream((long,)))
    assert "num_ctx" in caught.value.remedy
