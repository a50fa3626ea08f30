"""What is kept of conversations, as it comes back: frozen records, times in UTC."""

from __future__ import annotations

import datetime as dt  # noqa: TC003 - read by pydantic
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

from tutor.types import Ending, Route, Strategy, Usage, WebCitation

SessionId: TypeAlias = str
"""Twelve hexadecimal digits."""


class TurnState(StrEnum):
    """How far a saved turn got."""

    WRITING = "writing"
    """Its answer is being written now, here or by another process."""
    COMPLETE = "complete"
    STOPPED = "stopped"
    """The reader stopped it."""
    BROKEN = "broken"
    """The model, its server or the whole process broke off."""


class Choice(StrEnum):
    """Which of two answers the reader found better."""

    LEFT = "left"
    RIGHT = "right"
    BOTH = "both"
    NEITHER = "neither"


@dataclass(frozen=True, slots=True)
class Session:
    """A conversation. `title` is the first question, shortened, until it is renamed."""

    id: SessionId
    title: str
    course: str
    language: str
    created: dt.datetime
    updated: dt.datetime
    turns: int = 0
    deleted: dt.datetime | None = None


@dataclass(frozen=True, slots=True)
class SavedSource:
    """The document of a citation as it was then; the notes may have changed since (`sha256`)."""

    id: str
    path: str
    title: str
    sha256: str = ""
    week: int | None = None
    date: dt.date | None = None
    version: str | None = None
    authors: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SavedLeg:
    """What one retrieval leg said of the cited chunk."""

    rank: int
    score: float


@dataclass(frozen=True, slots=True)
class SavedCitation:
    """Ties `answer.text[start:end]` to a quote of the notes.

    `quote_start` and `quote_end` are offsets of the document's reading form.
    """

    start: int
    end: int
    quote: str
    first_page: int
    last_page: int
    support: float
    source: SavedSource
    chunk_id: str
    quote_start: int = 0
    quote_end: int = 0
    rank: int = 0
    score: float = 0.0
    legs: dict[str, SavedLeg] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SavedAnswer:
    """An answer with all that is needed to show it again; the fields are those of `Answer`."""

    text: str
    citations: tuple[SavedCitation, ...]
    abstained: bool
    route: Route
    model: str
    timings: dict[str, float] = field(default_factory=dict)
    unsupported: tuple[tuple[int, int], ...] = ()
    web_citations: tuple[WebCitation, ...] = ()
    ending: Ending = Ending.COMPLETE
    usage: Usage | None = None


@dataclass(frozen=True, slots=True)
class Feedback:
    """What the reader thinks of an answer: `vote` is 1 or -1."""

    vote: int
    comment: str
    created: dt.datetime


@dataclass(frozen=True, slots=True)
class SavedTurn:
    """A question and what came of it. `text` is the answer, as far as it was written.

    `answer` is None unless the turn was finished with one whose record can be read.
    """

    id: int
    session: SessionId
    ordinal: int
    question: str
    standalone: str
    state: TurnState
    text: str
    created: dt.datetime
    route: Route | None = None
    rule: str = ""
    strategy: Strategy | None = None
    abstained: bool = False
    answer: SavedAnswer | None = None
    feedback: Feedback | None = None


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two answers to one question; `choice` is None until the reader has chosen."""

    id: int
    session: SessionId
    question: str
    left: SavedAnswer
    right: SavedAnswer
    choice: Choice | None
    created: dt.datetime
