"""What a measuring process is given, and what it gives back."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import tutor
from tutor.config import Config
from tutor.courses import Course
from tutor.evaluation.latency import (
    TOTAL,
    Failure,
    Measurement,
    Mode,
    Outcome,
    Subject,
    Temperature,
)
from tutor.i18n import _, language
from tutor.types import Strategy

if TYPE_CHECKING:
    from collections.abc import Mapping

TIMEOUT_S = 1800.0
_LAST_WORDS = 300
"""Characters of a crashed process's complaint that are shown."""


@dataclass(frozen=True, slots=True)
class Job:
    """Subjects, over one course, that a process of its own measures.

    `temperature` cold: everything is loaded, then one question asked, the one that `number`
    counts; warm: `warm_up` questions come first, and the loading is not reported.
    """

    config: Config
    course: Course
    subjects: tuple[Subject, ...]
    questions: tuple[str, ...]
    temperature: Temperature
    repetitions: int = 1
    warm_up: int = 0
    seed: int = 0
    baseline: Path | None = None
    chunks: int = 0
    number: int = 0

    def to_json(self) -> dict[str, Any]:
        """Everything that the process needs to know. Secrets stay here."""
        return {
            "config": self.config.model_dump(mode="json", exclude={"root", "web"}),
            "root": str(self.config.root),
            "course": [self.course.name, str(self.course.notes), str(self.course.store)],
            "subjects": [[one.mode, one.device, one.strategy, one.k] for one in self.subjects],
            "questions": self.questions,
            "temperature": self.temperature,
            "repetitions": self.repetitions,
            "warm_up": self.warm_up,
            "seed": self.seed,
            "baseline": str(self.baseline) if self.baseline else None,
        }


def job_from_json(record: Mapping[str, Any]) -> Job:
    """A job as `Job.to_json` wrote it."""
    name, notes, store = record["course"]
    return Job(
        config=Config.model_validate({**record["config"], "root": Path(record["root"])}),
        course=Course(name, Path(notes), Path(store)),
        subjects=tuple(
            Subject(Mode(mode), device, Strategy(strategy) if strategy else None, k)
            for mode, device, strategy, k in record["subjects"]
        ),
        questions=tuple(record["questions"]),
        temperature=Temperature(record["temperature"]),
        repetitions=record["repetitions"],
        warm_up=record["warm_up"],
        seed=record["seed"],
        baseline=Path(record["baseline"]) if record["baseline"] else None,
    )


def run_job(job: Job) -> Outcome:
    """Measure a job in a fresh process. A process that fails is an entry in `failures`.

    A cold subject has the stages of loading besides its own: `start` is the interpreter, `total`
    the whole process as its caller waits for it. All processes weigh themselves at their end.
    """
    # The first subject stands for what a process has loaded and weighs.
    subject, names = job.subjects[0], ", ".join(one.name for one in job.subjects)
    started = time.perf_counter()
    try:
        done = subprocess.run(
            [sys.executable, "-m", "tutor.evaluation.latency_child"],
            input=json.dumps(job.to_json()),
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=TIMEOUT_S,
            check=False,
            env=_environment(),
        )
    except subprocess.TimeoutExpired:
        why = _("The measuring process did not end within %(s)d s.") % {"s": TIMEOUT_S}
        return Outcome(failures=[Failure(names, why)])
    waited = time.perf_counter() - started
    try:
        record = json.loads(done.stdout)
    except ValueError:
        why = _("The measuring process died (code %(code)d): %(words)s") % {
            "code": done.returncode,
            "words": done.stderr.strip()[-_LAST_WORDS:],
        }
        return Outcome(failures=[Failure(names, why)])
    if "error" in record:
        return Outcome(failures=[Failure(names, record["error"])])
    outcome = Outcome(failures=[Failure(*failure) for failure in record["failures"]])
    outcome.measurements = _measurements(job, record)
    extra = dict(record["memory"])
    if job.temperature is Temperature.COLD:
        extra |= record["loads"] | {"start": waited - record["alive"], TOTAL: waited}
    outcome.measurements += [
        Measurement(subject, job.temperature, job.number, 0, stage, value, job.chunks)
        for stage, value in extra.items()
    ]
    return outcome


def _environment() -> dict[str, str]:
    """Ours, with this very package found first, and our language."""
    home = str(Path(tutor.__file__).parent.parent)
    path = os.pathsep.join(filter(None, (home, os.environ.get("PYTHONPATH"))))
    return {**os.environ, "PYTHONPATH": path, "TUTOR_LANG": language()}


def _measurements(job: Job, record: Mapping[str, Any]) -> list[Measurement]:
    cold = job.temperature is Temperature.COLD
    return [
        Measurement(
            job.subjects[place],
            job.temperature,
            job.number if cold else question,
            repetition,
            "first question" if cold and stage == TOTAL else stage,
            value,
            job.chunks,
        )
        for place, question, repetition, stage, value in record["rows"]
    ]
