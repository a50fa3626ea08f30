"""Ties the sentences that a model wrote to what supports them, whatever the model itself cited."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from tutor.answer.prompting import joined
from tutor.answer.verification.verify import verify
from tutor.model import Citation, Hit, WebCitation, WebResult

if TYPE_CHECKING:
    from tutor.answer.agent import Inquiry
    from tutor.answer.prompting import PromptPassage
    from tutor.answer.verification.verify import CheckedSentence
    from tutor.index.store import StoreReader


class Checker:
    """Compares sentences with the passages that a model was given; `cite` makes its citations."""

    def __init__(
        self,
        passages: Sequence[str],
        cite: Callable[[CheckedSentence], Citation | WebCitation],
        inquiry: Inquiry,
    ) -> None:
        self.cite = cite
        self._passages = passages
        self._inquiry = inquiry

    def __call__(self, sentence: str) -> Sequence[CheckedSentence]:
        """The statements of a piece of the answer, with offsets in it. Raises `EmbedderError`."""
        asked = self._inquiry
        with asked.stopwatch.stage("check"):
            return verify(sentence, self._passages, asked.embedder, asked.standalone)


def notes_checker(
    hits: Sequence[Hit],
    read: Sequence[PromptPassage],
    store: StoreReader,
    inquiry: Inquiry,
) -> Checker:
    """Compares with passages of the notes, as the model `read` them: joined where they go on.

    A citation is of the hit that holds most of the words, and quotes those that it holds.
    """
    passages = joined(read)

    def cite(statement: CheckedSentence) -> Citation:
        assert statement.passage is not None  # noqa: S101 - what is supported has a passage
        passage = passages[statement.passage]
        start = passage.start + statement.quote_start
        end = passage.start + statement.quote_end
        hit = max(
            (hit for hit in hits if hit.chunk.source_id == passage.source),
            key=lambda hit: min(end, hit.chunk.end) - max(start, hit.chunk.start),
        )
        chunk = hit.chunk
        first, last = max(start, chunk.start) - chunk.start, min(end, chunk.end) - chunk.start
        return Citation(
            start=statement.start,
            end=statement.end,
            hit=hit,
            quote_start=first,
            quote_end=last,
            first_page=store.page_at(chunk.source_id, chunk.start + first),
            last_page=store.page_at(chunk.source_id, chunk.start + max(first, last - 1)),
            support=statement.support,
        )

    return Checker([passage.text for passage in passages], cite, inquiry)


def web_checker(
    results: Sequence[WebResult],
    read: Sequence[PromptPassage],
    inquiry: Inquiry,
) -> Checker:
    """Compares with the results of a web search, as the model `read` them."""

    def cite(statement: CheckedSentence) -> WebCitation:
        assert statement.passage is not None  # noqa: S101 - what is supported has a passage
        result = results[statement.passage]
        return WebCitation(statement.start, statement.end, result, statement.support)

    return Checker([f"{p.title}. {p.text}" for p in read], cite, inquiry)
