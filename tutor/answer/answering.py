"""The course of a question, from its words to a finished answer."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from tutor.answer.agent import Inquiry, RememberingEmbedder
from tutor.answer.finding import narrow, passages
from tutor.answer.notes import answer_from_notes
from tutor.answer.routing import route, small_talk
from tutor.answer.ways.forms import forms_of
from tutor.errors import TutorError, WebSearchError
from tutor.events import Event, Finished, Notice, Rewritten, Routed, Token
from tutor.i18n import _
from tutor.i18n import language as interface_language
from tutor.model import EXTRACTIVE, Answer, Hit, Route, Turn
from tutor.search.retrieval import longer
from tutor.text.terms import question_language
from tutor.timing import Stopwatch

if TYPE_CHECKING:
    from tutor.answer.agent import Agent


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
    if said := small_talk(asked.question):
        yield Token(said)
        yield Finished(Answer(said, (), False, asked.route, EXTRACTIVE))
        return
    history = [turn for turn in history if not small_talk(turn.question)]
    narrowed = narrow(asked.question, history, agent)
    if narrowed.standalone != asked.question:
        yield Rewritten(asked.question, narrowed.standalone, "filter")
    inquiry = Inquiry(
        question=asked.question,
        standalone=narrowed.standalone,
        searched=narrowed.searched,
        language=question_language(narrowed.standalone, interface_language()),
        route=asked.route,
        history=history,
        embedder=RememberingEmbedder(agent.embedder),
        stopwatch=stopwatch,
        filter=narrowed.filter,
        recognised=narrowed.recognised,
        earlier=narrowed.earlier,
        overview=narrowed.overview,
    )
    if asked.route is Route.WEB:
        answered = yield from _asked_of_the_web(inquiry, agent)
    else:
        answered = (asked.route is Route.MAP or asked.rule == "strategy") and (
            yield from _asked_of_the_map(inquiry, agent)
        )
    if answered:
        return
    if inquiry.route.strategy is None:
        yield Routed(Route(agent.strategy.value), f"fallback:{inquiry.route.value}")
        inquiry = replace(inquiry, route=Route(agent.strategy.value))
    yield from answer_from_notes(inquiry, agent)


def _asked_of_the_map(inquiry: Inquiry, agent: Agent) -> Generator[Event, None, bool]:
    """Answer from the map what was sent there or has a form for it; whether it was answered."""
    forms = list(forms_of(inquiry.standalone))
    if not forms and inquiry.route is not Route.MAP:
        return False
    from tutor.answer.mapped import answer_from_map  # noqa: PLC0415 - 0.05 s, rarely needed

    return (yield from answer_from_map(inquiry, forms, agent))


def _asked_of_the_web(inquiry: Inquiry, agent: Agent) -> Generator[Event, None, bool]:
    """Answer from a web search; whether there was one."""
    from tutor.answer.web import answer_from_web  # noqa: PLC0415 - verification, as in `notes`

    try:
        yield from answer_from_web(inquiry, agent)
    except WebSearchError as error:
        yield Notice(f"{error.message} {error.remedy}".strip())
        return False
    return True


def find(
    question: str, agent: Agent, history: Sequence[Turn], k: int, stopwatch: Stopwatch
) -> tuple[str, list[Hit]]:
    """What `answer` searches the notes for, and the first `k` passages it finds.

    Raises `StoreError`, `EmbedderError`.
    """
    asked = narrow(question, history, agent)
    _filtered, found = passages(
        asked,
        agent.store,
        agent.embedder,
        strategy=agent.strategy,
        k=k,
        stopwatch=stopwatch,
        hybrid=agent.hybrid,
    )
    searched = longer(asked.earlier, asked.searched) if found.leans else asked.searched
    return searched, found.hits
