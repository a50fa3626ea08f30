"""All saved conversations, in one file."""

from __future__ import annotations

import re
import secrets
import sqlite3
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from datetime import UTC, datetime
from pathlib import Path

from tutor.database import Database
from tutor.errors import SessionError, command
from tutor.history import rows
from tutor.history.answer_json import encoded
from tutor.history.deletion import (
    deletion_time,
    due_sessions,
    due_turns,
    mark_session,
    mark_turn,
)
from tutor.history.export import conversation_markdown
from tutor.history.liveness import Writer
from tutor.history.schema import KIND, forget_deleted_words
from tutor.history.sessions import (
    Preference,
    SavedComparison,
    SavedTurn,
    Session,
    SessionId,
    TurnState,
)
from tutor.history.texts import storable
from tutor.history.turn_writer import TurnWriter, insert_turn, settle
from tutor.i18n import _
from tutor.model import Answer, Turn
from tutor.text.terminal import one_line

FILE_NAME = "sessions.db"
"""In the folder of all stores."""
_OWN_MARK = re.compile(r"(?:\s+|(?<=[.!?,;:)]))\[W?\d+(?:\s*,\s*W?\d+)*\]")
"""A mark that the model wrote by itself, `[1]`, not an index such as `a[1]`."""


def _utc_now() -> datetime:
    return datetime.now(UTC)


class SessionStore(AbstractContextManager["SessionStore"]):
    """Conversations in one SQLite file that several threads and processes may use at once.

    A session is named by its id or by the beginning of it, as long as no other begins so.
    Every method raises `SessionError`.
    """

    def __init__(self, path: Path, *, now: Callable[[], datetime] = _utc_now) -> None:
        self._now = now
        self._database = Database(path, KIND)
        self._writer = Writer(path)
        # Where the file cannot be written it can still be read; who writes will tidy up.
        with suppress(SessionError):
            self._settle()
            self._purge_old()

    @property
    def path(self) -> Path:
        """Where the file is."""
        return self._database.path

    def __exit__(self, *_error: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file. Turns that are still being written count as broken from now on."""
        self._writer.vanish()
        self._database.close()

    def create(self, course: str, language: str) -> Session:
        """A new conversation, without title until its first question."""
        id_, now = secrets.token_hex(6), self._now().isoformat()
        with self._database.writing() as connection:
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
        with self._database.reading() as connection:
            return rows.sessions_where(connection, name, search or "", deleted=deleted)

    def get(self, session: SessionId) -> Session:
        """The conversation with this id, or the only one whose id begins so."""
        with self._database.reading() as connection:
            return rows.find_session(connection, session)[1]

    def rename(self, session: SessionId, title: str) -> Session:
        """Give a title; an empty one stands for the first question."""
        named = one_line(storable(title))
        with self._database.writing() as connection:
            number = rows.find_session(connection, session)[0]
            named = named or rows.first_title(connection, number)
            connection.execute("UPDATE sessions SET title = ? WHERE number = ?", (named, number))
            return rows.find_session(connection, session)[1]

    def delete(self, session: SessionId) -> Session:
        """Put a conversation away; `undelete` brings it back for `KEPT_DELETED`."""
        with self._database.writing() as connection:
            at = deletion_time(connection, self._now())
            return mark_session(connection, session, at=at)

    def undelete(self, session: SessionId) -> Session:
        """Bring a deleted conversation back."""
        with self._database.writing() as connection:
            return mark_session(connection, session, at=None)

    def purge(self, session: SessionId) -> None:
        """Remove a conversation, deleted or not, for good."""
        with self._database.writing() as connection:
            number = rows.find_session(connection, session, deleted=None)[0]
            connection.execute("DELETE FROM sessions WHERE number = ?", (number,))
            forget_deleted_words(connection)
        self._database.forget_freed_pages()

    def begin_turn(self, session: SessionId, question: str) -> TurnWriter:
        """Save a question; its answer is saved through the writer."""
        with self._database.reported():
            self._writer.appear()
        with self._database.writing() as connection:
            number = rows.find_session(connection, session)[0]
            now = self._now().isoformat()
            turn = insert_turn(connection, number, question, self._writer.name, now)
        return TurnWriter(self._database, turn, self._now)

    def turns(self, session: SessionId) -> list[SavedTurn]:
        """The turns of a conversation, oldest first."""
        with suppress(SessionError):
            self._settle()
        with self._database.reading() as connection:
            number, _session = rows.find_session(connection, session, deleted=None)
            return rows.turns_where(connection, "t.session = ?", number)

    def delete_turn(self, turn: int) -> None:
        """Take a question and its answer out of their conversation, which `undelete_turn` undoes
        for `KEPT_DELETED`.
        """
        with self._database.writing() as connection:
            session = _turn(connection, turn).session
            at = deletion_time(connection, self._now())
            mark_turn(connection, session, turn, at=at)

    def undelete_turn(self, session: SessionId) -> SavedTurn:
        """Bring back the turn of a conversation that was deleted last, of those still deleted."""
        with self._database.writing() as connection:
            number, found = rows.find_session(connection, session)
            last = connection.execute(
                "SELECT id FROM turns WHERE session = ? AND deleted_at IS NOT NULL"
                " ORDER BY deleted_at DESC, id DESC LIMIT 1",
                (number,),
            ).fetchone()
            if last is None:
                raise SessionError(_("No deleted question of this conversation is left."))
            mark_turn(connection, found.id, last[0], at=None)
            return _turn(connection, last[0])

    def turn(self, turn: int) -> SavedTurn:
        """One turn by its id."""
        with self._database.reading() as connection:
            return _turn(connection, turn)

    def questions(self, course: str, limit: int) -> list[str]:
        """The latest `limit` different questions of a course, oldest first."""
        with self._database.reading() as connection:
            return rows.latest_questions(connection, storable(course), limit)

    def history(self, session: SessionId) -> list[Turn]:
        """What was asked and answered so far, for a prompt: finished and stopped answers."""
        return [
            Turn(
                question=turn.question,
                standalone=turn.standalone,
                answer=(turn.text if turn.answer else _OWN_MARK.sub("", turn.text)).strip(),
                abstained=turn.abstained,
                written=turn.answer.own_start if turn.answer else 0,
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
        with self._database.writing() as connection:
            _turn(connection, turn)
            connection.execute(
                "INSERT OR REPLACE INTO feedback (turn, rating, comment, created)"
                " VALUES (?, ?, ?, ?)",
                (turn, rating, storable(comment), self._now().isoformat()),
            )

    def withdraw_feedback(self, turn: int) -> None:
        """Forget the feedback on an answer."""
        with self._database.writing() as connection:
            connection.execute("DELETE FROM feedback WHERE turn = ?", (turn,))

    def add_comparison(
        self,
        session: SessionId,
        question: str,
        left: Answer,
        right: Answer,
        choice: Preference | None = None,
    ) -> int:
        """Keep two answers to one question, and which was better. Returns the comparison's id."""
        with self._database.writing() as connection:
            number = rows.find_session(connection, session)[0]
            now = self._now().isoformat()
            number_of_comparison: int = connection.execute(
                "INSERT INTO comparisons"
                " (session, question, left_record, right_record, choice, created)"
                " VALUES (?, ?, ?, ?, ?, ?) RETURNING id",
                (number, storable(question), encoded(left), encoded(right), choice, now),
            ).fetchone()[0]
            return number_of_comparison

    def choose(self, comparison: int, choice: Preference | None) -> None:
        """Keep, or take back, which of two answers was better."""
        with self._database.writing() as connection:
            changed = connection.execute(
                "UPDATE comparisons SET choice = ? WHERE id = ?", (choice, comparison)
            ).rowcount
        if not changed:
            raise SessionError(_("There is no such comparison."))

    def comparisons(self, session: SessionId) -> list[SavedComparison]:
        """The comparisons of a conversation, oldest first."""
        with self._database.reading() as connection:
            number, _session = rows.find_session(connection, session, deleted=None)
            return rows.comparisons_where(connection, "c.session = ?", number)

    def feedback(self, course: str | None = None) -> tuple[list[SavedTurn], list[SavedComparison]]:
        """All answers with feedback and all comparisons, of one course or of all; oldest first."""
        name = None if course is None else storable(course)
        with self._database.reading() as connection:
            condition = f"f.rating IS NOT NULL AND {rows.IN_COURSE}"
            turns = rows.turns_where(connection, condition, name)
            return turns, rows.comparisons_where(connection, rows.IN_COURSE, name)

    def export_markdown(self, session: SessionId) -> str:
        """A conversation as a Markdown document, with sources, quotes, feedback, comparisons."""
        chosen = self.get(session)
        return conversation_markdown(chosen, self.turns(chosen.id), self.comparisons(chosen.id))

    def _settle(self) -> None:
        with self._database.reported():
            settle(self._database, self._writer)

    def _purge_old(self) -> None:
        now = self._now()
        with self._database.reading() as connection:
            sessions, turns = due_sessions(connection, now), due_turns(connection, now)
        for session in sessions:
            self.purge(session)
        if turns:
            with self._database.writing() as connection:
                connection.executemany("DELETE FROM turns WHERE id = ?", turns)
                forget_deleted_words(connection)
            self._database.forget_freed_pages()


def _turn(connection: sqlite3.Connection, turn: int) -> SavedTurn:
    for saved in rows.turns_where(connection, "t.id = ?", turn):
        return saved
    raise SessionError(
        _("There is no such saved answer."),
        _("It may have been removed; this lists the conversations: %(command)s")
        % {"command": command("sessions")},
    )
