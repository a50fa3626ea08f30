"""What is needed to answer, and what is known of the question at hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from tutor.answer.prompting import TokenCounter
from tutor.model import AnswerLength, Filter, Route, Strategy, Turn, Vectors
from tutor.timing import Stopwatch

if TYPE_CHECKING:
    from tutor.answer.answerability import Reference
    from tutor.embedding.embedder import Embedder
    from tutor.index.store import StoreReader
    from tutor.llm.chat_model import ChatModel
    from tutor.map.course_map import CourseMap
    from tutor.search.filters import Recogniser
    from tutor.search.retrieval import Hybrid
    from tutor.web import SerpApi


def _no_reference(_strategy: Strategy) -> None:
    """No index to measure a question against."""


@dataclass(frozen=True, slots=True)
class Agent:
    """What is needed to answer. Without a `model` the notes' own sentences are the answer.

    `why_no_model` says in one line why there is none. `quotes_on_failure`: whether the notes are
    quoted instead when the model fails before its first word. `max_answer_tokens` of the model's
    context window are kept free for the answer. `length`: how much is quoted and written. `filter`
    was chosen for all questions, and outweighs what a question itself names; `recogniser` finds
    that, and is made for a question where None. `reference` gives what tells whether a strategy's
    index answers a question; None where the index was made without it. `course_map` opens the map
    of the course, made first where there is none; None while vectors are still being made.
    """

    store: StoreReader
    embedder: Embedder
    strategy: Strategy
    k: int
    hybrid: Hybrid | None = None
    reference: Callable[[Strategy], Reference | None] = _no_reference
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
    def words_only(self) -> bool:
        """Whether the vectors of the course are still being made."""
        return self.hybrid is not None and self.hybrid.store.words_only


@dataclass(frozen=True, slots=True)
class Inquiry:
    """A question on its way. `standalone` makes sense by itself, `language` is what is spoken.

    `searched` is what the notes are searched for: `standalone` without the words, `recognised`,
    that say which documents are asked (`filter`). `earlier` is a question that it may lean on;
    whether it does shows when both are searched for. `overview`: it asks what documents are about.
    `embedder` is the agent's, and remembers what
    it has embedded for this question.
    """

    question: str
    standalone: str
    searched: str
    language: str
    route: Route
    history: Sequence[Turn]
    embedder: RememberingEmbedder
    stopwatch: Stopwatch
    filter: Filter = field(default_factory=Filter)
    recognised: tuple[str, ...] = ()
    earlier: str = ""
    overview: bool = False


class RememberingEmbedder:
    """An embedder that embeds the same text once: one question asks for its vector again and
    again, and sentences are checked one after another against the same passages.
    """

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._queries: dict[str, Vectors] = {}
        self._passages: dict[str, Vectors] = {}

    @property
    def identity(self) -> str:
        """That of the embedder behind it."""
        return self._embedder.identity

    @property
    def device(self) -> str:
        """That of the embedder behind it."""
        return self._embedder.device

    @property
    def dim(self) -> int:
        """That of the embedder behind it."""
        return self._embedder.dim

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Vectors of questions."""
        return self._remembered(texts, self._queries, self._embedder.embed_queries)

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Vectors of passages."""
        return self._remembered(texts, self._passages, self._embedder.embed_passages)

    def remember_passages(self, texts: Sequence[str], vectors: Vectors) -> None:
        """Take over vectors of passages, shape (n, dim), that an index holds already."""
        self._passages.update(zip(texts, vectors, strict=True))

    def _remembered(
        self,
        texts: Sequence[str],
        known: dict[str, Vectors],
        embed: Callable[[Sequence[str]], Vectors],
    ) -> Vectors:
        new = [text for text in dict.fromkeys(texts) if text not in known]
        if new:
            known.update(zip(new, embed(new), strict=True))
        rows = [known[text] for text in texts]
        return np.stack(rows) if rows else np.empty((0, self.dim), np.float32)
