"""What becomes of cards when the notes change: carried along, marked, updated or kept."""

from __future__ import annotations

import json
import re
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Set
from dataclasses import dataclass, replace
from datetime import datetime
from enum import IntEnum

from tutor.database import Database
from tutor.errors import StudyError
from tutor.i18n import _
from tutor.model import CleanText, Source
from tutor.study.card import Card, CardId, CardKind, Origin, bare
from tutor.study.making.material import newest_materials
from tutor.study.saved import CARDS, CHANGED, SavedCard, Stale, columns, saved_card, write_cards
from tutor.text.folding import folded
from tutor.text.terminal import storable

_ALIKE = 0.3
"""Share of the words of two texts from which on one may be what has become of the other."""
_SAME_QUESTION = 0.5
"""Share of the words that two questions on one place must have in common to be the same one."""
_MOST_BLOCKS = 6
"""Blocks in a row that what stood in one place may be spread over."""
_TOUCHED = """
    (s.card IS NOT NULL OR c.question IS NOT NULL OR c.answer IS NOT NULL OR c.suspended
     OR c.deleted_at IS NOT NULL OR c.kind = 'own'
     OR EXISTS (SELECT 1 FROM exam_answers a WHERE a.card = c.number))
"""
"""The student has done something with it."""


class Notes:
    """A course's documents as they are now, of several versions of a lesson's notes the newest."""

    def __init__(self, documents: Iterable[tuple[Source, CleanText]] = ()) -> None:
        self._materials = newest_materials(documents)

    def standing(self, origin: Origin) -> Origin | None:
        """Where the text of a place stands now, in its document or in another one; spaces and
        line breaks do not matter. None where it no longer stands anywhere.
        """
        words = re.compile(r"\s+".join(map(re.escape, origin.text.split())))
        for material in sorted(self._materials, key=lambda one: not _is_heir(one.source, origin)):
            if found := words.search(material.text.text):
                return material.origin(*found.span())
        return None

    def nearest(self, origin: Origin) -> Origin | None:
        """What most likely has become of a place: the most similar statements or blocks of the
        same document, or of a newer version of that lesson's notes. None where none is similar.
        """
        wanted = _word_counts(origin.text)
        places = [
            (_alike(wanted, _word_counts(material.slice(start, end))), material, start, end)
            for material in self._materials
            if _is_heir(material.source, origin)
            for start, end in _places(material.text)
        ]
        best = max(places, key=lambda place: place[0], default=None)
        if best is None or best[0] < _ALIKE:
            return None
        _share, material, start, end = best
        return material.origin(start, end)

    def still_said(self, cards: Iterable[Card]) -> list[Card]:
        """The cards written by a model whose words the notes still have, each at its place now."""
        moved = []
        for card in cards:
            assert card.origin is not None  # noqa: S101 - a model writes on sentences of the notes
            if place := self.standing(card.origin):
                moved.append(replace(card, origin=place))
        return moved


def _is_heir(source: Source, origin: Origin) -> bool:
    """Whether a document is the one of a place, or the newest version of its lesson's notes."""
    if source.id == origin.source_id:
        return True
    lesson = origin.date and (origin.week, origin.date)
    return bool(source.version and lesson) and (source.week, source.date) == lesson


def _places(text: CleanText) -> Iterator[tuple[int, int]]:
    """Every statement, every block, and blocks in a row."""
    for place, block in enumerate(text.blocks):
        for statement in text.statements(block):
            yield statement.start, statement.end
        for last in text.blocks[place : place + _MOST_BLOCKS]:
            yield block.start, last.end


def _word_counts(text: str) -> Counter[str]:
    return Counter(re.findall(r"\w+", folded(text)))


def _alike(one: Counter[str], other: Counter[str]) -> float:
    """The share of words that two texts have in common, from 0 to 1 (Dice, 1945)."""
    both = one.total() + other.total()
    return 2 * (one & other).total() / both if both else 0.0


# --- when cards are made anew ---


def take_in(
    connection: sqlite3.Connection,
    course: str,
    made: dict[CardId, Card],
    known: Set[str],
    *,
    notes: Notes,
    now: datetime,
) -> set[CardId]:
    """Write the cards that the notes make now, and mark those that they no longer make.

    Cards that the notes ask in other words, of the same text with the same answer, take over what
    the student did with the former ones: their ids are returned. `known` are those of the file.
    """
    stale_before = _stale_cards(connection, course)
    fresh: dict[tuple[str, ...], CardId] = {}
    for card in made.values():
        if card.id not in known:
            fresh.setdefault(_said(card), card.id)
    carried = set()
    for saved in _missing(connection, course, made):
        if heir := fresh.pop(_said(saved.made), None):
            connection.execute("UPDATE cards SET id = ? WHERE number = ?", (heir, saved.number))
            carried.add(heir)
    write_cards(connection, course, made.values(), now)
    _mark(connection, course, made, notes)
    stale = _stale_cards(connection, course)
    connection.executemany(
        "UPDATE exam_answers SET changed = ? WHERE card = ?",
        [(number in stale, number) for number in stale ^ stale_before],
    )
    return carried


def _mark(
    connection: sqlite3.Connection, course: str, made: dict[CardId, Card], notes: Notes
) -> None:
    """Mark the cards that the notes no longer make, and the student's own whose place is gone.

    What was reviewed or written, and still stands in the notes, is no more than put where that is
    now, unless the notes answer its question otherwise.
    """
    connection.execute(
        "UPDATE cards SET stale = max(stale, 1) WHERE course = ? AND kind != ?"
        " AND id NOT IN (SELECT value FROM json_each(?))",
        (storable(course), CardKind.OWN, json.dumps(list(made))),
    )
    asked = {_question(card) for card in made.values()}
    for saved in _missing(connection, course, made):
        origin = saved.made.origin
        is_own = saved.made.kind is CardKind.OWN
        if origin is None or (not is_own and _question(saved.made) in asked):
            continue
        if place := notes.standing(origin):
            _put(connection, saved, place)
        elif saved.stale is not Stale.KEPT:
            connection.execute("UPDATE cards SET stale = 1 WHERE number = ?", (saved.number,))


def _missing(
    connection: sqlite3.Connection, course: str, made: Iterable[CardId]
) -> list[SavedCard]:
    """The cards that the student has done something with, and that the notes do not make."""
    where = f"c.course = ? AND c.id NOT IN (SELECT value FROM json_each(?)) AND {_TOUCHED}"  # noqa: S608 - ours
    values = (storable(course), json.dumps(list(made)))
    return list(map(saved_card, connection.execute(f"{CARDS} WHERE {where}", values).fetchall()))


def _stale_cards(connection: sqlite3.Connection, course: str) -> set[int]:
    """The numbers of the cards that the notes no longer make."""
    query = "SELECT number FROM cards WHERE course = ? AND stale != 0"
    return {number for (number,) in connection.execute(query, (storable(course),))}


def _question(card: Card) -> tuple[str, str]:
    return card.kind, folded(bare(card.question))


def _said(card: Card) -> tuple[str, ...]:
    """What stays when a card is asked in other words: its text, its answer, what it is about."""
    text = card.origin.text if card.origin else card.id
    return card.kind, card.answer, folded(card.subject), " ".join(text.split())


def _put(connection: sqlite3.Connection, saved: SavedCard, place: Origin) -> None:
    """Let a card stand on another place; it is no longer stale."""
    connection.execute(
        "UPDATE cards SET made = :made, source = :source,"
        " section = :section, stale = 0 WHERE number = :number",
        {**columns(replace(saved.made, origin=place)), "number": saved.number},
    )


# --- when the student looks at them ---


class ChangeAction(IntEnum):
    """What can be done with a card whose place in the notes has changed."""

    UPDATE = 1
    KEEP = 2
    DELETE = 3


@dataclass(frozen=True, slots=True)
class Change:
    """A card whose place in the notes has changed, or is gone.

    `old` is where it stood, with what the notes said there; `new` is what most likely has become
    of it, and `successor` the card that the notes make there now instead; None where there is none.
    """

    saved: SavedCard
    old: Origin
    new: Origin | None
    successor: SavedCard | None


class Changes:
    """The cards whose place has changed, and what can be done with them. Raises `StudyError`."""

    def __init__(self, database: Database, now: Callable[[], datetime]) -> None:
        self._database = database
        self._now = now

    def of_course(self, course: str, notes: Notes) -> list[Change]:
        """The cards that the student has reviewed or written and that are stale, in their order."""
        stale = self._cards(course, CHANGED)
        fresh = self._cards(course, f"c.stale = 0 AND NOT {_TOUCHED}") if stale else []
        changes = []
        for saved in stale:
            if saved.made.origin is not None:
                change = _change(saved, saved.made.origin, notes, fresh)
                changes.append(change)
                fresh = [card for card in fresh if card is not change.successor]
        return changes

    def _cards(self, course: str, where: str) -> list[SavedCard]:
        with self._database.reading() as connection:
            found = connection.execute(
                f"{CARDS} WHERE c.course = ? AND c.deleted_at IS NULL AND {where}"
                " ORDER BY c.number",
                (storable(course),),
            )
            return list(map(saved_card, found.fetchall()))

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
        with self._database.writing() as connection:
            if there and change.new:
                _put(connection, change.saved, change.new)
            else:
                connection.execute(
                    "UPDATE cards SET stale = ? WHERE number = ?",
                    (Stale.KEPT, change.saved.number),
                )


def _change(saved: SavedCard, origin: Origin, notes: Notes, fresh: list[SavedCard]) -> Change:
    """What has become of a card; its successor asks the same, or nearly the same in its place."""
    alternatives = [card for card in fresh if card.made.kind is saved.made.kind]
    for card in alternatives:
        if _question(card.made) == _question(saved.made):
            return Change(saved, origin, card.made.origin, card)
    new = notes.nearest(origin)
    wanted = _word_counts(saved.made.question)
    there = [
        (_alike(wanted, _word_counts(card.made.question)), card)
        for card in alternatives
        if new and card.made.origin and new.overlaps(card.made.origin)
    ]
    share, successor = max(there, key=lambda entry: entry[0], default=(0.0, None))
    return Change(saved, origin, new, successor if share >= _SAME_QUESTION else None)
