"""Saved conversations as they are read back; all times are in UTC."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING, TypeAlias

from tutor.model import Answer, Route, Strategy
from tutor.model.marks import CitedPlace, cited_places
from tutor.text.terminal import one_line, storable

if TYPE_CHECKING:
    from tutor.index.store import StoreReader

SessionId: TypeAlias = str
"""Twelve hexadecimal digits."""
_TITLE_CHARS = 60


class TurnState(StrEnum):
    """How far a saved turn got."""

    WRITING = "writing"
    """Its answer is being written now, here or by another process."""
    COMPLETE = "complete"
    STOPPED = "stopped"
    """The reader stopped it."""
    BROKEN = "broken"
    """The model, its server or the whole process broke off."""


class Preference(StrEnum):
    """Which of two answers the reader preferred."""

    LEFT = "left"
    RIGHT = "right"
    BOTH = "both"
    NEITHER = "neither"


@dataclass(frozen=True, slots=True)
class Session:
    """A conversation. Until it is renamed, `title` is the first question that was answered, or
    else the first one, shortened.
    """

    id: SessionId
    title: str
    course: str
    language: str
    created: datetime
    updated: datetime
    turns: int = 0
    deleted: datetime | None = None


@dataclass(frozen=True, slots=True)
class Feedback:
    """The reader's feedback on an answer: `rating` is 1 (good) or -1."""

    rating: int
    comment: str
    created: datetime


@dataclass(frozen=True, slots=True)
class SavedTurn:
    """A question and its answer. `text` is the answer, as far as it was written.

    `answer` is None while the turn is written, where its process was killed or nothing came, and
    where its sources cannot be read. `gone` are the numbers of the marks whose quotes the notes no
    longer have, once `looked_up` has looked.
    """

    id: int
    session: SessionId
    ordinal: int
    question: str
    standalone: str
    state: TurnState
    text: str
    created: datetime
    route: Route | None = None
    rule: str = ""
    abstained: bool = False
    answer: Answer | None = None
    feedback: Feedback | None = None
    gone: tuple[int, ...] = ()

    @property
    def strategy(self) -> Strategy | None:
        """The index that was asked; None for the web, and before the question was routed."""
        return self.route.strategy if self.route else None


@dataclass(frozen=True, slots=True)
class SavedComparison:
    """Two answers to one question; `choice` is None until the reader has chosen."""

    id: int
    session: SessionId
    question: str
    left: Answer
    right: Answer
    choice: Preference | None
    created: datetime


def title_of(question: str) -> str:
    """A question as the title of its conversation: one line, cut at a word where it is long."""
    line = one_line(storable(question))
    if len(line) <= _TITLE_CHARS:
        return line
    head = line[:_TITLE_CHARS]
    at_word = head.rpartition(" ")[0]
    return f"{at_word if len(at_word) > _TITLE_CHARS // 2 else head.rstrip()}…"


def looked_up(turns: Iterable[SavedTurn], store: StoreReader) -> list[SavedTurn]:
    """The turns, with the marks whose quotes the index of their course no longer has (`gone`).

    Raises `StoreError`.
    """

    def stands(place: CitedPlace) -> bool:
        """Whether its document has all that was quoted; spaces and line breaks do not matter."""
        if place.source.id not in store.sources:
            return False
        text = " ".join(store.text(place.source.id).text.split())
        return all(" ".join(quote.split()) in text for quote in place.quotes)

    checked = []
    for turn in turns:
        places = cited_places(turn.answer) if turn.answer else []
        gone = tuple(place.number for place in places if not stands(place))
        checked.append(replace(turn, gone=gone))
    return checked
