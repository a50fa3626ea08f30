"""What a part of a question asks, searched for by itself: the first of two questions, each of the
things that are compared, X in "X in Y".
"""

from __future__ import annotations

from dataclasses import replace

from tutor.answer.agent import Agent, Inquiry
from tutor.answer.answerability import judge
from tutor.answer.clauses import first_of_two, sides, within
from tutor.answer.finding import passages, remember_statements
from tutor.answer.quoting import ranked_excerpts
from tutor.answer.quoting.definitions import DefinitionQuestion
from tutor.answer.quoting.scoring import Scored
from tutor.model import Hit, SourceId
from tutor.text.terms import content_words


def answer_to_the_first(inquiry: Inquiry, agent: Agent) -> Scored | None:
    """Of two questions in one, what answers the first best."""
    first = "" if inquiry.leans else first_of_two(inquiry.searched)
    return _best_for(first, inquiry, agent) if first else None


def what_each_is(inquiry: Inquiry, agent: Agent) -> list[Scored]:
    """Of things that are compared, what each of them is, as far as the notes tell."""
    names = [] if inquiry.leans else sides(inquiry.searched)
    return list(filter(None, (_said_of(name, inquiry, agent) for name in names)))


def asked_of_titled(inquiry: Inquiry, agent: Agent) -> tuple[str, list[Hit]] | None:
    """Of "X in Y", where titles of documents have Y: X, and its passages in these documents.

    Y is what all of these are about: beside it the words of X hardly count.
    """
    if inquiry.only is not None or inquiry.leans:
        return None
    subject, about = within(inquiry.searched)
    words, sources = content_words(about), agent.store.sources.values()
    titled = frozenset(one.id for one in sources if words <= content_words(one.title))
    if not (words and titled and content_words(subject)):
        return None
    hits = _answering(subject, inquiry, agent, titled)
    return (subject, hits) if hits else None


def _said_of(name: str, inquiry: Inquiry, agent: Agent) -> Scored | None:
    """What tells what this is: its definition, or what stands under its name."""
    question = f"{'What is' if inquiry.language == 'en' else 'Qué es'} {name}"
    best, asked = _best_for(question, inquiry, agent), DefinitionQuestion.asked_for(question)
    if best is None or asked is None:
        return None
    headed = content_words(name) <= content_words(best.excerpt.title)
    told = headed or asked.heads(best.excerpt.text) or asked.says(best.statement.words)
    return best if told else None


def _best_for(question: str, inquiry: Inquiry, agent: Agent) -> Scored | None:
    """What answers a part of a question best."""
    hits = _answering(question, inquiry, agent)
    ranked = ranked_excerpts([question], hits, inquiry.embedder, agent.store.text)
    return next(iter(ranked), None)


def _answering(
    question: str, inquiry: Inquiry, agent: Agent, only: frozenset[SourceId] | None = None
) -> list[Hit]:
    """The passages for a part of a question; none where the notes do not answer it by itself.

    `only` are the documents that are asked, those of the question where it is not given.
    """
    reference = agent.reference(inquiry.strategy)
    if reference is None:
        return []
    part = replace(inquiry, searched=question, only=only or inquiry.only, earlier="")
    part, hits = passages(part, agent)
    if judge(part.searched, hits, reference).doubtful:
        return []
    remember_statements(part, hits, agent)
    return hits
