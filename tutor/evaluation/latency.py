"""Measuring how long answers take: what is measured, and the loop that takes turns."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

import numpy as np

from tutor.errors import TutorError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from tutor.timing import Clock
    from tutor.types import Strategy

TOTAL = "total"
"""The stage that a stopwatch around the whole question measures."""
UNITS = {
    "tokens_per_second": "1/s",
    "refused": "share",
    "peak": "MB",
    "own": "MB",
    "gpu_peak": "MB",
}
"""Units of what is measured in something else than seconds, by stage."""


class Mode(StrEnum):
    """What is done with a question."""

    EMBEDDER = "embedder"
    """Baseline: nothing but the question's vector."""
    LANGCHAIN = "langchain-chroma"
    """Baseline: the similarity search of langchain-chroma with the same embedder and vectors."""
    DENSE = "dense"
    """Passages by meaning alone."""
    HYBRID = "hybrid"
    """Passages by meaning, words and the best sentence."""
    EXTRACTIVE = "extractive"
    """A whole answer that quotes the notes."""
    OLLAMA = "ollama"
    """A whole answer by the language model's server."""


RETRIEVING = (Mode.DENSE, Mode.HYBRID)
ANSWERING = (Mode.EXTRACTIVE, Mode.OLLAMA)


class Temperature(StrEnum):
    """Whether everything was loaded before."""

    WARM = "warm"
    COLD = "cold"
    """A fresh process; the files may still be in the system's cache."""


@dataclass(frozen=True, slots=True)
class Subject:
    """One way of asking. The embedder alone knows neither `strategy` nor `k` (0)."""

    mode: Mode
    device: str
    strategy: Strategy | None = None
    k: int = 0

    @property
    def name(self) -> str:
        """As in `hybrid semantic k=4 cpu`."""
        parts = [str(self.mode)]
        if self.strategy:
            parts += [self.strategy.value, f"k={self.k}"]
        return " ".join([*parts, self.device])


@dataclass(frozen=True, slots=True)
class Measurement:
    """One stage of one question. `value` is in seconds unless `UNITS` has the stage.

    `question` and `repetition` count from 0; `chunks` is the size of the index.
    """

    subject: Subject
    temperature: Temperature
    question: int
    repetition: int
    stage: str
    value: float
    chunks: int = 0

    @property
    def unit(self) -> str:
        """The unit of `value`."""
        return UNITS.get(self.stage, "s")


@dataclass(frozen=True, slots=True)
class Failure:
    """A subject that could not be measured, or not to the end; `why` in the reader's language."""

    subject: str
    why: str


@dataclass(frozen=True, slots=True)
class Plan:
    """What to measure. Counts may be 0: that part is then left out.

    `questions` serve the retrieval; the first `answers` of them the whole answers, which are
    asked once each, and the first `cold` one fresh process per subject each. `chunks` are sizes
    of generated courses.
    """

    questions: tuple[str, ...]
    strategies: tuple[Strategy, ...]
    ks: tuple[int, ...]
    modes: tuple[Mode, ...]
    devices: tuple[str, ...]
    repetitions: int = 5
    warm_up: int = 3
    answers: int = 6
    cold: int = 6
    chunks: tuple[int, ...] = ()
    seed: int = 0

    def subjects(self, device: str, modes: Sequence[Mode]) -> list[Subject]:
        """Every combination that these modes make of strategies and k."""
        found = []
        for mode in (mode for mode in modes if mode in self.modes):
            if mode is Mode.EMBEDDER:
                found.append(Subject(mode, device))
                continue
            found += [Subject(mode, device, one, k) for one in self.strategies for k in self.ks]
        return found


@dataclass(slots=True)
class Outcome:
    """All measurements of a run, and what could not be measured."""

    measurements: list[Measurement] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def add(self, other: Outcome) -> None:
        """Take in another part of the run."""
        self.measurements += other.measurements
        self.failures += other.failures
        self.notes += other.notes


class Ask(Protocol):
    """Ask one question one way."""

    def __call__(self, question: str) -> Mapping[str, float]:
        """Returns what each stage took, as in `Measurement`; raises `TutorError`."""
        ...


def take_turns(
    asks: Mapping[Subject, Ask],
    questions: Sequence[str],
    *,
    repetitions: int,
    warm_up: int = 0,
    seed: int = 0,
    chunks: int = 0,
    clock: Clock = time.perf_counter,
    progress: Callable[[int, int], None] = lambda _done, _all: None,
) -> Outcome:
    """Ask every question in every way, so often; the ways take turns within each question.

    Their order is drawn anew each time, so that noise of the machine, and what one way leaves in
    the processor's caches for the next, hit all alike. The first `warm_up` questions are asked
    before, unmeasured. A subject that fails is left out from then on.
    """
    outcome, alive = Outcome(), dict(asks)
    random = np.random.default_rng(seed)
    for question in [questions[n % len(questions)] for n in range(warm_up)] if questions else []:
        for subject in list(alive):
            _ask(subject, question, alive, outcome, clock)
    rounds = list(_rounds(questions, repetitions))
    for done, (repetition, number) in enumerate(rounds):
        progress(done, len(rounds))
        subjects = list(alive)
        for place in random.permutation(len(subjects)):
            subject = subjects[place]
            stages = _ask(subject, questions[number], alive, outcome, clock)
            outcome.measurements += [
                Measurement(subject, Temperature.WARM, number, repetition, stage, value, chunks)
                for stage, value in stages.items()
            ]
    progress(len(rounds), len(rounds))
    return outcome


def _rounds(questions: Sequence[str], repetitions: int) -> Iterator[tuple[int, int]]:
    for repetition in range(repetitions):
        for number in range(len(questions)):
            yield repetition, number


def _ask(
    subject: Subject, question: str, alive: dict[Subject, Ask], outcome: Outcome, clock: Clock
) -> Mapping[str, float]:
    started = clock()
    try:
        stages = alive[subject](question)
    except TutorError as error:
        del alive[subject]
        outcome.failures.append(Failure(subject.name, error.message))
        return {}
    return {**stages, TOTAL: clock() - started}
