"""`tutor models` and `tutor pull` as a user runs them."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.course import Workspace
from tests.ollama_double import Model, OllamaDouble, ollama_double
from tutor.config import OllamaConfig
from tutor.llm import OllamaChat, PullProgress
from tutor.model import Message
from tutor.presentation.amounts import pull_text


@pytest.fixture
def server() -> Iterator[OllamaDouble]:
    models = {"good": Model(), "embeds": Model(capabilities=("embedding",), context=512)}
    with ollama_double(models=models) as double:
        yield double


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return Workspace(tmp_path)


def _address(server: OllamaDouble, model: str = "good") -> dict[str, str]:
    return {"TUTOR_OLLAMA_HOST": server.host, "TUTOR_OLLAMA_MODEL": model}


def test_the_models_are_listed_with_what_is_in_memory(
    workspace: Workspace, server: OllamaDouble
) -> None:
    chat = OllamaChat(OllamaConfig(host=server.host, model="good"))
    list(chat.stream((Message("user", "hola"),)))
    done = workspace.run_here("models", **_address(server))
    assert done.returncode == 0, done.stderr
    heading, good, embeds = done.stdout.splitlines()
    assert heading.split() == "Model Size Parameters Quantization Context Memory".split()
    assert good.split() == "* good:latest 398 MB 630.17M Q4_K_M 32768 796 MB".split()
    assert embeds.split() == "embeds:latest 398 MB 630.17M Q4_K_M 512 -".split()
    assert done.stderr == ""


def test_a_configured_model_that_is_missing_is_told(
    workspace: Workspace, server: OllamaDouble
) -> None:
    done = workspace.run_here("models", **_address(server, "absent"))
    assert done.returncode == 0
    assert "good:latest" in done.stdout
    assert "tutor pull absent" in done.stderr


def test_names_from_the_server_cannot_steer_the_terminal(workspace: Workspace) -> None:
    with ollama_double(models={"\x1b[31mrojo\u202e": Model()}) as server:
        done = workspace.run_here("models", **_address(server))
    assert "rojo" in done.stdout
    assert "\x1b" not in done.stdout
    assert "\u202e" not in done.stdout


def test_without_a_name_the_configured_model_is_fetched(
    workspace: Workspace, server: OllamaDouble
) -> None:
    done = workspace.run_here("pull", **_address(server, "new"))
    assert done.returncode == 0, done.stderr
    assert "new:latest" in server.models
    assert "TUTOR_OLLAMA_MODEL" not in done.stderr


@pytest.mark.parametrize(
    ("model", "words"),
    [
        ("nowhere", "no model `nowhere` in the Ollama library"),
        ("offline", "network is unreachable"),
    ],
)
def test_a_pull_that_fails_says_why(
    workspace: Workspace, server: OllamaDouble, model: str, words: str
) -> None:
    done = workspace.run_here("pull", model, **_address(server))
    assert done.returncode == 6
    assert words in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_an_interrupted_pull_stops_the_server_and_leaves_quietly(
    workspace: Workspace, server: OllamaDouble
) -> None:
    process = workspace.start("pull", "huge", typing=False, **_address(server))
    assert process.stderr is not None
    first = process.stderr.readline()
    process.send_signal(signal.SIGINT)
    _out, rest = process.communicate(timeout=60)
    assert "huge" in first
    assert process.returncode == 130
    assert "Traceback" not in rest
    assert server.abandoned.wait(10)


@pytest.mark.parametrize(
    ("step", "text"),
    [
        (PullProgress("pulling manifest"), "new: pulling manifest"),
        (PullProgress("pulling a", 1_100_000_000, 2_000_000_000), "new: 1.1 GB of 2.0 GB (55 %)"),
        (PullProgress("pulling a", 9, 3), "new: 9 B of 3 B (100 %)"),
        (PullProgress("pulling a", 0, 5_200), "new: 0 B of 5 kB (0 %)"),
        (PullProgress("pulling a", 0, 3 * 10**12), "new: 0 B of 3.0 TB (0 %)"),
    ],
)
def test_progress_is_told_in_people_s_units(step: PullProgress, text: str) -> None:
    assert pull_text("new", step) == text
