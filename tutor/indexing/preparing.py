"""PDF -> clean text and description, in processes of their own.

A PDF that crashes its reader or never ends costs that one file, not the run.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, TypeAlias

from pebble import ProcessExpired, ProcessPool

from tutor.cleaning import clean
from tutor.errors import UnreadablePdf
from tutor.i18n import _, language, set_language
from tutor.metadata import describe_source, spacy_name_finder
from tutor.reading import read_pdf
from tutor.store import Skipped
from tutor.types import CleanText, Source, TextOrigin

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tutor.config import ReadingConfig
    from tutor.indexing.plan import HashedFile
    from tutor.metadata import NameFinder

_HEARTBEAT_S = 0.5
_HAS_MASK = hasattr(signal, "pthread_sigmask")  # not on Windows
_WORKERS = 4
"""Beyond this many, readers only wait for the embedder."""


_Running: TypeAlias = "dict[Future[Prepared | Skipped], HashedFile]"


@dataclass(frozen=True, slots=True)
class Prepared:
    """A document, read, cleaned and described."""

    source: Source
    text: CleanText
    pages_without_text: tuple[int, ...]
    pages_by_ocr: tuple[int, ...]


def prepare(hashed: HashedFile, settings: ReadingConfig) -> Prepared | Skipped:
    """Read, clean and describe one file; a file that cannot be read gives the reason."""
    try:
        document = read_pdf(
            hashed.file.path,
            hashed.id,
            backend=settings.backend,
            ocr=settings.ocr,
            max_pages=settings.max_pages,
        )
    except UnreadablePdf as error:
        return Skipped(
            hashed.file.relative, hashed.sha256, error.reason, error.message, error.remedy
        )
    text = clean(document)
    if not text.text.strip():
        return Skipped(
            hashed.file.relative,
            hashed.sha256,
            "no_text",
            _("None of its pages has a text layer: it is scanned or drawn."),
            _("Install Tesseract with Spanish (tesseract-ocr-spa) and rebuild the index."),
        )
    by_ocr = tuple(page.number for page in document.pages if page.origin is TextOrigin.OCR)
    source = describe_source(hashed.file.relative, hashed.sha256, document, text, _name_finder())
    return Prepared(source, text, document.pages_without_text, by_ocr)


@contextmanager
def preparing(
    files: Sequence[HashedFile], settings: ReadingConfig
) -> Iterator[Iterator[Prepared | Skipped | None]]:
    """Prepare files in the background, small ones first; None is a sign of life while waiting."""
    workers = settings.workers or min(os.cpu_count() or 1, _WORKERS)
    workers = max(1, min(workers, len(files)))
    pool = ProcessPool(
        max_workers=workers,
        initializer=set_language,
        initargs=[language()],
        context=multiprocessing.get_context("spawn"),
    )
    try:
        with _interrupts_held():
            results = _scheduled(pool, sorted(files, key=lambda hashed: hashed.size), settings)
        yield _results(results, settings)
    finally:
        pool.stop()  # type: ignore[no-untyped-call]
        pool.join()


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Hold Ctrl-C back while processes are started, so that none is torn in its start.

    The processes inherit the mask and never see one: stopping them is the parent's affair.
    """
    pressed = threading.Event()
    in_main = threading.current_thread() is threading.main_thread()
    handler = signal.signal(signal.SIGINT, lambda *_details: pressed.set()) if in_main else None
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT}) if _HAS_MASK else set()
    try:
        yield
    finally:
        if _HAS_MASK:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        if in_main:
            signal.signal(signal.SIGINT, handler)
    if pressed.is_set():
        raise KeyboardInterrupt


def _scheduled(pool: ProcessPool, files: Sequence[HashedFile], settings: ReadingConfig) -> _Running:
    """Hand all files to the pool; its processes are started by the first."""
    return {
        pool.schedule(prepare, args=[hashed, settings], timeout=settings.timeout_s): hashed
        for hashed in files
    }


def _results(running: _Running, settings: ReadingConfig) -> Iterator[Prepared | Skipped | None]:
    while running:
        done, _running = wait(running, timeout=_HEARTBEAT_S, return_when=FIRST_COMPLETED)
        for future in done:
            yield _outcome(future, running.pop(future), settings)
        if not done:
            yield None


def _outcome(
    future: Future[Prepared | Skipped], hashed: HashedFile, settings: ReadingConfig
) -> Prepared | Skipped:
    try:
        return future.result()
    except TimeoutError:
        reason = "timeout"
        message = _("Reading it took more than %(seconds)g seconds.") % {
            "seconds": settings.timeout_s
        }
        remedy = _("If it is only large, raise `reading.timeout_s`; else export it again.")
    except (ProcessExpired, MemoryError, RecursionError) as error:
        reason = "crashed"
        message = _("Its contents make the PDF reader crash (%(kind)s).") % {
            "kind": type(error).__name__
        }
        remedy = _("Export it again, or print it to a new PDF.")
    return Skipped(hashed.file.relative, hashed.sha256, reason, message, remedy)


@cache
def _name_finder() -> NameFinder | None:
    return spacy_name_finder()
