"""Runs the indexer for a command and tells its reader, a person or a program, how it goes."""

from __future__ import annotations

import signal
from collections.abc import Generator, Iterator
from contextlib import contextmanager, suppress
from threading import Thread

from tutor.app import get_map_ready, update_map
from tutor.cli import diagnostics
from tutor.cli.output import write_line
from tutor.config import Config
from tutor.courses import Course
from tutor.embedding.embedder import Embedder
from tutor.embedding.onnx import OnnxEmbedder
from tutor.errors import TutorError
from tutor.i18n import _, ngettext
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
from tutor.presentation.amounts import counted, duration
from tutor.text.terminal import one_line


def run_index(
    course: Course,
    config: Config,
    embedder: Embedder,
    options: IndexOptions,
    *,
    lines: bool = False,
) -> Completed:
    """Index a course; what happens is shown on standard error, or told in `lines` of JSON."""
    told = _told_in_lines if lines else shown_run
    completed: Completed | None = None
    for event in told(course, config, embedder, options):
        if isinstance(event, Planned) and event.to_read:
            Thread(target=_get_ready, args=(config, embedder), daemon=True).start()
        elif isinstance(event, Completed):
            completed = event
    assert completed is not None  # noqa: S101 - the generator's last event
    _make_map(course, config)
    return completed


def _get_ready(config: Config, embedder: Embedder) -> None:
    """Load what is needed soon, 0.7 s, while a process reads the first file.

    What goes wrong is met again when it is used.
    """
    with suppress(Exception):
        if isinstance(embedder, OnnxEmbedder):
            embedder.load()
        if config.map_after_indexing:
            get_map_ready()


def _make_map(course: Course, config: Config) -> None:
    """Make the course's map, too. It comes of the index in force, and never makes it fail."""
    if not config.map_after_indexing:
        return
    try:
        update_map(course, config)
    except TutorError as error:
        _no_map(error.message)
    except Exception as error:  # noqa: BLE001 - the index is done, and the map is made at need
        _no_map(f"{type(error).__name__}: {error}")


def _no_map(reason: str) -> None:
    diagnostics.warning(_("The course's map could not be made: %(reason)s") % {"reason": reason})


def shown_run(
    course: Course, config: Config, embedder: Embedder, options: IndexOptions
) -> Generator[IndexEvent]:
    """The events of a run, each shown on standard error if the run goes on after it."""
    progress = diagnostics.ProgressLine()
    try:
        for event in index_course(course, config, embedder, options):
            yield event
            _show(event, progress)
    finally:
        progress.clear()


def _told_in_lines(
    course: Course, config: Config, embedder: Embedder, options: IndexOptions
) -> Generator[IndexEvent]:
    """The events of a run, each a line of JSON on standard output first."""
    for event in index_course(course, config, embedder, options):
        write_line(line_of(event))
        yield event


@contextmanager
def failures_in_lines() -> Iterator[None]:
    """What breaks a run off is a line of JSON, too, besides what the command says of it.

    The program that follows stops the run by SIGINT, which a shell's background jobs and all that
    they start ignore: it is listened to again.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    except TutorError as error:
        write_line(line_of(Failed(error.message, error.remedy)))
        raise


def _show(event: IndexEvent, progress: diagnostics.ProgressLine) -> None:
    if isinstance(event, WaitingForLock):
        progress.show(_("Another process is indexing this course; waiting for it to finish ..."))
    elif isinstance(event, Planned) and event.to_read:
        files = counted(ngettext("%(n)d file", "%(n)d files", event.to_read), event.to_read)
        diagnostics.line(
            _("Indexing %(files)s of the course `%(course)s` ...")
            % {"files": files, "course": one_line(event.course)}
        )
    elif isinstance(event, Skipped):
        progress.clear()
        diagnostics.warning(f"{one_line(event.path)}: {event.message}")
        if event.remedy:
            diagnostics.remedy(event.remedy)
    elif isinstance(event, Progress):
        progress.show(_progress_text(event))
    elif isinstance(event, Searchable):
        progress.clear()
        diagnostics.line(_("The course can be asked by words already; indexing goes on ..."))
    elif isinstance(event, Committing):
        progress.show(_("Writing the index ..."))


def _progress_text(event: Progress) -> str:
    if event.sentences_found and event.chunks_done == event.chunks_found:
        text = _("%(done)d/%(found)d sentences") % {
            "done": event.sentences_done,
            "found": event.sentences_found,
        }
    else:
        text = _(
            "%(files_done)d/%(files)d files · %(pages)d pages · "
            "%(done)d/%(found)d chunks · %(rate).1f chunks/s"
        ) % {
            "files_done": event.files_done,
            "files": event.files,
            "pages": event.pages,
            "done": event.chunks_done,
            "found": event.chunks_found,
            "rate": event.texts_per_s,
        }
    if event.seconds_left is None:
        return text
    left = _("about %(time)s left") % {"time": duration(event.seconds_left)}
    return f"{text} · {left}"
