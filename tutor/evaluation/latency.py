"""How long questions take, stage by stage, asked in turns that are fair.

Warm questions are asked in this process, cold ones each in a fresh one. Nothing here imports what
only reports need.
"""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import product
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import NamedTuple

import numpy as np

from tutor.app import find_course
from tutor.config import Config
from tutor.courses import Course
from tutor.errors import TutorError
from tutor.evaluation.ways import (
    ANSWERING,
    FINDING,
    Ask,
    Mode,
    OpenCourse,
    WayOfAsking,
    asker,
    open_for_asking,
    way_of_asking,
)
from tutor.i18n import _, language, set_language
from tutor.model import Strategy
from tutor.timing import Clock, Stopwatch

TOTAL = "total"
"""The stage that is the whole question."""
WARM, COLD = "warm", "cold"
"""Cold is a fresh process; the files may still be in the system's cache."""
UNITS = {"tokens_per_second": "1/s", "refused": "share", "peak": "MB", "own": "MB"}
"""Units of what is measured in something else than seconds, by stage."""
WARM_UP = 3
"""Questions asked before, unmeasured."""
_STATUS = Path("/proc/self/status")


class Measurement(NamedTuple):
    """One stage of one question. `value` is in seconds unless `UNITS` has the stage.

    `question` and `repetition` count from 0.
    """

    way: WayOfAsking
    temperature: str
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
    asked once each, and the first `cold` one fresh process per way each.
    """

    questions: tuple[str, ...]
    strategies: tuple[Strategy, ...]
    modes: tuple[Mode, ...]
    repetitions: int = 5
    answers: int = 6
    cold: int = 6

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
        timings.add(_cold_starts(opened, finding, plan.questions[: plan.cold], progress))
    return timings


def _cold_starts(
    opened: OpenCourse, ways: Sequence[WayOfAsking], questions: Sequence[str], progress: Progress
) -> Timings:
    """Each question in each way in a process of its own, the ways in a new order each time."""
    timings, random = Timings(), np.random.default_rng(0)
    for number, question in enumerate(questions):
        progress(_("Cold starts"), number, len(questions))
        for place in random.permutation(len(ways)):
            started, way = time.monotonic(), ways[place]
            job = partial(cold_start, opened.config, opened.course, way, question)
            job = partial(job, number=number, started=started)
            part = in_fresh_process(way.name, job)
            if part.measurements:
                waited = time.monotonic() - started
                part.measurements.append(Measurement(way, COLD, number, 0, TOTAL, waited))
            timings.add(part)
    return timings


def take_turns(
    ask: Ask,
    ways: Sequence[WayOfAsking],
    questions: Sequence[str],
    repetitions: int,
    *,
    warm_up: int = WARM_UP,
    clock: Clock = time.perf_counter,
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
            Measurement(way, WARM, number, repetition, stage, value)
            for way in drawn
            for stage, value in stages(way, question).items()
        ]
    return timings


def in_fresh_process(what: str, job: Callable[[], Timings]) -> Timings:
    """What a job measures in a process of its own; its failure is an entry in `failures`."""
    context = get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_send, args=(sender, job, language()), daemon=True)
    process.start()
    sender.close()
    try:
        result: Timings | str = receiver.recv()
    except EOFError:
        process.join()
        result = _("The measuring process died (code %(code)s).") % {"code": process.exitcode}
    except KeyboardInterrupt:
        process.kill()
        raise
    finally:
        process.join()
    return result if isinstance(result, Timings) else Timings(failures=[(what, result)])


def _send(sender: Connection, job: Callable[[], Timings], language: str) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # its caller ends it
    set_language(language)
    with suppress(BrokenPipeError):  # its caller is gone
        try:
            sender.send(job())
        except TutorError as error:
            sender.send(error.message)


def cold_start(
    config: Config, course: Course, way: WayOfAsking, question: str, *, number: int, started: float
) -> Timings:
    """Load everything, part after part, and ask one question, in a fresh process.

    `started` is when its caller began to start it, by the system's clock: `start` has the imports.
    """
    stopwatch = Stopwatch()
    stopwatch.seconds["start"] = time.monotonic() - started
    with ExitStack() as resources:
        with stopwatch.stage("open store"):
            opened = open_for_asking(config, course, resources)
        with stopwatch.stage("load embedder"):
            opened.embedder.embed_queries(["a"])
        with stopwatch.stage("load index"):
            ask = way_of_asking(opened, way)
            if way.strategy and way.mode is not Mode.LANGCHAIN:
                opened.store.warm_up()
            if way.strategy and way.mode is Mode.HYBRID:
                opened.store.dense(way.strategy)
                opened.store.sentences  # noqa: B018 - reading it loads them
        with stopwatch.stage("first question"):
            stages = ask(question)
    measured = {**stopwatch.seconds, **stages, **memory()}
    return Timings([Measurement(way, COLD, number, 0, *one) for one in measured.items()])


def memory() -> dict[str, float]:
    """What this process has needed so far, in MB of 2**20 bytes, where the system tells.

    `peak` is the most that was ever resident, mapped files included (the system may take those
    back at any time); `own` is what is resident now and belongs to no file. Linux tells both
    (`getrusage` will not do: a child starts with its parent's peak).
    """
    if not _STATUS.exists():
        return {}
    lines = _STATUS.read_text(encoding="ascii", errors="replace").splitlines()
    fields = dict(line.split(":", 1) for line in lines if ":" in line)
    return {
        name: int(fields[key].split()[0]) / 1024
        for name, key in (("peak", "VmHWM"), ("own", "RssAnon"))
    }
