"""A course's cards and reviews in numbers."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import sqlite3

LIVE = "c.course = :course AND c.deleted_at IS NULL"
CHANGED = """
    (c.stale = 1 AND (c.kind = 'own' OR s.card IS NOT NULL
     OR c.question IS NOT NULL OR c.answer IS NOT NULL))
"""
"""`SavedCard.has_changed`."""


@dataclass(frozen=True, slots=True)
class Counts:
    """A course in numbers: of cards that are not deleted, and of reviews of all."""

    due_by_day: tuple[int, ...]
    """Cards due until the end of today, tomorrow, and so on for a week; none is counted twice."""
    cards: int
    new: int
    learning: int
    known: int
    due: int
    suspended: int
    leeches: int
    stale: int
    edited: int
    own: int
    reviews: int
    remembered: int
    reviews_today: int
    """Since midnight here."""


def counted(connection: sqlite3.Connection, course: str, now: datetime) -> Counts:
    """A course in numbers."""
    today = midnight(now)
    days = [today + timedelta(days=day) for day in range(1, 8)]
    values = {
        "course": course,
        "now": now.astimezone(UTC).isoformat(),
        "today": today.isoformat(),
    }
    cards = connection.execute(
        f"""
        SELECT count(*), total(s.card IS NULL), total(s.learning), total(NOT s.learning),
            total(s.due <= :now AND NOT c.suspended), total(c.suspended), total(c.leech),
            total({CHANGED}), total(c.question IS NOT NULL OR c.answer IS NOT NULL),
            total(c.kind = 'own')
        FROM cards c LEFT JOIN schedules s ON s.card = c.number WHERE {LIVE}
        """,  # noqa: S608 - ours
        values,
    ).fetchone()
    reviews = connection.execute(
        """
        SELECT count(*), total(r.grade > 1), total(r.reviewed >= :today)
        FROM reviews r JOIN cards c ON c.number = r.card WHERE c.course = :course
        """,
        values,
    ).fetchone()
    until = [
        connection.execute(
            f"""
            SELECT count(*) FROM schedules s JOIN cards c ON c.number = s.card
            WHERE {LIVE} AND NOT c.suspended AND s.due < :end
            """,  # noqa: S608 - ours
            {**values, "end": day.isoformat()},
        ).fetchone()[0]
        for day in days
    ]
    by_day = tuple(n - before for n, before in zip(until, [0, *until], strict=False))
    return Counts(by_day, *map(int, (*cards, *reviews)))


def midnight(now: datetime) -> datetime:
    """When today began here, in UTC."""
    return now.astimezone().replace(hour=0, minute=0, second=0, microsecond=0).astimezone(UTC)
