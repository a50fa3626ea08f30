"""Sessions as the tables have them: found by the beginning of their id, and put into records."""

from __future__ import annotations

import re
from datetime import datetime
from typing import TYPE_CHECKING, TypeAlias

from tutor.errors import SessionError, command
from tutor.i18n import _
from tutor.memory.saved import Session
from tutor.memory.texts import one_line, storable

if TYPE_CHECKING:
    import sqlite3

    from tutor.memory.saved import SessionId

    Row: TypeAlias = tuple[int, str, str, str, str, str, str, str | None, int]

COLUMNS = """
    SELECT s.number, s.id, s.title, s.course, s.language, s.created, s.updated, s.deleted_at,
           (SELECT count(*) FROM turns t WHERE t.session = s.number)
    FROM sessions s
"""


def session_row(
    connection: sqlite3.Connection, session: SessionId, *, deleted: bool | None = False
) -> Row:
    """The only session whose id begins so; `deleted` None: whether deleted or not.

    Raises `SessionError`.
    """
    prefix = session.strip().lower()
    condition = {None: "", True: "AND deleted_at IS NOT NULL", False: "AND deleted_at IS NULL"}
    rows = []
    if re.fullmatch("[0-9a-f]+", prefix):
        rows = connection.execute(
            f"{COLUMNS} WHERE substr(s.id, 1, ?) = ? {condition[deleted]} LIMIT 2",
            (len(prefix), prefix),
        ).fetchall()
    if not rows:
        raise SessionError(
            _("There is no saved conversation `%(id)s`.") % {"id": one_line(storable(session))},
            _("This lists them: %(command)s") % {"command": command("sessions")},
        )
    if len(rows) > 1:
        raise SessionError(
            _("Several saved conversations begin with `%(id)s`.") % {"id": prefix},
            _("Give more of its id. This lists them: %(command)s")
            % {"command": command("sessions")},
        )
    found: Row = rows[0]
    return found


def restored_session(row: Row) -> Session:
    """The session of a row of `COLUMNS`."""
    _number, id_, title, course, language, created, updated, deleted, turns = row
    return Session(
        id=id_,
        title=title,
        course=course,
        language=language,
        created=datetime.fromisoformat(created),
        updated=datetime.fromisoformat(updated),
        turns=turns,
        deleted=datetime.fromisoformat(deleted) if deleted else None,
    )


def no_turn() -> SessionError:
    """What is said where a saved answer is gone."""
    return SessionError(
        _("There is no such saved answer."),
        _("It may have been removed; this lists the conversations: %(command)s")
        % {"command": command("sessions")},
    )
