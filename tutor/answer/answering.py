"""The course of a question: `answer` routes it, finds passages, decides whether they answer it,
quotes them, and lets a model write below.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Sequence
from dataclasses import replace
from threading import Thread
from typing import TYPE_CHECKING

from tutor.answer.abstaining import name_nearest, nothing_to_ask
from tutor.answer.agent import Agent, Inquiry
from tutor.answer.answerability import Reference, is_read_there, judge
from tutor.answer.details import falls_short, gives_year
from tutor.answer.finding import (
    answers_to_parts,
    filter_event,
    no_question,
    passages_in_conversation,
    remember_statements,
    understand,
    what_each_is,
    with_spelling_corrected,
)
from tutor.answer.outline import openings, overview
from tutor.answer.quoting import (
    compose,
    quotes_of,
    ranked_excerpts,
    read_on,
    reading_of,
    signed,
)
from tutor.answer.routing import asked_at_home, route, small_talk_reply
from tutor.answer.verification.contradiction import otherwise
from tutor.answer.ways.forms import forms_of
from tutor.answer.wording import written_out
from tutor.courses import index_command
from tutor.errors import EngineError, QuestionError, WebSearchError
from tutor.events import (
    Event,
    Finished,
    Judged,
    Notice,
    Retrieved,
    Rewritten,
    Routed,
    Stage,
    Token,
    Verified,
    Waiting,
)
from tutor.i18n import _, catalog
from tutor.model import EXTRACTIVE, Answer, Answerability, Citation, Hit, Route, Turn
from tutor.search.contextual import BETWEEN
from tutor.search.follow_ups import asks, asks_for_more, points_back
from tutor.text.folding import folded
from tutor.text.language import detect_language
from tutor.text.terms import numbered

if TYPE_CHECKING:
    from tutor.answer.quoting import Quote
_ANOTHER = re.compile(r"\b(?:otr[oa]s?|mas|demas|ademas|another|others?|more|else)\b")


def answer(
    question: str, agent: Agent, history: Sequence[Turn] = (), forced: Route | None = None
) -> Generator[Event, None, None]:
    """Answer a question, yielding what happens; the last event is `Finished`.

    `history` are the conversation's earlier turns, oldest first; `forced` overrides the routing.
    Closing the generator stops the model. Raises `StoreError`, `EmbedderError`, `EngineError`,
    and `QuestionError` for a question without words.
    """
    question = written_out(question)
    asked = route(question, strategy=agent.strategy, web_keywords=agent.web_keywords, forced=forced)
    if not asked.question.strip():
        raise no_question()
    at_home = asked.question
    if asked.rule.startswith("keyword:"):
        at_home = _at_home(at_home, agent)
    yield Routed(asked.route, asked.rule)
    if said := small_talk_reply(asked.question):
        yield Token(said)
        yield Finished(Answer(said, (), False, asked.route, EXTRACTIVE))
        return
    history = [
        replace(
            turn,
            question=written_out(turn.question),
            standalone=written_out(turn.standalone),
        )
        for turn in history
        if not small_talk_reply(turn.question)
    ]
    inquiry = yield from _understand_and_tell(asked.question, history, agent, asked.route)
    if asked.route is Route.WEB and (yield from _answer_from_web(inquiry, agent)):
        return
    of_course = asked.route is Route.MAP or asked.rule == "strategy"
    if of_course and (yield from _answer_from_map(inquiry, agent)):
        return
    if asked.route.strategy is None:
        notes = Route(agent.strategy.value)
        yield Routed(notes, f"fallback:{asked.route.value}")
        if at_home != asked.question:
            yield Rewritten(asked.question, at_home, "web")
            inquiry = yield from _understand_and_tell(at_home, history, agent, notes)
        inquiry = replace(inquiry, route=notes)
    yield from _answer_from_notes(inquiry, agent)


def _at_home(question: str, agent: Agent) -> str:
    """What the notes are asked where the web does not answer; it asks for something."""
    if at_home := asked_at_home(question, agent.web_keywords):
        return at_home
    raise QuestionError(
        _("There is nothing to search the web for."),
        _("Write in the same question what you want to know."),
    )


def _understand_and_tell(
    question: str, history: Sequence[Turn], agent: Agent, route: Route
) -> Generator[Event, None, Inquiry]:
    """Understand the question, and tell how where it is not as it was asked."""
    inquiry = understand(question, history, agent, route)
    if inquiry.standalone != inquiry.question:
        reason = "filter" if inquiry.recognised else "context"
        yield Rewritten(inquiry.question, inquiry.standalone, reason)
    return inquiry


def _answer_from_map(inquiry: Inquiry, agent: Agent) -> Generator[Event, None, bool]:
    """Answer from the map what was sent there or has a form for it; returns whether it did."""
    forms = list(forms_of(inquiry.standalone))
    if not forms and inquiry.route is not Route.MAP:
        return False
    from tutor.answer.mapped import ask_the_map  # noqa: PLC0415 - 0.05 s, rarely needed

    said = yield from ask_the_map(inquiry, forms, agent)
    if said:
        inquiry = replace(inquiry, route=Route.MAP)
        yield from tell(inquiry, said.quoted, said.reading, agent, said.opening)
    return said is not None


def _answer_from_web(inquiry: Inquiry, agent: Agent) -> Generator[Event, None, bool]:
    """Answer from a web search; returns whether there was one."""
    from tutor.answer.web import answer_from_web  # noqa: PLC0415 - verification, 0.1 s

    try:
        yield from answer_from_web(inquiry, agent)
    except WebSearchError as error:
        yield Notice(error.in_one_line)
        return False
    return True


def _answer_from_notes(inquiry: Inquiry, agent: Agent) -> Generator[Event, None, None]:
    """Find passages, decide whether they answer the question, and answer or abstain."""
    store = agent.store
    if inquiry.only is not None:
        yield filter_event(inquiry, inquiry.only, store)
        if not inquiry.only:
            yield from nothing_to_ask(inquiry, agent)
            return
    if lines := _listed(inquiry, agent):
        yield Retrieved([line.hit for line in lines[: agent.k]])
        reading = openings(lines) if inquiry.overview else ()
        yield from tell(inquiry, compose(lines, "\n"), reading, agent)
        return
    Thread(target=agent.cross_encoder).start()  # loaded while passages are found
    typed = inquiry.standalone
    inquiry, hits = passages_in_conversation(inquiry, agent)
    if inquiry.is_follow_up or inquiry.standalone != typed:
        reason = "context" if inquiry.is_follow_up else "spelling"
        yield Rewritten(inquiry.question, inquiry.standalone, reason)
    yield _retrieved(inquiry, hits, agent)
    reference = agent.reference(inquiry.strategy)
    verdict = yield from _judged(inquiry, hits, agent, reference)
    corrected = None
    if reference and verdict.doubtful:
        corrected = with_spelling_corrected(inquiry, verdict, agent, reference)
    if corrected:
        inquiry, hits, verdict = corrected
        yield Rewritten(inquiry.question, inquiry.standalone, "spelling")
        yield _retrieved(inquiry, hits, agent)
    asked = numbered(inquiry.searched)
    named = bool(asked) and any(asked & numbered(hit.chunk.text) for hit in hits)
    goes_on = _asks_more_of_what_was_answered(inquiry)
    if verdict.answerable or named or goes_on or answers_to_parts(inquiry, agent):
        yield from _answer_from_passages(inquiry, hits, agent, doubtful=verdict.doubtful)
    else:
        yield from name_nearest(inquiry, hits, agent)


def _asks_more_of_what_was_answered(inquiry: Inquiry) -> bool:
    """Whether it names nothing, and asks for more of what the notes answered: "¿en qué año fue?".

    The notes speak of that, whatever words of the question they lack.
    """
    answered = bool(inquiry.history) and not inquiry.history[-1].abstained
    return answered and inquiry.is_follow_up and points_back(inquiry.question)


def _listed(inquiry: Inquiry, agent: Agent) -> list[Quote]:
    """What the documents that are asked are about, or all their formulas, definitions …, if the
    question asks for no more.
    """
    if not inquiry.overview and inquiry.only is None:
        return []
    from tutor.answer.gathering import gathered, kind_asked_for  # noqa: PLC0415 - rarely needed

    kind = None if inquiry.overview else kind_asked_for(inquiry.searched)
    if not (inquiry.overview or kind):
        return []
    sources = list(filter(inquiry.filter.passes, agent.store.sources.values()))
    with inquiry.stopwatch.stage("quote"):
        if kind:
            return gathered(kind, sources, agent.store.text, inquiry.language)
        return overview(sources, agent.store.text)


def _retrieved(inquiry: Inquiry, hits: list[Hit], agent: Agent) -> Retrieved:
    """The event that tells of these passages, whose statements are compared from now on."""
    remember_statements(inquiry, hits, agent)
    return Retrieved(hits[: agent.k] if agent.model else hits)


def _judged(
    inquiry: Inquiry, hits: Sequence[Hit], agent: Agent, reference: Reference | None
) -> Generator[Event, None, Answerability]:
    """Whether the passages answer the question; they do where nothing can tell."""
    if agent.hybrid and agent.hybrid.store.words_only:
        yield Notice(_("Still indexing: for now the notes are searched by words only."))
    if reference:
        with inquiry.stopwatch.stage("judge"):
            answerability = judge(inquiry.searched, hits, reference)
        yield Judged(answerability)
        return answerability
    yield Notice(
        _("The index cannot tell what it does not cover. Bring it up to date: %(command)s")
        % {"command": index_command(agent.store.store_folder.name)}
    )
    return Answerability(answerable=True, evidence=1.0, threshold=0.0)


def _answer_from_passages(
    inquiry: Inquiry, hits: Sequence[Hit], agent: Agent, *, doubtful: bool
) -> Generator[Event, None, None]:
    """Quote the notes at once; a model's own words follow below. What is doubtful is so called."""
    say = catalog(inquiry.language)
    forms = _question_variants(inquiry)
    said = [turn.answer for turn in inquiry.history] if inquiry.is_follow_up else []
    with inquiry.stopwatch.stage("quote"):
        # Whole blocks are quoted: what a follow-up asks for may stand in one that was.
        known = said if _ANOTHER.search(folded(inquiry.question)) else []
        ranked = ranked_excerpts(
            forms,
            hits,
            inquiry.embedder,
            agent.store.text,
            known,
            before="".join(said[-1:]),
        )
        if said and asks_for_more(inquiry.question):
            ranked = read_on(forms, ranked, said, inquiry.embedder)
        first_parts, compared = answers_to_parts(inquiry, agent), what_each_is(inquiry, agent)
        quotes = quotes_of(ranked, agent.length, first_parts, compared)
        if quotes and agent.hybrid:
            rival = otherwise(ranked[0], quotes, inquiry, agent.store, say)
            quotes += [rival] if rival else []
    if not quotes:
        yield from name_nearest(inquiry, hits, agent)
        return
    own = inquiry.is_follow_up and asks(inquiry.question)  # not "who" of the question before
    asked = inquiry.question if own else inquiry.searched
    told_when = _asks_more_of_what_was_answered(inquiry) and gives_year(asked, quotes[0].text)
    lexical = agent.hybrid.lexical_of(inquiry.strategy) if agent.hybrid else None
    found = [entry.excerpt for entry in ranked]
    short = falls_short(asked, quotes, found, lexical, leading=1 + len(first_parts))
    short = short or not _is_read(inquiry, hits, quotes, agent)
    doubtful = (doubtful and not told_when) or short
    nearest = say.gettext("The notes do not say exactly this. The closest they come:")
    reading: Sequence[Hit] = ()
    if agent.model:
        read = (*first_parts, *ranked[:1], *compared, *ranked[1:])
        reading = reading_of(read, agent.length, agent.characters_read_soon)
    yield from tell(
        inquiry,
        compose(signed(quotes, say)),
        reading,
        agent,
        nearest if doubtful else "",
        doubtful=doubtful,
    )


def _is_read(inquiry: Inquiry, hits: Sequence[Hit], quotes: Sequence[Quote], agent: Agent) -> bool:
    """Whether who reads the question with what was found sees an answer. Nothing was measured of
    what leans on another question, the quotes have what is called by its number, and in another
    language than the question's too little is understood.
    """
    encoder = agent.cross_encoder()
    if encoder is None or inquiry.is_follow_up or numbered(inquiry.searched):
        return True
    if detect_language(quotes[0].text) != inquiry.language:
        return True
    with inquiry.stopwatch.stage("judge"):
        return is_read_there(inquiry.searched, hits, [quote.text for quote in quotes], encoder)


def _question_variants(inquiry: Inquiry) -> list[str]:
    """The forms of the question that excerpts are scored against, of which the mean counts: of a
    follow-up it is twice the one behind the question before, which says what it is about, and once
    as it was asked.
    """
    if not inquiry.is_follow_up:
        return [inquiry.searched]
    behind = BETWEEN in inquiry.standalone
    return [*[inquiry.searched] * 2, inquiry.question] if behind else [inquiry.standalone]


def tell(
    inquiry: Inquiry,
    quoted: tuple[str, tuple[Citation, ...]],
    reading: Sequence[Hit],
    agent: Agent,
    opening: str = "",
    *,
    doubtful: bool = False,
) -> Generator[Event, None, None]:
    """Show what the notes say, and let a model write below it what it makes of its `reading`.

    `opening` stands above. `doubtful`: the notes may not answer the question.
    """
    if agent.model is None and agent.why_no_model:
        yield Notice(agent.why_no_model)
    before = f"{opening}\n\n" if opening else ""
    text = before + quoted[0]
    citations = tuple(citation.moved(len(before)) for citation in quoted[1])
    shown = 0
    for citation in citations:
        start, end = citation.best if any(citation.best) else (citation.end, citation.end)
        yield Token(text[shown:start])
        if end > start:
            yield Token(text[start:end], best=True)
            yield Token(text[end : citation.end])
        yield Verified(citation.start, citation.end, citation)
        shown = citation.end
    if shown < len(text):  # the last rows of a table may have no page
        yield Token(text[shown:])
    seconds = inquiry.stopwatch.seconds
    finished = Answer(text, citations, False, inquiry.route, EXTRACTIVE, seconds)
    if agent.model and reading:
        from tutor.answer.generating import write_below  # noqa: PLC0415 - 0.1 s, not for quotes

        yield Waiting(Stage.ASKING)
        try:
            finished = yield from write_below(
                finished, inquiry, reading, agent, agent.model, doubtful=doubtful
            )
        except EngineError as error:
            if not agent.quotes_on_failure:
                raise
            yield Notice(error.in_one_line)
    yield Finished(finished)
