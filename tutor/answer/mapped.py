"""Answers from the map of a course, to questions that no passage answers by itself."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass

from tutor.answer.agent import Agent, Inquiry
from tutor.answer.finding import passages, remember_statements
from tutor.answer.quoting import Quote, compose, ranked_excerpts
from tutor.answer.quoting.scoring import Scored
from tutor.answer.ways.forms import CourseQuestion, Way
from tutor.answer.ways.queries import asks, queried, rows_told, table_of
from tutor.answer.ways.subjects import Referent
from tutor.answer.ways.telling import Teller, Told
from tutor.errors import EngineError, MapError
from tutor.events import Event, Notice, Retrieved, Routed
from tutor.i18n import _, catalog
from tutor.model import Citation, Hit, Route


@dataclass(frozen=True, slots=True)
class MapAnswer:
    """What the map says: text and citations, below an `opening`; a model goes on from `reading`."""

    quoted: tuple[str, tuple[Citation, ...]]
    reading: Sequence[Hit]
    opening: str


def ask_the_map(
    inquiry: Inquiry, asked: Sequence[CourseQuestion], agent: Agent
) -> Generator[Event, None, MapAnswer | None]:
    """Ask the map what is asked of the course as a whole; None where it has no answer.

    `asked` are the question's forms. Nothing but notices is yielded where it has no answer. A
    question that was sent here and has no form of its own is taken for one about a topic.
    """
    sent = inquiry.route is Route.MAP
    if agent.course_map is None or not (asked or sent):
        return None
    try:
        told = _told(asked, inquiry, agent)
        if told is None and sent:
            if by_query := (yield from _ask_by_query(inquiry, agent)):
                return by_query
            if not asked:
                topic = CourseQuestion(Way.TOPIC, (inquiry.standalone,))
                told = _told([topic, CourseQuestion(Way.BROAD)], inquiry, agent)
    except MapError as error:
        yield Notice(error.in_one_line)
        return None
    if told is None:
        if sent:
            yield Notice(_("The map of the course knows nothing of this: the notes are asked."))
        return None
    yield Routed(Route.MAP, f"form:{told.way.value}")
    yield Retrieved([quote.hit for quote in told.quotes[: agent.k]])
    return MapAnswer(compose(told.quotes, told.separator), told.reading, told.opening)


def _ask_by_query(inquiry: Inquiry, agent: Agent) -> Generator[Event, None, MapAnswer | None]:
    """The table of a query that the model writes; None where there is none."""
    assert agent.course_map is not None  # noqa: S101 - the caller looks
    if agent.model is None or not asks(inquiry.standalone):
        return None
    try:
        with inquiry.stopwatch.stage("map"), agent.course_map() as course:
            found = yield from queried(inquiry.standalone, agent.model, course.query)
            lines = rows_told(found, course, agent.store) if found else []
    except EngineError as error:
        yield Notice(error.in_one_line)
        return None
    if found is None:
        return None
    yield Routed(Route.MAP, "query")
    yield Retrieved([line.hit for line in lines if isinstance(line, Quote)][: agent.k])
    opening = catalog(inquiry.language).gettext("The model %(model)s asked the map:")
    opening = f"{opening % {'model': agent.model.name}}\n\n```cypher\n{found.cypher}\n```"
    return MapAnswer(table_of(lines), (), opening)


def _told(asked: Sequence[CourseQuestion], inquiry: Inquiry, agent: Agent) -> Told | None:
    if inquiry.overview or inquiry.recognised:
        # The outline of the documents that it names says more; what it asks is asked of them only.
        asked = [form for form in asked if form.way is not Way.TOPIC]
    if not asked:
        return None
    assert agent.course_map is not None  # noqa: S101 - the caller looks
    with inquiry.stopwatch.stage("map"), agent.course_map() as course:
        teller = Teller(
            course,
            agent.store,
            catalog(inquiry.language),
            lambda hits: _ranked(hits, inquiry, agent),
            lambda: passages(inquiry, agent)[1],
            Referent(inquiry.history, course, agent.store),
        )
        return next((told for form in asked if (told := teller.told(form))), None)


def _ranked(hits: Sequence[Hit], inquiry: Inquiry, agent: Agent) -> list[Scored]:
    remember_statements(inquiry, hits, agent)
    return ranked_excerpts([inquiry.searched], hits, inquiry.embedder, agent.store.text)
