"""What happens while a question is answered: the records that `tutor.answer` yields in order, and
the answer that they add up to.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from tutor.model import (
    EXTRACTIVE,
    Answer,
    Answerability,
    Citation,
    Ending,
    Filter,
    Hit,
    Route,
    WebCitation,
    WebResult,
)


@dataclass(frozen=True, slots=True)
class Routed:
    """The question goes to `route`; `rule` says which rule fired, as `keyword:internet`."""

    route: Route
    rule: str


@dataclass(frozen=True, slots=True)
class Rewritten:
    """How a question was understood: `by` is `context` where a follow-up was read behind the
    question before, `filter` where it asks that question of other documents, `spelling` where the
    notes spell or call what it names otherwise, `web` where the notes are asked it without the
    words that would have sent it to the web.
    """

    question: str
    standalone: str
    by: str


class Stage(StrEnum):
    """What an answer is waiting for."""

    LOADING = "loading"
    """The server loads the model."""
    QUEUED = "queued"
    """The server has something else in memory: it loads the model, too, or answers others first."""
    READING = "reading"
    """The model is in memory: it reads the prompt, or answers others first."""
    WEB = "web"
    """The web search."""
    ASKING = "asking"
    """What the notes say stands there; a model is asked next."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """Nothing new yet: `seconds` since this stage began; `tokens` of the prompt when reading."""

    stage: Stage
    seconds: float = 0.0
    tokens: int = 0


@dataclass(frozen=True, slots=True)
class Filtered:
    """Only some documents are asked. `words` says which in the reader's language.

    `recognised` are the words of the question that said so; empty where options alone did.
    `documents` counts those that fit; where none do, the answer says what there is instead.
    """

    filter: Filter
    words: str
    recognised: tuple[str, ...]
    documents: int


@dataclass(frozen=True, slots=True)
class Retrieved:
    """The passages found, best first."""

    hits: Sequence[Hit]


@dataclass(frozen=True, slots=True)
class Judged:
    """Whether the notes answer the question, decided before anything is generated."""

    answerability: Answerability


@dataclass(frozen=True, slots=True)
class WebFound:
    """What a web search found; the question `query` has left the machine."""

    query: str
    results: Sequence[WebResult]


@dataclass(frozen=True, slots=True)
class LeftOut:
    """What did not fit into the context window: the lowest-ranked passages, the oldest turns."""

    passages: int
    turns: int


@dataclass(frozen=True, slots=True)
class Notice:
    """Something the reader should know about how this answer is made, in one line."""

    text: str


@dataclass(frozen=True, slots=True)
class Reasoning:
    """The next piece of what a thinking model says to itself; no part of the answer."""

    text: str


@dataclass(frozen=True, slots=True)
class Token:
    """The next piece of the answer's text, as the engine produced it.

    `best`: it is the sentence of a quote that answers best (`Citation.best`).
    """

    text: str
    best: bool = False


@dataclass(frozen=True, slots=True)
class Writing:
    """A `model` begins: from `start` of the text of all tokens on, the words are its own."""

    model: str
    start: int


@dataclass(frozen=True, slots=True)
class Verified:
    """A sentence that came as tokens has been compared with the passages: it ends at `end`.

    `start` and `end` are offsets in the text of all tokens so far. Nothing supports it where
    `citation` is None. Sentences that claim nothing are passed over.
    """

    start: int
    end: int
    citation: Citation | WebCitation | None


@dataclass(frozen=True, slots=True)
class Finished:
    """The answer is complete, or as complete as it will be (`answer.ending`)."""

    answer: Answer


Event: TypeAlias = (
    Routed
    | Rewritten
    | Waiting
    | Filtered
    | Retrieved
    | Judged
    | WebFound
    | LeftOut
    | Notice
    | Reasoning
    | Token
    | Writing
    | Verified
    | Finished
)


class AnswerSoFar:
    """An answer put together from its events; where they end early, what has come of it."""

    def __init__(self) -> None:
        self.text = ""
        self._route: Route | None = None
        self._model = EXTRACTIVE
        self._written = 0
        self._verified: list[Verified] = []
        self._answer: Answer | None = None

    def take(self, event: Event) -> None:
        """Take in what happened."""
        match event:
            case Routed():
                self._route = event.route
            case Token():
                self.text += event.text
            case Writing():
                self._model, self._written = event.model, event.start
            case Verified():
                self._verified.append(event)
            case Finished():
                self._answer, self.text = event.answer, event.answer.text

    @property
    def is_written(self) -> bool:
        """Whether a model has begun to write: what came before is what notes or web say."""
        return self._model != EXTRACTIVE

    def answer(self, ending: Ending) -> Answer | None:
        """The finished answer; else what came, with what was verified of it, which ended so.

        None where nothing has come.
        """
        if self._answer or self._route is None or not self.text.strip():
            return self._answer
        marks = self._verified
        return Answer(
            text=self.text,
            citations=tuple(m.citation for m in marks if isinstance(m.citation, Citation)),
            abstained=False,
            route=self._route,
            model=self._model,
            unsupported=tuple((m.start, m.end) for m in marks if m.citation is None),
            web_citations=tuple(m.citation for m in marks if isinstance(m.citation, WebCitation)),
            ending=ending,
            written=self._written,
        )
