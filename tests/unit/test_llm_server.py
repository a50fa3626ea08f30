"""What a server has, and what its models can do."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC

import pytest

from tests.ollama_double import Model, OllamaDouble, ollama_double
from tutor.config import OllamaConfig
from tutor.errors import EngineError
from tutor.llm import OllamaChat, OllamaServer
from tutor.model import Message


@pytest.fixture
def server() -> Iterator[OllamaDouble]:
    models = {"good": Model(), "embeds": Model(capabilities=("embedding",), context=512)}
    with ollama_double(models=models) as double:
        yield double


@pytest.fixture
def ollama(server: OllamaDouble) -> OllamaServer:
    return OllamaServer(OllamaConfig(host=server.host))


def test_its_models_are_listed_with_what_they_are(ollama: OllamaServer) -> None:
    good, embeds = ollama.models()
    assert (good.name, embeds.name) == ("good:latest", "embeds:latest")
    assert good.size == 397_821_319
    assert (good.parameters, good.quantization) == ("630.17M", "Q4_K_M")
    assert good.modified is not None
    assert good.modified.tzinfo == UTC


def test_a_model_is_in_memory_once_it_was_asked(server: OllamaDouble, ollama: OllamaServer) -> None:
    assert ollama.running() == ()
    list(OllamaChat(OllamaConfig(host=server.host, model="good")).stream((Message("user", "a"),)))
    (running,) = ollama.running()
    assert (running.name, running.context_tokens) == ("good:latest", 8192)
    assert running.size > 0


def test_a_model_tells_what_it_can_do(ollama: OllamaServer) -> None:
    good, embeds = ollama.show("good"), ollama.show("embeds:latest")
    assert good.chats
    assert "embedding" not in good.capabilities
    assert (good.context_tokens, good.parameters) == (32768, 630167424)
    assert embeds.capabilities == {"embedding"}
    assert not embeds.chats
    with pytest.raises(EngineError, match="`absent` is not on the Ollama server"):
        ollama.show("absent")


def test_an_old_server_that_tells_no_capabilities_is_taken_at_its_word() -> None:
    with ollama_double(models={"old": Model(capabilities=(), context=0)}) as server:
        info = OllamaServer(OllamaConfig(host=server.host)).show("old")
    assert info.chats
    assert info.context_tokens == 0


def test_a_fetched_model_is_there(server: OllamaDouble, ollama: OllamaServer) -> None:
    chat = OllamaChat(OllamaConfig(host=server.host, model="new"))
    assert chat.why_not() is not None
    progress = list(ollama.pull("new"))
    assert progress[0].status == "pulling manifest"
    assert progress[-1].status == "success"
    layers = [one for one in progress if one.total]
    assert layers[-1].completed == layers[-1].total == 491_400_064
    assert [one.completed for one in layers] == sorted(one.completed for one in layers)
    assert chat.why_not() is None


def test_a_model_is_known_by_its_short_name_and_its_tag(server: OllamaDouble) -> None:
    for name in ("good", "good:latest"):
        assert OllamaChat(OllamaConfig(host=server.host, model=name)).why_not() is None
    missing = OllamaChat(OllamaConfig(host=server.host, model="good:7b")).why_not()
    assert missing is not None
    assert "pull good:7b" in missing.remedy


def test_a_model_that_only_embeds_is_refused_before_it_is_asked(server: OllamaDouble) -> None:
    error = OllamaChat(OllamaConfig(host=server.host, model="embeds")).why_not()
    assert error is not None
    assert "cannot chat" in error.message


def test_its_version(ollama: OllamaServer) -> None:
    assert ollama.version() == "0.33.0"


def test_a_proxy_of_the_environment_is_not_asked_for_this_machine(
    ollama: OllamaServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    assert ollama.models()
