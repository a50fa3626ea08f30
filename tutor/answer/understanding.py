"""What a question means: in its conversation, and in the words of the notes."""

from __future__ import annotations

from dataclasses import replace

from tutor.answer.agent import Agent, Inquiry
from tutor.answer.answerability import Reference, judge
from tutor.answer.finding import passages
from tutor.answer.quoting.compared import sides
from tutor.answer.restating import asked_of_another, of_the_same, restated, with_its_noun
from tutor.answer.wording import asking_clause, name_in, respelt, subject_in, with_words, written_in
from tutor.model import Answerability, Hit
from tutor.search.contextual import BETWEEN
from tutor.search.follow_ups import (
    asks_to_explain,
    asks_which,
    leading_name,
    named_instead,
    names_a_thing,
    points_back,
)
from tutor.text.terms import question_language

CLEAR = 0.4
"""Evidence that the notes answer a question by itself, from which what looks doubtful behind the
question before is none of its follow-ups."""


def understood(inquiry: Inquiry, agent: Agent) -> tuple[Inquiry, list[Hit]]:
    """The question as it is understood in its conversation, and its passages.

    Behind the question before it may look like nothing that the notes answer: then it stands alone
    if they clearly answer it so. What has no subject of its own has that of the question before.
    """
    behind, hits = passages(inquiry, agent)
    if not behind.leans:
        return behind, hits
    alone = replace(inquiry, earlier="")
    if whole := _with_the_notes(behind, agent) or _restated(behind):
        behind = replace(behind, standalone=whole)
        alone = replace(alone, standalone=whole, searched=whole)
        if asks_to_explain(inquiry.question):
            alone, others = passages(alone, agent)
            return replace(alone, leans=True), others
    reference = agent.reference(inquiry.strategy)
    by_itself = bool(whole) or not points_back(inquiry.question)
    if reference is None or asks_which(inquiry.question) or not by_itself:
        return behind, hits
    judged = judge(behind.searched, hits, reference)
    if judged.doubtful:
        alone, others = passages(alone, agent)
        verdict = judge(alone.searched, others, reference)
        clear = bool(whole) or verdict.evidence >= CLEAR or not judged.answerable
        if (clear and not verdict.doubtful) or meant(alone, verdict, agent, reference):
            return replace(alone, leans=bool(whole)), others
    return behind, hits


def meant(
    inquiry: Inquiry, typed: Answerability, agent: Agent, reference: Reference
) -> tuple[Inquiry, list[Hit], Answerability] | None:
    """What is asked, and its passages, where the notes answer that better: the question with its
    words spelt as theirs, or its only clause that asks what something is.
    """
    terms = respelt(inquiry.searched, reference.lexical)
    clause = "" if inquiry.leans else asking_clause(inquiry.searched)
    forms = [(clause, clause)] if clause else []
    forms += [(inquiry.searched, inquiry.standalone)] if terms else []
    for form in forms:
        searched = with_words(form[0], terms)
        asked_so = replace(inquiry, searched=searched, earlier="", leans=False)
        asked_so, hits = passages(asked_so, agent)
        with inquiry.stopwatch.stage("judge"):
            verdict = judge(searched, hits, reference)
        no_better = verdict.near and (typed.near or form[0] == clause)
        if verdict.answerable and not no_better:
            words = written_in(hits, terms)
            asked, standalone = (with_words(text, words) for text in form)
            return replace(asked_so, searched=asked, standalone=standalone), hits, verdict
    return None


def _with_the_notes(inquiry: Inquiry, agent: Agent) -> str:
    """A follow-up of one word that the notes have with what was asked before, and with that."""
    word = named_instead(inquiry.question)
    if not word or " " in word:
        return ""
    for before in dict.fromkeys((_latest(inquiry), _before(inquiry))):
        _alone, hits = passages(replace(inquiry, earlier="", searched=f"{before} {word}"), agent)
        texts = [hit.chunk.text for hit in hits]
        whole = with_its_noun(word, before, name_in(before), texts)
        if whole := whole or of_the_same(before, inquiry.question, texts):
            return whole
    return ""


def _before(inquiry: Inquiry) -> str:
    """The question before, or the one that it leaned on."""
    opening, between, latest = inquiry.earlier.rpartition(BETWEEN)
    return opening if between else latest


def _latest(inquiry: Inquiry) -> str:
    """The question before as it was typed, whatever it leaned on."""
    return inquiry.earlier.rpartition(BETWEEN)[2]


def _restated(inquiry: Inquiry) -> str:
    """A follow-up without a subject of its own, with that of the question before; one that names
    nothing but another subject, as that question asked of it.
    """
    before, latest = _before(inquiry), _latest(inquiry)
    instead = named_instead(latest)
    named = instead or (leading_name(latest) if latest != before else "")
    language = question_language(inquiry.question, question_language(before, inquiry.language))
    if asks_to_explain(inquiry.question):
        return restated(inquiry.question, named or name_in(before), language) or inquiry.earlier
    both_name = names_a_thing(latest) and names_a_thing(inquiry.question)
    asked = latest if both_name and not (instead or points_back(latest)) else before
    another = "" if sides(asked) else asked_of_another(asked, subject_in(asked), inquiry.question)
    return another or restated(inquiry.question, named or subject_in(before), language)
