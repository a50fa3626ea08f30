"""The processes that prepare PDFs, and what comes of each file.

A PDF that crashes its reader or never ends costs that one file, not the run.
"""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Generator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import closing, suppress
from dataclasses import dataclass
from threading import Event
from typing import TYPE_CHECKING, Any, TypeAlias

from pebble import ProcessPool

from tutor.ending import interrupts_held
from tutor.errors import UnreadablePdf
from tutor.i18n import language, set_language
from tutor.index.build.mishaps import (
    FAILURES,
    skipped_changed,
    skipped_failed,
    skipped_without_text,
)
from tutor.index.build.plan import hash_file
from tutor.index.store import Skipped
from tutor.ingest.prepared import HashedFile, Prepared, ReadingOptions, WithoutTextError
from tutor.ingest.worker_calls import describe_again, prepare
from tutor.model import Source

if TYPE_CHECKING:
    from tutor.config import ReadingConfig

_HEARTBEAT_S = 0.5
_WORKERS = 4
"""Beyond this many, readers only wait for the embedder."""
_BYTES_EACH = 4_000_000
"""Some 180 pages: less than that is read sooner than another process is there (0.5 to 2 s)."""
_PATIENCE = 12
"""How many times a file's limit is waited for processes that do not keep to their limits. Told by
heartbeats: a clock may be set, and a machine may sleep."""


@dataclass(frozen=True, slots=True)
class Awaited:
    """A sign of life: the file that is waited for, and for how long nothing has come."""

    path: str
    seconds: float = 0.0


ReadingEvent: TypeAlias = Prepared | Source | Skipped | Awaited
"""A bare `Source` describes a document that was given as `Prepared` before, whose authors are known
now."""


def prepare_files(
    files: Sequence[HashedFile], settings: ReadingConfig, batch_ready: Event | None = None
) -> Generator[ReadingEvent]:
    """Prepare files in the background, small ones first, with signs of life while waiting.

    The first sign comes when the processes have been started. While `batch_ready` is set, one comes
    at once instead of after half a second: the caller has a batch of texts to embed meanwhile.
    A document whose authors take the model of names is given first, and its `Source` again when
    they are known. What could not be read for a reason outside of it is tried once more when the
    others are done.
    """
    if not files:
        yield Awaited("")
    to_retry: list[HashedFile] = []
    with closing(_reading(files, settings, batch_ready)) as first:
        for hashed, outcome in first:
            if isinstance(outcome, Skipped) and outcome.is_passing:
                to_retry.append(hashed)
            else:
                yield outcome
    looked_at = [hash_file(hashed.file) for hashed in to_retry]
    yield from (file for file in looked_at if isinstance(file, Skipped))
    files = [file for file in looked_at if isinstance(file, HashedFile)]
    with closing(_reading(files, settings, batch_ready)) as second:
        yield from (outcome for _hashed, outcome in second)


def _reading(
    files: Sequence[HashedFile], settings: ReadingConfig, batch_ready: Event | None
) -> Generator[tuple[HashedFile, ReadingEvent]]:
    """Read in processes; gives each file with what came of it, or waited for."""
    if not files:
        return
    strangers = multiprocessing.active_children()
    pool = ProcessPool(
        max_workers=_processes(files, settings),
        initializer=set_language,
        initargs=[language()],
        context=multiprocessing.get_context("spawn"),
    )
    options = ReadingOptions(**settings.model_dump(exclude={"workers"}))
    try:
        with interrupts_held():
            running: dict[Future[Prepared], HashedFile] = {
                pool.schedule(prepare, args=[hashed, options]): hashed
                for hashed in sorted(files, key=lambda hashed: hashed.size)
            }
    except RuntimeError as error:  # the system starts no more processes
        yield from ((hashed, skipped_failed(hashed, error, settings)) for hashed in files)
    else:
        yield files[0], Awaited(files[0].file.relative)
        yield from _outcomes(pool, running, settings, options, batch_ready=batch_ready)
    finally:
        pool.stop()
        # One that is still starting would miss what ending the pool takes away, and say so.
        for process in multiprocessing.active_children():
            if process not in strangers:
                process.terminate()
        pool.join()


def _outcomes(
    pool: ProcessPool,
    running: dict[Future[Prepared], HashedFile],
    settings: ReadingConfig,
    options: ReadingOptions,
    *,
    batch_ready: Event | None,
) -> Generator[tuple[HashedFile, ReadingEvent]]:
    describing: dict[Future[Source], HashedFile] = {}
    waited_s = 0.0
    while running or describing:
        waiting: dict[Future[Any], HashedFile] = {**running, **describing}
        patience_s = 0.0 if batch_ready and batch_ready.is_set() else _HEARTBEAT_S
        done, _running = wait(waiting, timeout=patience_s, return_when=FIRST_COMPLETED)
        waited_s = 0.0 if done else waited_s + patience_s
        for future in done & running.keys():
            hashed = running.pop(future)
            outcome = _outcome(future, hashed, settings)
            if isinstance(outcome, Prepared) and outcome.head:
                with suppress(RuntimeError):  # the system starts no more processes
                    description = pool.schedule(describe_again, args=[hashed, outcome, options])
                    describing[description] = hashed
            yield hashed, outcome
        for future in done & describing.keys():
            hashed = describing.pop(future)
            with suppress(*FAILURES):  # the description without the model stays
                yield hashed, future.result()
        if waited_s > _PATIENCE * settings.timeout_s:
            for future in filter(Future.running, waiting):
                future.cancel()
        if not done:
            slowest = next(iter(waiting.values()))
            yield slowest, Awaited(slowest.file.relative, waited_s)


def _processes(files: Sequence[HashedFile], settings: ReadingConfig) -> int:
    """How many processes to read with: as configured, else what the machine and the work allow."""
    most = settings.workers or min(
        os.cpu_count() or 1, _WORKERS, 1 + sum(hashed.size for hashed in files) // _BYTES_EACH
    )
    return min(most, len(files))


def _outcome(
    future: Future[Prepared], hashed: HashedFile, settings: ReadingConfig
) -> Prepared | Skipped:
    outcome: Prepared | Skipped
    try:
        outcome = future.result()
    except UnreadablePdf as error:
        outcome = Skipped(
            hashed.file.relative, hashed.sha256, error.reason, error.message, error.remedy
        )
    except WithoutTextError as error:
        outcome = skipped_without_text(hashed, error.shown, settings)
    except FAILURES as error:
        outcome = skipped_failed(hashed, error, settings)
    now = hash_file(hashed.file)
    if isinstance(now, Skipped):
        return now
    return outcome if now.sha256 == hashed.sha256 else skipped_changed(hashed, settings)
