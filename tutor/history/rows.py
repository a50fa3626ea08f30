"""Sessions, turns and comparisons as the tables hold them, read into records; answers as JSON.

Of each passage that an answer cites only the quote is kept.
"""

from __future__ import annotations

import json
import math
import re
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import fields, is_dataclass, replace
from datetime import date
from functools import cache
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

from tutor.errors import SessionError, command
from tutor.history.sessions import SavedComparison, SavedTurn, Session, SessionId, title_of
from tutor.i18n import _
from tutor.model import Answer, Citation
from tutor.text.terminal import one_line, storable

_Record = TypeVar("_Record")
_SESSIONS = """
    SELECT s.number, s.id, s.title, s.course, s.language, s.created, s.updated,
           s.deleted_at AS deleted,
           (SELECT count(*) FROM turns t WHERE t.session = s.number AND t.deleted_at IS NULL)
           AS turns
    FROM sessions s
"""
_LAST_USED_FIRST = """
    ORDER BY (SELECT max(t.id) FROM turns t WHERE t.session = s.number OR t.created <=
              (SELECT max(c.created) FROM comparisons c WHERE c.session = s.number)) DESC,
             s.updated DESC, s.number DESC
"""
"""By the number of the latest question, not by the time: a clock may have been set back. What was
compared counts as the question before it.
"""
_ANSWERED = """
    (NOT abstained AND CASE WHEN json_valid(record) THEN
     json_array_length(record, '$.citations') > 0
     OR json_array_length(record, '$.web_citations') > 0 END)
"""
"""Whether a turn has an answer of the notes or the web, and is no greeting and no refusal."""
SO_FAR = """
    (SELECT coalesce(group_concat(text, ''), '')
     FROM (SELECT text FROM pieces WHERE turn = t.id ORDER BY ordinal))
"""
"""The answer of a turn `t` that is still being written."""
_TURNS = f"""
    SELECT t.id, s.id AS session, t.ordinal, t.question, t.standalone, t.state, t.created, t.route,
           t.rule, t.abstained, t.record, f.rating, f.comment, f.created AS rated,
           CASE t.state WHEN 'writing' THEN {SO_FAR} ELSE t.answer END AS text
    FROM turns t JOIN sessions s ON s.number = t.session LEFT JOIN feedback f ON f.turn = t.id
"""  # noqa: S608 - constants
_COMPARISONS = """
    SELECT c.id, s.id AS session, c.question, c.left_record, c.right_record, c.choice, c.created
    FROM comparisons c JOIN sessions s ON s.number = c.session
"""
IN_COURSE = "s.deleted_at IS NULL AND s.course = coalesce(?, s.course)"
"""Condition: of one course or, for NULL, of all; without deleted sessions."""
_MOST_WORDS = 50


@cache
def _adapter(record: Any) -> TypeAdapter[Any]:
    # Made at the first use: building one takes some milliseconds.
    return TypeAdapter(record)


def _read(record: Callable[..., _Record], row: sqlite3.Row, **others: object) -> _Record:
    """A record of a row whose columns are named as its fields, and of the `others`."""
    read: _Record = _adapter(record).validate_python({**dict(row), **others})
    return read


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
    return rows[0]["number"], _read(Session, rows[0])


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
    return [_read(Session, row) for row in rows]


def turns_where(connection: sqlite3.Connection, condition: str, *values: object) -> list[SavedTurn]:
    """The turns `t` of sessions `s` with feedback `f` that fulfil a condition, oldest first;
    without deleted ones.
    """
    turns = []
    for row in connection.execute(
        f"{_TURNS} WHERE t.deleted_at IS NULL AND {condition} ORDER BY t.id", values
    ):
        feedback = {"rating": row["rating"], "comment": row["comment"], "created": row["rated"]}
        answer = None
        with suppress(SessionError):  # a damaged record takes nothing but its own sources away
            answer = decoded(row["record"]) if row["record"] else None
        turn = _read(SavedTurn, row, answer=answer, feedback=feedback if row["rating"] else None)
        turns.append(turn)
    return turns


def comparisons_where(
    connection: sqlite3.Connection, condition: str, *values: object
) -> list[SavedComparison]:
    """The comparisons `c` of sessions `s` that fulfil a condition, oldest first.

    Raises `SessionError`.
    """
    return [
        _read(
            SavedComparison,
            row,
            left=decoded(row["left_record"]),
            right=decoded(row["right_record"]),
        )
        for row in connection.execute(f"{_COMPARISONS} WHERE {condition} ORDER BY c.id", values)
    ]


def first_title(connection: sqlite3.Connection, number: int) -> str:
    """The title that a conversation has of its first question that was answered, or else of its
    first one; empty where there is none.
    """
    first = connection.execute(
        f"""
        SELECT question FROM
            (SELECT question, {_ANSWERED} AS answered, ordinal FROM turns
             WHERE session = :number AND deleted_at IS NULL
             UNION ALL
             SELECT question, 1, 1e9 + id FROM comparisons WHERE session = :number)
        ORDER BY answered IS 1 DESC, ordinal LIMIT 1
        """,  # noqa: S608 - a constant
        {"number": number},
    ).fetchone()
    return title_of(first[0]) if first else ""


@contextmanager
def title_following(connection: sqlite3.Connection, number: int) -> Iterator[None]:
    """Change the turns of a conversation; a title that is its first question stays that."""
    found = connection.execute("SELECT title FROM sessions WHERE number = ?", (number,)).fetchone()
    follows = found and found[0] == first_title(connection, number)
    yield
    if follows:
        title = first_title(connection, number)
        connection.execute("UPDATE sessions SET title = ? WHERE number = ?", (title, number))


# --- answers as JSON ---


def encoded(answer: Answer) -> str:
    """JSON for `decoded`.

    Characters that cannot be stored become U+FFFD, figures that are not finite become 0.
    """
    cited, near = (tuple(map(_cut_to_quote, of)) for of in (answer.citations, answer.nearest))
    kept = replace(answer, citations=cited, nearest=near)
    return json.dumps(_plain(kept), ensure_ascii=False, allow_nan=False)


def decoded(text: str) -> Answer:
    """The answer that was encoded; fields that are not known are ignored.

    Raises `SessionError` when it makes no sense.
    """
    try:
        answer: Answer = _adapter(Answer).validate_json(text)
    except ValidationError as error:
        where = ".".join(str(part) for part in error.errors(include_url=False)[0]["loc"])
        raise _damaged(where) from None
    cited = answer.citations + answer.nearest
    in_answer = [*answer.unsupported, *(c.best for c in cited)]
    in_answer += [(c.start, c.end) for c in cited]
    in_answer += [(c.start, c.end) for c in answer.web_citations]
    spans = [(start, end, len(answer.text)) for start, end in in_answer]
    spans += [(c.quote_start, c.quote_end, len(c.hit.chunk.text)) for c in cited]
    for start, end, length in spans:
        if not 0 <= start <= end <= length:
            raise _damaged(f"{start}-{end}")
    return answer


def _cut_to_quote(citation: Citation) -> Citation:
    """The same citation of a passage that consists of its quote; the passage keeps its id."""
    start, end = citation.quote_span
    passage = replace(
        citation.hit.chunk,
        text=citation.quote,
        start=start,
        end=end,
        first_page=citation.first_page,
        last_page=citation.last_page,
    )
    hit = replace(citation.hit, chunk=passage)
    return replace(citation, hit=hit, quote_start=0, quote_end=len(citation.quote))


def _plain(value: Any) -> Any:
    """A noun as JSON values, the fields of a dataclass by their names."""
    if is_dataclass(value):
        return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, str | date):
        return storable(str(value))
    if isinstance(value, (tuple, list)):
        return [_plain(each) for each in value]
    if isinstance(value, Mapping):
        return {storable(key): _plain(each) for key, each in value.items()}
    if value is None or isinstance(value, int):
        return value
    return float(value) if math.isfinite(value) else 0.0  # scores come as numpy's


def _damaged(where: str) -> SessionError:
    return SessionError(
        _("The record of a saved answer makes no sense (%(where)s).") % {"where": where},
        _("Its text is kept; ask the question again for its sources."),
    )
