"""Answers from the notes: by a model, by the notes' own sentences, or by an honest refusal."""

from __future__ import annotations

import re
from collections.abc import Generator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from tutor.answer.answerability import judge
from tutor.answer.disagreement import otherwise
from tutor.answer.finding import filtered_by, in_context, passages_for
from tutor.answer.outline import openings, outline
from tutor.answer.prompting import notes_passages
from tutor.answer.quoting import READING_S, compose, quotes_of, ranked_excerpts, reading_of
from tutor.answer.spelling import respelt, with_words
from tutor.errors import EngineError, command
from tutor.events import (
    Event,
    Finished,
    Judged,
    Notice,
    Retrieved,
    Rewritten,
    Stage,
    Token,
    Verified,
    Waiting,
)
from tutor.i18n import _, catalog
from tutor.model import EXTRACTIVE, Answer, Answerability, Citation, Hit
from tutor.search.filters import in_words, what_exists
from tutor.text.folding import folded

if TYPE_CHECKING:
    from tutor.answer.agent import Agent, Inquiry
    from tutor.answer.answerability import Reference
    from tutor.answer.quoting import Quote
    from tutor.answer.quoting.scoring import Scored
    from tutor.llm.chat_model import ChatModel

_ANOTHER = re.compile(r"\b(?:otr[oa]s?|mas|demas|ademas|another|others?|more|else)\b")
_NEAREST = 3
"""Pages that a refusal names."""
_SMALL = 3 * 10**9
"""Parameters below which a model is small: one of 1.5 billion answered no better from more."""
_MOST_OF_WINDOW = 1 / 3
"""What a fast model reads of the notes leaves room for the conversation and the answer."""


def answer_from_notes(inquiry: Inquiry, agent: Agent) -> Generator[Event, None, None]:
    """Find passages, decide whether they answer the question, and answer or abstain."""
    strategy = inquiry.route.strategy or agent.strategy
    if inquiry.overview and (lines := _outline(inquiry, agent)):
        filtered, _only = filtered_by(inquiry.filter, inquiry.recognised, agent.store)
        if filtered:
            yield filtered
        yield Retrieved([line.hit for line in lines[: agent.k]])
        yield from tell(inquiry, compose(lines, "\n"), openings(lines), agent)
        return
    filtered, matched = passages_for(inquiry, agent)
    if filtered:
        yield filtered
        if not filtered.documents:
            yield from _nothing_to_ask(inquiry, agent)
            return
    inquiry, found = yield from in_context(inquiry, matched)
    yield _retrieved(inquiry, found, agent)
    reference = agent.reference(strategy)
    verdict = yield from _judged(inquiry, found, agent, reference)
    if reference and (meant := _respelt(inquiry, verdict, agent, reference)):
        inquiry, found, verdict = meant
        yield Rewritten(inquiry.question, inquiry.standalone, "spelling")
        yield _retrieved(inquiry, found, agent)
    if verdict.answerable:
        yield from _from_passages(inquiry, found, agent, near=verdict.near)
    else:
        yield from _refuse(inquiry, found, agent)


def _respelt(
    inquiry: Inquiry, typed: Answerability, agent: Agent, reference: Reference
) -> tuple[Inquiry, list[Hit], Answerability] | None:
    """The question with other words where the notes answer that one better, and its passages."""
    doubtful = typed.near or not typed.answerable
    terms = respelt(inquiry.searched, reference.lexical) if doubtful else {}
    if not terms:
        return None
    meant = replace(inquiry, searched=with_words(inquiry.searched, terms), earlier="")
    hits = passages_for(meant, agent)[1].hits
    verdict = _verdict(meant, hits, reference)
    if not verdict.answerable or (verdict.near and typed.near):
        return None
    searched, standalone = (
        with_words(text, terms, hits) for text in (inquiry.searched, inquiry.standalone)
    )
    return replace(meant, searched=searched, standalone=standalone), hits, verdict


def _retrieved(inquiry: Inquiry, hits: list[Hit], agent: Agent) -> Retrieved:
    """The event that tells of these passages.

    Quoting and verifying compare their statements, most of which have their vectors in the index.
    """
    if agent.hybrid:
        for source in dict.fromkeys(hit.source.id for hit in hits):
            inquiry.embedder.remember_passages(*agent.hybrid.store.statements(source))
    return Retrieved(hits[: agent.k] if agent.model else hits)


def _judged(
    inquiry: Inquiry, hits: Sequence[Hit], agent: Agent, reference: Reference | None
) -> Generator[Event, None, Answerability]:
    if agent.words_only:  # what the verdict is made of is not there: any word found will do
        yield Notice(_("Still indexing: for now the notes are searched by words only."))
        return Answerability(answerable=bool(hits), evidence=0.0, threshold=0.0)
    if reference is None:
        yield Notice(
            _("The index cannot tell what it does not cover. Bring it up to date: %(command)s")
            % {"command": command("index")}
        )
        return Answerability(answerable=True, evidence=1.0, threshold=0.0)
    answerability = _verdict(inquiry, hits, reference)
    yield Judged(answerability)
    return answerability


def _verdict(inquiry: Inquiry, hits: Sequence[Hit], reference: Reference) -> Answerability:
    with inquiry.stopwatch.stage("judge"):
        return judge(inquiry.searched, hits, reference)


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


def _from_passages(
    inquiry: Inquiry, hits: Sequence[Hit], agent: Agent, *, near: bool
) -> Generator[Event, None, None]:
    """Quote the notes at once; a model's own words follow below. What is only near is called so."""
    ranked = _ranked(inquiry, hits, agent)
    quotes = quotes_of(ranked, agent.length, _said(inquiry))
    if quotes and (rival := _rival(inquiry, ranked, agent)):
        quotes.append(rival)
    quoted = compose(quotes)
    if quoted[0]:
        say = catalog(inquiry.language)
        opening = say.gettext("The notes do not say exactly this. The closest they come:")
        yield from tell(
            inquiry,
            quoted,
            reading_of(ranked, agent.length, _read_soon(agent)),
            agent,
            opening if near else "",
            doubtful=near,
        )
    else:
        yield from _refuse(inquiry, hits, agent)


def _rival(inquiry: Inquiry, ranked: Sequence[Scored], agent: Agent) -> Quote | None:
    """What another document says otherwise than the first quote."""
    if agent.hybrid is None or agent.words_only:
        return None
    strategy = inquiry.route.strategy or agent.strategy
    say = catalog(inquiry.language)
    _filtered, only = filtered_by(inquiry.filter, inquiry.recognised, agent.store)
    with inquiry.stopwatch.stage("quote"):
        return otherwise(
            ranked[0], agent.hybrid.store, strategy, inquiry.embedder, say=say, only=only
        )


def _outline(inquiry: Inquiry, agent: Agent) -> list[Quote]:
    store = agent.store
    with inquiry.stopwatch.stage("quote"):
        asked = [source for source in store.sources.values() if inquiry.filter.passes(source)]
        return outline(asked, store.text)


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

    `doubtful`: whether that answers the question. `opening` stands above.
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
    answer = replace(_answer(inquiry, text, abstained=False), citations=citations)
    if agent.model and reading:
        yield Waiting(Stage.ASKING)
        answer = yield from _written(
            inquiry, reading, answer, agent, agent.model, doubtful=doubtful
        )
    yield Finished(answer)


def _ranked(inquiry: Inquiry, hits: Sequence[Hit], agent: Agent) -> list[Scored]:
    # A follow-up is searched for behind the question before, whose answer it does not want.
    forms = [inquiry.searched, inquiry.question] if _leans(inquiry) else [inquiry.searched]
    with inquiry.stopwatch.stage("quote"):
        # Whole blocks are quoted: what a follow-up asks for may stand in one that was.
        known = _said(inquiry) if _ANOTHER.search(folded(inquiry.question)) else ()
        return ranked_excerpts(forms, hits, inquiry.embedder, agent.store.text, known)


def _read_soon(agent: Agent) -> int:
    """Characters that the model reads in `READING_S`, if they fill no more of its window.

    None for a small one, which does not answer better from more.
    """
    if agent.model is None or agent.model.parameters < _SMALL:
        return 0
    counter, window = agent.counter, agent.model.context_tokens * _MOST_OF_WINDOW
    return min(counter.characters_in(READING_S), int(window * counter.chars_per_token))


def _said(inquiry: Inquiry) -> list[str]:
    return [turn.answer for turn in inquiry.history] if _leans(inquiry) else []


def _leans(inquiry: Inquiry) -> bool:
    return bool(inquiry.earlier) and inquiry.standalone != inquiry.question


def _written(
    inquiry: Inquiry,
    hits: Sequence[Hit],
    quoted: Answer,
    agent: Agent,
    model: ChatModel,
    *,
    doubtful: bool,
) -> Generator[Event, None, Answer]:
    """Let the model write an answer below the quotes, which stay whatever becomes of it.

    Where it is `doubtful` that they answer the question, it may decline.
    """
    # 0.1 s, not needed to quote
    from tutor.answer.checking import notes_checker  # noqa: PLC0415
    from tutor.answer.generating import PromptMaterial, generate  # noqa: PLC0415

    say = catalog(inquiry.language)
    heading = say.gettext("In the words of the model:")
    material = PromptMaterial(
        notes_passages(hits),
        lambda read: notes_checker(hits, read, agent.store, inquiry),
        scope=in_words(inquiry.filter, agent.store.sources, say),
        doubtful=doubtful,
        quoted=quoted,
        heading=f"\n\n{heading}\n\n",
    )
    try:
        return (yield from generate(inquiry, material, agent, model))
    except EngineError as error:
        if not agent.quotes_on_failure:
            raise
        yield Notice(f"{error.message} {error.remedy}".strip())
        return quoted


def _answer(inquiry: Inquiry, text: str, *, abstained: bool) -> Answer:
    return Answer(
        text=text,
        citations=(),
        abstained=abstained,
        route=inquiry.route,
        model=EXTRACTIVE,
        timings=inquiry.stopwatch.seconds,
    )
