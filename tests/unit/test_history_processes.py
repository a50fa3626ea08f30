"""Conversations outlive the processes that write them, and are shared by those that live."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tutor.history import SessionStore, TurnState
from tutor.model import Ending

REPO = Path(__file__).resolve().parents[2]
BEGIN = """
import sys
from pathlib import Path
from tutor.history import SessionStore
store = SessionStore(Path(sys.argv[1]))
writer = store.begin_turn(sys.argv[2], "¿Qué es A*?")
"""
SAY = (
    BEGIN
    + """
for piece in ["A* es una ", "búsqueda informada.", " Usa una ", "heurística.\\n", "Es com"]:
    writer.token(piece)
print("said", flush=True)
sys.stdin.read()
"""
)
SAY_WITHOUT_END = (
    BEGIN
    + """
print("said", flush=True)
for number in range(10**9):
    writer.token(f"Frase {number}. ")
"""
)
ASK_OFTEN = """
import sys
from pathlib import Path
from tutor.history import SessionStore
from tutor.model import Ending
store = SessionStore(Path(sys.argv[1]))
print("said", flush=True)
sys.stdin.read(1)
for number in range(40):
    with store.begin_turn(sys.argv[2], f"{sys.argv[3]} {number}") as writer:
        writer.token(f"Respuesta {number}. Y ")
        writer.token("nada más.\\n")
        writer.abandon(Ending.STOPPED)
store.close()
"""


@contextmanager
def running(code: str, *arguments: object) -> Iterator[subprocess.Popen[str]]:
    """A process that has come as far as to say so; killed at the end, if it still runs."""
    with subprocess.Popen(
        [sys.executable, "-c", code, *map(str, arguments)],
        env={**os.environ, "PYTHONPATH": str(REPO)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        try:
            assert process.stdout.readline() == "said\n"
            yield process
        finally:
            process.kill()


def new_session(path: Path) -> str:
    with SessionStore(path) as store:
        return store.create("default", "es").id


def test_a_killed_process_loses_only_the_sentence_it_was_writing(tmp_path: Path) -> None:
    path = tmp_path / "sessions.db"
    session = new_session(path)
    with running(SAY, path, session) as process, SessionStore(path) as store:
        (turn,) = store.turns(session)
        assert turn.state is TurnState.WRITING
        process.send_signal(signal.SIGKILL)
        process.wait()
        (turn,) = store.turns(session)
        said = "A* es una búsqueda informada. Usa una heurística.\n"
        assert (turn.state, turn.text) == (TurnState.BROKEN, said)
        assert [found.id for found in store.sessions(search="heuristica informada")] == [session]
        assert store.history(session) == []
    assert [file.name for file in tmp_path.iterdir()] == ["sessions.db"]


def test_a_process_killed_in_the_middle_of_a_write_tears_nothing(tmp_path: Path) -> None:
    path = tmp_path / "sessions.db"
    session = new_session(path)
    for number in range(1, 6):
        with running(SAY_WITHOUT_END, path, session) as process:
            process.send_signal(signal.SIGKILL)
            process.wait()
        with SessionStore(path) as store:
            turns = store.turns(session)
        assert [turn.state for turn in turns] == [TurnState.BROKEN] * number
        sentences = turns[-1].text.split(". ")
        assert sentences[:-1] == [f"Frase {said}" for said in range(len(sentences) - 1)]
    connection = sqlite3.connect(path)
    assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert connection.execute("SELECT count(*) FROM pieces").fetchone() == (0,)
    connection.close()


def test_an_answer_that_another_process_writes_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "sessions.db"
    session = new_session(path)
    with running(SAY, path, session), SessionStore(path) as store:
        with store.begin_turn(session, "¿Y a la vez?") as writer:
            writer.token("También.")
            writer.abandon(Ending.STOPPED)
        first, second = store.turns(session)
        assert (first.state, second.state) == (TurnState.WRITING, TurnState.STOPPED)


def test_two_processes_write_to_one_session_at_once(tmp_path: Path) -> None:
    path = tmp_path / "sessions.db"
    session = new_session(path)
    with (
        running(ASK_OFTEN, path, session, "uno") as one,
        running(ASK_OFTEN, path, session, "dos") as two,
    ):
        for process in (one, two):
            assert process.stdin is not None
            process.stdin.write("!")
            process.stdin.close()
        assert (one.wait(), two.wait()) == (0, 0)
    with SessionStore(path) as store:
        turns = store.turns(session)
    assert [turn.ordinal for turn in turns] == list(range(1, 81))
    for name in ("uno", "dos"):
        own = [turn for turn in turns if turn.question.startswith(name)]
        assert [turn.text for turn in own] == [f"Respuesta {n}. Y nada más.\n" for n in range(40)]


def test_many_processes_may_begin_the_same_file(tmp_path: Path) -> None:
    code = """
import sys
from pathlib import Path
from tutor.history import SessionStore
print("said", flush=True)
sys.stdin.read(1)
with SessionStore(Path(sys.argv[1])) as store:
    store.create("default", "es")
"""
    path = tmp_path / "stores" / "sessions.db"
    with running(code, path) as a, running(code, path) as b, running(code, path) as c:
        for process in (a, b, c):
            assert process.stdin is not None
            process.stdin.write("!")
            process.stdin.close()
        assert [process.wait() for process in (a, b, c)] == [0, 0, 0]
    with SessionStore(path) as store:
        assert len(store.sessions()) == 3
