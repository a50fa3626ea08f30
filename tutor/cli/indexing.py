"""An index run as its reader, a person or a program, sees it."""

from __future__ import annotations

import signal
import sys
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager, suppress
from threading import Event, Thread

from tutor.app import update_map
from tutor.cli import diagnostics
from tutor.cli.output import write
from tutor.config import Config
from tutor.courses import Course
from tutor.embedding.embedder import Embedder
from tutor.embedding.onnx import OnnxEmbedder
from tutor.ending import imports_uninterrupted
from tutor.errors import TutorError
from tutor.i18n import _, plural
from tutor.index.build import (
    Committing,
    Completed,
    Failed,
    IndexEvent,
    IndexOptions,
    Planned,
    Progress,
    Searchable,
    WaitingForLock,
    index_course,
)
from tutor.index.build.events import Coming, line_of
from tutor.index.store import Manifest, Skipped
from tutor.model import CleanText, SourceId
from tutor.presentation.amounts import indexing_text
from tutor.text.terminal import one_line


@imports_uninterrupted()
def run_index(
    course: Course,
    config: Config,
    embedder: Embedder,
    options: IndexOptions,
    *,
    lines: bool = False,
) -> Completed:
    """Index a course and make its map; what happens is shown on standard error, or told in `lines`
    of JSON.
    """
    told = index_course if lines else shown_run
    completed: Completed | None = None
    ready: Thread | None = None
    next_map = _NextMap(course)
    coming = next_map.begin if config.map_after_indexing else None
    try:
        for event in told(course, config, embedder, options, coming):
            if lines:
                write(line_of(event))
            if isinstance(event, Planned) and event.to_read:
                # No daemon: native code that still runs when Python ends aborts the process.
                ready = Thread(target=_get_ready, args=(config, embedder))
                ready.start()
            elif isinstance(event, Completed):
                completed = event
    finally:
        next_map.end(in_force=completed is not None)
    assert completed is not None  # noqa: S101 - the generator's last event
    if ready:
        ready.join()  # two threads that import the same can be torn by Ctrl-C
    if config.map_after_indexing:
        try:
            update_map(course, config)
        except Exception as error:  # noqa: BLE001 - the index is done, and the map is made at need
            reason = error.message if isinstance(error, TutorError) else repr(error)
            failed = _("The course's map could not be made: %(reason)s")
            diagnostics.warning(failed % {"reason": reason})
    return completed


class _NextMap:
    """The map of an index that is being made: made by a thread meanwhile, put in place after it.

    What goes wrong is met again by `update_map`, which makes the map where this has not.
    """

    def __init__(self, course: Course) -> None:
        self._store = course.store
        self._thread: Thread | None = None
        self._ended = Event()
        self._given_up = Event()

    def begin(self, manifest: Manifest, texts: Mapping[SourceId, CleanText]) -> None:
        self._thread = Thread(target=self._make, args=(manifest, texts))
        self._thread.start()

    def end(self, *, in_force: bool) -> None:
        """Put it in place, or remove it where the index has not come into force."""
        if not in_force:
            self._given_up.set()
        self._ended.set()
        if self._thread:
            self._thread.join()

    def _make(self, manifest: Manifest, texts: Mapping[SourceId, CleanText]) -> None:
        from tutor.map.files import make_map  # noqa: PLC0415 - loaded by `_get_ready`

        with suppress(Exception):
            make_map(
                self._store,
                manifest,
                texts.__getitem__,
                stopped=self._given_up.is_set,
                may_be_put=self._ended.wait,
            )


def _get_ready(config: Config, embedder: Embedder) -> None:
    """Load what is needed soon, 0.7 s, while a process reads the first file.

    What goes wrong is met again when it is used.
    """
    with suppress(Exception):
        if isinstance(embedder, OnnxEmbedder):
            embedder.load()
        if config.map_after_indexing:
            from tutor.map.files import get_ready  # noqa: PLC0415 - 0.1 s, as above

            get_ready()


@contextmanager
def failures_in_lines() -> Iterator[None]:
    """Tell a failure that ends the run as a line of JSON, too.

    The program that reads the lines stops the run by SIGINT. A process started from a background
    job ignores that signal, so it is made to interrupt the run again.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    except TutorError as error:
        write(line_of(Failed(error.message, error.remedy)))
        raise


def shown_run(
    course: Course,
    config: Config,
    embedder: Embedder,
    options: IndexOptions,
    coming: Coming | None = None,
) -> Generator[IndexEvent]:
    """The events of a run, each shown on standard error if the run goes on after it."""
    with diagnostics.ProgressLine() as progress:
        for event in index_course(course, config, embedder, options, coming):
            yield event
            _show(event, progress)


def _show(event: IndexEvent, progress: diagnostics.ProgressLine) -> None:
    match event:
        case WaitingForLock():
            progress.show(
                _("Another process is indexing this course; waiting for it to finish ...")
            )
        case Planned() if event.to_read:
            files = plural("%(n)d file", "%(n)d files", event.to_read)
            diagnostics.line(
                _("Indexing %(files)s of the course `%(course)s` ...")
                % {"files": files, "course": one_line(event.course)}
            )
        case Skipped() as file:
            progress.clear()
            diagnostics.warning(f"{one_line(file.path)}: {file.message}")
            if file.remedy:
                diagnostics.remedy(file.remedy)
        case Progress() if event.chunks_found or sys.stderr.isatty():
            progress.show(indexing_text(event))
        case Searchable():
            progress.clear()
            diagnostics.line(_("The course can be asked by words already; indexing goes on ..."))
        case Committing():
            progress.show(_("Writing the index ..."))
