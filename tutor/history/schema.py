"""The tables of the file, its search indexes, and the upgrade of files of earlier versions."""

from __future__ import annotations

import json
import sqlite3

from tutor.database import FileKind, version_of
from tutor.errors import SessionError

APPLICATION_ID = 0x7475746F
"""Says in the file's header whose it is: `tuto`."""
VERSION = 3

_TABLES = (
    """
    CREATE TABLE sessions (
        number INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        title TEXT NOT NULL DEFAULT '',
        course TEXT NOT NULL,
        language TEXT NOT NULL,
        created TEXT NOT NULL,
        updated TEXT NOT NULL,
        deleted_at TEXT
    )
    """,
    "CREATE INDEX sessions_by_time ON sessions (deleted_at, updated)",
    # `record` is the answer with its sources as JSON.
    """
    CREATE TABLE turns (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        session INTEGER NOT NULL REFERENCES sessions ON DELETE CASCADE,
        ordinal INTEGER NOT NULL,
        question TEXT NOT NULL,
        standalone TEXT NOT NULL,
        route TEXT,
        rule TEXT NOT NULL DEFAULT '',
        state TEXT NOT NULL,
        abstained INTEGER NOT NULL DEFAULT 0,
        writer TEXT NOT NULL DEFAULT '',
        created TEXT NOT NULL,
        ended TEXT,
        answer TEXT NOT NULL DEFAULT '',
        record TEXT,
        deleted_at TEXT,
        UNIQUE (session, ordinal)
    )
    """,
    "CREATE INDEX turns_being_written ON turns (state) WHERE state = 'writing'",
    # The answer so far: a long one would cost its whole length at each sentence if it were kept
    # in the turn's row.
    """
    CREATE TABLE pieces (
        turn INTEGER NOT NULL REFERENCES turns ON DELETE CASCADE,
        ordinal INTEGER NOT NULL,
        text TEXT NOT NULL,
        PRIMARY KEY (turn, ordinal)
    ) WITHOUT ROWID
    """,
    """
    CREATE TABLE feedback (
        turn INTEGER PRIMARY KEY REFERENCES turns ON DELETE CASCADE,
        rating INTEGER NOT NULL CHECK (rating IN (-1, 1)),
        comment TEXT NOT NULL DEFAULT '',
        created TEXT NOT NULL
    )
    """,
    """
    CREATE TABLE comparisons (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        session INTEGER NOT NULL REFERENCES sessions ON DELETE CASCADE,
        question TEXT NOT NULL,
        left_record TEXT NOT NULL,
        right_record TEXT NOT NULL,
        choice TEXT,
        created TEXT NOT NULL
    )
    """,
    "CREATE INDEX comparisons_by_session ON comparisons (session)",
    f"PRAGMA application_id = {APPLICATION_ID}",
)
_INDEXED = {
    "titles_index": ("sessions", "number", ("title",)),
    "turns_index": ("turns", "id", ("question", "answer")),
}
"""Full-text indexes: the table, its key and its columns."""


def migrate(connection: sqlite3.Connection) -> None:
    """Bring the file up to date, inside the transaction that the caller has begun."""
    version = version_of(connection)
    if version == 0:
        for statement in _TABLES:
            connection.execute(statement)
    if version == 1:
        _upgrade_tables_from_1(connection)
    if version in {1, 2}:
        connection.execute("ALTER TABLE turns ADD COLUMN deleted_at TEXT")
    if version < 2:
        for index in _INDEXED:
            _add_index(connection, index)
    connection.execute(f"PRAGMA user_version = {VERSION}")


KIND = FileKind(APPLICATION_ID, VERSION, migrate, SessionError)
"""The file of all conversations."""


def forget_deleted_words(connection: sqlite3.Connection) -> None:
    """Take the words of deleted rows out of the full-text indexes, which only mark them deleted."""
    for index in _INDEXED:
        connection.execute(f"INSERT INTO {index} ({index}) VALUES ('optimize')")  # noqa: S608 - ours


def _add_index(connection: sqlite3.Connection, index: str) -> None:
    """A full-text index without a copy of its texts, kept up to date by triggers."""
    table, key, columns = _INDEXED[index]
    names, new, old = (", ".join(f"{row}{c}" for c in columns) for row in ("", "new.", "old."))
    add = f"INSERT INTO {index} (rowid, {names}) VALUES (new.{key}, {new});"  # noqa: S608 - ours
    remove = f"INSERT INTO {index} ({index}, rowid, {names}) VALUES ('delete', old.{key}, {old});"  # noqa: S608
    change = remove + add
    options = f"content='{table}', content_rowid='{key}', tokenize='unicode61 remove_diacritics 2'"
    for statement in (
        f"CREATE VIRTUAL TABLE {index} USING fts5({names}, {options})",
        f"CREATE TRIGGER {index}_insert AFTER INSERT ON {table} BEGIN {add} END",
        f"CREATE TRIGGER {index}_delete AFTER DELETE ON {table} BEGIN {remove} END",
        f"CREATE TRIGGER {index}_update AFTER UPDATE OF {names} ON {table} BEGIN {change} END",
        f"INSERT INTO {index} ({index}) VALUES ('rebuild')",  # noqa: S608
    ):
        connection.execute(statement)


def _upgrade_tables_from_1(connection: sqlite3.Connection) -> None:
    """Version 1 kept folded copies of all texts, and answers in a form of their own."""
    for statement in (
        "DROP TABLE searched",
        "ALTER TABLE sessions DROP COLUMN folded_title",
        "ALTER TABLE turns DROP COLUMN strategy",
        "ALTER TABLE turns DROP COLUMN model",
        "ALTER TABLE feedback RENAME COLUMN vote TO rating",
    ):
        connection.execute(statement)
    connection.create_function("record_from_1", 1, _record_from_1)
    connection.execute("UPDATE turns SET record = record_from_1(record) WHERE record IS NOT NULL")
    connection.execute(
        "UPDATE comparisons SET left_record = record_from_1(left_record),"
        " right_record = record_from_1(right_record)"
    )


def _record_from_1(text: str) -> str:
    """A record of version 1 as JSON of an `Answer`; one that makes no sense stays as it is."""
    try:
        record = json.loads(text)
        for cited in record["citations"]:
            # What was not kept: the document's number of pages, the passage's number in it.
            source, quote = {**cited["source"], "pages": 0}, cited["quote"]
            chunk = {
                "id": cited["chunk_id"],
                "source_id": source["id"],
                "strategy": "fixed" if record["route"] == "fixed" else "semantic",
                "text": quote,
                "start": cited.get("quote_start", 0),
                "end": cited.get("quote_end", 0),
                "first_page": cited["first_page"],
                "last_page": cited["last_page"],
                "ordinal": 0,
            }
            score, rank = cited.get("score", 0.0), cited.get("rank", 0)
            hit = {"chunk": chunk, "source": source, "score": score, "rank": rank}
            hit["retrievers"] = cited.get("legs", {})
            cited |= {"hit": hit, "quote_start": 0, "quote_end": len(quote)}
    except (KeyError, TypeError, ValueError, RecursionError):
        return text
    return json.dumps(record, ensure_ascii=False)
