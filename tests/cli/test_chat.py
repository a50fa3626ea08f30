"""A conversation in the terminal, as its user types it."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests import pdfs
from tests.course import COMMAND
from tests.ollama_double import ollama_double
from tutor.history import SessionStore, TurnState

if TYPE_CHECKING:
    from tests.course import Workspace


def _one_line(text: str) -> str:
    return " ".join(text.split())


@pytest.fixture
def endless(indexed: Workspace) -> Iterator[tuple[subprocess.Popen[str], object]]:
    """A conversation with a model that never ends its answer."""
    with ollama_double() as server:
        address = {"TUTOR_OLLAMA_HOST": server.host, "TUTOR_OLLAMA_MODEL": "endless"}
        process = indexed.start("chat", typing=True, PYTHONUNBUFFERED="1", **address)
        try:
            yield process, server
        finally:
            process.kill()
            process.communicate()


def _type(process: subprocess.Popen[str], line: str) -> None:
    assert process.stdin is not None
    process.stdin.write(line + "\n")
    process.stdin.flush()


def _until(process: subprocess.Popen[str], text: str) -> str:
    """Read the answer up to a text; characters, since an endless answer may have no line end."""
    assert process.stdout is not None
    seen = ""
    while text not in seen:
        piece = process.stdout.read(1)
        assert piece, seen
        seen += piece
    return seen


def test_a_follow_up_is_understood_and_everything_is_saved(indexed: Workspace) -> None:
    typed = "¿Qué es una red neuronal?\n¿y la retropropagación?\n/fuentes\n"
    done = indexed.run_here("chat", typed=typed)
    assert done.returncode == 0, done.stderr
    assert "Understood as: " in done.stderr
    understood = done.stderr.split("Understood as: ")[1]
    assert understood.startswith("¿Qué es una red neuronal? · ¿y la retropropagación?\n")
    assert "La retropropagación calcula" in done.stdout.split("Sources:")[1]
    assert done.stdout.count("Sources:") == 2
    (session,) = indexed.json_here("sessions")
    assert session["title"] == "¿Qué es una red neuronal?"
    assert session["turns"] == 2
    again = indexed.run_here("chat", "--resume", typed="dame un ejemplo\n")
    assert "Going on with" in again.stderr
    assert "Understood as: " in again.stderr
    (session,) = indexed.json_here("sessions")
    assert session["turns"] == 3


def test_without_a_command_the_index_is_updated_and_the_conversation_begins(
    fresh: Workspace,
) -> None:
    done = fresh.run_here(typed="¿Qué es una red neuronal?\n¿Qué mide la silueta?\n/salir\nnunca\n")
    assert done.returncode == 0, done.stderr
    assert "09_SEMANA_AI_20250929_1.pdf" in done.stdout
    assert "08_SEMANA_AI_20250922_1.pdf" in done.stdout
    assert "nunca" not in done.stdout


def test_what_is_no_text_in_the_input_is_asked_without_it(indexed: Workspace) -> None:
    """A file in Latin-1 through a pipe."""
    done = subprocess.run(
        [*COMMAND, "chat"],
        env=indexed.environment(PYTHONIOENCODING="utf-8:strict"),
        cwd=indexed.root,
        capture_output=True,
        check=False,
        input="¿Qué es la silueta?\n".encode("latin-1") + "¿Qué es un árbol?\n".encode(),
    )
    errors = done.stderr.decode()
    assert done.returncode == 0, errors
    assert "Traceback" not in errors
    assert b"08_SEMANA_AI_20250922_1.pdf" in done.stdout
    assert b"07_SEMANA_AI_20250915_1.pdf" in done.stdout


@pytest.mark.skipif(os.name == "nt", reason="a shell closes it")
def test_a_closed_input_is_at_its_end(indexed: Workspace) -> None:
    done = subprocess.run(
        ["sh", "-c", 'exec "$@" <&-', "sh", *COMMAND],
        env=indexed.environment(),
        cwd=indexed.root,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr


def test_an_index_that_cannot_be_written_is_asked_without_a_command_too(indexed: Workspace) -> None:
    """As on a disk that may only be read."""
    (indexed.store / "writer.lock").unlink()
    (indexed.store / "writer.lock").mkdir()
    done = indexed.run_here(typed="¿Qué mide la silueta?\n")
    assert done.returncode == 0, done.stderr
    assert "08_SEMANA_AI_20250922_1.pdf" in done.stdout
    assert done.stderr.count("cannot be written") == 1


def test_an_index_that_can_neither_be_written_nor_asked_is_told_once(indexed: Workspace) -> None:
    (indexed.store / "manifest.json").write_text("{")
    done = indexed.run_here(typed="¿Qué mide la silueta?\n")
    assert (done.returncode, done.stderr.count("Error: ")) == (5, 1)
    (indexed.store / "manifest.json").unlink()
    (indexed.store / "writer.lock").unlink()
    (indexed.store / "writer.lock").mkdir()
    done = indexed.run_here(typed="¿Qué mide la silueta?\n")
    assert (done.returncode, done.stderr.count("Error: ")) == (5, 1)


@pytest.fixture
def physics(indexed: Workspace) -> str:
    """A saved conversation of a second course, whose name has a blank; gives its id."""
    folder = indexed.notes / "física leve"
    folder.mkdir()
    pdfs.one_column(folder / "fuerza.pdf", ("La fuerza es el producto de masa y aceleración.",))
    assert indexed.run_here("index", "--course", folder.name).returncode == 0
    done = indexed.run_here("--course", folder.name, "chat", typed="¿Qué es la fuerza?\n")
    assert "fuerza.pdf" in done.stdout, done.stderr
    (session,) = indexed.json_here("sessions")
    return str(session["id"])


def _turns(workspace: Workspace) -> dict[str, int]:
    return {one["course"]: one["turns"] for one in workspace.json_here("sessions")}


def test_a_conversation_of_another_course_is_gone_on_with_in_its_own(
    indexed: Workspace, physics: str
) -> None:
    typed = "¿Qué es la fuerza?\n¿Qué mide la silueta?\n"
    done = indexed.run_here("chat", "--resume", physics, typed=typed)
    assert done.returncode == 0, done.stderr
    assert "fuerza.pdf" in done.stdout
    assert "SEMANA" not in done.stdout
    typed = f"¿Qué mide la silueta?\n/larga\n/abrir {physics}\n¿Qué es la fuerza?\n"
    done = indexed.run_here("chat", typed=typed)
    before, after = done.stdout.split("Sources:", 1)
    assert "silueta" in before
    assert "fuerza.pdf" in after
    assert "Questions now go to the course `física leve`." in done.stderr
    assert _turns(indexed) == {"física leve": 4, "default": 1}


def test_where_another_course_was_named_the_right_one_is_told(
    indexed: Workspace, physics: str
) -> None:
    told = f"  → Go on with it there: tutor --course 'física leve' chat --resume {physics}"
    named = ("--course", "default", "chat")
    done = indexed.run_here(*named, "--resume", physics, typed="¿Qué es la fuerza?\n")
    assert (done.returncode, done.stdout) == (1, "")
    assert told in done.stderr
    done = indexed.run_here(*named, typed=f"/abrir {physics}\n¿Qué mide la silueta?\n")
    assert told in done.stderr
    assert "08_SEMANA_AI_20250922_1.pdf" in done.stdout
    assert _turns(indexed) == {"física leve": 1, "default": 1}
    own = ("--course", unicodedata.normalize("NFD", "física leve"), "chat")
    assert indexed.run_here(*own, "--resume", physics).returncode == 0


def test_a_conversation_that_there_is_not_makes_no_file(fresh: Workspace) -> None:
    shutil.rmtree(fresh.notes)
    assert fresh.run_here("chat", "--resume", "0000").returncode == 4
    assert not (fresh.root / "stores").exists()


@pytest.mark.parametrize("mode", ["hybrid", "dense"])
def test_an_index_that_another_process_has_replaced_is_taken_up(
    indexed: Workspace, mode: str
) -> None:
    """What was chosen in the conversation stays."""
    process = indexed.start("chat", typing=True, PYTHONUNBUFFERED="1", TUTOR_RETRIEVAL_MODE=mode)
    try:
        _type(process, "/semantico")
        _type(process, "¿Qué es una red neuronal?")
        _until(process, "09_SEMANA_AI_20250929_1.pdf")
        ohm = ("La ley de Ohm dice que la corriente es la tensión entre la resistencia.",)
        pdfs.one_column(indexed.notes / "10_SEMANA_AI_20251006_1.pdf", ohm)
        assert indexed.run_here("index").returncode == 0
        output, errors = process.communicate("¿Qué dice la ley de Ohm?\n¿Qué mide la silueta?\n")
    finally:
        process.kill()
    assert process.returncode == 0, errors
    assert "Error" not in errors
    assert "10_SEMANA_AI_20251006_1.pdf" in output
    assert "08_SEMANA_AI_20250922_1.pdf" in output
    with sqlite3.connect(indexed.root / "stores" / "sessions.db") as saved:
        routes = saved.execute("SELECT route FROM turns ORDER BY rowid").fetchall()
    saved.close()
    assert routes == [("semantic",)] * 3


def test_a_command_that_there_is_not_is_told_and_no_question(indexed: Workspace) -> None:
    done = indexed.run_here("chat", typed="/ayuda2\n/hlep: me\n/zzzz\n/salir\n")
    assert "There is no command /ayuda2. Did you mean /ayuda?" in done.stderr
    assert "There is no command /hlep. Did you mean /help?" in done.stderr
    assert "There is no command /zzzz. /help lists them." in done.stderr
    assert indexed.json_here("sessions") == []  # no question was asked
    asked = (
        "/home/x/notas.txt",
        "/x + h(n)",
        "/notas /zzzz",
        "/fijo: ¿qué es k-means?",
        "/etc passwd",
    )
    assert "no command" not in indexed.run_here("chat", typed="\n".join(asked)).stderr
    (session,) = indexed.json_here("sessions")
    assert session["turns"] == 5


def test_a_failure_does_not_end_the_conversation(indexed: Workspace) -> None:
    done = indexed.run_here("chat", typed="/web\n/abrir 00000000\n¿Qué es una red neuronal?\n")
    assert done.returncode == 0
    assert "There is no question" in done.stderr
    assert "no saved conversation" in done.stderr
    assert "09_SEMANA_AI_20250929_1.pdf" in done.stdout


def _locked(path: Path) -> sqlite3.Connection:
    """The file of all conversations, in the hands of a program that does not let go."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA locking_mode = EXCLUSIVE")
    connection.execute("BEGIN EXCLUSIVE")
    return connection


def test_a_locked_file_of_conversations_costs_no_answer(indexed: Workspace) -> None:
    assert indexed.run_here("chat", typed="¿Qué es un árbol de decisión?\n").returncode == 0
    path = indexed.root / "stores" / "sessions.db"
    connection = _locked(path)
    try:
        done = indexed.run_here("chat", typed="¿Qué es una red neuronal?\n/sesiones\n")
    finally:
        connection.close()
    assert done.returncode == 0, done.stderr
    assert "09_SEMANA_AI_20250929_1.pdf" in done.stdout
    assert "not saved" in done.stderr
    assert "Another program is writing" in done.stderr
    assert "cannot be opened" in done.stderr
    (session,) = indexed.json_here("sessions")
    assert session["turns"] == 1


def test_a_full_disk_costs_no_answer(indexed: Workspace) -> None:
    """No byte can be added to any file, as where the disk is full."""
    assert indexed.run_here("chat", typed="¿Qué es un árbol de decisión?\n").returncode == 0
    typed = "¿Qué es una red neuronal?\n¿Qué mide la silueta?\n"
    (indexed.root / "question").write_text(typed, encoding="utf-8")
    script = (
        "import resource, signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))\n"
        "from tutor.cli.main import main; main(['chat'])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        env=indexed.environment(),
        cwd=indexed.root,
        capture_output=True,
        text=True,
        check=False,
        input=typed,
    )
    assert done.returncode == 0, done.stderr
    assert "09_SEMANA_AI_20250929_1.pdf" in done.stdout
    assert "08_SEMANA_AI_20250922_1.pdf" in done.stdout
    assert done.stderr.count("not saved") == 1, done.stderr
    assert "Traceback" not in done.stderr


def test_the_strategy_can_be_changed_for_one_question_or_from_now_on(indexed: Workspace) -> None:
    typed = "/fijo ¿Qué es una red neuronal?\n/fijo\n¿Qué mide la silueta?\n"
    done = indexed.run_here("chat", typed=typed)
    assert "fixed" in done.stderr
    with sqlite3.connect(indexed.root / "stores" / "sessions.db") as saved:
        turns = saved.execute("SELECT route, rule FROM turns ORDER BY rowid").fetchall()
    saved.close()
    assert turns == [("fixed", "command:/fijo"), ("fixed", "strategy")]


def test_ctrl_c_stops_the_answer_and_a_second_one_leaves(
    endless: tuple[subprocess.Popen[str], object], indexed: Workspace
) -> None:
    process, server = endless
    _type(process, "¿Qué es una red neuronal?")
    _until(process, "Aprende ajustando pesos")
    process.send_signal(signal.SIGINT)
    assert server.abandoned.wait(10)  # pyrefly: ignore[missing-attribute]
    assert process.stderr is not None
    while "Stopped" not in process.stderr.readline():
        pass
    assert process.poll() is None
    _type(process, "/fuentes")
    _until(process, "«")  # of what was written by then
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    assert process.wait(20) == 0
    with sqlite3.connect(indexed.root / "stores" / "sessions.db") as saved:
        states = saved.execute("SELECT state FROM turns").fetchall()
    saved.close()
    assert states == [("stopped",)]  # so that a follow-up still knows what it follows
    assert "«" in indexed.run_here("chat", "--resume", "last", typed="/fuentes\n").stdout
    (session,) = indexed.json_here("sessions")
    exported = indexed.run_here("sessions", "export", session["id"]).stdout
    assert "[1]" in exported
    assert "**Sources**" in exported


@pytest.mark.skipif(os.name == "nt", reason="no terminal hangs up there")
def test_an_answer_is_saved_as_stopped_where_the_terminal_is_closed(
    endless: tuple[subprocess.Popen[str], object], indexed: Workspace
) -> None:
    process, server = endless
    _type(process, "¿Qué es una red neuronal?")
    _until(process, "Aprende ajustando pesos")
    process.send_signal(signal.SIGHUP)
    assert process.wait(20) == 129
    assert server.abandoned.wait(10)  # pyrefly: ignore[missing-attribute]
    with SessionStore(indexed.root / "stores" / "sessions.db") as store:
        (turn,) = store.turns(store.sessions()[0].id)
    assert turn.state is TurnState.STOPPED
    assert turn.answer
    assert turn.answer.citations
    assert not list((indexed.root / "stores").glob("sessions.db?*"))


@pytest.mark.skipif(os.name == "nt", reason="no terminal hangs up there")
def test_under_nohup_a_closed_terminal_ends_nothing(indexed: Workspace) -> None:
    former = signal.signal(signal.SIGHUP, signal.SIG_IGN)  # as `nohup` does
    try:
        process = indexed.start("chat", typing=True, PYTHONUNBUFFERED="1")
    finally:
        signal.signal(signal.SIGHUP, former)
    _type(process, "¿Qué es una red neuronal?")
    _until(process, "09_SEMANA_AI_20250929_1.pdf")
    process.send_signal(signal.SIGHUP)
    output, _errors = process.communicate("¿Qué mide la silueta?\n")
    assert process.returncode == 0
    assert "08_SEMANA_AI_20250922_1.pdf" in output


def test_a_killed_process_loses_at_most_the_sentence_being_written(
    endless: tuple[subprocess.Popen[str], object], indexed: Workspace
) -> None:
    process, _server = endless
    _type(process, "¿Qué es una red neuronal?")
    shown = _until(process, "Aprende ajustando pesos")
    process.kill()
    process.wait()
    (session,) = indexed.json_here("sessions")
    exported = _one_line(indexed.run_here("sessions", "export", session["id"]).stdout)
    assert "Una red neuronal es un modelo formado por capas" in exported
    assert "broken off" in exported
    repeated = exported.count("Aprende ajustando pesos")
    assert repeated >= shown.count("Aprende ajustando pesos") - 1
