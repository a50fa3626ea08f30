"""PDF -> clean text and description, in processes of their own.

A PDF that crashes its reader or never ends costs that one file, not the run.
"""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Generator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from pebble import ProcessPool

from tutor.ending import interrupts_held
from tutor.errors import UnreadablePdf
from tutor.i18n import language, set_language
from tutor.index.build.mishaps import FAILURES, changed, failed, without_text
from tutor.index.build.plan import HashedFile, hash_file
from tutor.index.store import Skipped
from tutor.ingest.cleaning import clean
from tutor.ingest.metadata import describe_source
from tutor.ingest.metadata.people import (
    ModelNeeded,
    has_name_model,
    not_loaded,
    spacy_name_finder,
)
from tutor.ingest.reading import read_pdf, what_is_shown
from tutor.ingest.reading.limits import limited
from tutor.model import CleanText, Document, Source, TextOrigin

if TYPE_CHECKING:
    from tutor.config import ReadingConfig
    from tutor.ingest.metadata import NameFinder

_HEARTBEAT_S = 0.5
_WORKERS = 4
"""Beyond this many, readers only wait for the embedder."""
_BYTES_EACH = 4_000_000
"""Some 180 pages: less than that is read sooner than another process is there (0.5 to 2 s)."""
_PATIENCE = 12
"""How many times a file's limit is waited for processes that do not keep to their limits. Told by
heartbeats: a clock may be set, and a machine may sleep."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """A document, read, cleaned and described."""

    source: Source
    text: CleanText
    pages_without_text: tuple[int, ...]
    pages_by_ocr: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Awaited:
    """A sign of life: the file that is waited for, and for how long nothing has come."""

    path: str
    seconds: float = 0.0


def prepare(hashed: HashedFile, settings: ReadingConfig) -> Prepared | Skipped:
    """Read, clean and describe one file; a file that cannot be read gives the reason.

    A process that goes beyond the limits ends with a `LimitExit`.
    """
    with limited(settings.memory_mb, settings.timeout_s):
        outcome = _read(hashed, settings)
        if isinstance(outcome, Skipped):
            return outcome
        with suppress(ModelNeeded):
            return _described(hashed, *outcome, _loaded_name_finder())
    finder = _name_finder()  # outside the limits, which are the file's
    with limited(settings.memory_mb, settings.timeout_s):
        return _described(hashed, *outcome, finder)


def _read(hashed: HashedFile, settings: ReadingConfig) -> tuple[Document, CleanText] | Skipped:
    try:
        document = read_pdf(
            hashed.file.path,
            hashed.id,
            backend=settings.backend,
            ocr=settings.ocr,
            max_pages=settings.max_pages,
        )
        text = clean(document)
        if not text.text.strip():
            return without_text(hashed, what_is_shown(hashed.file.path), settings)
    except UnreadablePdf as error:
        return Skipped(
            hashed.file.relative, hashed.sha256, error.reason, error.message, error.remedy
        )
    return document, text


def _described(
    hashed: HashedFile, document: Document, text: CleanText, finder: NameFinder | None
) -> Prepared:
    by_ocr = tuple(page.number for page in document.pages if page.origin is TextOrigin.OCR)
    source = describe_source(hashed.file.relative, hashed.sha256, document, text, finder)
    return Prepared(source, text, document.pages_without_text, by_ocr)


def preparing(
    files: Sequence[HashedFile], settings: ReadingConfig
) -> Generator[Prepared | Skipped | Awaited]:
    """Prepare files in the background, small ones first, with signs of life while waiting.

    The first of these comes when the processes have been started. What could not be read for a
    reason outside of it is tried once more when the others are done.
    """
    if not files:
        yield Awaited("")
    again: list[HashedFile] = []
    with closing(_reading(files, settings)) as first:
        for hashed, outcome in first:
            if isinstance(outcome, Skipped) and outcome.is_passing:
                again.append(hashed)
            else:
                yield outcome
    looked_at = [hash_file(hashed.file) for hashed in again]
    yield from (file for file in looked_at if isinstance(file, Skipped))
    files = [file for file in looked_at if isinstance(file, HashedFile)]
    with closing(_reading(files, settings)) as second:
        yield from (outcome for _hashed, outcome in second)


def _reading(
    files: Sequence[HashedFile], settings: ReadingConfig
) -> Generator[tuple[HashedFile, Prepared | Skipped | Awaited]]:
    """Read in processes; gives each file with what came of it, or waited for."""
    if not files:
        return
    pool = ProcessPool(
        max_workers=_processes(files, settings),
        initializer=set_language,
        initargs=[language()],
        context=multiprocessing.get_context("spawn"),
    )
    try:
        with interrupts_held():
            running: dict[Future[Prepared | Skipped], HashedFile] = {
                pool.schedule(prepare, args=[hashed, settings]): hashed
                for hashed in sorted(files, key=lambda hashed: hashed.size)
            }
    except RuntimeError as error:  # the system starts no more processes
        yield from ((hashed, failed(hashed, error, settings)) for hashed in files)
    else:
        yield files[0], Awaited(files[0].file.relative)
        yield from _outcomes(running, settings)
    finally:
        pool.stop()  # type: ignore[no-untyped-call]
        pool.join()


def _outcomes(
    running: dict[Future[Prepared | Skipped], HashedFile], settings: ReadingConfig
) -> Generator[tuple[HashedFile, Prepared | Skipped | Awaited]]:
    waited_s = 0.0
    while running:
        done, _running = wait(running, timeout=_HEARTBEAT_S, return_when=FIRST_COMPLETED)
        waited_s = 0.0 if done else waited_s + _HEARTBEAT_S
        for future in done:
            hashed = running.pop(future)
            yield hashed, _outcome(future, hashed, settings)
        if waited_s > _PATIENCE * settings.timeout_s:
            for future in filter(Future.running, running):
                future.cancel()
        if not done:
            slowest = next(iter(running.values()))
            yield slowest, Awaited(slowest.file.relative, waited_s)


def _processes(files: Sequence[HashedFile], settings: ReadingConfig) -> int:
    """How many processes to read with: as configured, else what the machine and the work allow."""
    most = settings.workers or min(
        os.cpu_count() or 1, _WORKERS, 1 + sum(hashed.size for hashed in files) // _BYTES_EACH
    )
    return min(most, len(files))


def _outcome(
    future: Future[Prepared | Skipped], hashed: HashedFile, settings: ReadingConfig
) -> Prepared | Skipped:
    try:
        outcome = future.result()
    except FAILURES as error:
        outcome = failed(hashed, error, settings)
    now = hash_file(hashed.file)
    if isinstance(now, Skipped):
        return now
    return outcome if now.sha256 == hashed.sha256 else changed(hashed, settings)


@cache
def _name_finder() -> NameFinder | None:
    return spacy_name_finder()


def _loaded_name_finder() -> NameFinder | None:
    """The finder if it is loaded, else one that says that it has to be."""
    return (
        _name_finder() if _name_finder.cache_info().currsize or not has_name_model() else not_loaded
    )
