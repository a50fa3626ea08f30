"""All cards, their schedules and reviews, in one file."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path

from tutor.courses import course_command
from tutor.database import Database, utc_now
from tutor.errors import StudyError
from tutor.i18n import _
from tutor.study.card import Card
from tutor.study.changes import Change, ChangeAction, Changes, Notes, take_in
from tutor.study.exams import Exams
from tutor.study.progress import CardCounts, Graded, counted, midnight
from tutor.study.saved import (
    CARDS,
    KIND,
    LIVE,
    SavedCard,
    saved_card,
    schedule_columns,
    write_cards,
)
from tutor.study.schedule import Grade, Schedule, Scheduler
from tutor.study.siblings import siblings_last
from tutor.study.topics import Selection, about
from tutor.text.terminal import one_line, storable

FILE_NAME = "study.db"
"""In the folder of all stores, beside the conversations."""
_CHOSEN = f"""
    {LIVE} AND (:sources IS NULL OR c.source IN (SELECT value FROM json_each(:sources)))
    AND (:numbers IS NULL OR c.number IN (SELECT value FROM json_each(:numbers)))
"""  # noqa: S608 - constants
_INSERT_SCHEDULE = """
    INSERT OR REPLACE INTO schedules (card, due, learning, lapses, memory)
    VALUES (:card, :due, :learning, :lapses, :memory)
"""


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
    schedule: Schedule
    is_new_leech: bool


class StudyStore(Database):
    """Cards in one SQLite file that several threads and processes may use at once.

    What a method changes is on disk when it returns. Every method raises `StudyError`.
    """

    def __init__(self, path: Path, *, now: Callable[[], datetime] = utc_now) -> None:
        super().__init__(path, KIND)
        self._now = now
        self.exams = Exams(self, self.now)
        """The exams that were sat."""
        self.changes = Changes(self, self.now)
        """The cards whose place in the notes has changed."""

    def now(self) -> datetime:
        """The time that reviews are dated by."""
        return self._now().astimezone(UTC)

    def _select(self, query: str, values: Mapping[str, object]) -> list[sqlite3.Row]:
        with self.reading() as connection:
            return connection.execute(query, values).fetchall()

    def _update(self, number: int, assignments: str, *values: object) -> None:
        with self.writing() as connection:
            connection.execute(
                f"UPDATE cards SET {assignments} WHERE number = ?",  # noqa: S608 - ours
                (*values, number),
            )

    # --- cards come and go ---

    def merge(
        self, course: str, cards: Iterable[Card], notes: Notes | None = None, made_of: str = ""
    ) -> Merged:
        """Take in all cards that a course's notes make now; `made_of` names that state of them.

        A card that is there already keeps its schedule, its edit and its marks, and so does one
        that is asked in other words of the same text. One that the notes no longer make is kept
        and marked as stale; one that was deleted stays so. A card written by a model, as late as
        while these were made, is among them as long as the notes still say it.
        """
        notes = notes or Notes()
        made = {card.id: card for card in cards}
        before = self._written(course)
        said = notes.still_said(before.values())  # Takes long: others may write meanwhile.
        with self.writing() as connection:
            written = self._written(course)
            came = [card for id_, card in written.items() if before.get(id_) != card]
            kept = written.keys() - {card.id for card in came}
            said = [card for card in said if card.id in kept] + notes.still_said(came)
            made |= {card.id: card for card in said}
            known = self._ids(course)
            known |= take_in(connection, course, made, known, notes=notes, now=self.now())
            connection.execute(
                "INSERT OR REPLACE INTO courses VALUES (?, ?)", (storable(course), made_of)
            )
        return Merged(len(made.keys() - known), len(made.keys() & known), self.counts(course).stale)

    def _written(self, course: str) -> dict[str, Card]:
        """The cards that a model wrote, as they were made, by their ids."""
        where = f"{LIVE} AND json_extract(c.made, '$.model') != ''"
        found = self._select(f"{CARDS} WHERE {where} ORDER BY c.number", _values(course))
        return {card.id: card for card in (saved_card(row).made for row in found)}

    def made_of(self, course: str) -> str | None:
        """Of which state of the notes a course's cards were made; None where they never were."""
        found = self._select("SELECT made_of FROM courses WHERE course = :course", _values(course))
        return str(found[0]["made_of"]) if found else None

    def add(self, course: str, cards: Iterable[Card]) -> int:
        """Add cards of the student's own; how many were not there yet.

        One that was deleted before comes back: it was asked for again.
        """
        added = {card.id: card for card in cards}
        with self.writing() as connection:
            known = self._ids(course)
            write_cards(connection, course, added.values(), self.now())
            connection.execute(
                "UPDATE cards SET deleted_at = NULL WHERE course = ?"
                " AND id IN (SELECT value FROM json_each(?))",
                (storable(course), json.dumps(list(added))),
            )
        return len(added.keys() - known)

    def known(self, course: str) -> set[str]:
        """The ids of all cards, deleted or not, and the keys of what a model was asked."""
        asked = self._select("SELECT key FROM asked WHERE course = :course", _values(course))
        return {key for (key,) in asked} | self._ids(course)

    def keep_written(self, course: str, key: str, card: Card | None) -> None:
        """Keep what came of asking a model: its card, or that there is none."""
        with self.writing() as connection:
            connection.execute(
                "INSERT OR IGNORE INTO asked (course, key) VALUES (?, ?)", (storable(course), key)
            )
            write_cards(connection, course, [card] if card else [], self.now())

    def _ids(self, course: str) -> set[str]:
        found = self._select("SELECT id FROM cards WHERE course = :course", _values(course))
        return {id_ for (id_,) in found}

    # --- cards are read ---

    def cards(
        self, course: str, which: Selection | None = None, *, deleted: bool = False
    ) -> list[SavedCard]:
        """The cards of a course in the order in which they came; `deleted`: those instead."""
        where = _CHOSEN.replace("IS NULL", "IS NOT NULL", 1) if deleted else _CHOSEN
        found = self._select(f"{CARDS} WHERE {where} ORDER BY c.number", _values(course, which))
        fit = about(map(saved_card, found), which.topic if which else "")
        return sorted(fit, key=lambda saved: saved.number)

    def _chosen(self, course: str, which: Selection | None) -> dict[str, object]:
        """The values of `_CHOSEN`."""
        values = _values(course, which)
        if which and which.topic:
            found = which.numbers
            if found is None:
                found = tuple(saved.number for saved in self.cards(course, which))
            values["numbers"] = json.dumps(found)
        return values

    def find(self, course: str, start: str) -> SavedCard:
        """The only card of a course whose id begins so, deleted or not."""
        wanted = storable(start.strip().lower())
        found = self._select(
            f"{CARDS} WHERE c.course = :course AND substr(c.id, 1, length(:start)) = :start"
            " LIMIT 2",
            {"course": storable(course), "start": wanted},
        )
        told = {"id": one_line(wanted)}
        listing = _("This lists them: %(command)s") % {
            "command": course_command("cards list", course)
        }
        if not found or not wanted:
            raise StudyError(_("There is no card `%(id)s`.") % told, listing)
        if len(found) > 1:
            raise StudyError(
                _("Several cards begin with `%(id)s`.") % told,
                _("Give more of the id.") + " " + listing,
            )
        return saved_card(found[0])

    def get(self, number: int) -> SavedCard:
        """A card by its number."""
        found = self._select(f"{CARDS} WHERE c.number = :number", {"number": number})
        if not found:
            raise StudyError(_("There is no card `%(id)s`.") % {"id": number})
        return saved_card(found[0])

    def due(self, course: str, which: Selection | None = None) -> list[int]:
        """The numbers of cards that are due, the one that waits longest first."""
        found = self._select(
            f"""
            SELECT c.number FROM schedules s JOIN cards c ON c.number = s.card
            WHERE {_CHOSEN} AND NOT c.suspended AND s.due <= :now ORDER BY s.due, c.number
            """,  # noqa: S608 - ours
            {**self._chosen(course, which), "now": self.now().isoformat()},
        )
        return [number for (number,) in found]

    def unseen(self, course: str, which: Selection | None = None) -> list[int]:
        """The numbers of the cards that can be begun: of each section one comes first, then, when
        all have begun, another one.
        """
        found = self._select(
            f"""
            SELECT number FROM (
                SELECT c.number, s.card IS NULL AND NOT c.suspended AND c.stale != 1 AS fits,
                    row_number() OVER (PARTITION BY c.section ORDER BY c.number) AS place
                FROM cards c LEFT JOIN schedules s ON s.card = c.number WHERE {_CHOSEN}
            ) WHERE fits ORDER BY place, number
            """,  # noqa: S608 - ours
            self._chosen(course, which),
        )
        return [number for (number,) in found]

    def new(
        self,
        course: str,
        limit: int,
        which: Selection | None = None,
        cards: Mapping[int, SavedCard] | None = None,
    ) -> list[int]:
        """The numbers of at most `limit` cards never seen, less those that were begun today.

        Of each section one comes first, then, when all have begun, another one: a table's rows do
        not fill a day. Siblings of what was begun today, is due, or comes before them are last.
        What the notes no longer say is not begun. `cards` are those of the course by their numbers,
        where they have been read before.
        """
        begun = self.begun_today(course)
        left = limit - len(begun)
        if left <= 0 or not (unseen := self.unseen(course, which)):
            return []
        if cards is None:
            cards = {card.number: card for card in self.cards(course)}
        asked = [*self.due(course), *begun]
        known = [cards[number] for number in asked if number in cards]
        fit = about((cards[n] for n in unseen if n in cards), which.topic if which else "")
        return [saved.number for saved in islice(siblings_last(fit, known), left)]

    def begun_today(self, course: str) -> list[int]:
        """The numbers of the cards that were seen for the first time today."""
        found = self._select(
            f"""
            SELECT c.number FROM reviews r JOIN cards c ON c.number = r.card
            WHERE {LIVE} AND r.before IS NULL AND r.reviewed >= :today
            """,  # noqa: S608 - ours
            {**_values(course), "today": self._today().isoformat()},
        )
        return [number for (number,) in found]

    def next_due(self, course: str, which: Selection | None = None) -> datetime | None:
        """When the next card that was seen before is due; None if there is none."""
        ((due,),) = self._select(
            f"""
            SELECT min(s.due) FROM schedules s JOIN cards c ON c.number = s.card
            WHERE {_CHOSEN} AND NOT c.suspended
            """,  # noqa: S608 - ours
            self._chosen(course, which),
        )
        return datetime.fromisoformat(due) if due else None

    def counts(self, course: str) -> CardCounts:
        """A course in numbers."""
        with self.reading() as connection:
            return counted(connection, storable(course), self.now())

    def graded(self, course: str, which: Selection | None = None) -> list[Graded]:
        """All reviews of the cards that are not deleted, the first one first."""
        found = self._select(
            f"""
            SELECT r.reviewed, r.before IS NOT NULL
                AND NOT json_extract(r.before, '$.learning') AS was_known, r.grade > 1
            FROM reviews r JOIN cards c ON c.number = r.card WHERE {_CHOSEN} ORDER BY r.id
            """,  # noqa: S608 - ours
            self._chosen(course, which),
        )
        return [
            Graded(datetime.fromisoformat(when), bool(was_known), bool(remembered))
            for when, was_known, remembered in found
        ]

    def _today(self) -> datetime:
        """When today began here, in UTC."""
        return midnight(self._now().astimezone().date())

    # --- cards are reviewed and rewritten ---

    def grade(self, number: int, grade: Grade, scheduler: Scheduler) -> Review:
        """Save how well a card was remembered, and when it is due next."""
        now = self.now()
        with self.writing() as connection:
            card = self.get(number)
            after = scheduler.graded(card.schedule, grade, now)
            before = json.dumps(schedule_columns(card.schedule)) if card.schedule else None
            connection.execute(_INSERT_SCHEDULE, {"card": number, **schedule_columns(after)})
            connection.execute(
                "UPDATE cards SET leech = ? WHERE number = ?", (after.is_leech, number)
            )
            review = connection.execute(
                "INSERT INTO reviews (card, grade, reviewed, before, leech_before)"
                " VALUES (?, ?, ?, ?, ?)",
                (number, int(grade), now.isoformat(), before, card.leech),
            ).lastrowid
        assert review is not None  # noqa: S101 - a row was inserted
        return Review(review, after, after.is_leech and not card.leech)

    def undo(self, review: int) -> None:
        """Take a grade back, unless the card was graded again since."""
        with self.writing() as connection:
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
        made = self.get(number).made
        edited = [
            None if new.strip() == old else storable(new.strip())
            for new, old in ((question, made.question), (answer, made.answer))
        ]
        if "" in edited:
            raise StudyError(_("A card needs a question and an answer."))
        self._update(number, "question = ?, answer = ?", *edited)
        return self.get(number)

    def suspend(self, number: int, *, suspended: bool = True) -> None:
        """Set a card aside, or take it back in."""
        self._update(number, "suspended = ?", suspended)

    def delete(self, number: int, *, deleted: bool = True) -> None:
        """Delete a card, or bring it back. It is kept, so that the notes do not make it anew."""
        self._update(number, "deleted_at = ?", self.now().isoformat() if deleted else None)

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


def _values(course: str, which: Selection | None = None) -> dict[str, object]:
    which = which or Selection()
    return {
        "course": storable(course),
        "sources": None if which.sources is None else json.dumps(sorted(which.sources)),
        "numbers": None,
    }
