"""All saved conversations, in one file."""

from __future__ import annotations

import re
import secrets
import sqlite3
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path

from tutor.database import Database, utc_now
from tutor.errors import SessionError, command
from tutor.history import rows
from tutor.history.export import conversation_markdown
from tutor.history.rows import encoded
from tutor.history.schema import KIND, forget_deleted_words
from tutor.history.sessions import (
    Preference,
    SavedComparison,
    SavedTurn,
    Session,
    SessionId,
    TurnState,
)
from tutor.history.turn_writer import TurnWriter, begin_turn, settle
from tutor.i18n import _
from tutor.model import Answer, Turn
from tutor.text.terminal import one_line, storable

FILE_NAME = "sessions.db"
"""In the folder of all stores."""
KEPT_DELETED = timedelta(days=30)
"""How long a deleted conversation or turn can be brought back, at least."""
DAYS_AFTERWARDS = 3
"""On so many days after that must questions have been asked before anything is removed for good:
a clock that is years ahead for a moment, or for a day, removes nothing."""
_DUE = f"""
    gone.deleted_at < :limit
    AND (SELECT count(DISTINCT date(later.created)) FROM turns later
         WHERE date(later.created) > date(gone.deleted_at, '+{KEPT_DELETED.days} days')
               AND later.created <= :now) >= {DAYS_AFTERWARDS}
"""  # noqa: S608 - constants
_LATEST = """
    SELECT max(coalesce((SELECT max(created) FROM turns), ''),
               coalesce((SELECT max(deleted_at) FROM turns), ''),
               coalesce((SELECT max(deleted_at) FROM sessions), ''))
"""
_OWN_MARK = re.compile(r"(?:\s+|(?<=[.!?,;:)]))\[W?\d+(?:\s*,\s*W?\d+)*\]")
"""A mark that the model wrote by itself, `[1]`, not an index such as `a[1]`."""


class SessionStore(Database):
    """Conversations in one SQLite file that several threads and processes may use at once.

    A session is named by its id or by the beginning of it, as long as no other begins so.
    Every method raises `SessionError`.
    """

    def __init__(self, path: Path, *, now: Callable[[], datetime] = utc_now) -> None:
        super().__init__(path, KIND)
        self._now = now
        # Where the file cannot be written it can still be read; who writes will tidy up.
        with suppress(SessionError):
            settle(self)
            self._purge_old()

    def create(self, course: str, language: str) -> Session:
        """A new conversation, without title until its first question."""
        id_, now = secrets.token_hex(6), self._now().isoformat()
        with self.writing() as connection:
            connection.execute(
                "INSERT INTO sessions (id, course, language, created, updated)"
                " VALUES (?, ?, ?, ?, ?)",
                (id_, storable(course), storable(language), now, now),
            )
        return self.get(id_)

    def sessions(
        self, course: str | None = None, search: str | None = None, *, deleted: bool = False
    ) -> list[Session]:
        """Conversations, the one used last first; `deleted`: those that can be brought back.

        `search` finds those where all its words, or words that begin so, are in one question with
        its answer or in the title; accents and case do not matter.
        """
        name = None if course is None else storable(course)
        with self.reading() as connection:
            return rows.sessions_where(connection, name, search or "", deleted=deleted)

    def get(self, session: SessionId) -> Session:
        """The conversation with this id, or the only one whose id begins so."""
        with self.reading() as connection:
            return rows.find_session(connection, session)[1]

    def rename(self, session: SessionId, title: str) -> Session:
        """Give a title; an empty one stands for the first question."""
        named = one_line(storable(title))
        with self.writing() as connection:
            number = rows.find_session(connection, session)[0]
            named = named or rows.first_title(connection, number)
            connection.execute("UPDATE sessions SET title = ? WHERE number = ?", (named, number))
            return rows.find_session(connection, session)[1]

    def delete(self, session: SessionId) -> Session:
        """Put a conversation away; `undelete` brings it back for `KEPT_DELETED`."""
        with self.writing() as connection:
            number = rows.find_session(connection, session)[0]
            at = self._deletion_time(connection)
            connection.execute("UPDATE sessions SET deleted_at = ? WHERE number = ?", (at, number))
            return rows.find_session(connection, session, deleted=True)[1]

    def undelete(self, session: SessionId) -> Session:
        """Bring a deleted conversation back."""
        with self.writing() as connection:
            number = rows.find_session(connection, session, deleted=True)[0]
            connection.execute("UPDATE sessions SET deleted_at = NULL WHERE number = ?", (number,))
            return rows.find_session(connection, session)[1]

    def purge(self, session: SessionId) -> None:
        """Remove a conversation, deleted or not, for good."""
        with self.reading() as connection:
            number = rows.find_session(connection, session, deleted=None)[0]
        self._remove("sessions", "number", [(number,)])

    def begin_turn(self, session: SessionId, question: str) -> TurnWriter:
        """Save a question; its answer is saved through the writer."""
        now = self._now().isoformat()
        with self.writing() as connection:
            number = rows.find_session(connection, session)[0]
            turn, lock = begin_turn(self, connection, number, question, now)
        return TurnWriter(self, turn, lock, self._now)

    def turns(self, session: SessionId) -> list[SavedTurn]:
        """The turns of a conversation, oldest first."""
        with suppress(SessionError):
            settle(self)
        with self.reading() as connection:
            number, _session = rows.find_session(connection, session, deleted=None)
            return rows.turns_where(connection, "t.session = ?", number)

    def delete_turn(self, turn: int) -> None:
        """Take a question and its answer out of their conversation, which `undelete_turn` undoes
        for `KEPT_DELETED`.
        """
        with self.writing() as connection:
            _turn(connection, turn)
            _mark_turn(connection, turn, self._deletion_time(connection))

    def undelete_turn(self, session: SessionId) -> SavedTurn:
        """Bring back the turn of a conversation that was deleted last, of those still deleted."""
        with self.writing() as connection:
            number = rows.find_session(connection, session)[0]
            last = connection.execute(
                "SELECT id FROM turns WHERE session = ? AND deleted_at IS NOT NULL"
                " ORDER BY deleted_at DESC, id DESC LIMIT 1",
                (number,),
            ).fetchone()
            if last is None:
                raise SessionError(_("No deleted question of this conversation is left."))
            _mark_turn(connection, last[0], None)
            return _turn(connection, last[0])

    def turn(self, turn: int) -> SavedTurn:
        """One turn by its id."""
        with self.reading() as connection:
            return _turn(connection, turn)

    def questions(self, course: str, limit: int) -> list[str]:
        """The latest `limit` different questions of a course, oldest first."""
        with self.reading() as connection:
            latest = connection.execute(
                f"""
                SELECT t.question FROM turns t JOIN sessions s ON s.number = t.session
                WHERE {rows.IN_COURSE} AND t.deleted_at IS NULL
                GROUP BY t.question ORDER BY max(t.id) DESC LIMIT ?
                """,  # noqa: S608 - a constant
                (storable(course), max(0, limit)),
            ).fetchall()
        return [question for (question,) in reversed(latest)]

    def history(self, session: SessionId) -> list[Turn]:
        """What was asked and answered so far, for a prompt: finished and stopped answers."""
        return [
            Turn(
                question=turn.question,
                standalone=turn.standalone,
                answer=(turn.text if turn.answer else _OWN_MARK.sub("", turn.text)).strip(),
                abstained=turn.abstained,
                written=turn.answer.remembered_start if turn.answer else 0,
            )
            for turn in self.turns(session)
            if turn.state in {TurnState.COMPLETE, TurnState.STOPPED} and turn.text.strip()
        ]

    def give_feedback(self, turn: int, rating: int, comment: str = "") -> None:
        """Keep the reader's feedback on an answer; it replaces what was given before.

        `rating` is 1 (good) or -1.
        """
        if rating not in {-1, 1}:
            raise SessionError(_("A rating is 1 or -1."))
        with self.writing() as connection:
            _turn(connection, turn)
            connection.execute(
                "INSERT OR REPLACE INTO feedback (turn, rating, comment, created)"
                " VALUES (?, ?, ?, ?)",
                (turn, rating, storable(comment), self._now().isoformat()),
            )

    def withdraw_feedback(self, turn: int) -> None:
        """Forget the feedback on an answer."""
        with self.writing() as connection:
            connection.execute("DELETE FROM feedback WHERE turn = ?", (turn,))

    def add_comparison(self, session: SessionId, question: str, left: Answer, right: Answer) -> int:
        """Keep two answers to one question. Returns the comparison's id, for `choose`."""
        with self.writing() as connection:
            number = rows.find_session(connection, session)[0]
            now = self._now().isoformat()
            with rows.title_following(connection, number):
                comparison: int = connection.execute(
                    "INSERT INTO comparisons"
                    " (session, question, left_record, right_record, created)"
                    " VALUES (?, ?, ?, ?, ?) RETURNING id",
                    (number, storable(question), encoded(left), encoded(right), now),
                ).fetchone()[0]
            connection.execute("UPDATE sessions SET updated = ? WHERE number = ?", (now, number))
            return comparison

    def choose(self, comparison: int, choice: Preference | None) -> None:
        """Keep, or take back, which of two answers was better."""
        with self.writing() as connection:
            changed = connection.execute(
                "UPDATE comparisons SET choice = ? WHERE id = ?", (choice, comparison)
            ).rowcount
        if not changed:
            raise SessionError(_("There is no such comparison."))

    def comparisons(self, session: SessionId) -> list[SavedComparison]:
        """The comparisons of a conversation, oldest first."""
        with self.reading() as connection:
            number, _session = rows.find_session(connection, session, deleted=None)
            return rows.comparisons_where(connection, "c.session = ?", number)

    def feedback(self, course: str | None = None) -> tuple[list[SavedTurn], list[SavedComparison]]:
        """All answers with feedback and all comparisons, of one course or of all; oldest first."""
        name = None if course is None else storable(course)
        with self.reading() as connection:
            condition = f"f.rating IS NOT NULL AND {rows.IN_COURSE}"
            turns = rows.turns_where(connection, condition, name)
            return turns, rows.comparisons_where(connection, rows.IN_COURSE, name)

    def export_markdown(self, session: SessionId) -> str:
        """A conversation as a Markdown document, with sources, quotes, feedback, comparisons."""
        chosen = self.get(session)
        return conversation_markdown(chosen, self.turns(chosen.id), self.comparisons(chosen.id))

    def _deletion_time(self, connection: sqlite3.Connection) -> str:
        """Now, but after all else that the file tells of: the clock may have been set back."""
        now, latest = self._now(), connection.execute(_LATEST).fetchone()[0]
        if latest:
            now = max(now, datetime.fromisoformat(latest) + timedelta(microseconds=1))
        return now.isoformat()

    def _purge_old(self) -> None:
        """Remove for good what was deleted long enough ago."""
        now = self._now()
        times = {"limit": (now - KEPT_DELETED).isoformat(), "now": now.isoformat()}
        due = {}
        with self.reading() as connection:
            for table, key in (("sessions", "number"), ("turns", "id")):
                query = f"SELECT {key} FROM {table} gone WHERE {_DUE}"  # noqa: S608 - constants
                due[table, key] = [tuple(row) for row in connection.execute(query, times)]
        for (table, key), keys in due.items():
            self._remove(table, key, keys)

    def _remove(self, table: str, key: str, keys: list[tuple[int, ...]]) -> None:
        """Remove rows, and all that hangs on them, so that no trace is left in the files."""
        if keys:
            with self.writing() as connection:
                connection.executemany(f"DELETE FROM {table} WHERE {key} = ?", keys)  # noqa: S608
                forget_deleted_words(connection)
            self.forget_freed_pages()


def _turn(connection: sqlite3.Connection, turn: int) -> SavedTurn:
    for saved in rows.turns_where(connection, "t.id = ?", turn):
        return saved
    raise SessionError(
        _("There is no such saved answer."),
        _("It may have been removed; this lists the conversations: %(command)s")
        % {"command": command("sessions")},
    )


def _mark_turn(connection: sqlite3.Connection, turn: int, at: str | None) -> None:
    """Mark a turn as deleted then, or as not deleted."""
    of_turn = connection.execute("SELECT session FROM turns WHERE id = ?", (turn,))
    number = of_turn.fetchone()[0]
    with rows.title_following(connection, number):
        connection.execute("UPDATE turns SET deleted_at = ? WHERE id = ?", (at, turn))
