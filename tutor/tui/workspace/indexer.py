"""Indexing while the app is open: starts a run, follows it, and notices when one is needed."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from threading import Thread, get_native_id
from typing import TYPE_CHECKING, Any

from tutor.courses import Course, index_command
from tutor.errors import TutorError, reason_of
from tutor.i18n import _, plural
from tutor.presentation.amounts import left_out_told
from tutor.tui.workspace.index_run import NICENESS, IndexProcess, IndexRun, Phase

if TYPE_CHECKING:
    from tutor.index.build.notes_watch import NotesWatch
    from tutor.index.store import Manifest
    from tutor.tui.workspace.workspace import Workspace

LOOK_EVERY_S = 30.0
"""Between two looks at the notes."""
WATCH_EVERY_S = 2.0
"""Between two looks at a run."""


class Indexer:
    """One run at a time, and an eye on the notes of the course that lies open.

    Called in its host's own thread; the work is done in others, which end with the program. The
    `host` is the app, whose class is nobody's business here.
    """

    def __init__(self, host: Any) -> None:
        self._host = host
        self._workspace: Workspace | None = None
        self._process: IndexProcess | None = None
        self._watches: dict[str, NotesWatch] = {}
        self._tried: set[str] = set()
        self._looking = False
        self._closed = False
        self._changed_files = 0
        self.run: IndexRun | None = None
        """The run at hand, or the last one."""

    @property
    def running(self) -> bool:
        return self.run is not None and not self.run.is_over

    @property
    def activity(self) -> str:
        """What is being done, in a few words; empty where nothing is."""
        return self.run.activity if self.run else ""

    @property
    def offer(self) -> str:
        """What could be done, in a few words; empty where nothing has changed."""
        n = self._changed_files
        if not n or self.running:
            return ""
        changed = plural("%(n)d file has changed", "%(n)d files have changed", n)
        return _("%(changed)s: F5, then i, updates") % {"changed": changed}

    # --- runs ---

    def start(self, course: str, *, rebuild: bool = False) -> None:
        workspace = self._workspace
        if workspace is None or self.running or self._closed:
            return
        self._tried.add(course)
        self._process = None
        opened = workspace.opened
        has_one = opened is not None and opened.course.name == course
        by_words = has_one and workspace.needs_index
        run = IndexRun(course, has_former=has_one and not by_words, by_words=by_words)
        self._take(run)
        config = workspace.config

        def fail(error: TutorError) -> None:
            self._later(partial(self._take, replace(run, phase=Phase.FAILED, failed=error)))

        def follow() -> None:
            try:
                process = self._process = IndexProcess(config, course, rebuild=rebuild)
            except OSError as error:
                because = _("The indexing process cannot be started: %(reason)s")
                remedy = _("Close other programs, or index in another terminal: %(command)s")
                remedy %= {"command": index_command(course)}
                fail(TutorError(because % {"reason": reason_of(error)}, remedy))
                return
            if self._closed or (self.run and self.run.phase is Phase.STOPPING):
                process.cancel()
            try:
                for step in process.follow(run):
                    self._later(partial(self._came, step))
            except Exception as fault:  # noqa: BLE001 - else the run would never be over
                process.close()
                fail(self._host.written_down(fault))

        Thread(target=follow, name="index", daemon=True).start()

    def watch(self) -> None:
        """See whether something outside has stopped the process: it tells nothing then."""
        run, process = self.run, self._process
        if run and process and not run.is_over and run.is_held != process.is_held:
            self._take(replace(run, is_held=process.is_held))

    def cancel(self) -> None:
        """Stop the run; the next one goes on from what was embedded."""
        if self.run and self.running:
            self._take(replace(self.run, phase=Phase.STOPPING))
            if self._process:
                Thread(target=self._process.close, name="index-stop", daemon=True).start()

    def close(self) -> None:
        """Leave nothing running; waits for the process to end, some seconds at most."""
        self._closed = True
        if self._process:
            self._process.close()

    def _came(self, run: IndexRun) -> None:
        """What the process tells of a run; one that is being stopped goes on for a while."""
        before = self.run or run
        if before.phase is Phase.STOPPING and not run.is_over:
            run = replace(run, phase=Phase.STOPPING)
        self._take(run)
        if run.by_words and not before.by_words and self._concerns(run):
            self._host.reopen()

    def _concerns(self, run: IndexRun) -> bool:
        course = self._workspace.course if self._workspace else None
        return course is not None and course.name == run.course

    def _take(self, run: IndexRun) -> None:
        self.run = run
        if run.is_over:
            self._ended(run)
        self._host.indexing.publish(self)

    def _ended(self, run: IndexRun) -> None:
        if run.failed:
            self._host.report(run.failed)
        if run.phase is Phase.DONE and run.skipped:
            self._host.warn(left_out_told(len(run.skipped)))
        workspace = self._workspace
        if workspace and run.completed and self._concerns(run):
            self._changed_files = 0
            self._tried.discard(run.course)
            if run.completed.changed or workspace.opened is None or workspace.needs_index:
                self._host.reopen()

    # --- the notes ---

    def course_opened(self, workspace: Workspace) -> None:
        """A course was opened, or cannot be: make the index that it lacks, or look at its notes."""
        self._workspace = workspace
        course = workspace.course
        if course and workspace.needs_index and course.name not in self._tried:
            self.start(course.name)
        self._changed_files = 0
        self.look()

    def look(self) -> None:
        """See whether the notes or the index have changed, without anyone waiting for it."""
        workspace = self._workspace
        opened = workspace.opened if workspace else None
        if workspace is None or opened is None or self._looking or self.running or self._closed:
            return
        self._looking = True

        def work() -> None:
            if sys.platform == "linux":  # elsewhere a thread has no priority of its own
                with suppress(OSError):
                    os.setpriority(os.PRIO_PROCESS, get_native_id(), NICENESS)
            try:
                outdated = workspace.is_outdated()
                n = 0 if outdated else self.count_changes(opened.course, opened.store.manifest)
            finally:
                self._looking = False
            self._later(lambda: self._looked(opened.course, n, outdated=outdated))

        Thread(target=work, name="look", daemon=True).start()

    def _looked(self, course: Course, changed: int, *, outdated: bool) -> None:
        if self._workspace is None or self._workspace.course != course or self.running:
            return
        if outdated:
            self._host.reopen()
        elif changed != self._changed_files:
            self._changed_files = changed
            self._host.indexing.publish(self)

    def count_changes(self, course: Course, manifest: Manifest) -> int:
        """How many files an update of that index would touch; reads files, for other threads."""
        from tutor.index.build.notes_watch import NotesWatch  # noqa: PLC0415 - NumPy and more

        watch = self._watches.setdefault(course.name, NotesWatch(course))
        return len(watch.changes(manifest))

    def _later(self, work: Callable[[], None]) -> None:
        if not self._closed:
            with suppress(RuntimeError):  # the app has ended
                self._host.call_later(work)
