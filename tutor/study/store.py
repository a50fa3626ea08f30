"""All cards, their schedules and reviews, in one file."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from tutor.database import Database
from tutor.errors import StudyError
from tutor.history.texts import storable
from tutor.i18n import _
from tutor.model import SourceId
from tutor.study import rows
from tutor.study.card import Card
from tutor.study.changes import (
    Change,
    ChangeAction,
    Changes,
    carry_along,
    mark,
    stale_cards,
)
from tutor.study.counting import CHANGED, LIVE, Counts, counted, midnight
from tutor.study.exams import Exams
from tutor.study.notes import Notes
from tutor.study.rows import CARDS, SavedCard
from tutor.study.schedule import Grade, Schedule, Scheduler
from tutor.study.schema import KIND
from tutor.study.weeks import Graded
from tutor.text.folding import folded

FILE_NAME = "study.db"
"""In the folder of all stores, beside the conversations."""
_CHOSEN = f"""
    {LIVE} AND (:sources IS NULL OR c.source IN (SELECT value FROM json_each(:sources)))
    AND NOT EXISTS (SELECT 1 FROM json_each(:words) w WHERE instr(c.topic, w.value) = 0)
"""  # noqa: S608 - constants


def _utc_now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class Selection:
    """Which cards: of these documents (None: of all, and the student's own), about this topic."""

    sources: frozenset[SourceId] | None = None
    topic: str = ""


@dataclass(frozen=True, slots=True)
class Merged:
    """What became of a course's cards when they were made anew, in numbers of cards."""

    added: int
    kept: int
    stale: int
    """All that the student knows or has written, and the notes no longer make."""


@dataclass(frozen=True, slots=True)
class Review:
    """A grade that was saved, and the schedule that follows from it."""

    id: int
    card: int
    schedule: Schedule
    is_new_leech: bool


class StudyStore(AbstractContextManager["StudyStore"]):
    """Cards in one SQLite file that several threads and processes may use at once.

    What a method changes is on disk when it returns. Every method raises `StudyError`.
    """

    def __init__(self, path: Path, *, now: Callable[[], datetime] = _utc_now) -> None:
        self._now = now
        self._database = Database(path, KIND)

    def __exit__(self, *_error: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    def now(self) -> datetime:
        """The time that reviews are dated by."""
        return self._now().astimezone(UTC)

    @property
    def exams(self) -> Exams:
        """The exams that were sat."""
        return Exams(self._database, self.now)

    @property
    def changes(self) -> Changes:
        """The cards whose place in the notes has changed."""
        return Changes(self._database, self.now)

    def settle(self, change: Change, choice: ChangeAction) -> None:
        """Update, keep or delete a card that stood on what the notes no longer say."""
        if choice is ChangeAction.DELETE:
            self.delete(change.saved.number)
        elif choice is ChangeAction.KEEP:
            self.changes.keep(change)
        else:
            self.changes.update(change)

    def rewrite(self, change: Change, question: str, answer: str) -> None:
        """Rewrite such a card by what the notes say now."""
        self.edit(change.saved.number, question, answer)
        self.changes.keep(change, there=True)

    # --- cards come and go ---

    def merge(
        self, course: str, cards: Iterable[Card], notes: Notes | None = None, made_of: str = ""
    ) -> Merged:
        """Take in all cards that a course's notes make now; `made_of` names that state of them.

        A card that is there already keeps its schedule, its edit and its marks, and so does one
        that is asked in other words of the same text. One that the notes no longer make is kept
        and marked as stale; one that was deleted stays so.
        """
        made = {card.id: card for card in cards}
        with self._database.writing() as connection:
            known = self._ids(connection, course)
            stale_before = stale_cards(connection, course)
            known |= carry_along(connection, course, made, known)
            self._write(connection, course, made.values())
            mark(connection, course, made.values(), notes or Notes(), stale_before)
            connection.execute(
                "INSERT OR REPLACE INTO courses VALUES (?, ?)", (storable(course), made_of)
            )
            (stale,) = connection.execute(
                f"SELECT count(*) FROM cards c LEFT JOIN schedules s ON s.card = c.number"  # noqa: S608 - ours
                f" WHERE {LIVE} AND {CHANGED}",
                {"course": storable(course)},
            ).fetchone()
        return Merged(len(made.keys() - known), len(made.keys() & known), stale)

    def made_of(self, course: str) -> str | None:
        """Of which state of the notes a course's cards were made; None where they never were."""
        with self._database.reading() as connection:
            row = connection.execute(
                "SELECT made_of FROM courses WHERE course = ?", (storable(course),)
            ).fetchone()
        return str(row["made_of"]) if row else None

    def add(self, course: str, cards: Iterable[Card]) -> int:
        """Add cards of the student's own; how many were not there yet.

        One that was deleted before comes back: it was asked for again.
        """
        added = {card.id: card for card in cards}
        with self._database.writing() as connection:
            known = self._ids(connection, course)
            self._write(connection, course, added.values())
            connection.execute(
                "UPDATE cards SET deleted_at = NULL WHERE course = ?"
                " AND id IN (SELECT value FROM json_each(?))",
                (storable(course), json.dumps(list(added))),
            )
        return len(added.keys() - known)

    def known(self, course: str) -> set[str]:
        """The ids of all cards, deleted or not, and the keys of what a model was asked."""
        with self._database.reading() as connection:
            asked = connection.execute(
                "SELECT key FROM asked WHERE course = ?", (storable(course),)
            )
            return {key for (key,) in asked} | self._ids(connection, course)

    def keep_written(self, course: str, key: str, card: Card | None) -> None:
        """Keep what came of asking a model: its card, or that there is none."""
        with self._database.writing() as connection:
            connection.execute(
                "INSERT OR IGNORE INTO asked (course, key) VALUES (?, ?)", (storable(course), key)
            )
            self._write(connection, course, [card] if card else [])

    def _ids(self, connection: sqlite3.Connection, course: str) -> set[str]:
        found = connection.execute("SELECT id FROM cards WHERE course = ?", (storable(course),))
        return {id_ for (id_,) in found}

    def _write(self, connection: sqlite3.Connection, course: str, cards: Iterable[Card]) -> None:
        created = self.now().isoformat()
        connection.executemany(
            """
            INSERT INTO cards (course, id, kind, made, source, topic, section, created)
            VALUES (:course, :id, :kind, :made, :source, :topic, :section, :created)
            ON CONFLICT (course, id) DO UPDATE SET made = excluded.made, source = excluded.source,
                topic = excluded.topic, section = excluded.section, stale = 0
            """,
            [
                {**rows.columns(card), "course": storable(course), "created": created}
                for card in cards
            ],
        )

    # --- cards are read ---

    def cards(
        self, course: str, which: Selection | None = None, *, deleted: bool = False
    ) -> list[SavedCard]:
        """The cards of a course in the order in which they came; `deleted`: those instead."""
        where = _CHOSEN.replace("IS NULL", "IS NOT NULL", 1) if deleted else _CHOSEN
        with self._database.reading() as connection:
            found = connection.execute(
                f"{CARDS} WHERE {where} ORDER BY c.number", _values(course, which)
            )
            return [rows.saved_card(row) for row in found]

    def written(self, course: str) -> list[Card]:
        """The cards of a course that a model wrote, as it wrote them."""
        return [saved.made for saved in self.cards(course) if saved.made.model]

    def find(self, course: str, start: str) -> SavedCard:
        """The only card of a course whose id begins so, deleted or not."""
        with self._database.reading() as connection:
            return rows.find_card(connection, storable(course), start)

    def get(self, number: int) -> SavedCard:
        """A card by its number."""
        with self._database.reading() as connection:
            return _card(connection, number)

    def due(self, course: str, which: Selection | None = None) -> list[int]:
        """The numbers of cards that are due, the one that waits longest first."""
        with self._database.reading() as connection:
            found = connection.execute(
                f"""
                SELECT c.number FROM schedules s JOIN cards c ON c.number = s.card
                WHERE {_CHOSEN} AND NOT c.suspended AND s.due <= :now ORDER BY s.due, c.number
                """,  # noqa: S608 - ours
                {**_values(course, which), "now": self.now().isoformat()},
            )
            return [number for (number,) in found]

    def new(self, course: str, limit: int, which: Selection | None = None) -> list[int]:
        """The numbers of at most `limit` cards never seen, less those that were begun today.

        Of each section one comes first, then, when all have begun, another one: a table's rows do
        not fill a day, and what stands beside a card would give its answer away.
        What the notes no longer say is not begun.
        """
        values = {**_values(course, which), "today": midnight(self._now()).isoformat()}
        with self._database.reading() as connection:
            (begun,) = connection.execute(
                f"""
                SELECT count(*) FROM reviews r JOIN cards c ON c.number = r.card
                WHERE {LIVE} AND r.before IS NULL AND r.reviewed >= :today
                """,  # noqa: S608 - ours
                values,
            ).fetchone()
            found = connection.execute(
                f"""
                SELECT number FROM (
                    SELECT c.number, s.card IS NULL AND NOT c.suspended AND c.stale != 1 AS fits,
                        row_number() OVER (PARTITION BY c.section ORDER BY c.number) AS place
                    FROM cards c LEFT JOIN schedules s ON s.card = c.number WHERE {_CHOSEN}
                ) WHERE fits ORDER BY place, number
                LIMIT :limit
                """,  # noqa: S608 - ours
                {**values, "limit": max(0, limit - begun)},
            )
            return [number for (number,) in found]

    def next_due(self, course: str, which: Selection | None = None) -> datetime | None:
        """When the next card that was seen before is due; None if there is none."""
        with self._database.reading() as connection:
            (due,) = connection.execute(
                f"""
                SELECT min(s.due) FROM schedules s JOIN cards c ON c.number = s.card
                WHERE {_CHOSEN} AND NOT c.suspended
                """,  # noqa: S608 - ours
                _values(course, which),
            ).fetchone()
        return datetime.fromisoformat(due) if due else None

    def counts(self, course: str) -> Counts:
        """A course in numbers."""
        with self._database.reading() as connection:
            return counted(connection, storable(course), self._now())

    def graded(self, course: str, which: Selection | None = None) -> list[Graded]:
        """All reviews of the cards that are not deleted, the first one first."""
        with self._database.reading() as connection:
            found = connection.execute(
                f"""
                SELECT r.reviewed, r.grade > 1 AS remembered, r.before IS NOT NULL
                    AND NOT json_extract(r.before, '$.learning') AS was_known
                FROM reviews r JOIN cards c ON c.number = r.card WHERE {_CHOSEN} ORDER BY r.id
                """,  # noqa: S608 - ours
                _values(course, which),
            )
            return [
                Graded(datetime.fromisoformat(when), bool(was_known), bool(remembered))
                for when, remembered, was_known in found
            ]

    # --- cards are reviewed ---

    def grade(
        self, number: int, grade: Grade, scheduler: Scheduler, duration_ms: int | None = None
    ) -> Review:
        """Save how well a card was remembered, and when it is due next."""
        now = self.now()
        with self._database.writing() as connection:
            card = _card(connection, number)
            before = card.schedule
            after = scheduler.graded(before, grade, now)
            connection.execute(_INSERT_SCHEDULE, {"card": number, **rows.schedule_values(after)})
            connection.execute(
                "UPDATE cards SET leech = ? WHERE number = ?", (int(after.is_leech), number)
            )
            review = connection.execute(
                "INSERT INTO reviews (card, grade, reviewed, duration_ms, before, leech_before)"
                " VALUES (?, ?, ?, ?, ?, ?)",
                (
                    number,
                    int(grade),
                    now.isoformat(),
                    duration_ms,
                    json.dumps(rows.schedule_values(before)) if before else None,
                    int(card.leech),
                ),
            ).lastrowid
        assert review is not None  # noqa: S101 - a row was inserted
        return Review(review, number, after, after.is_leech and not card.leech)

    def undo(self, review: int) -> None:
        """Take a grade back, unless the card was graded again since."""
        with self._database.writing() as connection:
            row = connection.execute(
                "SELECT r.*, (SELECT max(id) FROM reviews l WHERE l.card = r.card) AS latest"
                " FROM reviews r WHERE r.id = ?",
                (review,),
            ).fetchone()
            if row is None or row["latest"] != review:
                raise StudyError(
                    _("This grade cannot be taken back: the card has been graded again since."),
                    _("The later grade counts."),
                )
            connection.execute("DELETE FROM schedules WHERE card = ?", (row["card"],))
            if row["before"]:
                values = {"card": row["card"], **json.loads(row["before"])}
                connection.execute(_INSERT_SCHEDULE, values)
            connection.execute(
                "UPDATE cards SET leech = ? WHERE number = ?", (row["leech_before"], row["card"])
            )
            connection.execute("DELETE FROM reviews WHERE id = ?", (review,))

    def edit(self, number: int, question: str, answer: str) -> SavedCard:
        """Rewrite a card; what equals the card as it was made is no edit."""
        with self._database.writing() as connection:
            made = _card(connection, number).made
            edited = [
                None if new.strip() == old else storable(new.strip())
                for new, old in ((question, made.question), (answer, made.answer))
            ]
            if "" in edited:
                raise StudyError(_("A card needs a question and an answer."))
            connection.execute(
                "UPDATE cards SET question = ?, answer = ? WHERE number = ?", (*edited, number)
            )
            return _card(connection, number)

    def suspend(self, number: int, *, suspended: bool = True) -> None:
        """Set a card aside, or take it back in."""
        with self._database.writing() as connection:
            connection.execute(
                "UPDATE cards SET suspended = ? WHERE number = ?", (int(suspended), number)
            )

    def delete(self, number: int, *, deleted: bool = True) -> None:
        """Delete a card, or bring it back. It is kept, so that the notes do not make it anew."""
        moment = self.now().isoformat() if deleted else None
        with self._database.writing() as connection:
            connection.execute("UPDATE cards SET deleted_at = ? WHERE number = ?", (moment, number))


_INSERT_SCHEDULE = """
    INSERT OR REPLACE INTO schedules (card, due, learning, lapses, memory)
    VALUES (:card, :due, :learning, :lapses, :memory)
"""


def _card(connection: sqlite3.Connection, number: int) -> SavedCard:
    row = connection.execute(f"{CARDS} WHERE c.number = ?", (number,)).fetchone()
    if row is None:
        raise StudyError(_("There is no card `%(id)s`.") % {"id": number})
    return rows.saved_card(row)


def _values(course: str, which: Selection | None) -> dict[str, object]:
    which = which or Selection()
    return {
        "course": storable(course),
        "sources": None if which.sources is None else json.dumps(sorted(which.sources)),
        "words": json.dumps(storable(folded(which.topic)).split()),
    }
