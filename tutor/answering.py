"""Question -> events: finds passages, lets an engine answer from them, ties the answer to pages."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tutor.chunking import detect_language, split_sentences
from tutor.errors import EngineError
from tutor.extractive import compose, quote_answer
from tutor.i18n import _
from tutor.prompting import TokenCounter, build_prompt, notes_passages, persona
from tutor.retrieval import retrieve
from tutor.timing import Stopwatch
from tutor.types import (
    Answer,
    Citation,
    Finished,
    Notice,
    Retrieved,
    Route,
    Routed,
    Token,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tutor.ports import ChatModel, Embedder, PassageStore
    from tutor.types import Event, Hit, Strategy

EXTRACTIVE = "extractive"
QUOTING_DEPTH = 3
"""How many times `k` passages sentences are quoted from: reading them takes no model's context."""
_MARKER = re.compile(r"\s*\[(\d+(?:\s*,\s*\d+)*)\]")


@dataclass(frozen=True, slots=True)
class Agent:
    """What is needed to answer. Without a `model` the notes' own sentences are the answer.

    `why_no_model` says in one line why there is none; `prompt_budget` is in tokens.
    """

    store: PassageStore
    embedder: Embedder
    strategy: Strategy
    k: int
    model: ChatModel | None = None
    why_no_model: str = ""
    prompt_budget: int = 0


def answer(question: str, agent: Agent) -> Iterator[Event]:
    """Answer a question, yielding what happens; the last event is `Finished`.

    Closing the generator stops the model. Raises `StoreError`, `EmbedderError`, `EngineError`.
    """
    stopwatch = Stopwatch()
    route = Route(agent.strategy.value)
    yield Routed(route, "strategy")
    hits = retrieve(
        question,
        agent.store,
        agent.embedder,
        strategy=agent.strategy,
        k=agent.k if agent.model else QUOTING_DEPTH * agent.k,
        stopwatch=stopwatch,
    )
    yield Retrieved(hits)
    if agent.model is None:
        yield from _extractive(question, hits, agent, stopwatch)
    else:
        yield from _generated(question, hits, agent, agent.model, stopwatch)


def _extractive(
    question: str, hits: Sequence[Hit], agent: Agent, stopwatch: Stopwatch
) -> Iterator[Event]:
    if agent.why_no_model:
        yield Notice(agent.why_no_model)
    with stopwatch.stage("answer"):
        quotes = quote_answer(question, hits, agent.embedder, split_sentences, detect_language)
    text, citations = compose(quotes, agent.store.page_at)
    text = text or _("The notes do not cover this.")
    yield Token(text)
    yield Finished(
        Answer(
            text=text,
            citations=citations,
            abstained=not quotes,
            route=Route(agent.strategy.value),
            model=EXTRACTIVE,
            timings=stopwatch.seconds,
        )
    )


def _generated(
    question: str, hits: Sequence[Hit], agent: Agent, model: ChatModel, stopwatch: Stopwatch
) -> Iterator[Event]:
    language = detect_language(question)
    prompt = build_prompt(
        question,
        notes_passages(hits),
        (),
        system=persona(language, {}),
        language=language,
        counter=TokenCounter(),
        budget=agent.prompt_budget,
    )
    if left_out := prompt.dropped_passages:
        yield Notice(
            _("%(n)d passages did not fit into the model's context window and were left out.")
            % {"n": left_out}
        )
    pieces = []
    with stopwatch.stage("answer"):
        stream = model.stream(prompt.messages)
        try:
            while True:
                event = next(stream)
                if isinstance(event, Token):
                    pieces.append(event.text)
                yield event
        except StopIteration as end:
            reason = end.value.reason
        finally:
            stream.close()
    if reason == "length":
        yield Notice(
            _("The answer reached the longest length allowed and was cut (ollama.num_predict).")
        )
    text, citations = _cited("".join(pieces), hits[: prompt.passages])
    if not text:
        raise EngineError(
            _("The model %(model)s gave an empty answer.") % {"model": model.name},
            _("Ask again, or choose another model: ollama.model"),
        )
    yield Finished(
        Answer(
            text=text,
            citations=citations,
            abstained=False,
            route=Route(agent.strategy.value),
            model=model.name,
            timings=stopwatch.seconds,
        )
    )


def _cited(raw: str, hits: Sequence[Hit]) -> tuple[str, tuple[Citation, ...]]:
    """Take the model's own markers out of its text and make citations of those that exist.

    A marker cites its passage as a whole, for the text since the marker before it.
    """
    text, citations, position, begin = "", [], 0, 0
    for marker in _MARKER.finditer(raw):
        text += raw[position : marker.start()]
        position = marker.end()
        numbers = [int(number) for number in marker[1].split(",")]
        cited = [hits[number - 1] for number in numbers if 0 < number <= len(hits)]
        citations += [_whole_passage(hit, begin, len(text)) for hit in cited]
        begin = len(text)
    return (text + raw[position:]).strip(), tuple(citations)


def _whole_passage(hit: Hit, start: int, end: int) -> Citation:
    chunk = hit.chunk
    return Citation(
        start=start,
        end=end,
        hit=hit,
        quote_start=0,
        quote_end=len(chunk.text),
        first_page=chunk.first_page,
        last_page=chunk.last_page,
        support=0.0,
    )
