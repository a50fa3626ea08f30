"""A file that cannot be used is named with what to do, and is never harmed."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
from contextlib import closing
from pathlib import Path
from typing import cast

import pytest

from tests.passages import make_hit
from tutor.database import Database, is_foreign
from tutor.errors import SessionError
from tutor.history import SessionStore, TurnState
from tutor.history.schema import KIND, VERSION, migrate
from tutor.history.turn_writer import TurnWriter
from tutor.model import Answer, Citation, Ending, Route

REPO = Path(__file__).resolve().parents[2]


def answer(text: str) -> Answer:
    hit = make_hit("Sí.")
    return Answer(text, (Citation(0, len(text), hit, 0, 3, 1, 1, 1.0),), False, Route.FIXED, "m")


def filled(path: Path) -> str:
    """A file with one conversation of one turn."""
    with SessionStore(path) as store:
        session = store.create("ia", "es").id
        store.begin_turn(session, "¿Qué?").finish(answer("Sí."))
    return session


def refused(path: Path, words: str) -> None:
    """Opening fails with a remedy, and the file is byte for byte what it was."""
    before = path.read_bytes()
    with pytest.raises(SessionError, match=words) as caught:
        SessionStore(path)
    assert caught.value.remedy
    assert path.read_bytes() == before


def test_a_file_that_is_no_database_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "sessions.db"
    path.write_text("apuntes que alguien guardó aquí " * 50)
    refused(path, "broken")


def test_a_truncated_file_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "sessions.db"
    filled(path)
    path.write_bytes(path.read_bytes()[:3000])
    refused(path, "broken")


def test_pages_that_are_overwritten_are_reported_where_they_are_read(tmp_path: Path) -> None:
    path = tmp_path / "sessions.db"
    session = filled(path)
    with closing(sqlite3.connect(path)) as connection:
        (size,) = connection.execute("PRAGMA page_size").fetchone()
        (page,) = connection.execute(
            "SELECT rootpage FROM sqlite_master WHERE name = 'sessions'"
        ).fetchone()
    content = path.read_bytes()
    damaged = content[: (page - 1) * size] + b"\xa5" * size + content[page * size :]
    path.write_bytes(damaged)
    with SessionStore(path) as store:
        with pytest.raises(SessionError, match="broken"):
            store.sessions()
        with pytest.raises(SessionError, match="broken"):
            store.begin_turn(session, "¿Y?")
    assert path.read_bytes() == damaged


class _OvertakenConnection:
    """A connection to an empty file that another process fills right after the first question."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._connection = sqlite3.connect(path, isolation_level=None)

    def execute(self, statement: str) -> sqlite3.Cursor:
        (value,) = self._connection.execute(statement).fetchone()
        if not self._path.stat().st_size:
            with closing(sqlite3.connect(self._path, isolation_level=None)) as other:
                other.execute("BEGIN")
                migrate(other)
                other.execute("COMMIT")
        return self._connection.execute("SELECT ?", (value,))


def test_a_file_that_another_process_begins_just_now_is_ours(tmp_path: Path) -> None:
    connection = _OvertakenConnection(tmp_path / "sessions.db")
    assert not is_foreign(cast("sqlite3.Connection", connection), KIND)
    assert not is_foreign(cast("sqlite3.Connection", connection), KIND)


def test_another_programs_database_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "sessions.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE sessions (id)")
    refused(path, "another program")


def test_a_newer_schema_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "sessions.db"
    filled(path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA user_version = {VERSION + 1}")
    refused(path, "newer version")


def test_a_record_that_is_damaged_leaves_the_rest_of_the_conversation(tmp_path: Path) -> None:
    path = tmp_path / "sessions.db"
    session = filled(path)
    with SessionStore(path) as store:
        store.begin_turn(session, "¿Y?").finish(answer("También."))
    for record in ("{", "[]", '{"text": "Sí."}', "[" * 100_000):
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.execute("UPDATE turns SET record = ? WHERE ordinal = 1", (record,))
        with SessionStore(path) as store:
            first, second = store.turns(session)
            assert (first.text, first.answer, second.text) == ("Sí.", None, "También.")
            assert second.answer is not None
            assert "Sí." in store.export_markdown(session)


def test_a_folder_in_the_place_of_the_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(SessionError, match=str(tmp_path)) as caught:
        SessionStore(tmp_path)
    assert "stores_dir" in caught.value.remedy


def test_a_file_in_the_place_of_the_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "stores").write_text("")
    with pytest.raises(SessionError, match="stores"):
        SessionStore(tmp_path / "stores" / "sessions.db")


def test_a_file_that_somebody_keeps_locked_is_said_to_be(tmp_path: Path) -> None:
    path = tmp_path / "sessions.db"
    filled(path)
    database = Database(path, KIND, wait_s=0.05)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(SessionError, match="Another program"), database.writing():
            pass
    with database.writing() as connection:
        connection.execute("UPDATE sessions SET title = 'ya'")
    database.close()


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timer sends a signal there")
def test_a_signal_that_falls_into_the_begin_of_a_write_leaves_the_file_usable(
    tmp_path: Path,
) -> None:
    path = tmp_path / "sessions.db"
    filled(path)

    def end(_number: int, _frame: object) -> None:
        raise SystemExit

    former = signal.signal(signal.SIGALRM, end)
    other = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    with closing(other), closing(Database(path, KIND)) as database:
        other.execute("BEGIN IMMEDIATE")  # the next one waits, in a call that no signal ends
        freed = threading.Timer(0.5, other.execute, ["ROLLBACK"])
        freed.start()
        try:
            signal.setitimer(signal.ITIMER_REAL, 0.2)
            with pytest.raises(SystemExit), database.writing():
                pass
        finally:
            signal.signal(signal.SIGALRM, former)
            freed.join()
        with database.writing() as connection:
            connection.execute("UPDATE sessions SET title = 'Después'")
    with SessionStore(path) as store:
        assert [one.title for one in store.sessions()] == ["Después"]


def test_a_full_disk_loses_nothing_that_was_saved(tmp_path: Path) -> None:
    path = tmp_path / "sessions.db"
    session = filled(path)
    with SessionStore(path) as store:
        writer = store.begin_turn(session, "¿Y?")
        writer.token("Primera frase. ")
        with store.reading() as connection:
            (pages,) = connection.execute("PRAGMA page_count").fetchone()
            connection.execute(f"PRAGMA max_page_count = {pages}").fetchone()
        with pytest.raises(SessionError, match="full") as caught:
            writer.token("larga " * 20_000 + ".\n")
        assert "room" in caught.value.remedy
        writer.token("Sigue. ")  # within the pause after a failure nothing is tried again
        with pytest.raises(SessionError, match="full"):
            writer.finish(answer("larga " * 20_000))
        first, second = store.turns(session)
        assert (first.text, second.text) == ("Sí.", "Primera frase. ")
        with store.reading() as connection:
            connection.execute("PRAGMA max_page_count = 1000000").fetchone()
        writer.finish(answer("larga " * 20_000))
        assert store.turns(session)[1].state is TurnState.COMPLETE


def test_what_could_not_be_written_goes_with_a_later_piece(tmp_path: Path) -> None:
    path = tmp_path / "sessions.db"
    session = filled(path)
    times = iter([0.0, 0.1, 0.1, 1.0, 6.0, 6.0])
    with SessionStore(path) as store:
        begun = store.begin_turn(session, "¿Y?")
        turn, database = begun.turn, Database(path, KIND, wait_s=0.05)
        writer = TurnWriter(database, turn, begun._lock, store._now, lambda: next(times))
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(SessionError):
                writer.token("Una. ")
            writer.token("Dos. ")
        assert store.turn(turn).text == ""
        writer.token("Tres")
        assert store.turn(turn).text == "Una. Dos. Tres"
        writer.abandon(Ending.STOPPED)
        database.close()


READ_ONLY = """
import os, sys
from pathlib import Path
from tutor.errors import SessionError
from tutor.history import SessionStore, rows
rows._adapter(rows.Answer)  # loads what is loaded late: another user may not reach Python itself
if os.getuid() == 0:
    os.setuid(65534)  # root may write anywhere
with SessionStore(Path(sys.argv[1])) as store:
    print([turn.text for turn in store.turns(sys.argv[2])])
    for attempt in (
        lambda: store.begin_turn(sys.argv[2], "?"),
        lambda: store.rename(sys.argv[2], "x"),
    ):
        try:
            attempt()
        except SessionError as error:
            print(bool(error.remedy))
"""


@pytest.mark.parametrize("mode", [0o555, 0o755])
def test_a_read_only_file_can_still_be_read(mode: int) -> None:
    folder = Path(tempfile.mkdtemp())  # not tmp_path: its parents are closed to other users
    try:
        session = filled(folder / "sessions.db")
        (folder / "sessions.db").chmod(0o444)
        folder.chmod(mode)
        done = subprocess.run(
            [sys.executable, "-B", "-c", READ_ONLY, folder / "sessions.db", session],
            env={**os.environ, "PYTHONPATH": str(REPO), "TUTOR_LANG": "en"},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.stdout == "['Sí.']\nTrue\nTrue\n", done.stderr
    finally:
        folder.chmod(0o755)
        shutil.rmtree(folder)
