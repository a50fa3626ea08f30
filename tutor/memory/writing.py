"""Saves a turn while its answer is made."""

from __future__ import annotations

import json
import re
import time
from typing import TYPE_CHECKING

from tutor.errors import SessionError
from tutor.i18n import _
from tutor.memory.records import answer_record
from tutor.memory.saved import TurnState
from tutor.memory.texts import folded, storable
from tutor.types import Ending

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable
    from datetime import datetime
    from types import TracebackType
    from typing import Self

    from tutor.memory.database import Database
    from tutor.types import Answer, Route

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


class TurnWriter:
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

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if not self._ended:
            self.abandon(Ending.BROKEN)

    def routed(self, route: Route, rule: str) -> None:
        """Save where the question went, and by which rule."""
        self._update(
            {"route": route.value, "rule": storable(rule), "strategy": route.strategy or None}
        )

    def rewritten(self, standalone: str) -> None:
        """Save the question as it is searched for."""
        self._update({"standalone": storable(standalone)})

    def token(self, text: str) -> None:
        """Take the next piece of the answer; it is saved with the end of its sentence.

        A piece that comes half a second after the last write is saved at once. A killed process
        loses the sentence that was being written, at most.
        """
        tail = self._unwritten[-8:] + text
        self._unwritten += text
        due = self._clock() >= self._next_write
        if due or (not self._failed and _SENTENCE_END.search(tail)):
            self._flush()

    def finish(self, answer: Answer) -> None:
        """Save the finished answer with its sources."""
        record = answer_record(answer)
        self._end(
            _STATES[answer.ending],
            record["text"],
            {
                "record": json.dumps(record, ensure_ascii=False),
                "route": answer.route.value,
                "model": record["model"],
                "abstained": int(answer.abstained),
            },
        )

    def abandon(self, ending: Ending, text: str | None = None) -> None:
        """End the turn without sources; `text` is the answer so far, if not all the tokens."""
        so_far = "".join(self._written) + self._unwritten
        self._end(_STATES[ending], storable(so_far if text is None else text), {})

    def _flush(self) -> None:
        text, ordinal = self._unwritten, len(self._written)
        if not text:
            return
        try:
            with self._database.writing() as connection:
                self._must_exist(connection)
                connection.execute(
                    "INSERT INTO pieces VALUES (?, ?, ?)", (self.turn, ordinal, storable(text))
                )
        except SessionError:
            self._failed = True
            self._next_write = self._clock() + _RETRY_S
            raise
        self._failed = False
        self._written.append(text)
        self._unwritten = ""
        self._next_write = self._clock() + _LONGEST_WAIT_S

    def _end(self, state: TurnState, text: str, columns: dict[str, object]) -> None:
        if self._ended:
            raise SessionError(_("This turn is already saved."))
        ended = self._now().isoformat()
        with self._database.writing() as connection:
            self._must_exist(connection)
            _set(connection, self.turn, {**columns, "state": state, "answer": text, "ended": ended})
            connection.execute("DELETE FROM pieces WHERE turn = ?", (self.turn,))
            connection.execute(
                "UPDATE searched SET folded = folded || char(10) || ? WHERE turn = ?",
                (folded(text), self.turn),
            )
            connection.execute(
                "UPDATE sessions SET updated = ?"
                " WHERE number = (SELECT session FROM turns WHERE id = ?)",
                (ended, self.turn),
            )
        self._ended = True

    def _update(self, columns: dict[str, object]) -> None:
        with self._database.writing() as connection:
            self._must_exist(connection)
            _set(connection, self.turn, columns)

    def _must_exist(self, connection: sqlite3.Connection) -> None:
        if not connection.execute("SELECT 1 FROM turns WHERE id = ?", (self.turn,)).fetchone():
            raise SessionError(
                _("The conversation was removed while its answer was being written."),
                _("Ask again in a new conversation."),
            )


def _set(connection: sqlite3.Connection, turn: int, columns: dict[str, object]) -> None:
    names = ", ".join(f"{name} = ?" for name in columns)
    connection.execute(
        f"UPDATE turns SET {names} WHERE id = ?",  # noqa: S608 - the names are ours
        (*columns.values(), turn),
    )
