"""One sitting of review: which card comes next, and what was done, so that it can be undone."""

from __future__ import annotations

import heapq
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from tutor.study.saved import SavedCard, Stale
from tutor.study.schedule import Grade, Scheduler
from tutor.study.store import Review, Selection, StudyStore

LEARN_AHEAD = timedelta(minutes=20)
"""A card that is being learned comes so much before its time when nothing else is left."""
_LONGEST_MS = 600_000
"""Who is away for longer does not think about the card."""


@dataclass(frozen=True, slots=True)
class Done:
    """What was done to a card: `grade` where it was graded; `undo` takes it back."""

    card: int
    undo: Callable[[], None]
    grade: Grade | None = None


class Sitting:
    """Due cards first, then new ones; what is forgotten comes back after some minutes.

    Everything is saved at once. Another process may review the same cards: what it has graded is
    not asked again. Every method raises `StudyError`.
    """

    def __init__(
        self,
        store: StudyStore,
        course: str,
        scheduler: Scheduler,
        new_limit: int,
        which: Selection | None = None,
        *,
        only: Sequence[int] = (),
    ) -> None:
        """`new_limit` is the number of new cards a day; with `only`, the cards of these numbers are
        asked, whenever they are due, and no others.
        """
        self._store = store
        self._course = course
        self._which = which
        self._scheduler = scheduler
        self._waiting: deque[int] = deque()
        if not only:
            self._waiting.extend(store.due(course, which))
            self._waiting.extend(store.new(course, new_limit, which))
        self._learning: list[tuple[datetime, int]] = []
        self._again = list(reversed(only))
        self._done: list[Done] = []
        self.current: SavedCard | None = None
        self._asked = 0.0

    @property
    def left(self) -> int:
        """How many cards wait, the current one included."""
        return len(self._waiting) + len(self._again) + (self.current is not None)

    @property
    def coming_back(self) -> int:
        """How many cards of this sitting come back within minutes."""
        return len(self._learning)

    @property
    def grades(self) -> list[Grade]:
        """Those given so far and not taken back."""
        return [done.grade for done in self._done if done.grade]

    @property
    def next_due(self) -> datetime | None:
        """When the next card is due that was seen before."""
        return self._store.next_due(self._course, self._which)

    def advance(self) -> SavedCard | None:
        """Go to the next card, which becomes `current`; None where nothing is left."""
        self.current = self._next()
        self._asked = time.monotonic()
        return self.current

    def _next(self) -> SavedCard | None:
        if self._again:  # asked for, or what was done to it is undone: its time does not matter
            return self._store.get(self._again.pop())
        now = self._store.now()
        if self._learning and self._learning[0][0] <= now:
            self._waiting.appendleft(heapq.heappop(self._learning)[1])
        while self._waiting:
            if card := self._askable(self._waiting.popleft(), now):
                return card
        while self._learning:
            if card := self._askable(heapq.heappop(self._learning)[1], now + LEARN_AHEAD):
                return card
        return None

    def _askable(self, number: int, until: datetime) -> SavedCard | None:
        """The card as it is now, unless it was set aside, graded elsewhere, or, before it was ever
        seen, taken from the notes in the meantime.
        """
        card = self._store.get(number)
        later = card.schedule.due > until if card.schedule else card.stale is Stale.CHANGED
        return None if card.suspended or card.deleted or later else card

    def grade(self, grade: Grade) -> Review:
        """Grade the current card, and keep how long it was thought about."""
        number = self._current.number
        thought_ms = min(_LONGEST_MS, round(1000 * (time.monotonic() - self._asked)))
        review = self._store.grade(number, grade, self._scheduler, thought_ms)
        if review.schedule.learning:
            heapq.heappush(self._learning, (review.schedule.due, number))
        self._leave(Done(number, lambda: self._store.undo(review.id), grade))
        return review

    def suspend(self) -> None:
        """Set the current card aside."""
        number = self._current.number
        self._store.suspend(number)
        self._leave(Done(number, lambda: self._store.suspend(number, suspended=False)))

    def delete(self) -> None:
        """Delete the current card."""
        number = self._current.number
        self._store.delete(number)
        self._leave(Done(number, lambda: self._store.delete(number, deleted=False)))

    def edit(self, question: str, answer: str) -> SavedCard:
        """Rewrite the current card, which stays the current one."""
        self.current = self._store.edit(self._current.number, question, answer)
        self._asked = time.monotonic()
        return self.current

    def look_again(self) -> SavedCard | None:
        """Take the current card as it is now; where it was deleted or set aside, the next one."""
        self._asked = time.monotonic()
        card = self.current and self._store.get(self.current.number)
        self.current = card if card and not (card.deleted or card.suspended) else None
        return self.current or self.advance()

    @property
    def can_undo(self) -> bool:
        """Whether something was done that can be taken back."""
        return bool(self._done)

    def undo(self) -> bool:
        """Take back what was done last; its card is the next one. False where nothing was done."""
        if not self._done:
            return False
        done = self._done[-1]
        done.undo()
        self._done.pop()
        self._learning = [entry for entry in self._learning if entry[1] != done.card]
        heapq.heapify(self._learning)
        if self.current and self.current.number != done.card:
            self._again.append(self.current.number)
        self._again.append(done.card)
        self.current = None
        return True

    @property
    def _current(self) -> SavedCard:
        assert self.current is not None  # noqa: S101 - the caller has seen it
        return self.current

    def _leave(self, done: Done) -> None:
        self._done.append(done)
        self.current = None
