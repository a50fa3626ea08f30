"""A whole latency run: warm in this process, cold in fresh ones, and at scale."""

from __future__ import annotations

import shutil
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import numpy as np

from tutor.assembly import find_course, make_embedder, open_course
from tutor.errors import EmbedderError, TutorError
from tutor.evaluation.latency import (
    ANSWERING,
    RETRIEVING,
    Ask,
    Failure,
    Mode,
    Outcome,
    Subject,
    Temperature,
    take_turns,
)
from tutor.evaluation.latency_jobs import Job, run_job
from tutor.evaluation.latency_subjects import Bench
from tutor.i18n import _

if TYPE_CHECKING:
    from collections.abc import Callable

    from tutor.config import Config
    from tutor.courses import Course
    from tutor.evaluation.latency import Plan

BASELINES = (Mode.EMBEDDER, Mode.LANGCHAIN)
SCALE_WARM_UP = 10


@dataclass(slots=True)
class Run:
    """What all parts of a run share. `progress` is told the part, and how much of it is done."""

    config: Config
    plan: Plan
    progress: Callable[[str, int, int], None] = lambda _part, _done, _all: None
    outcome: Outcome = field(default_factory=Outcome)

    def measured(self) -> Outcome:
        """Measure everything that the plan asks for and that can be had here.

        What cannot be measured is in `failures`. Raises `NotesError`, `StoreError` and
        `EmbedderError` when the course itself cannot be asked.
        """
        course = find_course(self.config)
        with TemporaryDirectory(prefix="tutor-bench-") as folder, ExitStack() as resources:
            devices = self._devices(course)
            for device, config in devices.items():
                self._on_device(device, config, course, Path(folder) / device, resources)
            for chunks in self.plan.chunks:
                device, config = next(iter(devices.items()))
                self._at_scale(device, config, course, chunks, Path(folder) / str(chunks))
        return self.outcome

    def _devices(self, course: Course) -> dict[str, Config]:
        """The settings for each device on which the index's own embedder runs."""
        found: dict[str, Config] = {}
        for device in self.plan.devices:
            config = self.config.varied({"embedder.device": device})
            try:
                embedder, _why = make_embedder(config)
                with open_course(config, course, embedder):
                    embedder.embed_queries(["a"])
            except EmbedderError as error:
                if len(self.plan.devices) == 1:
                    raise
                self.outcome.failures.append(Failure(device, error.message))
                continue
            found.setdefault(embedder.device, config)
        if not found:
            raise EmbedderError(_("The embedder runs on none of the devices."))
        return found

    def _on_device(
        self, device: str, config: Config, course: Course, folder: Path, resources: ExitStack
    ) -> None:
        embedder, _why = make_embedder(config)
        store = resources.enter_context(open_course(config, course, embedder))
        bench = Bench(config, store, embedder, resources)
        if Mode.LANGCHAIN in self.plan.modes:
            bench.baseline = self._baseline(bench, folder)
        finding = self._asks(bench, device, (*BASELINES, *RETRIEVING))
        self._in_turns(_("Retrieval"), finding, self.plan.questions, self.plan.repetitions)
        # Apart from the retrieval: a model's server takes the processor from whatever runs beside.
        for mode in ANSWERING:
            answering = self._asks(bench, device, (mode,))
            asked = self.plan.questions[: self.plan.answers]
            self._in_turns(_("Answers"), answering, asked, repetitions=1)
        self._cold(config, course, list(finding), bench.baseline)

    def _baseline(self, bench: Bench, folder: Path) -> Path | None:
        from tutor.evaluation.latency_langchain import fill_baseline  # noqa: PLC0415 - 0.5 s

        try:
            for strategy in self.plan.strategies:
                fill_baseline(folder, bench.store, bench.embedder, strategy)
        except TutorError as error:
            self.outcome.failures.append(Failure(Mode.LANGCHAIN, error.message))
            return None
        return folder

    def _asks(self, bench: Bench, device: str, modes: tuple[Mode, ...]) -> dict[Subject, Ask]:
        asks: dict[Subject, Ask] = {}
        for subject in self.plan.subjects(device, modes):
            if subject.mode is Mode.LANGCHAIN and bench.baseline is None:
                continue
            try:
                asks[subject] = bench.ask(subject)
            except TutorError as error:
                self.outcome.failures.append(Failure(subject.name, error.message))
        return asks

    def _in_turns(
        self, part: str, asks: dict[Subject, Ask], questions: tuple[str, ...], repetitions: int
    ) -> None:
        if not (asks and questions and repetitions):
            return
        self.outcome.add(
            take_turns(
                asks,
                questions,
                repetitions=repetitions,
                warm_up=self.plan.warm_up if repetitions > 1 else 1,
                seed=self.plan.seed,
                progress=lambda done, of: self.progress(part, done, of),
            )
        )

    def _cold(
        self, config: Config, course: Course, subjects: list[Subject], baseline: Path | None
    ) -> None:
        """One process per subject and question, the subjects in a new order each time."""
        subjects = [one for one in subjects if one.k in {0, min(self.plan.ks)}]
        random = np.random.default_rng(self.plan.seed)
        rounds = list(enumerate(self.plan.questions[: self.plan.cold]))
        for number, question in rounds:
            self.progress(_("Cold starts"), number, len(rounds))
            for place in random.permutation(len(subjects)):
                job = Job(
                    config,
                    course,
                    (subjects[place],),
                    (question,),
                    Temperature.COLD,
                    baseline=baseline,
                    number=number,
                )
                self.outcome.add(run_job(job))

    def _at_scale(
        self, device: str, config: Config, course: Course, chunks: int, folder: Path
    ) -> None:
        """Warm, in a process of its own, so that its memory is its own."""
        from tutor.evaluation.latency_scale import generate_course  # noqa: PLC0415 - Chroma, Arrow

        part = _("Generated course of %(n)d chunks") % {"n": chunks}
        self.progress(part, 0, 1)
        strategy, k = self.plan.strategies[-1], min(self.plan.ks)
        embedder, _why = make_embedder(config)
        with open_course(config, course, embedder) as store:
            made = generate_course(folder, store, strategy, chunks, seed=self.plan.seed)
        modes = [mode for mode in RETRIEVING if mode in self.plan.modes]
        subjects = tuple(Subject(mode, device, strategy, k) for mode in reversed(modes))
        self.outcome.add(
            run_job(
                Job(
                    config,
                    made,
                    (*subjects, Subject(Mode.EMBEDDER, device)),
                    self.plan.questions,
                    Temperature.WARM,
                    repetitions=self.plan.repetitions,
                    warm_up=SCALE_WARM_UP,
                    seed=self.plan.seed,
                    chunks=chunks,
                )
            )
        )
        shutil.rmtree(folder)
        self.progress(part, 1, 1)
