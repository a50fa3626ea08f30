"""An index run as its reader, a person or a program, sees it."""

from __future__ import annotations

import signal
import sys
from collections.abc import Generator, Iterator
from contextlib import contextmanager, suppress
from threading import Thread

from tutor.cli import diagnostics
from tutor.cli.output import write
from tutor.config import Config
from tutor.courses import Course
from tutor.embedding.embedder import Embedder
from tutor.embedding.onnx import OnnxEmbedder
from tutor.ending import locks_uninterrupted
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
from tutor.index.build.events import line_of
from tutor.index.store import Skipped
from tutor.presentation.amounts import indexing_text
from tutor.text.terminal import one_line


@locks_uninterrupted()
def run_index(
    course: Course,
    config: Config,
    embedder: Embedder,
    options: IndexOptions,
    *,
    lines: bool = False,
) -> Completed:
    """Index a course; what happens is shown on standard error, or told in `lines` of JSON."""
    told = index_course if lines else shown_run
    completed: Completed | None = None
    ready: Thread | None = None
    for event in told(course, config, embedder, options):
        if lines:
            write(line_of(event))
        if isinstance(event, Planned) and event.to_read and isinstance(embedder, OnnxEmbedder):
            # No daemon: native code that still runs when Python ends aborts the process.
            ready = Thread(target=_load, args=[embedder])
            ready.start()
        elif isinstance(event, Completed):
            completed = event
    assert completed is not None  # noqa: S101 - the generator's last event
    if ready:
        ready.join()  # two threads that import the same can be torn by Ctrl-C
    return completed


def _load(embedder: OnnxEmbedder) -> None:
    """Load what is needed soon, 0.4 s, while a process reads the first file.

    What goes wrong is met again when it is used.
    """
    with suppress(Exception):
        embedder.load()


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
) -> Generator[IndexEvent]:
    """The events of a run, each shown on standard error if the run goes on after it."""
    with diagnostics.ProgressLine() as progress:
        for event in index_course(course, config, embedder, options):
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
