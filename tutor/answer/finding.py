"""Question -> passages, the one way that answers, searches and measurements share."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from typing import TYPE_CHECKING

from tutor.answer.answerability import DEPTH
from tutor.answer.narrowing import filtered_by
from tutor.events import Event, Filtered, Rewritten
from tutor.model import Hit, Strategy
from tutor.search.retrieval import Found, longer, retrieve, shown
from tutor.timing import Stopwatch

if TYPE_CHECKING:
    from tutor.answer.agent import Agent, Inquiry
    from tutor.answer.narrowing import Narrowed
    from tutor.embedding.embedder import Embedder
    from tutor.index.store import StoreReader
    from tutor.search.retrieval import Hybrid

QUOTING_DEPTH = 3
"""How many times `k` passages sentences are quoted from: reading them takes no model's context."""


def passages(
    asked: Narrowed | Inquiry,
    store: StoreReader,
    embedder: Embedder,
    *,
    strategy: Strategy,
    k: int,
    stopwatch: Stopwatch,
    hybrid: Hybrid | None = None,
) -> tuple[Filtered | None, Found]:
    """The filter of a question, and the first `k` passages of the documents that it is asked of.

    Raises `StoreError`, `EmbedderError`.
    """
    filtered, only = filtered_by(asked.filter, asked.recognised, store)
    if filtered and not only:
        return filtered, Found([], leans=False)
    found = retrieve(
        asked.searched,
        store,
        embedder,
        strategy=strategy,
        k=k,
        stopwatch=stopwatch,
        hybrid=hybrid,
        only=only,
        earlier=asked.earlier,
    )
    return filtered, found


def depth(k: int) -> int:
    """How many passages are looked at to answer with `k`: quoting and abstaining need more."""
    return max(QUOTING_DEPTH * k, DEPTH)


def passages_for(inquiry: Inquiry, agent: Agent) -> tuple[Filtered | None, Found]:
    """The same with an agent's parts, as many as answering looks at."""
    return passages(
        inquiry,
        agent.store,
        inquiry.embedder,
        strategy=inquiry.route.strategy or agent.strategy,
        k=depth(agent.k),
        stopwatch=inquiry.stopwatch,
        hybrid=agent.hybrid,
    )


def in_context(inquiry: Inquiry, found: Found) -> Generator[Event, None, tuple[Inquiry, list[Hit]]]:
    """The question as it was understood in its conversation, and the passages for it."""
    if not found.leans:
        return inquiry, found.hits
    standalone = shown(inquiry.earlier, inquiry.question)
    yield Rewritten(inquiry.question, standalone, "context")
    whole = longer(inquiry.earlier, inquiry.searched)
    return replace(inquiry, standalone=standalone, searched=whole), found.hits
