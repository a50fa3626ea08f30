"""What is deleted waits before it is removed for good, and no wrong clock cuts that short."""

from __future__ import annotations

import sqlite3
from datetime import datetime, timedelta

from tutor.history import rows
from tutor.history.sessions import Session, SessionId

KEPT_DELETED = timedelta(days=30)
"""How long a deleted conversation or turn can be brought back, at least."""
DAYS_AFTERWARDS = 3
"""On so many days after that must questions have been asked before anything is removed for good:
a clock that is years ahead for a moment, or for a day, removes nothing."""
_DUE = f"""
    deleted_at < :limit
    AND (SELECT count(DISTINCT date(later.created)) FROM turns later
         WHERE date(later.created) > date(gone.deleted_at, '+{KEPT_DELETED.days} days')
               AND later.created <= :now) >= {DAYS_AFTERWARDS}
"""  # noqa: S608 - constants
_LATEST = """
    SELECT max(coalesce((SELECT max(created) FROM turns), ''),
               coalesce((SELECT max(deleted_at) FROM turns), ''),
               coalesce((SELECT max(deleted_at) FROM sessions), ''))
"""


def deletion_time(connection: sqlite3.Connection, now: datetime) -> str:
    """Now, but after all else that the file tells of: the clock may have been set back."""
    latest: str = connection.execute(_LATEST).fetchone()[0]
    if latest:
        now = max(now, datetime.fromisoformat(latest) + timedelta(microseconds=1))
    return now.isoformat()


def mark_session(connection: sqlite3.Connection, session: SessionId, *, at: str | None) -> Session:
    """Mark a conversation as deleted then; None: one that is deleted as not deleted."""
    deleted = at is not None
    number = rows.find_session(connection, session, deleted=not deleted)[0]
    connection.execute("UPDATE sessions SET deleted_at = ? WHERE number = ?", (at, number))
    return rows.find_session(connection, session, deleted=deleted)[1]


def mark_turn(
    connection: sqlite3.Connection, session: SessionId, turn: int, *, at: str | None
) -> None:
    """Mark a turn as deleted then, or as not deleted; a title that is the first question stays
    that.
    """
    number, found = rows.find_session(connection, session, deleted=None)
    follows = found.title == rows.first_title(connection, number)
    connection.execute("UPDATE turns SET deleted_at = ? WHERE id = ?", (at, turn))
    if follows:
        title = rows.first_title(connection, number)
        connection.execute("UPDATE sessions SET title = ? WHERE number = ?", (title, number))


def due_sessions(connection: sqlite3.Connection, now: datetime) -> list[SessionId]:
    """The conversations to be removed for good."""
    query = f"SELECT id FROM sessions gone WHERE {_DUE}"  # noqa: S608 - a constant
    return [id_ for (id_,) in connection.execute(query, _times(now))]


def due_turns(connection: sqlite3.Connection, now: datetime) -> list[tuple[int]]:
    """The numbers of the turns to be removed for good, as rows."""
    query = f"SELECT id FROM turns gone WHERE {_DUE}"  # noqa: S608 - a constant
    return [(id_,) for (id_,) in connection.execute(query, _times(now))]


def _times(now: datetime) -> dict[str, str]:
    return {"limit": (now - KEPT_DELETED).isoformat(), "now": now.isoformat()}
