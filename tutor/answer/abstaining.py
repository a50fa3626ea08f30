"""What is said where the notes do not answer, and the pages that come nearest."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import TYPE_CHECKING

from tutor.events import Event, Finished, Token
from tutor.i18n import catalog
from tutor.model import EXTRACTIVE, Answer, Citation, Hit
from tutor.search.filters import in_words, what_exists

if TYPE_CHECKING:
    from tutor.answer.agent import Agent, Inquiry

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
    """Abstain: one sentence, the nearest pages, and where else to ask."""
    say = catalog(inquiry.language)
    text = say.gettext("The notes do not cover this.")
    if inquiry.filter:
        asked = in_words(inquiry.filter, agent.store.sources, say)
        text += " " + say.gettext("Only these were searched: %(filter)s.") % {"filter": asked}
    pages: dict[str, Hit] = {}
    for hit in hits:
        named = {"title": hit.source.title, "page": hit.chunk.first_page}
        pages.setdefault(say.gettext("%(title)s, p. %(page)d") % named, hit)
    listed, nearest = "; ".join(list(pages)[:_NEAREST]), []
    if listed:
        text += " " + say.gettext("The nearest pages: %(pages)s.") % {"pages": listed}
        at = text.rindex(listed)
        for name, hit in list(pages.items())[:_NEAREST]:
            nearest.append(_whole_passage(hit, at, at + len(name)))
            at += len(name) + len("; ")
    text += " " + say.gettext("To search the web instead, begin the question with /web.")
    yield from _abstain(inquiry, text, nearest)


def _whole_passage(hit: Hit, start: int, end: int) -> Citation:
    """A passage that is named from `start` to `end` of an answer, and supports nothing in it."""
    chunk = hit.chunk
    page = chunk.first_page
    return Citation(start, end, hit, 0, len(chunk.text), page, page, support=0.0)


def _abstain(
    inquiry: Inquiry, text: str, nearest: Sequence[Citation] = ()
) -> Generator[Event, None, None]:
    yield Token(text)
    seconds, near = inquiry.stopwatch.seconds, tuple(nearest)
    yield Finished(Answer(text, (), True, inquiry.route, EXTRACTIVE, seconds, nearest=near))
