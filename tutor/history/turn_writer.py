"""Saves a turn while its answer is made, and ends the turns of processes that were killed."""

from __future__ import annotations

import re
import sqlite3
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import datetime

from tutor.database import Database
from tutor.errors import SessionError
from tutor.history.answer_json import encoded
from tutor.history.liveness import Writer
from tutor.history.rows import SO_FAR
from tutor.history.sessions import TurnState
from tutor.history.texts import storable, title_of
from tutor.i18n import _
from tutor.model import Answer, Ending, Route

_SENTENCE_END = re.compile(r"[.!?…。]['\"»”’)\]*_]*\s|\n")
_LONGEST_WAIT_S = 0.5
_RETRY_S = 5.0
"""Pause after a write that failed: each further one may wait for the file as long again."""
_STATES = {
    Ending.COMPLETE: TurnState.COMPLETE,
    Ending.LENGTH: TurnState.COMPLETE,
    Ending.STOPPED: TurnState.STOPPED,
    Ending.BROKEN: TurnState.BROKEN,
}
_INTERRUPTED = f"SELECT id, writer, {SO_FAR} FROM turns t WHERE state = 'writing'"  # noqa: S608


class TurnWriter(AbstractContextManager["TurnWriter"]):
    """Writes one turn of a session; leaving it as a context ends what was not ended as broken.

    Every method raises `SessionError` where the file cannot be written. The answer goes on
    regardless: pieces that could not be written go with a later one, all of them with `finish`.
    """

    def __init__(
        self,
        database: Database,
        turn: int,
        now: Callable[[], datetime],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.turn = turn
        self._database = database
        self._now = now
        self._clock = clock
        self._unwritten = ""
        self._written: list[str] = []
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
        tail = self._unwritten[-8:] + text
        self._unwritten += text
        due = self._clock() >= self._next_write
        if self._unwritten and (due or (not self._failed and _SENTENCE_END.search(tail))):
            self._flush()

    def finish(self, answer: Answer) -> None:
        """Save an answer with its sources: all of it, or what came before it was stopped."""
        self._end(
            _STATES[answer.ending],
            answer.text,
            record=encoded(answer),
            route=answer.route,
            abstained=int(answer.abstained),
        )

    def abandon(self, ending: Ending) -> None:
        """End the turn without sources, with the tokens so far."""
        self._end(_STATES[ending], "".join(self._written) + self._unwritten)

    def _flush(self) -> None:
        try:
            with self._database.writing() as connection:
                self._set(connection, state=TurnState.WRITING)
                connection.execute(
                    "INSERT INTO pieces VALUES (?, ?, ?)",
                    (self.turn, len(self._written), storable(self._unwritten)),
                )
        except SessionError:
            self._failed = True
            self._next_write = self._clock() + _RETRY_S
            raise
        self._failed = False
        self._written.append(self._unwritten)
        self._unwritten = ""
        self._next_write = self._clock() + _LONGEST_WAIT_S

    def _end(self, state: TurnState, text: str, **columns: object) -> None:
        if self._ended:
            raise SessionError(_("This turn is already saved."))
        ended = self._now().isoformat()
        with self._database.writing() as connection:
            self._set(connection, **columns, state=state, answer=storable(text), ended=ended)
            connection.execute("DELETE FROM pieces WHERE turn = ?", (self.turn,))
            connection.execute(
                "UPDATE sessions SET updated = ?"
                " WHERE number = (SELECT session FROM turns WHERE id = ?)",
                (ended, self.turn),
            )
        self._ended = True

    def _set(self, connection: sqlite3.Connection, **columns: object) -> None:
        names = ", ".join(f"{name} = ?" for name in columns)
        changed = connection.execute(
            f"UPDATE turns SET {names} WHERE id = ?",  # noqa: S608 - the names are ours
            (*columns.values(), self.turn),
        )
        if not changed.rowcount:
            raise SessionError(
                _("The conversation was removed while its answer was being written."),
                _("Ask again in a new conversation."),
            )


def insert_turn(
    connection: sqlite3.Connection, session: int, question: str, writer: str, now: str
) -> int:
    """Begin a turn and give the session its title, if it has none yet. Returns the turn's id."""
    asked = storable(question)
    turn: int = connection.execute(
        "INSERT INTO turns (session, ordinal, question, standalone, state, writer, created)"
        " SELECT ?, coalesce(max(ordinal), 0) + 1, ?, ?, ?, ?, ? FROM turns WHERE session = ?"
        " RETURNING id",
        (session, asked, asked, TurnState.WRITING, writer, now, session),
    ).fetchone()[0]
    connection.execute(
        "UPDATE sessions SET title = ? WHERE number = ? AND title = ''", (title_of(asked), session)
    )
    connection.execute("UPDATE sessions SET updated = ? WHERE number = ?", (now, session))
    return turn


def settle(database: Database, writer: Writer) -> None:
    """End the turns of killed processes as broken, with what had been written of their answers.

    Raises `SessionError`.
    """
    with database.reading() as connection:
        names = {name for _turn, name, _text in connection.execute(_INTERRUPTED)}
    dead = {name for name in names if not writer.is_alive(name)}
    if not dead:
        return
    with database.writing() as connection:
        # Read again: others may have settled them, or ended them in their last moment.
        for turn, name, text in connection.execute(_INTERRUPTED).fetchall():
            if name in dead:
                connection.execute(
                    "UPDATE turns SET state = ?, answer = ? WHERE id = ?",
                    (TurnState.BROKEN, text, turn),
                )
                connection.execute("DELETE FROM pieces WHERE turn = ?", (turn,))
