"""When a card is seen again: FSRS, by its authors' package. All times are UTC.

FSRS models how likely a card is to be remembered, by its stability and difficulty, and brings it
back when that has fallen to the retention asked for (github.com/open-spaced-repetition).
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from enum import IntEnum

import fsrs

from tutor.errors import StudyError
from tutor.i18n import _

LEECH_LAPSES = 8
"""A card that was known and forgotten so often is a leech: to be rewritten, or left alone."""


class Grade(IntEnum):
    """How well a card was remembered."""

    AGAIN = 1
    HARD = 2
    GOOD = 3
    EASY = 4


@dataclass(frozen=True, slots=True)
class Schedule:
    """What is known of how well a card is remembered, and when it is `due`.

    `learning`: it comes back within minutes. `lapses`: how often it was known, then forgotten.
    `memory` is the state as the scheduler's package writes it.
    """

    due: datetime
    learning: bool
    lapses: int
    memory: str

    @property
    def is_leech(self) -> bool:
        """Whether it was forgotten too often."""
        return self.lapses >= LEECH_LAPSES


class Scheduler:
    """Plans the next time of a card; with `fuzz` long intervals vary a little, so that cards part
    that were learned together.
    """

    def __init__(self, retention: float, *, fuzz: bool = True) -> None:
        self._fsrs = fsrs.Scheduler(desired_retention=retention, enable_fuzzing=fuzz)

    def graded(self, before: Schedule | None, grade: Grade, now: datetime) -> Schedule:
        """The schedule after a review at `now`; `before` is None for a card never seen.

        Raises `StudyError` where `before` makes no sense.
        """
        now = now.astimezone(UTC)
        memory = _memory(before) if before else fsrs.Card(card_id=0, due=now)
        was_known = memory.state is fsrs.State.Review
        after, _log = self._fsrs.review_card(memory, fsrs.Rating(grade), now)
        lapsed = was_known and grade is Grade.AGAIN
        return Schedule(
            due=after.due,
            learning=after.state is not fsrs.State.Review,
            lapses=(before.lapses if before else 0) + lapsed,
            memory=after.to_json(),
        )

    def retrievability(self, schedule: Schedule, now: datetime) -> float:
        """How likely a card is to be remembered now, from 0 to 1. Raises `StudyError`."""
        return self._fsrs.get_card_retrievability(_memory(schedule), now.astimezone(UTC))


def _memory(schedule: Schedule) -> fsrs.Card:
    try:
        return fsrs.Card.from_json(schedule.memory)
    except (KeyError, TypeError, ValueError) as error:
        raise StudyError(
            _("The schedule of a card makes no sense."),
            _("Its text is kept; delete the card, or bring back a copy of the file."),
        ) from error
