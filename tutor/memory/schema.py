"""The tables, and the steps that bring an older file up to date."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import sqlite3

APPLICATION_ID = 0x7475746F
"""Says in the file's header whose it is: `tuto`."""

_FIRST = (
    """
    CREATE TABLE sessions (
        number INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        title TEXT NOT NULL DEFAULT '',
        folded_title TEXT NOT NULL DEFAULT '',
        course TEXT NOT NULL,
        language TEXT NOT NULL,
        created TEXT NOT NULL,
        updated TEXT NOT NULL,
        deleted_at TEXT
    )
    """,
    "CREATE INDEX sessions_by_time ON sessions (deleted_at, updated)",
    """
    CREATE TABLE turns (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        session INTEGER NOT NULL REFERENCES sessions ON DELETE CASCADE,
        ordinal INTEGER NOT NULL,
        question TEXT NOT NULL,
        standalone TEXT NOT NULL,
        route TEXT,
        rule TEXT NOT NULL DEFAULT '',
        strategy TEXT,
        state TEXT NOT NULL,
        abstained INTEGER NOT NULL DEFAULT 0,
        model TEXT NOT NULL DEFAULT '',
        writer TEXT NOT NULL DEFAULT '',
        created TEXT NOT NULL,
        ended TEXT,
        answer TEXT NOT NULL DEFAULT '',
        record TEXT,
        UNIQUE (session, ordinal)
    )
    """,
    "CREATE INDEX turns_being_written ON turns (state) WHERE state = 'writing'",
    # Apart from the turns, so that a search reads this and nothing else.
    """
    CREATE TABLE searched (
        turn INTEGER PRIMARY KEY REFERENCES turns ON DELETE CASCADE,
        session INTEGER NOT NULL,
        folded TEXT NOT NULL
    )
    """,
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
        vote INTEGER NOT NULL CHECK (vote IN (-1, 1)),
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

MIGRATIONS: tuple[tuple[str, ...], ...] = (_FIRST,)
"""`MIGRATIONS[n]` leads from version `n` to `n + 1`. Steps are added, never changed."""


def version_of(connection: sqlite3.Connection) -> int:
    """The schema version of the file; 0 where it is still empty."""
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def is_foreign(connection: sqlite3.Connection) -> bool:
    """Whether the file holds another program's tables."""
    # The tables first: another process may be making them just now, and the mark comes with them.
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    return application != APPLICATION_ID and bool(tables or application)


def migrate(connection: sqlite3.Connection) -> None:
    """Bring the file up to date, inside the transaction that the caller has begun."""
    for version in range(version_of(connection), len(MIGRATIONS)):
        for statement in MIGRATIONS[version]:
            connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {version + 1}")
