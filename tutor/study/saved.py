"""The file of all cards: its tables, and cards as its rows hold them."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from enum import IntEnum
from functools import cache
from typing import Any

from pydantic import TypeAdapter, ValidationError

from tutor.database import FileKind, version_of
from tutor.errors import StudyError
from tutor.i18n import _
from tutor.study.card import Card, CardKind
from tutor.study.schedule import Schedule
from tutor.text.terminal import one_line, storable

APPLICATION_ID = 0x74757463
"""Says in the file's header whose it is: `tutc`."""
FIRST_TABLES = """
    -- `made` is the card as the notes make it, as JSON, `question` and `answer` are the student's
    -- edit of it. `section` is what siblings share, `topic` no longer used. `stale` is a `Stale`.
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
    );
    -- A card without a row here was never seen.
    CREATE TABLE schedules (
        card INTEGER PRIMARY KEY REFERENCES cards ON DELETE CASCADE,
        due TEXT NOT NULL,
        learning INTEGER NOT NULL,
        lapses INTEGER NOT NULL,
        memory TEXT NOT NULL
    );
    CREATE INDEX schedules_by_time ON schedules (due);
    -- `before` is the row of `schedules` as it was, as JSON, or NULL for a card's first review.
    CREATE TABLE reviews (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        card INTEGER NOT NULL REFERENCES cards ON DELETE CASCADE,
        grade INTEGER NOT NULL CHECK (grade BETWEEN 1 AND 4),
        reviewed TEXT NOT NULL,
        duration_ms INTEGER, -- no longer written
        before TEXT,
        leech_before INTEGER NOT NULL
    );
    CREATE INDEX reviews_by_card ON reviews (card);
    CREATE INDEX reviews_by_time ON reviews (reviewed);
    -- `questions` are numbers of cards as JSON, in order. What has no answer was not reached.
    CREATE TABLE exams (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        course TEXT NOT NULL,
        begun TEXT NOT NULL,
        ended TEXT,
        questions TEXT NOT NULL
    );
    CREATE TABLE exam_answers (
        exam INTEGER NOT NULL REFERENCES exams ON DELETE CASCADE,
        card INTEGER NOT NULL REFERENCES cards ON DELETE CASCADE,
        typed TEXT NOT NULL,
        verdict TEXT NOT NULL,
        PRIMARY KEY (exam, card)
    ) WITHOUT ROWID;
"""
_SINCE_1 = """
    -- `made_of` says of which state of the notes, and by which rules, a course's cards were made.
    CREATE TABLE courses (course TEXT PRIMARY KEY, made_of TEXT NOT NULL) WITHOUT ROWID;
    -- Whether the notes have changed, since the exam, where the question stood.
    ALTER TABLE exam_answers ADD COLUMN changed INTEGER NOT NULL DEFAULT 0;
    -- What a model was asked to write a card of (`Task.key`), whether or not one came of it.
    CREATE TABLE asked (
        course TEXT NOT NULL, key TEXT NOT NULL, PRIMARY KEY (course, key)
    ) WITHOUT ROWID;
"""
_SINCE_2 = """
    -- Kinds of questions that a model wrote, and that are none of their own any more.
    UPDATE cards SET kind = 'question', made = json_set(made, '$.kind', 'question')
    WHERE kind IN ('apply', 'compare');
"""
_STEPS = (FIRST_TABLES, _SINCE_1, _SINCE_2)
VERSION = len(_STEPS)
LIVE = "c.course = :course AND c.deleted_at IS NULL"
"""Condition: a card of the course that is not deleted."""
CHANGED = """
    (c.stale = 1 AND (c.kind = 'own' OR s.card IS NOT NULL
     OR c.question IS NOT NULL OR c.answer IS NOT NULL))
"""
"""`SavedCard.has_changed`."""
CARDS = """
    SELECT c.*, s.due, s.learning, s.lapses, s.memory
    FROM cards c LEFT JOIN schedules s ON s.card = c.number
"""


def _migrate(connection: sqlite3.Connection) -> None:
    """Make the tables, or bring them up to date, in the transaction that the caller has begun."""
    for step in _STEPS[version_of(connection) :]:
        for statement in step.split(";"):
            connection.execute(statement)
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {VERSION}")


KIND = FileKind(APPLICATION_ID, VERSION, _migrate, StudyError)
"""The file of all cards."""


class Stale(IntEnum):
    """Whether the notes still make a card."""

    NO = 0
    CHANGED = 1
    """They no longer do."""
    KEPT = 2
    """They no longer do, and the student wants it as it is."""


@dataclass(frozen=True, slots=True)
class SavedCard:
    """A card with what the student made of it. `made` is what the notes say, or said.

    `leech`: forgotten too often.
    """

    number: int
    course: str
    made: Card
    card: Card
    schedule: Schedule | None
    suspended: bool
    leech: bool
    stale: Stale
    deleted: bool

    @property
    def is_edited(self) -> bool:
        """Whether the student has rewritten it."""
        return self.card != self.made

    @property
    def has_changed(self) -> bool:
        """Whether the student knows it or has written it, and the notes no longer say it."""
        is_known = self.schedule is not None or self.is_edited or self.made.kind is CardKind.OWN
        return self.stale is Stale.CHANGED and is_known


@cache
def _cards() -> TypeAdapter[Card]:
    # Made at the first use: building the schema takes some milliseconds.
    return TypeAdapter(Card)


def saved_card(row: sqlite3.Row) -> SavedCard:
    """The card of a row of `CARDS`. Raises `StudyError` where it makes no sense."""
    try:
        made = _cards().validate_json(row["made"])
    except ValidationError:
        raise StudyError(
            _("The record of the card `%(id)s` makes no sense.") % {"id": one_line(row["id"])},
            _("Bring back a copy of the file, or move it elsewhere: a new one is then begun."),
        ) from None
    card = made if row["question"] is None else replace(made, question=row["question"])
    if row["answer"] not in (None, made.answer):
        # Parts of the former answer are no longer its own.
        card = replace(card, answer=row["answer"], choices=(), items=(), ordered=False, also=())
    schedule = None
    if row["due"] is not None:
        due = datetime.fromisoformat(row["due"])
        schedule = Schedule(due, bool(row["learning"]), row["lapses"], row["memory"])
    return SavedCard(
        number=row["number"],
        course=row["course"],
        made=made,
        card=card,
        schedule=schedule,
        suspended=bool(row["suspended"]),
        leech=bool(row["leech"]),
        stale=Stale(row["stale"]),
        deleted=row["deleted_at"] is not None,
    )


def columns(card: Card) -> dict[str, str | None]:
    """What the table of cards has of a card as it is made.

    `section` is what the cards of one section share.
    """
    origin = card.origin
    section = f"{origin.source_id}:{origin.section}" if origin else card.id
    return {
        "id": card.id,
        "kind": card.kind,
        "made": storable(json.dumps(asdict(card), ensure_ascii=False, default=str)),
        "source": storable(origin.source_id) if origin else None,
        "section": storable(section),
    }


def write_cards(
    connection: sqlite3.Connection, course: str, cards: Iterable[Card], created: datetime
) -> None:
    """Write cards as they are made; what is there of one by the student stays."""
    shared = {"course": storable(course), "created": created.isoformat()}
    connection.executemany(
        """
        INSERT INTO cards (course, id, kind, made, source, topic, section, created)
        VALUES (:course, :id, :kind, :made, :source, '', :section, :created)
        ON CONFLICT (course, id) DO UPDATE SET made = excluded.made, source = excluded.source,
            section = excluded.section, stale = 0
        """,
        [{**columns(card), **shared} for card in cards],
    )


def schedule_columns(schedule: Schedule) -> dict[str, Any]:
    """A schedule as the columns of its row."""
    return {**asdict(schedule), "due": schedule.due.isoformat()}
