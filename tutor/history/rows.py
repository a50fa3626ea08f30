"""Sessions, turns and comparisons as the tables hold them, read into records."""

from __future__ import annotations

import re
import sqlite3
from contextlib import suppress
from datetime import datetime

from tutor.errors import SessionError, command
from tutor.history.answer_json import decoded
from tutor.history.sessions import (
    Feedback,
    Preference,
    SavedComparison,
    SavedTurn,
    Session,
    SessionId,
    TurnState,
)
from tutor.history.texts import storable, title_of
from tutor.i18n import _
from tutor.model import Answer, Route
from tutor.text.terminal import one_line

_SESSIONS = """
    SELECT s.*, (SELECT count(*) FROM turns t WHERE t.session = s.number AND t.deleted_at IS NULL)
           AS turns FROM sessions s
"""
_LAST_USED_FIRST = """
    ORDER BY (SELECT max(t.id) FROM turns t WHERE t.session = s.number) DESC,
             s.updated DESC, s.number DESC
"""
"""By the number of the latest question, not by the time: a clock may have been set back."""
SO_FAR = """
    (SELECT coalesce(group_concat(text, ''), '')
     FROM (SELECT text FROM pieces WHERE turn = t.id ORDER BY ordinal))
"""
"""The answer of a turn `t` that is still being written."""
_TURNS = f"""
    SELECT t.*, s.id AS session_id, f.rating, f.comment, f.created AS rated,
           CASE t.state WHEN 'writing' THEN {SO_FAR} ELSE t.answer END AS text
    FROM turns t JOIN sessions s ON s.number = t.session LEFT JOIN feedback f ON f.turn = t.id
"""  # noqa: S608 - constants
_COMPARISONS = """
    SELECT c.*, s.id AS session_id FROM comparisons c JOIN sessions s ON s.number = c.session
"""
IN_COURSE = "s.deleted_at IS NULL AND s.course = coalesce(?, s.course)"
"""Condition: of one course or, for NULL, of all; without deleted sessions."""
_MOST_WORDS = 50


def find_session(
    connection: sqlite3.Connection, session: SessionId, *, deleted: bool | None = False
) -> tuple[int, Session]:
    """The number of the only session whose id begins so, and the session.

    `deleted` None: whether deleted or not. Raises `SessionError`.
    """
    prefix = session.strip().lower()
    condition = {None: "", True: "AND deleted_at IS NOT NULL", False: "AND deleted_at IS NULL"}
    rows: list[sqlite3.Row] = []
    if re.fullmatch("[0-9a-f]+", prefix):
        rows = connection.execute(
            f"{_SESSIONS} WHERE substr(s.id, 1, ?) = ? {condition[deleted]} LIMIT 2",
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
    return rows[0]["number"], _session(rows[0])


def _session(row: sqlite3.Row) -> Session:
    return Session(
        id=row["id"],
        title=row["title"],
        course=row["course"],
        language=row["language"],
        created=datetime.fromisoformat(row["created"]),
        updated=datetime.fromisoformat(row["updated"]),
        turns=row["turns"],
        deleted=datetime.fromisoformat(row["deleted_at"]) if row["deleted_at"] else None,
    )


def sessions_where(
    connection: sqlite3.Connection, course: str | None, search: str, *, deleted: bool
) -> list[Session]:
    """The sessions, the one used last first, as `SessionStore.sessions` describes them."""
    where = IN_COURSE.replace("IS NULL", "IS NOT NULL") if deleted else IN_COURSE
    values = [course]
    words = list(dict.fromkeys(storable(search).split()))[:_MOST_WORDS]
    if words:
        # Quoted, so that nothing in them is taken for a query; `*`: the beginnings of words, too.
        query = " ".join('"{}"*'.format(word.replace('"', '""')) for word in words)
        where += """
            AND (s.number IN (SELECT rowid FROM titles_index WHERE titles_index MATCH ?)
                 OR s.number IN (SELECT session FROM turns WHERE deleted_at IS NULL AND id IN
                                 (SELECT rowid FROM turns_index WHERE turns_index MATCH ?)))
        """
        values += [query, query]
    rows = connection.execute(f"{_SESSIONS} WHERE {where} {_LAST_USED_FIRST}", values)
    return [_session(row) for row in rows]


def turns_where(connection: sqlite3.Connection, condition: str, *values: object) -> list[SavedTurn]:
    """The turns `t` of sessions `s` with feedback `f` that fulfil a condition, oldest first;
    without deleted ones.
    """
    rows = connection.execute(
        f"{_TURNS} WHERE t.deleted_at IS NULL AND {condition} ORDER BY t.id", values
    )
    return [_turn(row) for row in rows]


def first_title(connection: sqlite3.Connection, number: int) -> str:
    """The title that a conversation has of its first question; empty where there is none."""
    first = connection.execute(
        "SELECT question FROM turns WHERE session = ? AND deleted_at IS NULL"
        " ORDER BY ordinal LIMIT 1",
        (number,),
    ).fetchone()
    return title_of(first[0]) if first else ""


def latest_questions(connection: sqlite3.Connection, course: str, limit: int) -> list[str]:
    """The latest different questions of a course, oldest first; without deleted sessions."""
    rows = connection.execute(
        f"""
        SELECT t.question FROM turns t JOIN sessions s ON s.number = t.session
        WHERE {IN_COURSE} AND t.deleted_at IS NULL
        GROUP BY t.question ORDER BY max(t.id) DESC LIMIT ?
        """,  # noqa: S608 - a constant
        (course, max(0, limit)),
    ).fetchall()
    return [question for (question,) in reversed(rows)]


def comparisons_where(
    connection: sqlite3.Connection, condition: str, *values: object
) -> list[SavedComparison]:
    """The comparisons `c` of sessions `s` that fulfil a condition, oldest first.

    Raises `SessionError`.
    """
    rows = connection.execute(f"{_COMPARISONS} WHERE {condition} ORDER BY c.id", values)
    return [_comparison(row) for row in rows]


def _turn(row: sqlite3.Row) -> SavedTurn:
    feedback = None
    if row["rating"]:
        rated = datetime.fromisoformat(row["rated"])
        feedback = Feedback(row["rating"], row["comment"], rated)
    return SavedTurn(
        id=row["id"],
        session=row["session_id"],
        ordinal=row["ordinal"],
        question=row["question"],
        standalone=row["standalone"],
        state=TurnState(row["state"]),
        text=row["text"],
        created=datetime.fromisoformat(row["created"]),
        route=Route(row["route"]) if row["route"] else None,
        rule=row["rule"],
        abstained=bool(row["abstained"]),
        answer=_answer(row["record"]),
        feedback=feedback,
    )


def _answer(record: str | None) -> Answer | None:
    """The answer of a record; one that cannot be read takes nothing but its own sources away."""
    with suppress(SessionError):
        return decoded(record) if record else None
    return None


def _comparison(row: sqlite3.Row) -> SavedComparison:
    return SavedComparison(
        id=row["id"],
        session=row["session_id"],
        question=row["question"],
        left=decoded(row["left_record"]),
        right=decoded(row["right_record"]),
        choice=Preference(row["choice"]) if row["choice"] else None,
        created=datetime.fromisoformat(row["created"]),
    )
