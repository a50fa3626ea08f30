"""The tables of the file of all cards."""

from __future__ import annotations

import sqlite3
from itertools import chain

from tutor.database import FileKind, version_of
from tutor.errors import StudyError

APPLICATION_ID = 0x74757463
"""Says in the file's header whose it is: `tutc`."""
VERSION = 3

_TABLES = (
    # `made` is the card as the notes make it, as JSON; `question` and `answer` are the student's
    # edit of it. `topic` is what `--topic` compares, `section` what siblings share. `stale` is a
    # `Stale`.
    """
    CREATE TABLE cards (
        number INTEGER PRIMARY KEY,
        course TEXT NOT NULL,
        id TEXT NOT NULL,
        kind TEXT NOT NULL,
        made TEXT NOT NULL,
        question TEXT,
        answer TEXT,
        source TEXT,
        topic TEXT NOT NULL,
        section TEXT NOT NULL,
        suspended INTEGER NOT NULL DEFAULT 0,
        leech INTEGER NOT NULL DEFAULT 0,
        stale INTEGER NOT NULL DEFAULT 0,
        deleted_at TEXT,
        created TEXT NOT NULL,
        UNIQUE (course, id)
    )
    """,
    # A card without a row here was never seen.
    """
    CREATE TABLE schedules (
        card INTEGER PRIMARY KEY REFERENCES cards ON DELETE CASCADE,
        due TEXT NOT NULL,
        learning INTEGER NOT NULL,
        lapses INTEGER NOT NULL,
        memory TEXT NOT NULL
    )
    """,
    "CREATE INDEX schedules_by_time ON schedules (due)",
    # `before` is the row of `schedules` as it was, as JSON; NULL for a card's first review.
    """
    CREATE TABLE reviews (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        card INTEGER NOT NULL REFERENCES cards ON DELETE CASCADE,
        grade INTEGER NOT NULL CHECK (grade BETWEEN 1 AND 4),
        reviewed TEXT NOT NULL,
        duration_ms INTEGER,
        before TEXT,
        leech_before INTEGER NOT NULL
    )
    """,
    "CREATE INDEX reviews_by_card ON reviews (card)",
    "CREATE INDEX reviews_by_time ON reviews (reviewed)",
    # `questions` are numbers of cards as JSON, in order. What has no answer was not reached.
    """
    CREATE TABLE exams (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        course TEXT NOT NULL,
        begun TEXT NOT NULL,
        ended TEXT,
        questions TEXT NOT NULL
    )
    """,
    """
    CREATE TABLE exam_answers (
        exam INTEGER NOT NULL REFERENCES exams ON DELETE CASCADE,
        card INTEGER NOT NULL REFERENCES cards ON DELETE CASCADE,
        typed TEXT NOT NULL,
        verdict TEXT NOT NULL,
        PRIMARY KEY (exam, card)
    ) WITHOUT ROWID
    """,
)
_SINCE_1 = (
    # `made_of` says of which state of the notes, and by which rules, a course's cards were made.
    "CREATE TABLE courses (course TEXT PRIMARY KEY, made_of TEXT NOT NULL) WITHOUT ROWID",
    # Whether the notes have changed, since the exam, where the question stood.
    "ALTER TABLE exam_answers ADD COLUMN changed INTEGER NOT NULL DEFAULT 0",
    # What a model was asked to write a card of (`study.writing.Task.key`), whether or not one came
    # of it.
    """
    CREATE TABLE asked (
        course TEXT NOT NULL,
        key TEXT NOT NULL,
        PRIMARY KEY (course, key)
    ) WITHOUT ROWID
    """,
)

_SINCE_2 = (
    # Kinds of questions that a model wrote, and that are none of their own any more.
    """
    UPDATE cards SET kind = 'question', made = json_set(made, '$.kind', 'question')
    WHERE kind IN ('apply', 'compare')
    """,
)


def migrate(connection: sqlite3.Connection) -> None:
    """Make the tables, or bring them up to date, in the transaction that the caller has begun."""
    steps = (_TABLES, _SINCE_1, _SINCE_2)[version_of(connection) :]
    for statement in chain.from_iterable(steps):
        connection.execute(statement)
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {VERSION}")


KIND = FileKind(APPLICATION_ID, VERSION, migrate, StudyError)
"""The file of all cards."""
