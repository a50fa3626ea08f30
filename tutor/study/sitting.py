"""One sitting of review: which card comes next, and what was done, so that it can be undone."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from tutor.study.saved import SavedCard, Stale
from tutor.study.schedule import Grade, Scheduler
from tutor.study.siblings import are_siblings, siblings_last
from tutor.study.store import Review, StudyStore
from tutor.study.topics import Selection
from tutor.study.typed import Compared, compare

LEARN_AHEAD = timedelta(minutes=20)
"""A card that is being learned comes so much before its time when nothing else is left."""


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
        wanted: int = 0,
    ) -> None:
        """`new_limit` is the number of new cards a day; with `only`, the cards of these numbers are
        asked, whenever they are due, and no others: what is forgotten once more at the end. So
        many were `wanted`, 0 where no number was said.
        """
        self._store = store
        self._course = course
        self._which = which
        self._scheduler = scheduler
        cards = {saved.number: saved for saved in store.cards(course)}
        self._waiting: deque[int] = deque()
        if not only:
            due = (cards[number] for number in store.due(course, which) if number in cards)
            self._waiting.extend(saved.number for saved in siblings_last(due))
            self._waiting.extend(store.new(course, new_limit, which, cards))
        self._known = {number: cards[number].card for number in self._waiting}
        """What waits, as it was when the sitting began, or as it was rewritten since."""
        self._learning: dict[int, datetime] = {}
        self._again = list(reversed(only))
        self._is_practice = bool(only)
        self._is_short = len(only) < wanted
        self._new_limit = new_limit
        self._done: list[Done] = []
        self.current: SavedCard | None = None
        self.is_early = False
        """Whether the current card is asked before its time, as nothing else is left."""

    @property
    def left(self) -> int:
        """How many cards wait, the current one included."""
        return len(self._waiting) + len(self._again) + (self.current is not None)

    @property
    def lacks(self) -> bool:
        """Whether it begins with fewer cards than were asked for."""
        return self._is_short and not self._done

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

    @property
    def used_up(self) -> tuple[int, int] | None:
        """How many new cards were begun today and how many more a day has, where all of a day's
        have been begun and others were never seen; else None.
        """
        begun = len(self._store.begun_today(self._course))
        if self._is_practice or not self._new_limit or begun < self._new_limit:
            return None
        more = self._store.unseen(self._course, self._which)
        return (begun, self._new_limit) if more else None

    def advance(self) -> SavedCard | None:
        """Go to the next card, which becomes `current`; None where nothing is left."""
        self.is_early = False
        self.current = self._next()
        return self.current

    def compare(self, typed: str) -> Compared:
        """Compare what was typed with the answer to the current card."""
        return compare(typed, self._current.card)

    def _next(self) -> SavedCard | None:
        if self._again:  # asked for, or what was done to it is undone: its time does not matter
            return self._store.get(self._again.pop())
        now = self._store.now()
        learning = sorted(self._learning, key=lambda number: (self._learning[number], number))
        self._part_from_the_last()
        if learning and self._learning[learning[0]] <= now:
            self._waiting.appendleft(learning.pop(0))
        while self._waiting:
            number = self._waiting.popleft()
            self._learning.pop(number, None)
            if card := self._askable(number, now):
                return card
        for number in learning:
            del self._learning[number]
            if card := self._askable(number, now + LEARN_AHEAD):
                self.is_early = self._askable(number, now) is None
                return card
        return None

    def _part_from_the_last(self) -> None:
        """Let another card come first where the next one asks for what was just seen."""
        if not self._done or len(self._waiting) < 2:
            return
        last = self._store.get(self._done[-1].card).card
        for place, number in enumerate(self._waiting):
            if not are_siblings(self._known[number], last):
                del self._waiting[place]
                self._waiting.appendleft(number)
                return

    def _askable(self, number: int, until: datetime) -> SavedCard | None:
        """The card as it is now, unless it was set aside, graded elsewhere, or, before it was ever
        seen, taken from the notes in the meantime.
        """
        card = self._store.get(number)
        later = card.schedule.due > until if card.schedule else card.stale is Stale.CHANGED
        return None if card.suspended or card.deleted or later else card

    def grade(self, grade: Grade) -> Review:
        """Grade the current card."""
        number = self._current.number
        review = self._store.grade(number, grade, self._scheduler)
        if review.schedule.learning and self._comes_back(number, grade):
            self._learning[number] = review.schedule.due
        self._leave(Done(number, lambda: self._store.undo(review.id), grade))
        return review

    def _comes_back(self, number: int, grade: Grade) -> bool:
        """Whether a card is asked again in this sitting; in a practice once, if it is forgotten."""
        if not self._is_practice:
            return True
        return grade is Grade.AGAIN and all(done.card != number for done in self._done)

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
        self._known[self.current.number] = self.current.card
        return self.current

    def look_again(self) -> SavedCard | None:
        """Take the current card as it is now; where it was deleted or set aside, the next one."""
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
        self._learning.pop(done.card, None)
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
