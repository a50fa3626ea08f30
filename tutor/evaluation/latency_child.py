"""The measuring process: one course, opened, asked and weighed in a process of its own.

Reads a job as JSON from standard input and prints what it measured as JSON. What it imports and
loads is timed, too, so this module imports next to nothing at its top.
"""

from __future__ import annotations

import json
import sys
import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tutor.evaluation.latency_jobs import Job

START = time.perf_counter()


def main() -> None:
    """Measure one job; a failure that a person can mend is printed, too, and is no crash."""
    from tutor.errors import TutorError  # noqa: PLC0415 - timed with the other imports
    from tutor.evaluation.latency_jobs import job_from_json  # noqa: PLC0415 - the same

    try:
        record = measured(job_from_json(json.load(sys.stdin)))
    except TutorError as error:
        record = {"error": error.message}
    json.dump(record, sys.stdout)


def measured(job: Job) -> dict[str, Any]:
    """What `job` asks for: `loads` in seconds, `rows` of measurements, `memory` in MB."""
    from contextlib import ExitStack  # noqa: PLC0415 - timed with the other imports

    from tutor.assembly import make_embedder, open_course  # noqa: PLC0415 - timed, too
    from tutor.evaluation.latency import take_turns  # noqa: PLC0415 - timed, too
    from tutor.evaluation.latency_memory import memory  # noqa: PLC0415 - timed, too
    from tutor.evaluation.latency_subjects import Bench  # noqa: PLC0415 - timed, too

    loads = {"imports": time.perf_counter() - START}
    with ExitStack() as resources:
        opening = time.perf_counter()
        embedder, _why = make_embedder(job.config)
        store = resources.enter_context(open_course(job.config, job.course, embedder))
        loads["open store"] = time.perf_counter() - opening
        bench = Bench(job.config, store, embedder, resources, job.baseline)
        for subject in job.subjects:
            for part, seconds in bench.load(subject).items():
                loads.setdefault(part, seconds)
        asking = time.perf_counter()
        asks = {subject: bench.ask(subject) for subject in job.subjects}
        loads["prepare"] = time.perf_counter() - asking
        outcome = take_turns(
            asks,
            job.questions,
            repetitions=job.repetitions,
            warm_up=job.warm_up,
            seed=job.seed,
        )
        rows = [
            [job.subjects.index(one.subject), one.question, one.repetition, one.stage, one.value]
            for one in outcome.measurements
        ]
        failures = [[failure.subject, failure.why] for failure in outcome.failures]
        return {
            "loads": loads,
            "rows": rows,
            "failures": failures,
            "memory": memory(),
            "alive": time.perf_counter() - START,
        }


if __name__ == "__main__":
    main()
