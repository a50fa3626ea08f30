"""Answers from the map of a course, to questions that no passage answers by itself."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from tutor.answer.finding import passages_for
from tutor.answer.notes import tell
from tutor.answer.quoting import compose, ranked_excerpts
from tutor.answer.ways import Form, Referent, Teller, Told, Way, forms_of
from tutor.errors import MapError
from tutor.events import Event, Notice, Retrieved, Routed
from tutor.i18n import _, catalog
from tutor.model import Hit, Route

if TYPE_CHECKING:
    from tutor.answer.agent import Agent, Inquiry
    from tutor.answer.quoting.scoring import Scored


def answer_from_map(inquiry: Inquiry, agent: Agent) -> Generator[Event, None, bool]:
    """Answer a question that asks of the course as a whole; returns whether it was answered.

    Nothing but notices is yielded where it was not. A question that was sent here and has no form
    of its own is taken for one about a topic.
    """
    asked = list(forms_of(inquiry.standalone))
    if inquiry.route is Route.MAP and not asked:
        asked = [Form(Way.TOPIC, (inquiry.standalone,)), Form(Way.BROAD)]
    if inquiry.overview:  # the outline of the documents that it names says more
        asked = [form for form in asked if form.way is not Way.TOPIC]
    if not asked or agent.course_map is None:
        return False
    try:
        told = _told(asked, inquiry, agent)
    except MapError as error:
        yield Notice(f"{error.message} {error.remedy}".strip())
        return False
    if told is None:
        if inquiry.route is Route.MAP:
            yield Notice(_("The map of the course knows nothing of this: the notes are asked."))
        return False
    inquiry = replace(inquiry, route=Route.MAP)
    yield Routed(Route.MAP, f"form:{told.way.value}")
    quoted = compose(told.quotes, told.separator)
    yield Retrieved([quote.hit for quote in told.quotes[: agent.k]])
    yield from tell(inquiry, quoted, told.reading, agent, told.opening)
    return True


def _told(asked: Sequence[Form], inquiry: Inquiry, agent: Agent) -> Told | None:
    assert agent.course_map is not None  # noqa: S101 - the caller looks
    with inquiry.stopwatch.stage("map"), agent.course_map() as course:
        teller = Teller(
            course,
            agent.store,
            catalog(inquiry.language),
            lambda hits: _ranked(hits, inquiry, agent),
            lambda: passages_for(inquiry, agent)[1].hits,
            Referent(inquiry.history, course, agent.store),
        )
        return next((told for form in asked if (told := teller.told(form))), None)


def _ranked(hits: Sequence[Hit], inquiry: Inquiry, agent: Agent) -> list[Scored]:
    if agent.hybrid:
        for source in dict.fromkeys(hit.source.id for hit in hits):
            inquiry.embedder.remember_passages(*agent.hybrid.store.statements(source))
    return ranked_excerpts([inquiry.searched], hits, inquiry.embedder, agent.store.text)
