"""Cards that a model writes, in the terminal: kept one by one, and stopped at any moment."""

from __future__ import annotations

import json
import signal
import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.ollama_double import Model, OllamaDouble, Reply, ollama_double
from tests.writing import QUESTIONS, written
from tutor.errors import ExitCode

if TYPE_CHECKING:
    from tests.course import Workspace

MODELS = {"writer": Model(), "embeds": Model(capabilities=("embedding",), context=512)}


@pytest.fixture
def server() -> Iterator[OllamaDouble]:
    with ollama_double(written, MODELS) as double:
        yield double


def _with(server: OllamaDouble, model: str = "writer") -> dict[str, str]:
    return {"TUTOR_OLLAMA_HOST": server.host, "TUTOR_OLLAMA_MODEL": model}


def test_cards_are_written_once(indexed: Workspace, server: OllamaDouble) -> None:
    done = indexed.run_here("cards", "write", "--json", **_with(server))
    assert done.returncode == 0, done.stderr
    first = json.loads(done.stdout)
    assert (first["model"], first["kept"], first["left"]) == ("writer", len(QUESTIONS), 0)
    assert first["known"] == 1  # of the bare definition
    of_model = [card for card in indexed.json_here("cards", "list") if card["model"]]
    assert {card["back"] for card in of_model} == {
        "los datos con preguntas sobre sus atributos.",
        "el gradiente del error respecto de cada peso mediante la regla de la cadena.",
    }
    assert {card["week"] for card in of_model} == {7, 9}
    assert all(card["first_page"] for card in of_model)
    asked = len(server.chats)
    again = indexed.run_here("cards", "write", **_with(server))
    assert again.returncode == 0
    assert "nothing left" in again.stderr
    assert len(server.chats) == asked


def test_what_is_dropped_is_told(indexed: Workspace) -> None:
    with ollama_double(lambda _messages: "no question", MODELS) as mute:
        told = indexed.run_here("cards", "write", "--json", **_with(mute))
    first = json.loads(told.stdout)
    assert (first["kept"], first["dropped"]) == (0, {"unusable": len(QUESTIONS)})
    assert first["written"] == len(QUESTIONS)


def test_cards_survive_that_others_are_made_anew(indexed: Workspace, server: OllamaDouble) -> None:
    indexed.run_here("cards", "write", **_with(server))
    made = indexed.json_here("cards", "make")
    assert (made["added"], made["stale"]) == (0, 0)


def test_a_deleted_card_is_not_written_again(indexed: Workspace, server: OllamaDouble) -> None:
    indexed.run_here("cards", "write", **_with(server))
    before = {card["id"] for card in indexed.json_here("cards", "list") if card["model"]}
    indexed.run_here("study", "--topic", "árbol", typed="d\nq\n")
    with ollama_double(written, {"other": Model()}) as other:
        told = indexed.run_here("cards", "write", "--json", **_with(other, "other"))
    assert json.loads(told.stdout)["kept"] == 0
    after = {card["id"] for card in indexed.json_here("cards", "list") if card["model"]}
    assert after < before


def test_only_the_notes_that_were_chosen_are_sent(indexed: Workspace, server: OllamaDouble) -> None:
    indexed.run_here("cards", "write", "--week", "7", "--limit", "1", **_with(server))
    texts = " ".join(body["messages"][-1]["content"] for body in server.chats)
    assert server.chats
    assert "retropropagación" not in texts


def test_cards_can_be_written_of_the_notes_in_one_language(
    indexed: Workspace, server: OllamaDouble
) -> None:
    done = indexed.run_here("cards", "write", "--language", "en", **_with(server))
    assert "nothing left" in done.stderr
    assert server.chats == []


@pytest.mark.parametrize("model", ["absent", "embeds"])
def test_a_model_that_cannot_write_is_told_before_anything_is_sent(
    indexed: Workspace, server: OllamaDouble, model: str
) -> None:
    done = indexed.run_here("cards", "write", **_with(server, model))
    assert done.returncode == ExitCode.ENGINE
    assert "→" in done.stderr
    assert server.chats == []


def test_without_a_server_nothing_is_lost(indexed: Workspace, server: OllamaDouble) -> None:
    indexed.run_here("cards", "write", **_with(server))
    before = indexed.json_here("cards", "list")
    done = indexed.run_here("cards", "write", TUTOR_OLLAMA_HOST="http://127.0.0.1:9")
    assert done.returncode == ExitCode.ENGINE
    assert "127.0.0.1:9" in done.stderr
    assert indexed.json_here("cards", "list") == before


def test_a_model_that_goes_away_leaves_what_it_wrote(indexed: Workspace) -> None:
    kept = threading.Event()

    def answer(messages: list[dict[str, str]]) -> str | Reply:
        if kept.is_set():
            return Reply("{", end="hang up")
        kept.set()  # the first card is complete
        return written(messages)

    with ollama_double(answer, MODELS) as server:
        done = indexed.run_here("cards", "write", "--json", **_with(server))
    assert done.returncode == ExitCode.ENGINE
    told = json.loads(done.stdout)
    assert told["kept"] == 1
    assert told["left"] >= 1
    assert sum(bool(card["model"]) for card in indexed.json_here("cards", "list")) == 1


def test_ctrl_c_keeps_what_was_written_and_goes_on_from_there(indexed: Workspace) -> None:
    silent, released = threading.Event(), threading.Event()
    done_once = threading.Event()

    def answer(messages: list[dict[str, str]]) -> str | Reply:
        if done_once.is_set() and not released.is_set():
            silent.set()
            return Reply("{", end="silence")
        done_once.set()
        return written(messages)

    with ollama_double(answer, MODELS) as server:
        process = indexed.start("cards", "write", "--json", typing=False, **_with(server))
        assert silent.wait(60)
        process.send_signal(signal.SIGINT)
        output, _errors = process.communicate(timeout=60)
        assert process.returncode == ExitCode.INTERRUPTED
        assert json.loads(output)["kept"] == 1
        assert server.abandoned.wait(10)
        released.set()
        rest = json.loads(indexed.run_here("cards", "write", "--json", **_with(server)).stdout)
    assert rest["kept"] == len(QUESTIONS) - 1
    assert sum(bool(c["model"]) for c in indexed.json_here("cards", "list")) == len(QUESTIONS)


def test_a_card_of_a_model_is_reviewed_with_its_author(
    indexed: Workspace, server: OllamaDouble
) -> None:
    indexed.run_here("cards", "write", **_with(server))
    done = indexed.run_here("study", "--topic", "retropropagación", typed="\n3\nq\n")
    assert "written by writer" in done.stdout


def test_an_exam_does_not_ask_what_is_answered_in_own_words(
    indexed: Workspace, server: OllamaDouble
) -> None:
    indexed.run_here("cards", "write", **_with(server))
    done = indexed.run_here("exam", typed="\n" * 20)
    assert all(asked not in done.stdout for asked in QUESTIONS.values())
