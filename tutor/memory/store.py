"""All saved conversations, in one file."""

from __future__ import annotations

import secrets
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from tutor.errors import SessionError
from tutor.i18n import _
from tutor.memory.database import Database, reported
from tutor.memory.finding import COLUMNS, no_turn, restored_session, session_row
from tutor.memory.liveness import Writer
from tutor.memory.markdown import conversation_markdown
from tutor.memory.opinions import compared_in, comparisons_of, put_comparison, put_feedback
from tutor.memory.texts import folded, one_line, storable, title_of
from tutor.memory.turns import (
    conversation,
    insert_turn,
    latest_questions,
    rated_turns,
    settle,
    turn_with,
    turns_of,
)
from tutor.memory.writing import TurnWriter

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from types import TracebackType
    from typing import Self

    from tutor.memory.saved import Choice, Comparison, SavedTurn, Session, SessionId
    from tutor.types import Answer, Turn

FILE_NAME = "sessions.db"
"""In the folder of all stores."""
KEPT_DELETED = timedelta(days=30)
"""How long a deleted conversation can be brought back."""
_MOST_WORDS = 50


def _utc_now() -> datetime:
    return datetime.now(UTC)


class SessionStore:
    """Conversations in one SQLite file that several threads and processes may use at once.

    A session is named by its id or by the beginning of it, as long as no other begins so.
    Every method raises `SessionError`.
    """

    def __init__(self, path: Path, *, now: Callable[[], datetime] = _utc_now) -> None:
        self._now = now
        self._database = Database(path)
        self._writer = Writer(path)
        # Where the file cannot be written it can still be read; who writes will tidy up.
        with suppress(SessionError):
            self._settle()
            self._purge_old()

    @property
    def path(self) -> Path:
        """Where the file is."""
        return self._database.path

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
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

        `search` finds those where all its words are, or parts of words, in one question
        with its answer or in the title; accents and case do not matter.
        """
        conditions = [f"s.deleted_at IS {'NOT ' if deleted else ''}NULL"]
        values: list[str] = []
        if course is not None:
            conditions.append("s.course = ?")
            values.append(storable(course))
        words = list(dict.fromkeys(folded(search or "").split()))[:_MOST_WORDS]
        if words:
            in_title, in_turn = (
                " AND ".join([f"instr({name}, ?)"] * len(words))
                for name in ("s.folded_title", "folded")
            )
            conditions.append(
                f"(({in_title}) OR s.number IN (SELECT session FROM searched WHERE {in_turn}))"  # noqa: S608
            )
            values += [*words, *words]
        where = " AND ".join(conditions)
        with self._database.reading() as connection:
            rows = connection.execute(
                f"{COLUMNS} WHERE {where} ORDER BY s.updated DESC, s.number DESC", values
            ).fetchall()
        return [restored_session(row) for row in rows]

    def get(self, session: SessionId) -> Session:
        """The conversation with this id, or the only one whose id begins so."""
        with self._database.reading() as connection:
            return restored_session(session_row(connection, session))

    def rename(self, session: SessionId, title: str) -> Session:
        """Give a title; an empty one stands for the first question."""
        named = one_line(storable(title))
        with self._database.writing() as connection:
            number = session_row(connection, session)[0]
            first = connection.execute(
                "SELECT question FROM turns WHERE session = ? ORDER BY ordinal LIMIT 1", (number,)
            ).fetchone()
            named = named or (title_of(first[0]) if first else "")
            connection.execute(
                "UPDATE sessions SET title = ?, folded_title = ? WHERE number = ?",
                (named, folded(named), number),
            )
            return restored_session(session_row(connection, session))

    def delete(self, session: SessionId) -> Session:
        """Put a conversation away; `undelete` brings it back for `KEPT_DELETED`."""
        return self._mark(session, deleted=False, at=self._now().isoformat())

    def undelete(self, session: SessionId) -> Session:
        """Bring a deleted conversation back."""
        return self._mark(session, deleted=True, at=None)

    def purge(self, session: SessionId) -> None:
        """Remove a conversation, deleted or not, for good."""
        with self._database.writing() as connection:
            number = session_row(connection, session, deleted=None)[0]
            connection.execute("DELETE FROM sessions WHERE number = ?", (number,))
        self._database.forget_freed_pages()

    def begin_turn(self, session: SessionId, question: str) -> TurnWriter:
        """Save a question; its answer is saved through the writer."""
        with reported(self.path):
            self._writer.appear()
        with self._database.writing() as connection:
            number = session_row(connection, session)[0]
            now = self._now().isoformat()
            turn = insert_turn(connection, number, question, self._writer.name, now)
        return TurnWriter(self._database, turn, self._now)

    def turns(self, session: SessionId) -> list[SavedTurn]:
        """The turns of a conversation, oldest first."""
        with suppress(SessionError):
            self._settle()
        with self._database.reading() as connection:
            return turns_of(connection, session_row(connection, session, deleted=None)[0])

    def turn(self, turn: int) -> SavedTurn:
        """One turn by its id."""
        with self._database.reading() as connection:
            found = turn_with(connection, turn)
        if found is None:
            raise no_turn()
        return found

    def questions(self, course: str, limit: int) -> list[str]:
        """The latest `limit` different questions of a course, oldest first."""
        with self._database.reading() as connection:
            return latest_questions(connection, storable(course), limit)

    def history(self, session: SessionId) -> list[Turn]:
        """What was asked and answered so far, for a prompt: finished and stopped answers."""
        return conversation(self.turns(session))

    def feedback(self, turn: int, vote: int, comment: str = "") -> None:
        """Keep the reader's vote on an answer, 1 or -1; it replaces the one before."""
        if vote not in {-1, 1}:
            raise SessionError(_("A vote is 1 or -1."))
        with self._database.writing() as connection:
            if turn_with(connection, turn) is None:
                raise no_turn()
            put_feedback(connection, turn, vote, comment, self._now().isoformat())

    def withdraw_feedback(self, turn: int) -> None:
        """Forget the vote on an answer."""
        with self._database.writing() as connection:
            connection.execute("DELETE FROM feedback WHERE turn = ?", (turn,))

    def add_comparison(
        self,
        session: SessionId,
        question: str,
        left: Answer,
        right: Answer,
        choice: Choice | None = None,
    ) -> int:
        """Keep two answers to one question, and which was better. Returns the comparison's id."""
        with self._database.writing() as connection:
            number = session_row(connection, session)[0]
            now = self._now().isoformat()
            return put_comparison(
                connection, number, question, (left, right), choice=choice, now=now
            )

    def choose(self, comparison: int, choice: Choice | None) -> None:
        """Keep, or take back, which of two answers was better."""
        with self._database.writing() as connection:
            changed = connection.execute(
                "UPDATE comparisons SET choice = ? WHERE id = ?", (choice, comparison)
            ).rowcount
        if not changed:
            raise SessionError(_("There is no such comparison."))

    def comparisons(self, session: SessionId) -> list[Comparison]:
        """The comparisons of a conversation, oldest first."""
        with self._database.reading() as connection:
            return comparisons_of(connection, session_row(connection, session, deleted=None)[0])

    def opinions(self, course: str | None = None) -> tuple[list[SavedTurn], list[Comparison]]:
        """All answers with a vote and all comparisons, of one course or of all; oldest first."""
        name = None if course is None else storable(course)
        with self._database.reading() as connection:
            return rated_turns(connection, name), compared_in(connection, name)

    def export_markdown(self, session: SessionId) -> str:
        """A conversation as a Markdown document, with sources, quotes, votes and comparisons."""
        found = self.get(session)
        return conversation_markdown(found, self.turns(found.id), self.comparisons(found.id))

    def _mark(self, session: SessionId, *, deleted: bool, at: str | None) -> Session:
        with self._database.writing() as connection:
            number = session_row(connection, session, deleted=deleted)[0]
            connection.execute("UPDATE sessions SET deleted_at = ? WHERE number = ?", (at, number))
            return restored_session(session_row(connection, session, deleted=not deleted))

    def _settle(self) -> None:
        with reported(self.path):
            settle(self._database, self._writer)

    def _purge_old(self) -> None:
        limit = (self._now() - KEPT_DELETED).isoformat()
        with self._database.reading() as connection:
            old = connection.execute(
                "SELECT id FROM sessions WHERE deleted_at < ?", (limit,)
            ).fetchall()
        for (id_,) in old:
            self.purge(id_)
