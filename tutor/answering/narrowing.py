"""Which documents a question is asked of, and what they are searched for."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tutor.answering.standing_alone import stand_alone
from tutor.events import Filtered, Rewritten
from tutor.filters import Recogniser, in_words
from tutor.i18n import catalog, language

if TYPE_CHECKING:
    from collections.abc import Collection, Generator, Sequence

    from tutor.answering.agent import Agent
    from tutor.events import Event
    from tutor.filters import Recognised
    from tutor.ports import PassageStore
    from tutor.timing import Stopwatch
    from tutor.types import Filter, Source, SourceId, Turn

_MOST_TITLES = 12
"""Titles that are searched for where a question asks for whole documents."""


@dataclass(frozen=True, slots=True)
class Narrowed:
    """The question by itself, what is searched for, the filter, and the words that named it."""

    standalone: str
    searched: str
    filter: Filter
    recognised: tuple[str, ...]


def narrow(
    question: str, history: Sequence[Turn], language: str, agent: Agent, stopwatch: Stopwatch
) -> Generator[Event, None, Narrowed]:
    """Make the question stand alone, apart from what it says of weeks, days, authors, documents.

    `¿y en la semana 6?` asks the question before of other documents. A question that asks for no
    subject (`¿de qué trata la semana 5?`) is searched for by the titles of its documents.
    """
    sources = agent.store.sources.values()
    recogniser = agent.recogniser or Recogniser(sources)
    found = recogniser.recognise(question)
    chosen = found.filter.overridden_by(agent.filter)
    if found.leans and (earlier := _earlier(history, recogniser)):
        standalone = _naming(earlier.rest, found.phrases)
        yield Rewritten(question, standalone, "rules")
        searched = earlier.rest if earlier.asks else _titles(chosen, sources) or standalone
        return Narrowed(standalone, searched, chosen, found.phrases)
    if not found.asks:
        return read_alone(question, agent.store, agent.filter)
    said = [_apart(turn, recogniser) for turn in history]
    rewriting = stand_alone(found.rest, said, language, agent, stopwatch)
    searched = yield from _retold(rewriting, question, found.phrases)
    standalone = question if searched == found.rest else _naming(searched, found.phrases)
    return Narrowed(standalone, searched, chosen, found.phrases)


def read_alone(question: str, store: PassageStore, chosen: Filter) -> Narrowed:
    """What a question without a conversation is searched for, and of which documents it is asked.

    `chosen` outweighs what the question names.
    """
    sources = store.sources.values()
    found = Recogniser(sources).recognise(question)
    named = found.filter.overridden_by(chosen)
    searched = found.rest if found.asks else _titles(named, sources) or question
    return Narrowed(question, searched, named, found.phrases)


def filtered_by(
    chosen: Filter, recognised: tuple[str, ...], store: PassageStore
) -> tuple[Filtered, frozenset[SourceId]] | tuple[None, None]:
    """The documents that fit a filter, and the event that tells of them; none without a filter."""
    if not chosen:
        return None, None
    only = chosen.select(store.sources.values())
    words = in_words(chosen, store.sources, catalog(language()))
    return Filtered(chosen, words, recognised, len(only)), only


def _retold(
    rewriting: Generator[Event, None, str], question: str, phrases: Sequence[str]
) -> Generator[Event, None, str]:
    """A rewriting as it is told: of the whole question, with the words that name documents."""
    try:
        while True:
            event = next(rewriting)
            if isinstance(event, Rewritten):
                standalone = _naming(event.standalone, phrases)
                event = replace(event, question=question, standalone=standalone)
            yield event
    except StopIteration as end:
        searched: str = end.value
        return searched
    finally:
        rewriting.close()


def _earlier(history: Sequence[Turn], recogniser: Recogniser) -> Recognised | None:
    """The latest question that leans on none before it."""
    for turn in reversed(history):
        found = recogniser.recognise(turn.standalone)
        if not found.leans and found.rest:
            return found
    return None


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
