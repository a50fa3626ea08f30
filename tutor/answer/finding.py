"""Question -> the documents it is asked of, what is searched for, and the passages: the one way
that answers, searches and measurements share.
"""

from __future__ import annotations

from collections.abc import Collection, Generator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tutor.answer.answerability import DEPTH
from tutor.answer.quoting.definitions import names_its_term
from tutor.events import Event, Filtered, Rewritten
from tutor.i18n import catalog, language
from tutor.model import Filter, Hit, Source, SourceId, Strategy, Turn
from tutor.search.filters import Recogniser, in_words
from tutor.search.retrieval import Found, earlier_question, longer, retrieve, shown
from tutor.timing import Stopwatch

if TYPE_CHECKING:
    from tutor.answer.agent import Agent, Inquiry
    from tutor.embedding.embedder import Embedder
    from tutor.index.store import StoreReader
    from tutor.search.filters import Recognised
    from tutor.search.retrieval import Hybrid


_MOST_TITLES = 12
"""Titles that are searched for where a question asks for whole documents."""
QUOTING_DEPTH = 3
"""How many times `k` passages sentences are quoted from: reading them takes no model's context."""


@dataclass(frozen=True, slots=True)
class Narrowed:
    """The question by itself, what is searched for, the filter, and the words that named it.

    `earlier` is the question that it may lean on, empty where it does not. `overview`: the question
    asks what these documents are about, not for anything in them.
    """

    standalone: str
    searched: str
    filter: Filter
    recognised: tuple[str, ...]
    earlier: str = ""
    overview: bool = False


def narrow(question: str, history: Sequence[Turn], agent: Agent) -> Narrowed:
    """Part the question from what it says of weeks, days, authors, documents.

    `¿y en la semana 6?` asks the question before of other documents. A question that asks for no
    subject (`¿de qué trata la semana 5?`) is searched for by the titles of its documents.
    """
    sources = agent.store.sources.values()
    recogniser = agent.recogniser or Recogniser(sources)
    found = recogniser.recognise(question)
    chosen = found.filter.overridden_by(agent.filter)
    if found.leans and (earlier := _earlier(history, recogniser)):
        standalone = _naming(earlier.rest, found.phrases)
        overview = earlier.is_overview
        searched = _titles(chosen, sources) or standalone if overview else earlier.rest
        return Narrowed(standalone, searched, chosen, found.phrases, overview=overview)
    if found.is_overview:
        return read_alone(question, agent.store, agent.filter)
    said = "" if names_its_term(found.rest) else _leaned_on(history, recogniser)
    return Narrowed(question, found.rest, chosen, found.phrases, said)


def read_alone(question: str, store: StoreReader, chosen: Filter) -> Narrowed:
    """What a question without a conversation is searched for, and of which documents it is asked.

    `chosen` outweighs what the question names.
    """
    sources = store.sources.values()
    found = Recogniser(sources).recognise(question)
    named = found.filter.overridden_by(chosen)
    searched = found.rest if found.asks else _titles(named, sources) or question
    return Narrowed(question, searched, named, found.phrases, overview=found.is_overview)


def filtered_by(
    chosen: Filter, recognised: tuple[str, ...], store: StoreReader
) -> tuple[Filtered, frozenset[SourceId]] | tuple[None, None]:
    """The documents that fit a filter, and the event that tells of them; none without a filter."""
    if not chosen:
        return None, None
    only = chosen.select(store.sources.values())
    words = in_words(chosen, store.sources, catalog(language()))
    return Filtered(chosen, words, recognised, len(only)), only


def _earlier(history: Sequence[Turn], recogniser: Recogniser) -> Recognised | None:
    """The latest question that leans on none before it."""
    for turn in reversed(history):
        found = recogniser.recognise(turn.standalone)
        if not found.leans and found.rest:
            return found
    return None


def _leaned_on(history: Sequence[Turn], recogniser: Recogniser) -> str:
    """What a question may lean on: nothing behind an overview, which has no subject of its own."""
    if not history or recogniser.recognise(history[-1].standalone).is_overview:
        return ""
    return earlier_question([_apart(history[-1], recogniser)])


def _apart(turn: Turn, recogniser: Recogniser) -> Turn:
    """A turn as if it had been asked of all documents: its topic is not `la entropía de la
    semana 5`.
    """
    question, standalone = map(recogniser.recognise, (turn.question, turn.standalone))
    if not (question.filter or standalone.filter):
        return turn
    return replace(
        turn,
        question=question.rest if question.asks else turn.question,
        standalone=standalone.rest if standalone.asks else turn.standalone,
    )


def _naming(question: str, phrases: Sequence[str]) -> str:
    """The question with the words that name its documents."""
    if not phrases:
        return question
    asked = question.rstrip(" ?.!")
    return f"{asked} {' '.join(phrases)}{question[len(asked) :].strip()}"


def _titles(chosen: Filter, sources: Collection[Source]) -> str:
    titles = dict.fromkeys(source.title for source in sources if chosen.passes(source))
    return ". ".join(list(titles)[:_MOST_TITLES])


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
