"""The turns of a session: begun, read again, and ended where the process that wrote them died."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from datetime import datetime
from typing import TYPE_CHECKING

from tutor.errors import SessionError
from tutor.memory.records import restored_answer
from tutor.memory.saved import Feedback, SavedAnswer, SavedTurn, TurnState
from tutor.memory.texts import folded, storable, title_of
from tutor.types import Route, Strategy, Turn

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable

    from tutor.memory.database import Database
    from tutor.memory.liveness import Writer

_MARK = re.compile(r"(?:\s+|(?<=[.!?,;:)]))\[W?\d+(?:\s*,\s*W?\d+)*\]")
"""A model's own `[1]`, not an index such as `a[1]`."""
_SO_FAR = """
    (SELECT group_concat(text, '')
     FROM (SELECT text FROM pieces WHERE turn = t.id ORDER BY ordinal))
"""
_COLUMNS = f"""
    SELECT t.id, s.id, t.ordinal, t.question, t.standalone, t.state,
           CASE t.state WHEN 'writing' THEN coalesce({_SO_FAR}, '') ELSE t.answer END,
           t.created, t.route, t.rule, t.strategy, t.abstained, t.record,
           f.vote, f.comment, f.created
    FROM turns t JOIN sessions s ON s.number = t.session LEFT JOIN feedback f ON f.turn = t.id
"""  # noqa: S608 - constants
_INTERRUPTED = f"SELECT id, writer, {_SO_FAR} FROM turns t WHERE state = 'writing'"  # noqa: S608


def insert_turn(
    connection: sqlite3.Connection, session: int, question: str, writer: str, now: str
) -> int:
    """Begin a turn and give the session its title, if it has none yet. Returns the turn's id."""
    asked = storable(question)
    (ordinal,) = connection.execute(
        "SELECT coalesce(max(ordinal), 0) + 1 FROM turns WHERE session = ?", (session,)
    ).fetchone()
    turn = connection.execute(
        "INSERT INTO turns (session, ordinal, question, standalone, state, writer, created)"
        " VALUES (?, ?, ?, ?, ?, ?, ?)",
        (session, ordinal, asked, asked, TurnState.WRITING, writer, now),
    ).lastrowid
    assert turn is not None  # noqa: S101 - an insert has an id
    connection.execute("INSERT INTO searched VALUES (?, ?, ?)", (turn, session, folded(asked)))
    title = title_of(asked)
    connection.execute(
        "UPDATE sessions SET title = ?, folded_title = ? WHERE number = ? AND title = ''",
        (title, folded(title), session),
    )
    connection.execute("UPDATE sessions SET updated = ? WHERE number = ?", (now, session))
    return turn


def turns_of(connection: sqlite3.Connection, session: int) -> list[SavedTurn]:
    """The turns of a session, in order."""
    rows = connection.execute(
        f"{_COLUMNS} WHERE t.session = ? ORDER BY t.ordinal",
        (session,),
    )
    return [_turn(row) for row in rows]


def turn_with(connection: sqlite3.Connection, turn: int) -> SavedTurn | None:
    """One turn by its id."""
    row = connection.execute(f"{_COLUMNS} WHERE t.id = ?", (turn,)).fetchone()
    return _turn(row) if row else None


def rated_turns(connection: sqlite3.Connection, course: str | None) -> list[SavedTurn]:
    """The turns with a vote, of one course or of all, oldest first; without deleted sessions."""
    rows = connection.execute(
        f"{_COLUMNS} WHERE f.vote IS NOT NULL AND s.deleted_at IS NULL"
        " AND s.course = coalesce(?, s.course) ORDER BY t.id",
        (course,),
    )
    return [_turn(row) for row in rows]


def latest_questions(connection: sqlite3.Connection, course: str, limit: int) -> list[str]:
    """The latest different questions of a course, oldest first; without deleted sessions."""
    rows = connection.execute(
        "SELECT t.question FROM turns t JOIN sessions s ON s.number = t.session"
        " WHERE s.course = ? AND s.deleted_at IS NULL"
        " GROUP BY t.question ORDER BY max(t.id) DESC LIMIT ?",
        (course, max(0, limit)),
    ).fetchall()
    return [question for (question,) in reversed(rows)]


def conversation(turns: Iterable[SavedTurn]) -> list[Turn]:
    """What the language model is reminded of: answers that were finished or stopped, as said."""
    return [
        Turn(
            question=turn.question,
            standalone=turn.standalone,
            answer=(turn.text if turn.answer else _MARK.sub("", turn.text)).strip(),
            abstained=turn.abstained,
        )
        for turn in turns
        if turn.state in {TurnState.COMPLETE, TurnState.STOPPED} and turn.text.strip()
    ]


def settle(database: Database, writer: Writer) -> None:
    """End the turns of killed processes as broken, with what had been written of their answers.

    Raises `SessionError`.
    """
    with database.reading() as connection:
        rows = connection.execute(_INTERRUPTED).fetchall()
    names = {name for _turn_id, name, _text in rows}
    dead = {name for name in names if not writer.is_alive(name)}
    if not dead:
        return
    with database.writing() as connection:
        # Read again: others may have settled them, or ended them in their last moment.
        for turn, name, text in connection.execute(_INTERRUPTED).fetchall():
            if name in dead:
                _break_off(connection, turn, text or "")


def _break_off(connection: sqlite3.Connection, turn: int, text: str) -> None:
    connection.execute(
        "UPDATE turns SET state = ?, answer = ? WHERE id = ?", (TurnState.BROKEN, text, turn)
    )
    connection.execute("DELETE FROM pieces WHERE turn = ?", (turn,))
    connection.execute(
        "UPDATE searched SET folded = folded || char(10) || ? WHERE turn = ?", (folded(text), turn)
    )


def _turn(row: tuple[object, ...]) -> SavedTurn:
    (turn, session, ordinal, question, standalone, state, text, created) = row[:8]
    (route, rule, strategy, abstained, record, vote, comment, voted) = row[8:]
    return SavedTurn(
        id=int(str(turn)),
        session=str(session),
        ordinal=int(str(ordinal)),
        question=str(question),
        standalone=str(standalone),
        state=TurnState(str(state)),
        text=str(text),
        created=datetime.fromisoformat(str(created)),
        route=Route(str(route)) if route else None,
        rule=str(rule),
        strategy=Strategy(str(strategy)) if strategy else None,
        abstained=bool(abstained),
        answer=_answer(record),
        feedback=Feedback(int(str(vote)), str(comment), datetime.fromisoformat(str(voted)))
        if vote
        else None,
    )


def _answer(record: object) -> SavedAnswer | None:
    """The answer of a record; one that cannot be read takes nothing but its own sources away."""
    with suppress(SessionError, ValueError, RecursionError):
        content = json.loads(str(record)) if record else None
        return restored_answer(content) if isinstance(content, dict) else None
    return None
