"""Answers from the notes: by a model, by the notes' own sentences, or by an honest refusal."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tutor.answering.agent import EXTRACTIVE
from tutor.answering.checking import notes_checker
from tutor.answering.generating import Material, generate
from tutor.answering.narrowing import filtered_by
from tutor.chunking import detect_language, split_sentences
from tutor.coverage import DEPTH, TextReader, judge
from tutor.errors import EngineError, command
from tutor.events import Finished, Judged, Notice, Retrieved, Token, Verified
from tutor.extractive import compose, quote_answer
from tutor.filters import in_words, what_exists
from tutor.i18n import _, catalog
from tutor.lexical import passage_terms, question_terms
from tutor.prompting import notes_passages
from tutor.retrieval import retrieve
from tutor.types import Answer

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from tutor.answering.agent import Agent, Inquiry
    from tutor.coverage import Calibration
    from tutor.events import Event
    from tutor.ports import ChatModel
    from tutor.types import Hit

READER = TextReader(split_sentences, detect_language, passage_terms, question_terms)
QUOTING_DEPTH = 3
"""How many times `k` passages sentences are quoted from: reading them takes no model's context."""
_NEAREST = 3
"""Pages that a refusal names."""


def answer_from_notes(inquiry: Inquiry, agent: Agent) -> Generator[Event, None, None]:
    """Find passages, decide whether they cover the question, and answer or decline."""
    strategy = inquiry.route.strategy or agent.strategy
    filtered, only = filtered_by(inquiry.filter, inquiry.recognised, agent.store)
    if filtered:
        yield filtered
        if not only:
            yield from _nothing_to_ask(inquiry, agent)
            return
    found = retrieve(
        inquiry.searched,
        agent.store,
        inquiry.embedder,
        strategy=strategy,
        k=max(QUOTING_DEPTH * agent.k, DEPTH),
        stopwatch=inquiry.stopwatch,
        hybrid=agent.hybrid,
        only=only,
    )
    hits = found[: agent.k] if agent.model else found
    yield Retrieved(hits)
    covered = yield from _is_covered(inquiry, found, agent.calibrations.get(strategy))
    if not covered:
        yield from _refuse(inquiry, found, agent)
    elif agent.model is None:
        if agent.why_no_model:
            yield Notice(agent.why_no_model)
        yield from _quoted(inquiry, found, agent)
    else:
        yield from _generated(inquiry, hits, found, agent, agent.model)


def _is_covered(
    inquiry: Inquiry, hits: Sequence[Hit], calibration: Calibration | None
) -> Generator[Event, None, bool]:
    if calibration is None:
        yield Notice(
            _("The index cannot tell what it does not cover. Bring it up to date: %(command)s")
            % {"command": command("index")}
        )
        return True
    with inquiry.stopwatch.stage("judge"):
        vector = inquiry.embedder.embed_queries([inquiry.searched])[0]
        coverage = judge(inquiry.searched, hits, vector, calibration, READER)
    yield Judged(coverage)
    return coverage.covered


def _nothing_to_ask(inquiry: Inquiry, agent: Agent) -> Generator[Event, None, None]:
    """No document fits the filter: what there is instead."""
    say = catalog(inquiry.language)
    sources = agent.store.sources
    asked = in_words(inquiry.filter, sources, say)
    text = say.gettext("No notes of the course fit this: %(filter)s.") % {"filter": asked}
    text = f"{text} {what_exists(inquiry.filter, sources.values(), say)}".strip()
    yield Token(text)
    yield Finished(_answer(inquiry, text, abstained=True))


def _refuse(inquiry: Inquiry, hits: Sequence[Hit], agent: Agent) -> Generator[Event, None, None]:
    """One sentence, the nearest pages, and where else to ask."""
    say = catalog(inquiry.language)
    text = say.gettext("The notes do not cover this.")
    if inquiry.filter:
        asked = in_words(inquiry.filter, agent.store.sources, say)
        text += " " + say.gettext("Only these were searched: %(filter)s.") % {"filter": asked}
    pages = dict.fromkeys((hit.source.title, hit.chunk.first_page) for hit in hits)
    nearest = "; ".join(
        say.gettext("%(title)s, p. %(page)d") % {"title": title, "page": page}
        for title, page in list(pages)[:_NEAREST]
    )
    if nearest:
        text += " " + say.gettext("The nearest pages: %(pages)s.") % {"pages": nearest}
    text += " " + say.gettext("To search the web instead, begin the question with /web.")
    yield Token(text)
    yield Finished(_answer(inquiry, text, abstained=True))


def _quoted(inquiry: Inquiry, hits: Sequence[Hit], agent: Agent) -> Generator[Event, None, None]:
    with inquiry.stopwatch.stage("answer"):
        quotes = quote_answer(
            inquiry.searched, hits, inquiry.embedder, split_sentences, detect_language
        )
    if not quotes:
        yield from _refuse(inquiry, hits, agent)
        return
    text, citations = compose(quotes, agent.store.page_at)
    shown = 0
    for citation in citations:
        yield Token(text[shown : citation.end])
        yield Verified(citation.start, citation.end, citation)
        shown = citation.end
    yield Finished(replace(_answer(inquiry, text, abstained=False), citations=citations))


def _generated(
    inquiry: Inquiry, hits: Sequence[Hit], found: Sequence[Hit], agent: Agent, model: ChatModel
) -> Generator[Event, None, None]:
    say = catalog(inquiry.language)
    material = Material(
        notes_passages(hits),
        lambda n: notes_checker(hits[:n], agent.store, inquiry.embedder, inquiry.stopwatch),
        scope=in_words(inquiry.filter, agent.store.sources, say),
    )
    try:
        answer = yield from generate(inquiry, material, agent, model)
    except EngineError as error:
        if not agent.quotes_on_failure:
            raise
        yield Notice(f"{error.message} {error.remedy}".strip())
        yield from _quoted(inquiry, found, agent)
        return
    yield Finished(answer)


def _answer(inquiry: Inquiry, text: str, *, abstained: bool) -> Answer:
    return Answer(
        text=text,
        citations=(),
        abstained=abstained,
        route=inquiry.route,
        model=EXTRACTIVE,
        timings=inquiry.stopwatch.seconds,
    )
