"""Two answers to one question, as far as they have come: what each index found, and the record."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from tutor.answer.conversation import Conversation
from tutor.events import Event, Finished, Retrieved, Token, Verified
from tutor.model import Answer, Citation, Ending, Hit, Route, Source, SourceId, WebCitation

if TYPE_CHECKING:
    from tutor.tui.desk import Desk, Opened

ROUTES = (Route.FIXED, Route.SEMANTIC)
"""The left answer comes from the first of these, the right one from the second."""


class Half:
    """One of the two answers, put together from its events.

    `seconds` is its whole time, None while it is being written.
    """

    def __init__(self, route: Route) -> None:
        self.route = route
        self.hits: Sequence[Hit] = ()
        self.seconds: float | None = None
        self._text = ""
        self._verified: list[Verified] = []
        self._finished: Answer | None = None

    def take(self, event: Event) -> None:
        """Take in what happened."""
        if isinstance(event, Retrieved):
            self.hits = event.hits
        elif isinstance(event, Token):
            self._text += event.text
        elif isinstance(event, Verified):
            self._verified.append(event)
        elif isinstance(event, Finished):
            self._finished = event.answer

    def answer(self, model: str, ending: Ending = Ending.STOPPED) -> Answer:
        """The answer; if it was not finished, what came of it, ended so."""
        if self._finished:
            return self._finished
        cited = [(one.citation, one.start, one.end) for one in self._verified]
        notes: list[Citation] = [c for c, _s, _e in cited if isinstance(c, Citation)]
        web: list[WebCitation] = [
            c for c, _s, _e in cited if c is not None and not isinstance(c, Citation)
        ]
        return Answer(
            text=self._text,
            citations=tuple(notes),
            abstained=False,
            route=self.route,
            model=model,
            unsupported=tuple((start, end) for c, start, end in cited if c is None),
            web_citations=tuple(web),
            ending=ending,
        )


def pages_of(hits: Iterable[Hit]) -> set[tuple[SourceId, int]]:
    """The pages that passages stand on."""
    return {
        (hit.source.id, page)
        for hit in hits
        for page in range(hit.chunk.first_page, hit.chunk.last_page + 1)
    }


def by_source(
    pages: Iterable[tuple[SourceId, int]], hits: Iterable[Hit]
) -> list[tuple[Source, list[int]]]:
    """Pages in order, under their documents in the order in which these were found."""
    sources = {hit.source.id: hit.source for hit in hits}
    wanted = set(pages)
    return [
        (source, numbers)
        for identity, source in sources.items()
        if (numbers := sorted(page for one, page in wanted if one == identity))
    ]


def save(desk: Desk, opened: Opened, question: str, answers: tuple[Answer, Answer]) -> int:
    """Keep two answers with the conversation, or with a new one. Returns the comparison's id.

    Raises `SessionError`.
    """
    if desk.conversation is None:
        session = desk.sessions.create(opened.course.name, desk.config.language)
        desk.conversation = Conversation(opened.agent, desk.sessions, session)
    return desk.sessions.add_comparison(desk.conversation.session.id, question, *answers)
