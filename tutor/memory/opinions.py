"""What the reader thinks: thumbs on an answer, a choice between two."""

from __future__ import annotations

import json
from datetime import datetime
from typing import TYPE_CHECKING

from tutor.memory.records import answer_record, restored_answer
from tutor.memory.saved import Choice, Comparison
from tutor.memory.texts import storable

if TYPE_CHECKING:
    import sqlite3

    from tutor.types import Answer

_COMPARISONS = """
    SELECT c.id, s.id, c.question, c.left_record, c.right_record, c.choice, c.created
    FROM comparisons c JOIN sessions s ON s.number = c.session
"""


def put_feedback(
    connection: sqlite3.Connection, turn: int, vote: int, comment: str, now: str
) -> None:
    """Keep a vote; it replaces the one before."""
    connection.execute(
        "INSERT INTO feedback VALUES (?, ?, ?, ?) ON CONFLICT (turn) DO UPDATE SET"
        " vote = excluded.vote, comment = excluded.comment, created = excluded.created",
        (turn, vote, storable(comment), now),
    )


def put_comparison(
    connection: sqlite3.Connection,
    session: int,
    question: str,
    answers: tuple[Answer, Answer],
    *,
    choice: Choice | None,
    now: str,
) -> int:
    """Keep two answers to one question. Returns the comparison's id."""
    left, right = (json.dumps(answer_record(answer), ensure_ascii=False) for answer in answers)
    added = connection.execute(
        "INSERT INTO comparisons (session, question, left_record, right_record, choice, created)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        (session, storable(question), left, right, choice, now),
    ).lastrowid
    assert added is not None  # noqa: S101 - an insert has an id
    return added


def comparisons_of(connection: sqlite3.Connection, session: int) -> list[Comparison]:
    """The comparisons of a session, oldest first. Raises `SessionError`."""
    rows = connection.execute(f"{_COMPARISONS} WHERE c.session = ? ORDER BY c.id", (session,))
    return [_comparison(row) for row in rows]


def compared_in(connection: sqlite3.Connection, course: str | None) -> list[Comparison]:
    """Those of one course or of all, oldest first; without deleted sessions.

    Raises `SessionError`.
    """
    rows = connection.execute(
        f"{_COMPARISONS} WHERE s.deleted_at IS NULL AND s.course = coalesce(?, s.course)"
        " ORDER BY c.id",
        (course,),
    )
    return [_comparison(row) for row in rows]


def _comparison(row: tuple[int, str, str, str, str, str | None, str]) -> Comparison:
    number, session, question, left, right, choice, created = row
    return Comparison(
        id=number,
        session=session,
        question=question,
        left=restored_answer(json.loads(left)),
        right=restored_answer(json.loads(right)),
        choice=Choice(choice) if choice else None,
        created=datetime.fromisoformat(created),
    )
