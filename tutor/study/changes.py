"""What becomes of cards when the notes change: carried along, marked, updated or kept."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import IntEnum
from typing import TYPE_CHECKING

from tutor.errors import StudyError
from tutor.history.texts import storable
from tutor.i18n import _
from tutor.study import rows
from tutor.study.card import Card, CardId, CardKind, Origin
from tutor.study.counting import CHANGED
from tutor.study.notes import Notes, alike, word_counts
from tutor.study.rows import CARDS, SavedCard, Stale
from tutor.text.folding import folded

if TYPE_CHECKING:
    import sqlite3

    from tutor.database import Database

_SAME_QUESTION = 0.5
"""Share of the words that two questions on one place must have in common to be the same one."""
_HEADING = re.compile(r"\A\[[^\]]*\] ")
_ANSWERED = "EXISTS (SELECT 1 FROM exam_answers a WHERE a.card = c.number)"
_TOUCHED = f"""
    (s.card IS NOT NULL OR c.question IS NOT NULL OR c.answer IS NOT NULL OR c.suspended
     OR c.deleted_at IS NOT NULL OR c.kind = 'own' OR {_ANSWERED})
"""
"""The student has done something with it."""


class ChangeAction(IntEnum):
    """What can be done with a card whose place in the notes has changed."""

    UPDATE = 1
    KEEP = 2
    DELETE = 3


@dataclass(frozen=True, slots=True)
class Change:
    """A card whose place in the notes has changed, or is gone.

    `new` is what most likely has become of the place, and `successor` the card that the notes
    make there now instead; None where there is none.
    """

    saved: SavedCard
    new: Origin | None
    successor: SavedCard | None

    @property
    def old(self) -> Origin:
        """Where it stood, with what the notes said there."""
        assert self.saved.made.origin is not None  # noqa: S101 - what stands nowhere does not change
        return self.saved.made.origin


# --- when cards are made anew ---


def carry_along(
    connection: sqlite3.Connection, course: str, made: dict[CardId, Card], known: set[str]
) -> set[CardId]:
    """Let cards that the notes now ask in other words, of the same text with the same answer,
    take over what the student did with the former ones. The ids that were taken over.
    """
    fresh: dict[tuple[str, ...], CardId] = {}
    for card in made.values():
        if card.id not in known:
            fresh.setdefault(_said(card), card.id)
    carried = set()
    for saved in _missing(connection, course, made):
        if heir := fresh.pop(_said(saved.made), None):
            connection.execute("UPDATE cards SET id = ? WHERE number = ?", (heir, saved.number))
            carried.add(heir)
    return carried


def mark(
    connection: sqlite3.Connection,
    course: str,
    made: Iterable[Card],
    notes: Notes,
    before: set[int],
) -> None:
    """Mark the cards that the notes no longer make, and those of the student's own whose place
    is gone; and the answers of exams that stood there.

    What was reviewed or written, and still stands in the notes, is no more than put where that is
    now, unless the notes answer its question otherwise.
    """
    ids = {card.id: card for card in made}
    asked = {_question(card) for card in ids.values()}
    connection.execute(
        "UPDATE cards SET stale = max(stale, 1) WHERE course = ? AND kind != ?"
        " AND id NOT IN (SELECT value FROM json_each(?))",
        (storable(course), CardKind.OWN, json.dumps(list(ids))),
    )
    for saved in _missing(connection, course, ids):
        origin = saved.made.origin
        if origin is None or (
            saved.made.kind is not CardKind.OWN and _question(saved.made) in asked
        ):
            continue
        place = notes.standing(origin)
        if place:
            _put(connection, saved.number, replace(saved.made, origin=place))
        elif saved.stale is not Stale.KEPT:
            connection.execute("UPDATE cards SET stale = 1 WHERE number = ?", (saved.number,))
    now = stale_cards(connection, course)
    connection.executemany(
        "UPDATE exam_answers SET changed = ? WHERE card = ?",
        [*((1, number) for number in now - before), *((0, number) for number in before - now)],
    )


def _missing(
    connection: sqlite3.Connection, course: str, made: Iterable[CardId]
) -> list[SavedCard]:
    """The cards that the student has done something with, and that the notes do not make."""
    where = f"c.course = ? AND c.id NOT IN (SELECT value FROM json_each(?)) AND {_TOUCHED}"  # noqa: S608 - ours
    values = (storable(course), json.dumps(list(made)))
    found = connection.execute(f"{CARDS} WHERE {where}", values)
    return [rows.saved_card(row) for row in found.fetchall()]


def stale_cards(connection: sqlite3.Connection, course: str) -> set[int]:
    """The numbers of the cards that the notes no longer make."""
    found = connection.execute(
        "SELECT number FROM cards WHERE course = ? AND stale != 0", (storable(course),)
    )
    return {number for (number,) in found}


def _question(card: Card) -> tuple[str, str]:
    return card.kind, folded(_HEADING.sub("", card.question))


def _said(card: Card) -> tuple[str, ...]:
    """What stays when a card is asked in other words: its text, its answer, what it is about."""
    text = card.origin.text if card.origin else card.id
    return card.kind, card.answer, folded(card.subject), " ".join(text.split())


def _put(connection: sqlite3.Connection, number: int, made: Card) -> None:
    """Write what a card is as the notes make it; it is no longer stale."""
    connection.execute(
        "UPDATE cards SET id = :id, made = :made, source = :source, topic = :topic,"
        " section = :section, stale = 0 WHERE number = :number",
        {**rows.columns(made), "number": number},
    )


# --- when the student looks at them ---


class Changes:
    """The cards whose place has changed, and what can be done with them. Raises `StudyError`."""

    def __init__(self, database: Database, now: Callable[[], datetime]) -> None:
        self._database = database
        self._now = now

    def of_course(self, course: str, notes: Notes) -> list[Change]:
        """The cards that the student has reviewed or written and that are stale, in their order."""
        with self._database.reading() as connection:
            stale = _cards(connection, course, CHANGED)
            fresh = _cards(connection, course, f"c.stale = 0 AND NOT {_TOUCHED}") if stale else []
        changes = []
        for saved in stale:
            if saved.made.origin is not None:
                change = _change(saved, saved.made.origin, notes, fresh)
                changes.append(change)
                fresh = [card for card in fresh if card is not change.successor]
        return changes

    def update(self, change: Change) -> None:
        """Let the card that the notes now make in its place take over what was learned; the old one
        is deleted, and exams that asked it stay marked.

        Raises `StudyError` where they make nothing: then it is to be rewritten.
        """
        old, heir = change.saved, change.successor
        if heir is None:
            raise StudyError(
                _("The notes make no card in place of this one."),
                _("Rewrite it, keep it as it is, or delete it."),
            )
        with self._database.writing() as connection:
            for table in ("schedules", "reviews"):
                connection.execute(
                    f"UPDATE {table} SET card = ? WHERE card = ?",  # noqa: S608 - ours
                    (heir.number, old.number),
                )
            connection.execute(
                "UPDATE cards SET suspended = ?, leech = ? WHERE number = ?",
                (old.suspended, old.leech, heir.number),
            )
            connection.execute(
                "UPDATE cards SET deleted_at = ?, suspended = 0, leech = 0 WHERE number = ?",
                (self._now().isoformat(), old.number),
            )

    def keep(self, change: Change, *, there: bool = False) -> None:
        """Keep the card as it is, whatever the notes say now; `there`: on what its place has
        become, if it has become anything.
        """
        number, new = change.saved.number, change.new
        with self._database.writing() as connection:
            if there and new:
                _put(connection, number, replace(change.saved.made, origin=new))
            else:
                connection.execute(
                    "UPDATE cards SET stale = ? WHERE number = ?", (Stale.KEPT, number)
                )


def _cards(connection: sqlite3.Connection, course: str, where: str) -> list[SavedCard]:
    found = connection.execute(
        f"{CARDS} WHERE c.course = ? AND c.deleted_at IS NULL AND {where} ORDER BY c.number",
        (storable(course),),
    )
    return [rows.saved_card(row) for row in found.fetchall()]


def _change(saved: SavedCard, origin: Origin, notes: Notes, fresh: Sequence[SavedCard]) -> Change:
    alternatives = [card for card in fresh if card.made.kind is saved.made.kind]
    for card in alternatives:
        if _question(card.made) == _question(saved.made):
            return Change(saved, card.made.origin, card)
    new = notes.nearest(origin)
    wanted = word_counts(saved.made.question)
    there = [
        (alike(wanted, word_counts(card.made.question)), -place, card)
        for place, card in enumerate(alternatives)
        if new and card.made.origin and _overlap(new, card.made.origin)
    ]
    best = max(there, default=None, key=lambda entry: entry[:2])
    return Change(saved, new, best[2] if best and best[0] >= _SAME_QUESTION else None)


def _overlap(one: Origin, other: Origin) -> bool:
    same = one.source_id == other.source_id
    return same and one.start < other.end and other.start < one.end
