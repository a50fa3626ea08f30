"""Cards as the tables hold them, written and read."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from enum import IntEnum
from functools import cache
from typing import Any

from pydantic import TypeAdapter, ValidationError

from tutor.errors import StudyError, command
from tutor.history.texts import storable
from tutor.i18n import _
from tutor.study.card import Card, CardKind
from tutor.study.schedule import Schedule
from tutor.text.folding import folded
from tutor.text.terminal import one_line

CARDS = """
    SELECT c.*, s.due, s.learning, s.lapses, s.memory
    FROM cards c LEFT JOIN schedules s ON s.card = c.number
"""


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
    deleted: datetime | None
    created: datetime

    @property
    def is_edited(self) -> bool:
        """Whether the student has rewritten it."""
        return self.card != self.made

    @property
    def has_changed(self) -> bool:
        """Whether the student knows it or has written it, and the notes no longer say it."""
        is_known = self.schedule is not None or self.is_edited or self.made.kind is CardKind.OWN
        return self.stale is Stale.CHANGED and is_known


def columns(card: Card) -> dict[str, str | None]:
    """What the table of cards has of a card as it is made.

    `topic` is what a topic is looked for in; `section` what the cards of one section share.
    """
    origin = card.origin
    place = (origin.title, origin.section) if origin else ()
    section = f"{origin.source_id}:{origin.section}" if origin else card.id
    return {
        "id": card.id,
        "kind": card.kind,
        "made": storable(json.dumps(asdict(card), ensure_ascii=False, default=str)),
        "source": storable(origin.source_id) if origin else None,
        "topic": storable(folded(" · ".join((card.subject, *place, card.question)))),
        "section": storable(section),
    }


def place_of(card: Card) -> str:
    """The block that a card and its siblings stand on; a card without one is alone."""
    origin = card.origin
    return storable(f"{origin.source_id}:{origin.start}:{origin.end}") if origin else card.id


def saved_card(row: sqlite3.Row) -> SavedCard:
    """The card of a row of `CARDS`. Raises `StudyError` where it makes no sense."""
    try:
        made = _cards().validate_json(row["made"])
    except ValidationError:
        raise StudyError(
            _("The record of the card `%(id)s` makes no sense.") % {"id": one_line(row["id"])},
            _("Bring back a copy of the file, or move it elsewhere: a new one is then begun."),
        ) from None
    return SavedCard(
        number=row["number"],
        course=row["course"],
        made=made,
        card=_edited(made, row["question"], row["answer"]),
        schedule=schedule_of(row),
        suspended=bool(row["suspended"]),
        leech=bool(row["leech"]),
        stale=Stale(row["stale"]),
        deleted=datetime.fromisoformat(row["deleted_at"]) if row["deleted_at"] else None,
        created=datetime.fromisoformat(row["created"]),
    )


def _edited(made: Card, question: str | None, answer: str | None) -> Card:
    """The card as the student has rewritten it; parts of the former answer are no longer its."""
    card = made if question is None else replace(made, question=question)
    if answer is None or answer == made.answer:
        return card
    return replace(card, answer=answer, choices=(), items=(), ordered=False, also=())


def schedule_of(row: sqlite3.Row) -> Schedule | None:
    """The schedule in a row; None for a card never seen."""
    if row["due"] is None:
        return None
    return Schedule(
        datetime.fromisoformat(row["due"]), bool(row["learning"]), row["lapses"], row["memory"]
    )


def schedule_values(schedule: Schedule) -> dict[str, Any]:
    """A schedule as the columns of its row."""
    return {
        "due": schedule.due.isoformat(),
        "learning": int(schedule.learning),
        "lapses": schedule.lapses,
        "memory": schedule.memory,
    }


def find_card(connection: sqlite3.Connection, course: str, start: str) -> SavedCard:
    """The only card of a course whose id begins so. Raises `StudyError`."""
    wanted = storable(start.strip().lower())
    rows = connection.execute(
        f"{CARDS} WHERE c.course = ? AND substr(c.id, 1, ?) = ? LIMIT 2",
        (course, len(wanted), wanted),
    ).fetchall()
    listing = _("This lists them: %(command)s") % {"command": command("cards list")}
    if not rows or not wanted:
        raise StudyError(_("There is no card `%(id)s`.") % {"id": one_line(wanted)}, listing)
    if len(rows) > 1:
        raise StudyError(
            _("Several cards begin with `%(id)s`.") % {"id": one_line(wanted)},
            _("Give more of the id.") + " " + listing,
        )
    return saved_card(rows[0])


@cache
def _cards() -> TypeAdapter[Card]:
    # Made at the first use: building the schema takes some milliseconds.
    return TypeAdapter(Card)
