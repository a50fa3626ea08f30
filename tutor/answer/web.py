"""Answers from a web search; the question leaves the machine, and the notes play no part."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from tutor.answer.agent import Agent, Inquiry
from tutor.answer.finding import passages
from tutor.answer.generating import PromptMaterial, generate
from tutor.answer.prompting import PromptPassage
from tutor.answer.verification.verify import CheckedSentence
from tutor.errors import EngineError, WebSearchError
from tutor.events import (
    Event,
    Finished,
    Notice,
    Rewritten,
    Stage,
    Token,
    Verified,
    Waiting,
    WebFound,
)
from tutor.i18n import _, catalog
from tutor.model import EXTRACTIVE, Answer, WebCitation, WebResult
from tutor.text.folding import folded
from tutor.text.terms import question_language, question_terms

if TYPE_CHECKING:
    from tutor.llm.chat_model import ChatModel

_NAMED = 2
"""Words of a question, those that ask for the web aside, from which on it is searched for alone."""


def answer_from_web(inquiry: Inquiry, agent: Agent) -> Generator[Event, None, None]:
    """Search, then let the model answer from the results, or list them where there is none.

    Raises `WebSearchError` before anything was answered.
    """
    if agent.web is None:
        raise WebSearchError(_("The web search is switched off."))
    if failure := agent.web.why_not():
        raise failure
    if inquiry.earlier and not _stands_alone(inquiry, agent):  # the notes have the last word on it
        inquiry, _hits = passages(inquiry, agent)
        if inquiry.is_follow_up:
            yield Rewritten(inquiry.question, inquiry.standalone, "context")
    yield Waiting(Stage.WEB)
    with inquiry.stopwatch.stage("web_search"):
        results = agent.web.search(inquiry.standalone, inquiry.language)
    yield WebFound(inquiry.standalone, tuple(results))
    if not results:
        text = catalog(inquiry.language).gettext("The web search found nothing.")
        yield Token(text)
        yield Finished(Answer(text, (), True, inquiry.route, EXTRACTIVE, inquiry.stopwatch.seconds))
    elif agent.model is None:
        yield from _listed(inquiry, results)
    else:
        yield from _generated(inquiry, results, agent, agent.model)


def _stands_alone(inquiry: Inquiry, agent: Agent) -> bool:
    """Whether a question names enough by itself: what was asked before then stays here."""
    keywords = set(folded(" ".join(agent.web_keywords)).split())
    terms = question_terms(inquiry.question, question_language(inquiry.question))
    return sum(keywords.isdisjoint(forms) for forms in terms) >= _NAMED


def _generated(
    inquiry: Inquiry, results: Sequence[WebResult], agent: Agent, model: ChatModel
) -> Generator[Event, None, None]:
    def cite(statement: CheckedSentence, _passage: PromptPassage) -> WebCitation:
        assert statement.passage is not None  # noqa: S101 - what is supported has a passage
        result = results[statement.passage]
        return WebCitation(statement.start, statement.end, result, statement.support)

    read = [PromptPassage(result.title, result.snippet) for result in results]
    material = PromptMaterial(read, cite, web=True)
    try:
        answer = yield from generate(inquiry, material, agent, model)
    except EngineError as error:
        if not agent.quotes_on_failure:
            raise
        yield Notice(error.in_one_line)
        yield from _listed(inquiry, results)
        return
    yield Finished(answer)


def _listed(inquiry: Inquiry, results: Sequence[WebResult]) -> Generator[Event, None, None]:
    """The results' own words, each cited."""
    text, citations = "", []
    for result in results:
        text += "\n\n" if text else ""
        start = len(text)
        text += f"{result.title}: {result.snippet}" if result.snippet else result.title
        citations.append(WebCitation(start, len(text), result, 1.0))
        yield Token(text[max(0, start - 2) :])
        yield Verified(start, len(text), citations[-1])
    answer = Answer(text, (), False, inquiry.route, EXTRACTIVE, inquiry.stopwatch.seconds)
    yield Finished(replace(answer, web_citations=tuple(citations)))
