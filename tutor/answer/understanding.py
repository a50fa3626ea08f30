"""What a question means: in its conversation, and in the words of the notes."""

from __future__ import annotations

from dataclasses import replace

from tutor.answer.agent import Agent, Inquiry
from tutor.answer.answerability import Reference, judge
from tutor.answer.finding import passages
from tutor.answer.restating import restated, with_its_noun
from tutor.answer.wording import name_in, respelt, subject_in, with_words
from tutor.model import Answerability, Hit
from tutor.search.contextual import BETWEEN
from tutor.search.follow_ups import asks_to_explain, named_instead, points_back
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
    if whole := _with_its_noun(behind, agent) or _restated(behind):
        behind = replace(behind, standalone=whole)
        alone = replace(alone, standalone=whole, searched=whole)
        if asks_to_explain(inquiry.question):
            alone, others = passages(alone, agent)
            return replace(alone, leans=True), others
    reference = agent.reference(inquiry.strategy)
    by_itself = bool(whole) or not points_back(inquiry.question)
    if reference is None or not by_itself:
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
    """The question with its words spelt as those of the notes, and its passages, where these answer
    that better.
    """
    words = respelt(inquiry.searched, reference.lexical)
    if not words:
        return None
    asked, standalone = (with_words(text, words) for text in (inquiry.searched, inquiry.standalone))
    asked_so = replace(inquiry, searched=asked, standalone=standalone, earlier="", leans=False)
    asked_so, hits = passages(asked_so, agent)
    with inquiry.stopwatch.stage("judge"):
        verdict = judge(asked, hits, reference)
    if not verdict.answerable or (verdict.near and typed.near):
        return None
    return replace(asked_so, searched=asked, standalone=standalone), hits, verdict


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
