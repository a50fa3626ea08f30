"""What is needed to answer (`Agent`), and what is known of the question at hand (`Inquiry`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tutor.answer.answerability import Reference
from tutor.answer.tokens import TokenCounter
from tutor.embedding.embedder import CachingEmbedder, Embedder
from tutor.index.store import StoreReader
from tutor.model import AnswerLength, Filter, Route, SourceId, Strategy, Turn
from tutor.search.filters import Recogniser
from tutor.search.hybrid import Hybrid
from tutor.timing import Stopwatch
from tutor.web import SerpApi

if TYPE_CHECKING:
    from tutor.embedding.cross_encoder import CrossEncoder
    from tutor.llm.chat_model import ChatModel
    from tutor.map.course_map import CourseMap


_SMALL = 3 * 10**9
"""Parameters below which a model is small: one of 1.5 billion answered no better from more."""
_READING_S = 8.0
"""Seconds in which a model has read: the quotes stand already, its first word is waited for."""
_MOST_OF_WINDOW = 1 / 3
"""What a fast model reads of the notes leaves room for the conversation and the answer."""


def _no_reference(_strategy: Strategy) -> None:
    """No index to measure a question against."""


def _no_cross_encoder() -> None:
    """Nothing that reads questions and passages together."""


@dataclass(frozen=True, slots=True)
class Agent:
    """What is needed to answer. Without a `model` the notes' own sentences are the answer.

    `why_no_model` says in one line why there is none. `quotes_on_failure`: whether the notes are
    quoted instead when the model fails before its first word. `max_answer_tokens` of the model's
    context window are kept free for the answer. `length`: how much is quoted and written. `filter`
    was chosen for all questions, and outweighs what a question itself names; `recogniser` finds
    that, and is made for a question where None. `reference` gives what tells whether a strategy's
    index answers a question; None where the index was made without it. `cross_encoder` loads what
    reads a question together with what was found. `course_map` opens the map of the course, made
    first where there is none; None while vectors are still being made.
    """

    store: StoreReader
    embedder: Embedder
    strategy: Strategy
    k: int
    hybrid: Hybrid | None = None
    reference: Callable[[Strategy], Reference | None] = _no_reference
    cross_encoder: Callable[[], CrossEncoder | None] = _no_cross_encoder
    model: ChatModel | None = None
    why_no_model: str = ""
    quotes_on_failure: bool = False
    max_answer_tokens: int = 1024
    length: AnswerLength = AnswerLength.NORMAL
    counter: TokenCounter = field(default_factory=TokenCounter)
    personas: Mapping[str, str] = field(default_factory=dict)
    web: SerpApi | None = None
    web_keywords: Sequence[str] = ()
    filter: Filter = field(default_factory=Filter)
    recogniser: Recogniser | None = None
    course_map: Callable[[], AbstractContextManager[CourseMap]] | None = None

    @property
    def characters_read_soon(self) -> int:
        """Characters that the model reads in `_READING_S`, if they fill no more of its window.

        0 for a small one, which does not answer better from more.
        """
        if self.model is None or self.model.parameters < _SMALL:
            return 0
        window = self.model.context_tokens * _MOST_OF_WINDOW
        soon = self.counter.characters_in(_READING_S)
        return min(soon, int(window * self.counter.chars_per_token))


@dataclass(frozen=True, slots=True)
class Inquiry:
    """A question as it is understood, from `tutor.answer.finding.understand` on.

    `standalone` makes sense by itself, and is answered in `language`: of a follow-up it is the
    question that opened the topic, `BETWEEN`, and the follow-up. `searched` is what the notes are
    searched for: `standalone` without the words, `recognised`, that name the `filter`; `only` are
    the documents that pass it, None where there is none. `earlier` is a question that this one may
    lean on, and once both were searched for `is_follow_up` says whether it does. `overview`: it
    asks what documents are about, not for anything in them. `embedder` is the agent's, and
    remembers what it has embedded for this question.
    """

    question: str
    standalone: str
    searched: str
    language: str
    route: Route
    strategy: Strategy
    history: Sequence[Turn]
    embedder: CachingEmbedder
    stopwatch: Stopwatch
    filter: Filter
    recognised: tuple[str, ...]
    only: frozenset[SourceId] | None
    earlier: str
    overview: bool
    is_follow_up: bool = False
