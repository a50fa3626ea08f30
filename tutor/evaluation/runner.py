"""Asks every case in every setting, and measures what comes back.

The settings take turns case by case, so that whatever disturbs the machine disturbs all alike.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from tutor.answering import answer
from tutor.answering.standing_alone import stand_alone
from tutor.chunking import detect_language, split_sentences
from tutor.errors import TutorError
from tutor.evaluation.judging import Judgement, Sample
from tutor.evaluation.measures import (
    DEPTH,
    FALSE_REFUSAL,
    REFUSAL_PRECISION,
    REFUSED,
    RUBRIC,
    citation_measures,
    ranking_measures,
)
from tutor.evaluation.outcomes import Outcome, Passage, Reply
from tutor.evaluation.rankings import by_product
from tutor.evaluation.relevance import MissingPlace, Relevance
from tutor.events import Finished, Retrieved, Rewritten
from tutor.timing import Stopwatch
from tutor.types import Route

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from tutor.answering import Agent
    from tutor.evaluation.cases import Case
    from tutor.evaluation.judging import Judge
    from tutor.evaluation.rankings import Ranking
    from tutor.evaluation.relevance import Documents
    from tutor.types import Answer, Chunk, Hit

KEPT_CHARS = 200
"""Characters of a passage that an outcome keeps."""
_KEPT_PASSAGES = 3
_LEAD = 40


@dataclass(frozen=True, slots=True)
class Subject:
    """A setting, ready to be asked. `chunks` are all that its index holds."""

    name: str
    agent: Agent
    chunks: Sequence[Chunk]
    ranking: Ranking = by_product


@dataclass(frozen=True, slots=True)
class Plan:
    """What is measured besides retrieval: whole answers, and what a judge says of them."""

    answers: bool = False
    judge: Judge | None = None


def run(
    cases: Sequence[Case],
    subjects: Sequence[Subject],
    documents: Documents,
    plan: Plan,
    done: Collection[tuple[str, str]] = (),
) -> Iterator[Outcome]:
    """The outcome of every case in every setting but those in `done` (case, setting).

    Each subject is asked once beforehand, unmeasured, so that nothing is cold. What fails is an
    outcome, too: it says what failed.
    """
    todo = [case for case in cases if any((case.id, one.name) not in done for one in subjects)]
    for subject in subjects if todo else ():
        _warm_up(todo[0], subject, plan)
    known = _Known(documents, plan)
    for number, case in enumerate(todo):
        turn = number % len(subjects)
        for subject in (*subjects[turn:], *subjects[:turn]):
            if (case.id, subject.name) not in done:
                yield _outcome(case, subject, known)


class _Known:
    """What is the same for all outcomes: the documents, each text read once, and the plan."""

    def __init__(self, documents: Documents, plan: Plan) -> None:
        self.plan = plan
        self.sources = documents.sources
        self.text = cache(documents.text)


@dataclass(slots=True)
class _Found:
    """What is collected about a case while it is asked."""

    measures: dict[str, float]
    seconds: dict[str, float]
    searched: str = ""
    passages: tuple[Passage, ...] = ()
    reply: Reply | None = None
    judge_failure: str = ""


def _warm_up(case: Case, subject: Subject, plan: Plan) -> None:
    try:
        if plan.answers:
            for _event in answer(case.question, subject.agent, case.history, _route(subject)):
                pass
        else:
            _search(case, subject, Stopwatch())
    except TutorError:  # met again, and recorded, when it counts
        return


def _outcome(case: Case, subject: Subject, known: _Known) -> Outcome:
    found = _Found({}, {})
    failure = ""
    try:
        relevance = Relevance(case, known) if case.places else None
        _measure_retrieval(case, subject, relevance, found)
        if known.plan.answers:
            _measure_answer(case, subject, known, relevance, found)
    except MissingPlace as error:
        failure = str(error)
    except TutorError as error:
        failure = error.message
    return Outcome(
        case=case.id,
        setting=subject.name,
        question=case.question,
        language=case.language,
        kind=case.kind,
        split=case.split,
        answerable=case.answerable,
        searched=found.searched,
        measures=found.measures,
        seconds=found.seconds,
        passages=found.passages,
        reply=found.reply,
        failure=failure,
        judge_failure=found.judge_failure,
    )


def _route(subject: Subject) -> Route:
    """Whatever words a question has, it is the notes that are evaluated."""
    return Route(subject.agent.strategy.value)


def _search(case: Case, subject: Subject, stopwatch: Stopwatch) -> tuple[str, list[Hit]]:
    """What is searched for, as the product makes follow-ups stand alone, and what is found."""
    agent = subject.agent
    language = case.language or detect_language(case.question)
    rewriting = stand_alone(case.question, case.history, language, agent, stopwatch)
    standalone = case.question
    for event in rewriting:
        if isinstance(event, Rewritten):
            standalone = event.standalone
    hits = subject.ranking(standalone, agent, max(DEPTH, agent.k), stopwatch)
    return standalone, hits


def _measure_retrieval(
    case: Case, subject: Subject, relevance: Relevance | None, found: _Found
) -> None:
    stopwatch = Stopwatch()
    started = time.perf_counter()
    found.searched, hits = _search(case, subject, stopwatch)
    seconds = time.perf_counter() - started
    found.seconds.update({**stopwatch.seconds, "retrieval_s": seconds})
    if relevance is None:
        return
    chunks = [hit.chunk for hit in hits]
    found.measures.update(ranking_measures(chunks, relevance, subject.chunks, subject.agent.k))
    found.passages = tuple(_passage(hit, relevance) for hit in hits[:_KEPT_PASSAGES])


def _passage(hit: Hit, relevance: Relevance) -> Passage:
    chunk = hit.chunk
    return Passage(
        file=hit.source.path,
        first_page=chunk.first_page,
        last_page=chunk.last_page,
        text=_excerpt(chunk.text, relevance.snippet_start(chunk)),
        on_page=relevance.on_page(chunk),
        holds_snippet=relevance.holds_snippet(chunk),
    )


def _excerpt(text: str, snippet: int) -> str:
    """Some of a passage in one line: from where the answer stands, if it does, with a lead."""
    start = max(0, snippet - _LEAD)
    shown = " ".join(text[start:].split())
    shown = shown if len(shown) <= KEPT_CHARS else shown[: KEPT_CHARS - 1] + "…"
    return f"…{shown}" if start else shown


def _measure_answer(
    case: Case,
    subject: Subject,
    known: _Known,
    relevance: Relevance | None,
    found: _Found,
) -> None:
    started = time.perf_counter()
    hits: Sequence[Hit] = ()
    final: Answer | None = None
    for event in answer(case.question, subject.agent, case.history, _route(subject)):
        if isinstance(event, Retrieved):
            hits = event.hits
        elif isinstance(event, Finished):
            final = event.answer
    assert final is not None  # noqa: S101 - `answer` ends with it
    found.seconds.update(final.timings)  # its retrieval stages are those of the answer
    found.seconds["total_s"] = time.perf_counter() - started
    if not final.abstained:
        found.measures.update(citation_measures(final, known.text, split_sentences, relevance))
    contexts = _contexts(hits, final, subject.agent.k)
    judgement, refuses = _judged(case, final, contexts, known.plan.judge, found)
    found.measures.update(_refusal_measures(refuses=refuses, answerable=case.answerable))
    found.reply = Reply(
        text=final.text,
        abstained=final.abstained,
        model=final.model,
        citations=tuple(
            f"{citation.hit.source.path}#{citation.first_page}" for citation in final.citations
        ),
        rubric=judgement.rubric,
    )


def _contexts(hits: Sequence[Hit], final: Answer, k: int) -> list[str]:
    """The first `k` passages, and others that the answer cites: quotes come from further down."""
    cited = {citation.hit.chunk.id for citation in final.citations}
    return [h.chunk.text for n, h in enumerate(hits) if n < k or h.chunk.id in cited]


def _judged(
    case: Case, final: Answer, contexts: Sequence[str], judge: Judge | None, found: _Found
) -> tuple[Judgement, bool]:
    """The judgement, if there is a judge, and whether the answer is a refusal."""
    sample = Sample(
        question=case.standalone or case.question,
        reference=case.answer,
        answer=final.text,
        contexts=contexts,
        abstained=final.abstained,
        answerable=case.answerable,
    )
    if judge is None:
        return Judgement(), sample.refuses
    try:
        judgement = judge.judge(sample)
    except (TutorError, OSError, RuntimeError, ValueError) as error:  # a judge of someone else's
        judgement = Judgement(failure=str(error) or type(error).__name__)
    found.judge_failure = judgement.failure
    found.measures.update(judgement.marks)
    if judgement.rubric is not None:
        found.measures[RUBRIC] = float(judgement.rubric)
        found.measures["acceptable"] = float(bool(judgement.acceptable))
    return judgement, sample.refuses


def _refusal_measures(*, refuses: bool, answerable: bool) -> dict[str, float]:
    """Precision is over the questions that were refused, recall over those without answer."""
    measures = {REFUSED: float(refuses)}
    if refuses:
        measures[REFUSAL_PRECISION] = float(not answerable)
    measures[FALSE_REFUSAL if answerable else "refusal_recall"] = float(refuses)
    return measures
