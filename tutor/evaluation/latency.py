"""How long questions take, stage by stage, asked in one process and in turns that are fair.

Nothing here imports what only reports need.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from itertools import product
from typing import NamedTuple

import numpy as np

from tutor.app import find_course
from tutor.config import Config
from tutor.errors import TutorError
from tutor.evaluation.ways import ANSWERING, FINDING, Ask, Mode, WayOfAsking, asker, open_for_asking
from tutor.i18n import _
from tutor.model import Strategy

TOTAL = "total"
"""The stage that is the whole question."""
UNITS = {"tokens_per_second": "1/s", "refused": "share"}
"""Units of what is measured in something else than seconds, by stage."""
WARM_UP = 3
"""Questions asked before, unmeasured."""


class Measurement(NamedTuple):
    """One stage of one question. `value` is in seconds unless `UNITS` has the stage.

    `question` and `repetition` count from 0.
    """

    way: WayOfAsking
    question: int
    repetition: int
    stage: str
    value: float


@dataclass(slots=True)
class Timings:
    """All measurements of a run; `failures` are what could not be measured, and why."""

    measurements: list[Measurement] = field(default_factory=list)
    failures: list[tuple[str, str]] = field(default_factory=list)

    def add(self, other: Timings) -> None:
        """Take in another part of the run."""
        self.measurements += other.measurements
        self.failures += other.failures


@dataclass(frozen=True, slots=True)
class BenchPlan:
    """What to measure. Counts may be 0: that part is then left out.

    `questions` serve the retrieval; the first `answers` of them the whole answers, which are
    asked once each.
    """

    questions: tuple[str, ...]
    strategies: tuple[Strategy, ...]
    modes: tuple[Mode, ...]
    repetitions: int = 5
    answers: int = 6

    def ways(self, modes: Sequence[Mode]) -> list[WayOfAsking]:
        """Every combination that these modes make of the strategies."""
        return [
            WayOfAsking(mode, strategy)
            for mode in modes
            if mode in self.modes
            for strategy in ([None] if mode is Mode.EMBEDDER else self.strategies)
        ]


Progress = Callable[[str, int, int], None]
"""Is told the part of a run, and how much of it is done."""


def measure(
    config: Config, plan: BenchPlan, progress: Progress = lambda _part, _done, _all: None
) -> Timings:
    """Measure everything that the plan asks for and that can be had here.

    What cannot be measured is in `failures`. Raises `NotesError`, `StoreError` and
    `EmbedderError` when the course itself cannot be asked.
    """
    with ExitStack() as resources:
        opened = open_for_asking(config, find_course(config), resources)
        opened.embedder.embed_queries(["a"])  # a device that does not work is known before the rest
        finding = plan.ways(FINDING)
        turns = partial(take_turns, asker(opened))
        part = partial(progress, _("Retrieval"))
        timings = turns(finding, plan.questions, plan.repetitions, progress=part)
        # Apart from the retrieval: a model's server takes the processor from whatever runs beside.
        for mode in ANSWERING:
            part, questions = partial(progress, _("Answers")), plan.questions[: plan.answers]
            timings.add(turns(plan.ways((mode,)), questions, 1, warm_up=1, progress=part))
    return timings


def take_turns(
    ask: Ask,
    ways: Sequence[WayOfAsking],
    questions: Sequence[str],
    repetitions: int,
    *,
    warm_up: int = WARM_UP,
    clock: Callable[[], float] = time.perf_counter,
    progress: Callable[[int, int], None] = lambda _done, _all: None,
) -> Timings:
    """Ask every question in every way, so often; the ways take turns within each question.

    Their order is drawn anew each time, so that noise of the machine, and what one way leaves in
    the processor's caches for the next, hit all alike. The first `warm_up` questions are asked
    before, unmeasured. A way that fails is left out from then on.
    """
    timings, alive, random = Timings(), list(ways), np.random.default_rng(0)

    def stages(way: WayOfAsking, question: str) -> Mapping[str, float]:
        started = clock()
        try:
            return {**ask(way, question), TOTAL: clock() - started}
        except TutorError as error:
            alive.remove(way)
            timings.failures.append((way.name, error.message))
            return {}

    rounds = list(product(range(repetitions), enumerate(questions)))
    for _repetition, (_number, question) in rounds[:warm_up]:
        for way in tuple(alive):
            stages(way, question)
    for done, (repetition, (number, question)) in enumerate(rounds):
        progress(done, len(rounds))
        drawn = [alive[place] for place in random.permutation(len(alive))]
        timings.measurements += [
            Measurement(way, number, repetition, stage, value)
            for way in drawn
            for stage, value in stages(way, question).items()
        ]
    return timings
