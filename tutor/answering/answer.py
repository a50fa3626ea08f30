"""The course of a question, from its words to a finished answer."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from tutor.answering.agent import Inquiry, RememberingEmbedder
from tutor.answering.narrowing import narrow
from tutor.answering.notes import answer_from_notes
from tutor.answering.web import answer_from_web
from tutor.chunking import detect_language
from tutor.errors import TutorError, WebSearchError
from tutor.events import Notice, Routed
from tutor.i18n import _
from tutor.routing import route
from tutor.timing import Stopwatch
from tutor.types import Route

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from tutor.answering.agent import Agent
    from tutor.events import Event
    from tutor.types import Turn

_ENGLISH_OPENING = re.compile(
    r"\W*(?:explain|give|why|who|whose|do|does|did|tell|show|list|is|are|can)\b", re.IGNORECASE
)


def answer(
    question: str, agent: Agent, history: Sequence[Turn] = (), forced: Route | None = None
) -> Generator[Event, None, None]:
    """Answer a question, yielding what happens; the last event is `Finished`.

    `history` are the conversation's earlier turns, oldest first; `forced` overrides the routing.
    Closing the generator stops the model. Raises `StoreError`, `EmbedderError`, `EngineError`,
    and `TutorError` for a question without words.
    """
    asked = route(question, strategy=agent.strategy, web_keywords=agent.web_keywords, forced=forced)
    if not asked.question.strip():
        raise TutorError(_("There is no question."), _("Write what you want to know."))
    stopwatch = Stopwatch()
    yield Routed(asked.route, asked.rule)
    narrowed = yield from narrow(
        asked.question, history, question_language(asked.question), agent, stopwatch
    )
    inquiry = Inquiry(
        question=asked.question,
        standalone=narrowed.standalone,
        searched=narrowed.searched,
        language=question_language(narrowed.standalone),
        route=asked.route,
        history=history,
        embedder=RememberingEmbedder(agent.embedder),
        stopwatch=stopwatch,
        filter=narrowed.filter,
        recognised=narrowed.recognised,
    )
    if asked.route is Route.WEB:
        try:
            yield from answer_from_web(inquiry, agent)
        except WebSearchError as error:
            yield Notice(f"{error.message} {error.remedy}".strip())
        else:
            return
        inquiry = replace(inquiry, route=Route(agent.strategy.value))
        yield Routed(inquiry.route, "fallback:web")
    yield from answer_from_notes(inquiry, agent)


def question_language(question: str) -> str:
    """The language to answer in: `en` or `es`. Short questions have few function words."""
    return "en" if _ENGLISH_OPENING.match(question) else detect_language(question)
