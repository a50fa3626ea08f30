"""Question -> what it means in its conversation, is searched for and in which documents ->
passages: the one way that answers, searches and measurements share. Parts of a question are
searched for by themselves, too: the first of two questions, each of the things that are compared.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace

from tutor.answer.agent import Agent, Inquiry
from tutor.answer.answerability import DEPTH, Reference, judge
from tutor.answer.asked import AskedTerm, explained, sides, term_of
from tutor.answer.quoting import ranked_excerpts
from tutor.answer.quoting.scoring import Scored
from tutor.answer.referring import in_full
from tutor.answer.restating import restated, with_its_noun
from tutor.answer.ways.forms import forms_of
from tutor.answer.wording import (
    first_of_two,
    name_in,
    respelt,
    subject_in,
    with_words,
    written_out,
)
from tutor.embedding.embedder import CachingEmbedder
from tutor.errors import QuestionError
from tutor.events import Filtered
from tutor.i18n import _, catalog
from tutor.i18n import language as interface_language
from tutor.index.own_words import in_its_words
from tutor.index.store import StoreReader
from tutor.model import Answerability, Filter, Hit, Route, Source, SourceId, Turn
from tutor.search.contextual import BETWEEN, earlier_question, longer, shown
from tutor.search.filters import Recognised, Recogniser, in_words
from tutor.search.follow_ups import asks_to_explain, named_instead, points_back
from tutor.search.retrieval import retrieve
from tutor.text.paragraphs import unnumbered
from tutor.text.terms import content_words, question_language
from tutor.timing import Stopwatch

CLEAR = 0.4
"""Evidence that the notes answer a question by itself, from which what looks doubtful behind the
question before is none of its follow-ups."""
_MOST_TITLES = 12
"""Titles that are searched for where a question asks for whole documents."""
QUOTING_FACTOR = 3
"""Passages that are read for quotes, as a multiple of `k`: they take no model's context."""


def understand(
    question: str, history: Sequence[Turn], agent: Agent, route: Route | None = None
) -> Inquiry:
    """Separate the question from the words that name weeks, days, authors or documents.

    `¿y en la semana 6?` asks the question before of other documents.
    A question that asks for no subject (`¿de qué trata la semana 5?`) is searched for by the titles
    of its documents. Any other may lean on the question before, unless it asks for a
    term. `route` is the agent's strategy unless given.
    """
    sources = agent.store.sources.values()
    recogniser = agent.recogniser or Recogniser(sources)
    said = recogniser.recognise(question)
    chosen = said.filter.overridden_by(agent.filter)
    standalone, overview, earlier = question, said.is_overview, ""
    if said.has_only_filter and (before := _latest_by_itself(history, recogniser)):
        standalone, overview = _naming(before.rest, said.phrases), before.is_overview
        searched = (_titles(chosen, sources) or standalone) if overview else before.rest
    else:
        searched = said.rest if said.asks else _titles(chosen, sources) or question
        if history and (whole := in_full(question, history)):
            standalone = searched = whole
        elif not (overview or term_of(said.rest)):
            earlier = _may_lean_on(question, history, recogniser)
    route = route or Route(agent.strategy.value)
    spoken = interface_language()
    if history:  # "why?"
        spoken = question_language(history[-1].standalone, spoken)
    return Inquiry(
        question=question,
        standalone=standalone,
        searched=searched,
        language=question_language(standalone, spoken),
        route=route,
        strategy=route.strategy or agent.strategy,
        history=history,
        embedder=CachingEmbedder(agent.embedder),
        stopwatch=Stopwatch(),
        filter=chosen,
        recognised=said.phrases,
        only=chosen.select(sources) if chosen else None,
        earlier=earlier,
        overview=overview,
    )


def _latest_by_itself(history: Sequence[Turn], recogniser: Recogniser) -> Recognised | None:
    """The latest question that leans on none before it."""
    recognised = (recogniser.recognise(turn.standalone) for turn in reversed(history))
    return next((said for said in recognised if said.rest and not said.has_only_filter), None)


def _may_lean_on(question: str, history: Sequence[Turn], recogniser: Recogniser) -> str:
    """What a question may lean on: nothing behind an overview, or behind "fórmulas de la semana 6",
    which have no subject of their own.

    The question before counts as if it had been asked of all documents: its topic is not `la
    entropía de la semana 5`.
    """
    history = [turn for turn in history if not any(one.leans for one in forms_of(turn.question))]
    if not history:
        return ""
    from tutor.answer.gathering import kind_asked_for  # noqa: PLC0415 - not for a first question

    before = recogniser.recognise(history[-1].standalone)
    if before.is_overview or (before.filter and kind_asked_for(before.rest)):
        return ""
    typed, standalone = (
        said.rest if said.asks else text
        for text in (history[-1].question, history[-1].standalone)
        for said in [recogniser.recognise(text)]
    )
    return earlier_question([replace(history[-1], question=typed, standalone=standalone)], question)


def _naming(question: str, phrases: Sequence[str]) -> str:
    """The question with the words that name its documents."""
    asked = question.rstrip(" ?.!")
    return f"{asked} {' '.join(phrases)}{question[len(asked) :].strip()}" if phrases else question


def _titles(chosen: Filter, sources: Collection[Source]) -> str:
    titles = dict.fromkeys(source.title for source in sources if chosen.passes(source))
    return ". ".join(list(titles)[:_MOST_TITLES])


def filter_event(inquiry: Inquiry, only: frozenset[SourceId], store: StoreReader) -> Filtered:
    """What tells that `only` these documents are asked."""
    words = in_words(inquiry.filter, store.sources, catalog(interface_language()))
    return Filtered(inquiry.filter, words, inquiry.recognised, len(only))


def depth(k: int) -> int:
    """How many passages are looked at to answer with `k`: quoting and abstaining need more."""
    return max(QUOTING_FACTOR * k, DEPTH)


def passages(inquiry: Inquiry, agent: Agent, k: int | None = None) -> tuple[Inquiry, list[Hit]]:
    """The first `k` passages of the documents that are asked, best first; as many as answering
    looks at where None.

    With the question as it was understood in its conversation. Raises `StoreError`,
    `EmbedderError`.
    """
    if inquiry.only is not None and not inquiry.only:
        return inquiry, []
    if lexical := agent.hybrid and agent.hybrid.lexical_of(inquiry.strategy):
        searched, earlier, standalone = (
            in_its_words(text, lexical)
            for text in (inquiry.searched, inquiry.earlier, inquiry.standalone)
        )
        inquiry = replace(inquiry, searched=searched, earlier=earlier, standalone=standalone)
    found = retrieve(
        inquiry.searched,
        agent.store,
        inquiry.embedder,
        strategy=inquiry.strategy,
        k=depth(agent.k) if k is None else k,
        stopwatch=inquiry.stopwatch,
        hybrid=agent.hybrid,
        only=inquiry.only,
        earlier=inquiry.earlier,
    )
    if found.is_follow_up:
        inquiry = replace(
            inquiry,
            standalone=shown(inquiry.earlier, inquiry.question),
            searched=longer(inquiry.earlier, inquiry.searched),
            is_follow_up=True,
        )
    return inquiry, found.hits


def passages_in_conversation(inquiry: Inquiry, agent: Agent) -> tuple[Inquiry, list[Hit]]:
    """The question as it is understood in its conversation, and its passages.

    Behind the question before it may look like nothing that the notes answer: then it stands alone
    if they clearly answer it so. What has no subject of its own has that of the question before.
    """
    behind, hits = passages(inquiry, agent)
    if not behind.is_follow_up:
        return behind, hits
    alone = replace(inquiry, earlier="")
    if whole := _with_its_noun(behind, agent) or _restated(behind):
        behind = replace(behind, standalone=whole)
        alone = replace(alone, standalone=whole, searched=whole)
        if asks_to_explain(inquiry.question):
            alone, others = passages(alone, agent)
            return replace(alone, is_follow_up=True), others
    reference = agent.reference(inquiry.strategy)
    by_itself = bool(whole) or not points_back(inquiry.question)
    if reference is None or not by_itself:
        return behind, hits
    judged = judge(behind.searched, hits, reference)
    if judged.doubtful:
        alone, others = passages(alone, agent)
        verdict = judge(alone.searched, others, reference)
        clear = bool(whole) or verdict.evidence >= CLEAR or not judged.answerable
        if (clear and not verdict.doubtful) or with_spelling_corrected(
            alone, verdict, agent, reference
        ):
            return replace(alone, is_follow_up=bool(whole)), others
    return behind, hits


def with_spelling_corrected(
    inquiry: Inquiry, as_typed: Answerability, agent: Agent, reference: Reference
) -> tuple[Inquiry, list[Hit], Answerability] | None:
    """The question with its words spelt as those of the notes, and its passages, where these answer
    that better than it `as_typed`.
    """
    words = respelt(inquiry.searched, reference.lexical)
    if not words:
        return None
    searched, standalone = (
        with_words(one, words) for one in (inquiry.searched, inquiry.standalone)
    )
    corrected = replace(
        inquiry, searched=searched, standalone=standalone, earlier="", is_follow_up=False
    )
    _in_own_words, hits = passages(corrected, agent)  # "k-means" for "kmeans" is no correction
    with inquiry.stopwatch.stage("judge"):
        verdict = judge(searched, hits, reference)
    if not verdict.answerable or (verdict.near and as_typed.near):
        return None
    return corrected, hits, verdict


def _with_its_noun(inquiry: Inquiry, agent: Agent) -> str:
    """A follow-up of one word that the notes have with the noun of what was asked before."""
    word, before = named_instead(inquiry.question), inquiry.earlier.rpartition(BETWEEN)[2]
    if not word or " " in word:
        return ""
    _alone, hits = passages(replace(inquiry, earlier="", searched=f"{before} {word}"), agent)
    return with_its_noun(word, before, name_in(before), [hit.chunk.text for hit in hits])


def _restated(inquiry: Inquiry) -> str:
    """A follow-up without a subject of its own, with that of the question before; that question
    where it names none, and is to be explained.
    """
    opening, _between, latest = inquiry.earlier.rpartition(BETWEEN)
    before = opening or latest
    language = question_language(inquiry.question, question_language(before, inquiry.language))
    subject = named_instead(latest) or subject_in(before)
    whole = restated(inquiry.question, subject, language)
    return whole or (inquiry.earlier if asks_to_explain(inquiry.question) else "")


def remember_statements(inquiry: Inquiry, hits: Sequence[Hit], agent: Agent) -> None:
    """Take the vectors of the statements of these documents from the index, where it has them.

    Quoting and verifying compare them: what is remembered is not embedded again.
    """
    if agent.hybrid:
        for source in dict.fromkeys(hit.source.id for hit in hits):
            inquiry.embedder.remember_passages(*agent.hybrid.store.statements(source))


def find(
    question: str, agent: Agent, history: Sequence[Turn] = (), k: int | None = None
) -> tuple[Inquiry, list[Hit]]:
    """What `answer` searches the notes for, and the first `k` passages that it finds.

    Raises `StoreError`, `EmbedderError`, and `QuestionError` for a question without words.
    """
    question = written_out(question)
    if not question.strip():
        raise no_question()
    return passages(understand(question, history, agent), agent, k)


def no_question() -> QuestionError:
    """What is said to a question without words."""
    return QuestionError(_("There is no question."), _("Write what you want to know."))


def answers_to_parts(inquiry: Inquiry, agent: Agent) -> list[Scored]:
    """Of two questions in one, what answers the first best; of things that are to be explained,
    what tells best what each of them is, if the notes tell of all.
    """
    if inquiry.is_follow_up:
        return []
    if names := explained(inquiry.searched):
        if _is_one_thing(" y ".join(names), inquiry, agent):  # "branch and bound"
            return []
        each = [_best_for(_what_is(name, inquiry), inquiry, agent) for name in names]
        told = list(filter(None, each))
        places = {(one.excerpt.hit.source.id, one.excerpt.start) for one in told}
        return told if len(places) == len(names) else []
    first = first_of_two(inquiry.searched)
    best = _best_for(first, inquiry, agent) if first else None
    return [best] if best else []


def what_each_is(inquiry: Inquiry, agent: Agent) -> list[Scored]:
    """Of things that are compared, what each of them is, as far as the notes tell."""
    names = [] if inquiry.is_follow_up else sides(inquiry.searched)
    return list(filter(None, (_said_of(name, inquiry, agent) for name in names)))


def _what_is(name: str, inquiry: Inquiry) -> str:
    return f"{'What is' if inquiry.language == 'en' else 'Qué es'} {name}"


def _said_of(name: str, inquiry: Inquiry, agent: Agent) -> Scored | None:
    """What tells what this is: what stands under its name, or whose first sentence has it."""
    best = _best_for(_what_is(name, inquiry), inquiry, agent)
    if best is None:
        return None
    opening = re.split(r"\n|\. ", best.excerpt.text, maxsplit=1)[0]
    told = content_words(f"{best.excerpt.title}\n{opening}")
    return best if content_words(name) <= told else None


def _is_one_thing(name: str, inquiry: Inquiry, agent: Agent) -> bool:
    """Whether a heading or a definition has that name."""
    best, asked = _best_for(name, inquiry, agent), AskedTerm.of(_what_is(name, inquiry))
    if best is None or asked is None:
        return False
    return asked.names(unnumbered(best.excerpt.title)) or asked.heads(best.excerpt.text)


def _best_for(question: str, inquiry: Inquiry, agent: Agent) -> Scored | None:
    """What answers a part of a question best."""
    hits = _answering(question, inquiry, agent)
    ranked = ranked_excerpts([question], hits, inquiry.embedder, agent.store.text)
    return next(iter(ranked), None)


def _answering(question: str, inquiry: Inquiry, agent: Agent) -> list[Hit]:
    """The passages for a part of a question; none where the notes do not answer it by itself."""
    reference = agent.reference(inquiry.strategy)
    if reference is None:
        return []
    part, hits = passages(replace(inquiry, searched=question, earlier=""), agent)
    remember_statements(part, hits, agent)
    return [] if judge(part.searched, hits, reference).doubtful else hits
