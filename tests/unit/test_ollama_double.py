"""The double behaves as the recorded server did where a test could otherwise be deceived."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.ollama_double import OllamaDouble, ollama_double

LONG = [{"role": "system", "content": "Tutor."}, {"role": "user", "content": "dato " * 1000}]
HISTORY = [*LONG, {"role": "assistant", "content": "Sí."}, {"role": "user", "content": "¿Y?"}]


@pytest.fixture
def server() -> Iterator[OllamaDouble]:
    with ollama_double() as double:
        yield double


def _chat(server: OllamaDouble, model: str, messages: Any, **more: Any) -> httpx.Response:
    body = {"model": model, "messages": messages, "options": {"num_ctx": 512}, **more}
    return httpx.post(f"{server.host}/api/chat", json=body, trust_env=False)


def _last(response: httpx.Response) -> dict[str, Any]:
    record: dict[str, Any] = json.loads(response.text.splitlines()[-1])
    return record


@pytest.mark.parametrize(
    ("model", "messages"), [("template", LONG), ("template", HISTORY), ("good", HISTORY)]
)
def test_without_truncate_false_a_long_prompt_is_cut_in_silence(
    server: OllamaDouble, model: str, messages: Any
) -> None:
    response = _chat(server, model, messages)
    assert response.status_code == 200
    assert _last(response)["prompt_eval_count"] < 512


@pytest.mark.parametrize("model", ["template", "good"])
@pytest.mark.parametrize("messages", [LONG, HISTORY])
def test_with_truncate_false_it_is_refused(server: OllamaDouble, model: str, messages: Any) -> None:
    assert _chat(server, model, messages, truncate=False).status_code == 400


def test_a_single_long_message_is_refused_by_a_native_model(server: OllamaDouble) -> None:
    response = _chat(server, "good", LONG)
    assert response.status_code == 400
    inner = json.loads(response.json()["error"])["error"]
    assert inner["type"] == "exceed_context_size_error"
    assert inner["n_prompt_tokens"] > inner["n_ctx"] == 512


def test_another_window_loads_the_model_again(server: OllamaDouble) -> None:
    short = LONG[:1]
    _chat(server, "good", short)
    _chat(server, "good", short)
    _chat(server, "good", short, options={"num_ctx": 1024})
    assert server.loads == [("good:latest", 512), ("good:latest", 1024)]


def test_only_what_is_new_of_a_prompt_takes_time(server: OllamaDouble) -> None:
    first, more = LONG[:1], [*LONG[:1], {"role": "user", "content": "palabra " * 20}]
    times = [_last(_chat(server, "good", one))["prompt_eval_duration"] for one in (more, more)]
    assert times[1] < times[0] / 10
    other = [{"role": "system", "content": "Otro."}, *more[1:]]
    assert _last(_chat(server, "good", other))["prompt_eval_duration"] > times[0] / 2
    assert _last(_chat(server, "good", first))["prompt_eval_count"] > 1


def test_an_answer_that_fills_the_window_ends_by_its_length(server: OllamaDouble) -> None:
    end = _last(_chat(server, "cut", LONG[:1], shift=False))
    assert end["done_reason"] == "length"
    assert end["prompt_eval_count"] + end["eval_count"] == 512
