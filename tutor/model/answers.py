"""Passages, which documents are asked and what a search finds; and answers: how a question is
answered, what a model is sent, and what an answer cites.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from hashlib import sha256
from typing import TYPE_CHECKING, NewType, TypeAlias

from tutor.model.documents import CleanText, Source, SourceId

if TYPE_CHECKING:  # NumPy takes 0.1 s that `tutor --help` need not pay
    import numpy as np
    from numpy.typing import NDArray


Vectors: TypeAlias = "NDArray[np.float32]"
"""float32, shape (n, dim), rows L2-normalised."""

ChunkId = NewType("ChunkId", str)


class Strategy(StrEnum):
    """How a text is cut into chunks."""

    FIXED = "fixed"
    """Windows of 800 characters, step 700."""
    SEMANTIC = "semantic"
    """Whole sentences, gathered up to 800 characters."""

    @property
    def collection(self) -> str:
        """Name of the Chroma collection that holds this strategy's chunks."""
        return f"chroma_{self.value}"


@dataclass(frozen=True, slots=True)
class Filter:
    """Which documents of a course a question is asked of; without conditions, all of them.

    A document passes if it fits every kind of condition that is given, and of each kind one
    value. `dates` are ranges, first and last day included; `authors` are names as `Source` has
    them.
    """

    weeks: tuple[int, ...] = ()
    dates: tuple[tuple[dt.date, dt.date], ...] = ()
    authors: tuple[str, ...] = ()
    documents: tuple[SourceId, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.weeks or self.dates or self.authors or self.documents)

    def passes(self, source: Source) -> bool:
        """Whether a document is among those that are asked."""
        day = source.date
        return (
            (not self.weeks or source.week in self.weeks)
            and (
                not self.dates
                or (day is not None and any(first <= day <= last for first, last in self.dates))
            )
            and (not self.authors or any(author in self.authors for author in source.authors))
            and (not self.documents or source.id in self.documents)
        )

    def select(self, sources: Iterable[Source]) -> frozenset[SourceId]:
        """The documents among `sources` that pass."""
        return frozenset(source.id for source in sources if self.passes(source))

    def overridden_by(self, other: Filter) -> Filter:
        """With the conditions of `other` in the place of its own of the same kind."""
        return Filter(
            other.weeks or self.weeks,
            other.dates or self.dates,
            other.authors or self.authors,
            other.documents or self.documents,
        )


@dataclass(frozen=True, slots=True)
class Chunk:
    """A span of a document: `clean.text[start:end] == text`. `ordinal` counts from 0 per source.

    `section` is the title of the innermost section at its middle; empty before the first heading.
    """

    id: ChunkId
    source_id: SourceId
    strategy: Strategy
    text: str
    start: int
    end: int
    first_page: int
    last_page: int
    ordinal: int
    section: str = ""


def chunk_id(source: SourceId, strategy: Strategy, start: int, end: int, text: str) -> ChunkId:
    """The identity of a chunk: a hash of its source, strategy, span and text."""
    key = "\x1f".join((source, strategy.value, str(start), str(end), text))
    return ChunkId(sha256(key.encode()).hexdigest()[:24])


@dataclass(frozen=True, slots=True)
class RetrieverScore:
    """What one retriever said of a chunk: its rank (from 1) and its own score."""

    rank: int
    score: float


@dataclass(frozen=True, slots=True)
class Hit:
    """A retrieved chunk. `rank` counts from 1; `retrievers` keeps what each of them said."""

    chunk: Chunk
    source: Source
    score: float
    rank: int
    retrievers: Mapping[str, RetrieverScore] = field(default_factory=dict)

    def spanning(self, document: CleanText, start: int, end: int) -> Hit:
        """The passage with other bounds in its document. It keeps the id of the chunk that was
        found.
        """
        chunk = replace(
            self.chunk,
            text=document.text[start:end],
            start=start,
            end=end,
            first_page=document.page_at(start),
            last_page=document.page_at(end - 1),
        )
        return replace(self, chunk=chunk)

    def reaching(self, document: CleanText, start: int, end: int) -> Hit:
        """The passage, together with a span of its document."""
        return self.spanning(document, min(self.chunk.start, start), max(self.chunk.end, end))


EXTRACTIVE = "extractive"
"""The engine's name where answers are quoted from the notes."""


class Route(StrEnum):
    """The tool that answers a question."""

    FIXED = "fixed"
    """The notes, found over fixed windows (RAG-Fixed)."""
    SEMANTIC = "semantic"
    """The notes, found over whole sentences (RAG-Semantic)."""
    MAP = "map"
    """The map of the course, for questions that no passage answers by itself."""
    WEB = "web"
    """A web search; the question leaves the machine."""

    @property
    def strategy(self) -> Strategy | None:
        """The index that the route asks; None for the map and the web."""
        return Strategy(self.value) if self in (Route.FIXED, Route.SEMANTIC) else None


class AnswerLength(StrEnum):
    """How much an answer quotes of the notes, and how much a model is asked to write below."""

    SHORT = "short"
    """The best block of the notes; one sentence."""
    NORMAL = "normal"
    """Up to three blocks; one to three sentences."""
    LONG = "long"
    """More of its section, up to six blocks; four to eight sentences."""


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a chat prompt. `role` is `system`, `user` or `assistant`."""

    role: str
    content: str


@dataclass(frozen=True, slots=True)
class Turn:
    """A question of the conversation and what was answered, without marks or sources.

    `standalone` is the question as it was searched for: rewritten, or equal to `question`. From
    `written` on the answer is in a model's own words.
    """

    question: str
    standalone: str
    answer: str
    abstained: bool = False
    written: int = 0


@dataclass(frozen=True, slots=True)
class Prompt:
    """What is sent to the language model. `tokens` and `budget` are estimates in tokens.

    `passages` and `turns` count the best passages and the latest turns that it holds;
    `dropped_passages` and `dropped_turns` those that did not fit.
    """

    messages: tuple[Message, ...]
    passages: int
    turns: int
    tokens: int
    budget: int
    dropped_passages: int = 0
    dropped_turns: int = 0


@dataclass(frozen=True, slots=True)
class Usage:
    """What the server says of one generation. `reason` is `stop` or `length`.

    `prompt_tokens` counts cached tokens, too; `prompt_s` is short when they were cached.
    """

    reason: str = "stop"
    prompt_tokens: int = 0
    answer_tokens: int = 0
    load_s: float = 0.0
    prompt_s: float = 0.0
    answer_s: float = 0.0


@dataclass(frozen=True, slots=True)
class Answerability:
    """Whether the notes answer a question: `evidence` was, or was not, at least `threshold`.

    `near`: it was, but so little that the notes may well say only something close to it.
    """

    answerable: bool
    evidence: float
    threshold: float
    near: bool = False

    @property
    def doubtful(self) -> bool:
        """Whether the notes may not answer it."""
        return self.near or not self.answerable


@dataclass(frozen=True, slots=True)
class WebResult:
    """One result of a web search, cited as `[W1]` by its `rank`. Its texts are untrusted."""

    rank: int
    title: str
    snippet: str
    link: str
    source: str = ""


@dataclass(frozen=True, slots=True)
class Citation:
    """Ties `answer.text[start:end]` to `chunk.text[quote_start:quote_end]`.

    `support` is between 0 (none) and 1 (the sentence is quoted from the chunk). `best` is where
    in the answer's text the sentence stands that answers best, of those between `start` and `end`;
    empty where none stands out.
    """

    start: int
    end: int
    hit: Hit
    quote_start: int
    quote_end: int
    first_page: int
    last_page: int
    support: float
    best: tuple[int, int] = (0, 0)

    def moved(self, by: int) -> Citation:
        """The same in a text before which so many characters have been put."""
        start, end = self.best
        best = (start + by, end + by) if end > start else self.best
        return replace(self, start=self.start + by, end=self.end + by, best=best)

    @property
    def quote(self) -> str:
        """The words of the chunk that support the sentence."""
        return self.hit.chunk.text[self.quote_start : self.quote_end]

    @property
    def source(self) -> Source:
        """The document that is cited."""
        return self.hit.source

    @property
    def quote_span(self) -> tuple[int, int]:
        """Where the quote begins and ends in the document's text."""
        start = self.hit.chunk.start
        return start + self.quote_start, start + self.quote_end


@dataclass(frozen=True, slots=True)
class WebCitation:
    """Ties `answer.text[start:end]` to a result of a web search."""

    start: int
    end: int
    result: WebResult
    support: float

    def moved(self, by: int) -> WebCitation:
        """The same in a text before which so many characters have been put."""
        return replace(self, start=self.start + by, end=self.end + by)


class Ending(StrEnum):
    """Why an answer ended."""

    COMPLETE = "complete"
    LENGTH = "length"
    """The longest length allowed was reached."""
    STOPPED = "stopped"
    """The reader stopped it."""
    BROKEN = "broken"
    """The model or its server broke off."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A finished answer. `model` names the engine; `timings` are seconds per stage.

    `unsupported` are the spans (start, end) of the sentences that claim something which no
    passage supports; sentences that claim nothing are neither cited nor unsupported. From
    `written` on the text is a model's own; what stands before it are quotes of the notes. `nearest`
    are the pages that an abstaining answer names, each at its place in the text.
    """

    text: str
    citations: tuple[Citation, ...]
    abstained: bool
    route: Route
    model: str
    timings: Mapping[str, float] = field(default_factory=dict)
    unsupported: tuple[tuple[int, int], ...] = ()
    web_citations: tuple[WebCitation, ...] = ()
    ending: Ending = Ending.COMPLETE
    usage: Usage | None = None
    written: int = 0
    nearest: tuple[Citation, ...] = ()

    @property
    def own_start(self) -> int:
        """Where the model's own words begin: at the end of what is only quoted."""
        return len(self.text) if self.citations and not self.written else self.written

    @property
    def quoted_end(self) -> int:
        """Where what is quoted to the letter ends; quotes claim nothing that is not supported."""
        return 0 if self.unsupported and not self.written else self.own_start

    @property
    def is_unfounded(self) -> bool:
        """Whether a third or more of what the model's own words claim has no support."""
        cited = (*self.citations, *self.web_citations)
        supported = {one.start for one in cited if one.start >= self.written}
        return bool(self.unsupported) and 2 * len(self.unsupported) >= len(supported)

    @property
    def remembered_start(self) -> int:
        """Where the words begin that a model reads again with the next question: its own ones,
        unless they are unfounded, which would be said once more.
        """
        return len(self.text) if self.is_unfounded else self.own_start

    @property
    def founded(self) -> Answer:
        """All of it, or only the quotes where what the model wrote below them is unfounded."""
        quoted = tuple(one for one in self.citations if one.end <= self.written)
        if not (quoted and self.is_unfounded):
            return self
        end = max(one.end for one in quoted)
        return replace(self, text=self.text[:end], citations=quoted, unsupported=(), written=0)
