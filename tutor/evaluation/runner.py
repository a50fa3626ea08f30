"""Asks every case in every setting, and measures what comes back.

The settings take turns case by case, so that whatever disturbs the machine disturbs all alike.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator, Sequence

from tutor.answer import answer
from tutor.errors import TutorError
from tutor.evaluation.cases import Case
from tutor.evaluation.judges import Judge, Sample
from tutor.evaluation.metrics import (
    DEPTH,
    FALSE_REFUSAL,
    REFUSAL_PRECISION,
    RUBRIC,
    Relevance,
    citation_measures,
    ranking_measures,
)
from tutor.evaluation.records import AnswerRecord, Outcome
from tutor.evaluation.settings import ReadySetting
from tutor.events import Finished, Retrieved
from tutor.index.store import StoreReader
from tutor.model import Answer, Hit, Route

_KEPT_PASSAGES = 3


def run(
    cases: Sequence[Case],
    subjects: Sequence[ReadySetting],
    documents: StoreReader,
    *,
    answers: bool = False,
    judge: Judge | None = None,
    done: Collection[tuple[str, str]] = (),
) -> Iterator[Outcome]:
    """The outcome of every case in every setting but those in `done` (case, setting).

    With `answers`, whole answers are measured besides the retrieval, and judged where there is a
    `judge`. Each subject is asked once beforehand, unmeasured, so that nothing is cold. What fails
    is an outcome, too: it says what failed.
    """
    todo = [case for case in cases if any((case.id, one.name) not in done for one in subjects)]
    for subject in subjects if todo else ():
        _asked(todo[0], subject, documents, answers=answers, judge=None)
    for number, case in enumerate(todo):
        turn = number % len(subjects)
        for subject in (*subjects[turn:], *subjects[:turn]):
            if (case.id, subject.name) not in done:
                yield _asked(case, subject, documents, answers=answers, judge=judge)


def _asked(
    case: Case,
    subject: ReadySetting,
    documents: StoreReader,
    *,
    answers: bool,
    judge: Judge | None,
) -> Outcome:
    outcome = Outcome(
        case=case.id,
        setting=subject.name,
        question=case.question,
        language=case.language,
        kind=case.kind,
        split=case.split,
        answerable=case.answerable,
    )
    try:
        relevance = Relevance(case, documents) if case.places else None
        _retrieve(case, subject, relevance, outcome)
        if answers:
            sample = _answer(case, subject, documents, relevance, outcome)
            if judge:
                _judge(judge, sample, outcome)
    except TutorError as error:
        outcome.failure = error.message
    return outcome


def _retrieve(
    case: Case, subject: ReadySetting, relevance: Relevance | None, outcome: Outcome
) -> None:
    started = time.perf_counter()
    k = subject.agent.k
    depth = max(DEPTH, k)
    outcome.searched, hits = subject.search(case.question, case.history, depth)
    outcome.seconds["retrieval_s"] = time.perf_counter() - started
    if relevance is not None:
        chunks = [hit.chunk for hit in hits]
        outcome.measures |= ranking_measures(chunks, relevance, subject.chunks, k)
        kept = hits[:_KEPT_PASSAGES]
        outcome.passages = tuple(f"{hit.source.path}#{hit.chunk.first_page}" for hit in kept)


def _answer(
    case: Case,
    subject: ReadySetting,
    documents: StoreReader,
    relevance: Relevance | None,
    outcome: Outcome,
) -> Sample:
    """Measure a whole answer; what a judge is to see of it."""
    started = time.perf_counter()
    hits: Sequence[Hit] = ()
    final: Answer | None = None
    # Whatever words a question has, it is the notes that are evaluated.
    route = Route(subject.agent.strategy.value)
    for event in answer(case.question, subject.agent, case.history, route):
        if isinstance(event, Retrieved):
            hits = event.hits
        elif isinstance(event, Finished):
            final = event.answer
    assert final is not None  # noqa: S101 - `answer` ends with it
    outcome.seconds["total_s"] = time.perf_counter() - started
    if not final.abstained:
        outcome.measures |= citation_measures(final, documents.text, relevance)
    cited = tuple(f"{one.hit.source.path}#{one.first_page}" for one in final.citations)
    outcome.reply = AnswerRecord(final.text, final.abstained, final.model, cited)
    sample = _sample(case, final, hits, subject.agent.k)
    outcome.measures |= _refusal_measures(refuses=sample.refuses, answerable=case.answerable)
    return sample


def _sample(case: Case, final: Answer, hits: Sequence[Hit], k: int) -> Sample:
    """The first `k` passages go to the judge, and others that the answer cites: quotes come from
    further down.
    """
    cited = {citation.hit.chunk.id for citation in final.citations}
    return Sample(
        question=case.standalone or case.question,
        reference=case.answer,
        answer=final.text,
        contexts=[h.chunk.text for n, h in enumerate(hits) if n < k or h.chunk.id in cited],
        abstained=final.abstained,
        answerable=case.answerable,
    )


def _judge(judge: Judge, sample: Sample, outcome: Outcome) -> None:
    judgement = judge.judge(sample)
    outcome.judge_failure = judgement.failure
    outcome.measures |= judgement.marks
    if judgement.rubric is not None:
        outcome.measures[RUBRIC] = float(judgement.rubric)
        outcome.measures["acceptable"] = float(bool(judgement.acceptable))


def _refusal_measures(*, refuses: bool, answerable: bool) -> dict[str, float]:
    """Precision is over the questions that were refused, recall over those without answer."""
    measures = {"refused": float(refuses)}
    if refuses:
        measures[REFUSAL_PRECISION] = float(not answerable)
    measures[FALSE_REFUSAL if answerable else "refusal_recall"] = float(refuses)
    return measures
