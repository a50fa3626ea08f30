"""What is said where the notes do not answer, and the pages that come nearest."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import replace

from tutor.answer.agent import Agent, Inquiry
from tutor.events import Event, Finished, Token
from tutor.i18n import catalog
from tutor.model import EXTRACTIVE, Answer, Citation, CleanText, Hit
from tutor.search.filters import in_words, what_exists

_NEAREST = 3
"""Pages that are named."""


def nothing_to_ask(inquiry: Inquiry, agent: Agent) -> Generator[Event, None, None]:
    """No document fits the filter: what there is instead."""
    say, sources = catalog(inquiry.language), agent.store.sources
    asked = in_words(inquiry.filter, sources, say)
    text = say.gettext("No notes of the course fit this: %(filter)s.") % {"filter": asked}
    instead = what_exists(inquiry.filter, sources.values(), say)
    yield from _abstain(inquiry, f"{text} {instead}".strip())


def name_nearest(
    inquiry: Inquiry, hits: Sequence[Hit], agent: Agent
) -> Generator[Event, None, None]:
    """Abstain: one sentence, the nearest pages, and where else it can be asked."""
    say = catalog(inquiry.language)
    text = say.gettext("The notes do not cover this.")
    if inquiry.filter:
        asked = in_words(inquiry.filter, agent.store.sources, say)
        text += " " + say.gettext("Only these were searched: %(filter)s.") % {"filter": asked}
    pages: dict[str, Citation] = {}
    for hit in hits:
        passage = _stated(hit, agent.store.text(hit.source.id))
        named = {"title": hit.source.title, "page": passage.first_page}
        pages.setdefault(say.gettext("%(title)s, p. %(page)d") % named, passage)
    listed, nearest = "; ".join(list(pages)[:_NEAREST]), []
    if listed:
        text += " " + say.gettext("The nearest pages: %(pages)s.") % {"pages": listed}
        at = text.rindex(listed)
        for name, passage in list(pages.items())[:_NEAREST]:
            nearest.append(replace(passage, start=at, end=at + len(name)))
            at += len(name) + len("; ")
    if agent.web and not agent.web.why_not():
        text += " " + say.gettext("To search the web instead, begin the question with /web.")
    yield from _abstain(inquiry, text, nearest)


def _stated(hit: Hit, document: CleanText) -> Citation:
    """The whole statements of a passage, which supports nothing, on the page where they begin."""
    chunk = hit.chunk
    start, end = document.stated_within(chunk.start, chunk.end)
    page = document.page_at(start)
    return Citation(0, 0, hit, start - chunk.start, end - chunk.start, page, page, support=0.0)


def _abstain(
    inquiry: Inquiry, text: str, nearest: Sequence[Citation] = ()
) -> Generator[Event, None, None]:
    yield Token(text)
    seconds, near = inquiry.stopwatch.seconds, tuple(nearest)
    yield Finished(Answer(text, (), True, inquiry.route, EXTRACTIVE, seconds, nearest=near))
