"""Saves a turn while its answer is made, and ends the turns of processes that were killed.

A turn that is being written has a lock file, which its process holds: the system lets go of the
lock at any death. Process numbers would say it less surely: they are used again, and another
machine may share the folder.
"""

from __future__ import annotations

import re
import sqlite3
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from datetime import datetime
from pathlib import Path

from filelock import FileLock, Timeout

from tutor.database import Database
from tutor.errors import SessionError
from tutor.history.rows import SO_FAR, encoded, title_following
from tutor.history.sessions import TurnState
from tutor.i18n import _
from tutor.model import Answer, Ending, Route
from tutor.text.terminal import storable

_SENTENCE_END = re.compile(r"[.!?…。]['\"»”’)\]*_]*\s|\n")
_LONGEST_WAIT_S = 0.5
_RETRY_S = 5.0
"""Pause after a write that failed: each further one may wait for the file as long again."""


class TurnWriter(AbstractContextManager["TurnWriter"]):
    """Writes one turn of a session; leaving it as a context ends what was not ended as broken.

    Every method raises `SessionError` where the file cannot be written. The answer goes on
    regardless: pieces that could not be written go with a later one, all of them with `finish`.
    `lock` is held until the turn has ended.
    """

    def __init__(
        self,
        database: Database,
        turn: int,
        lock: FileLock,
        now: Callable[[], datetime],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.turn = turn
        self._database = database
        self._lock = lock
        self._now = now
        self._clock = clock
        self._text = ""
        self._pieces = self._written = 0
        self._next_write = clock() + _LONGEST_WAIT_S
        self._failed = False
        self._ended = False

    def __exit__(self, *_error: object) -> None:
        if not self._ended:
            self.abandon(Ending.BROKEN)

    def routed(self, route: Route, rule: str) -> None:
        """Save where the question went, and by which rule."""
        with self._database.writing() as connection:
            self._set(connection, route=route, rule=storable(rule))

    def rewritten(self, standalone: str) -> None:
        """Save the question as it is searched for."""
        with self._database.writing() as connection:
            self._set(connection, standalone=storable(standalone))

    def token(self, text: str) -> None:
        """Take the next piece of the answer; it is saved with the end of its sentence.

        A piece that comes half a second after the last write is saved at once. A killed process
        loses the sentence that was being written, at most.
        """
        self._text += text
        unwritten = self._text[self._written :]
        due = self._clock() >= self._next_write
        if not unwritten or not (due or (not self._failed and _SENTENCE_END.search(unwritten))):
            return
        try:
            with self._database.writing() as connection:
                self._set(connection, state=TurnState.WRITING)
                piece = (self.turn, self._pieces, storable(unwritten))
                connection.execute("INSERT INTO pieces VALUES (?, ?, ?)", piece)
        except SessionError:
            self._failed = True
            self._next_write = self._clock() + _RETRY_S
            raise
        self._failed = False
        self._pieces, self._written = self._pieces + 1, len(self._text)
        self._next_write = self._clock() + _LONGEST_WAIT_S

    def finish(self, answer: Answer) -> None:
        """Save an answer with its sources: all of it, or what came before it was stopped."""
        self._end(
            answer.ending,
            answer.text,
            record=encoded(answer),
            route=answer.route,
            abstained=int(answer.abstained),
        )

    def abandon(self, ending: Ending) -> None:
        """End the turn without sources, with the tokens so far."""
        self._end(ending, self._text)

    def _end(self, ending: Ending, text: str, **columns: object) -> None:
        if self._ended:
            raise SessionError(_("This turn is already saved."))
        state = TurnState.COMPLETE if ending is Ending.LENGTH else TurnState(ending.value)
        ended = self._now().isoformat()
        with self._database.writing() as connection:
            of_turn = connection.execute("SELECT session FROM turns WHERE id = ?", (self.turn,))
            number = (of_turn.fetchone() or (0,))[0]
            with title_following(connection, number):
                self._set(connection, **columns, state=state, answer=storable(text), ended=ended)
            connection.execute("DELETE FROM pieces WHERE turn = ?", (self.turn,))
            connection.execute("UPDATE sessions SET updated = ? WHERE number = ?", (ended, number))
        self._ended = True
        _remove(self._lock)

    def _set(self, connection: sqlite3.Connection, **columns: object) -> None:
        names = ", ".join(f"{name} = ?" for name in columns)
        changed = connection.execute(
            f"UPDATE turns SET {names} WHERE id = ?",  # noqa: S608 - the names are ours
            (*columns.values(), self.turn),
        )
        if not changed.rowcount:
            _remove(self._lock)
            raise SessionError(
                _("The conversation was removed while its answer was being written."),
                _("Ask again in a new conversation."),
            )


def begin_turn(
    database: Database, connection: sqlite3.Connection, session: int, question: str, now: str
) -> tuple[int, FileLock]:
    """Begin a turn, which gives the session its title, if it has none yet.

    Returns the turn's id and its lock, which is held. Raises `OSError`.
    """
    asked = storable(question)
    with title_following(connection, session):
        turn: int = connection.execute(
            "INSERT INTO turns (session, ordinal, question, standalone, state, created)"
            " SELECT ?, coalesce(max(ordinal), 0) + 1, ?, ?, ?, ? FROM turns WHERE session = ?"
            " RETURNING id",
            (session, asked, asked, TurnState.WRITING, now, session),
        ).fetchone()[0]
    connection.execute("UPDATE sessions SET updated = ? WHERE number = ?", (now, session))
    lock = _lock(database, turn)
    if database.path.exists():  # the lock would make a folder again that was taken away
        lock.acquire()
    return turn, lock


def settle(database: Database) -> None:
    """End the turns of killed processes as broken, with what had been written of their answers.

    Raises `SessionError`.
    """
    with database.reading() as connection:
        writing = connection.execute("SELECT id FROM turns WHERE state = 'writing'").fetchall()
    with database.reported():
        dead = [(turn,) for (turn,) in writing if not _is_alive(database, turn)]
    if dead:
        with database.writing() as connection:
            # The state again: others may have ended them in the meantime.
            connection.executemany(
                f"UPDATE turns AS t SET state = 'broken', answer = {SO_FAR}"  # noqa: S608 - ours
                " WHERE id = ? AND state = 'writing'",
                dead,
            )
            connection.executemany("DELETE FROM pieces WHERE turn = ?", dead)


def _is_alive(database: Database, turn: int) -> bool:
    """Whether a process is still writing this turn."""
    lock = _lock(database, turn)
    if not Path(lock.lock_file).exists():
        return False
    try:
        lock.acquire()
    except Timeout:
        return True
    _remove(lock)
    return False


def _lock(database: Database, turn: int) -> FileLock:
    # Released by whichever thread ends the turn.
    path = database.path.with_name(f"{database.path.name}.{turn}.lock")
    return FileLock(path, timeout=0, mode=0o600, thread_local=False)


def _remove(lock: FileLock) -> None:
    lock.release()
    with suppress(OSError):
        Path(lock.lock_file).unlink(missing_ok=True)
