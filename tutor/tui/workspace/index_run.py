"""A run of the indexer: how far it has come, and the process of its own that it is.

Nothing that the process does can make the app wait or take it down. Light: it is loaded before the
first frame.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Generator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import Enum, auto
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any

import tutor
from tutor.config import Config
from tutor.errors import ExitCode, TutorError
from tutor.i18n import _, language
from tutor.presentation.amounts import indexing_text

if TYPE_CHECKING:
    from tutor.index.build.events import Completed, IndexEvent, Progress
    from tutor.index.store import Skipped

NICENESS = 10
_PATIENCE_S = 5.0
"""From being asked to stop to being made to."""
_SHOW_EVERY_S = 0.1
"""The indexer tells more often than anybody could read."""
_SECTIONS = ("reading", "embedder", "retrieval", "chroma")
_INSTALLED = frozenset({"site-packages", "dist-packages"})


class Phase(Enum):
    """Where a run is."""

    STARTING = auto()
    WAITING = auto()
    """Another process indexes this course."""
    WORKING = auto()
    WRITING = auto()
    STOPPING = auto()
    """Its reader has stopped it; the process is told."""
    DONE = auto()
    CANCELLED = auto()
    FAILED = auto()


@dataclass(frozen=True, slots=True)
class IndexRun:
    """One run, as far as it has come.

    `has_former`: whether a whole index of the course is there already, which answers meanwhile;
    `by_words`: whether a course that had none can be asked by words meanwhile. `is_held`: whether
    something outside has stopped its process, which may go on later.
    """

    course: str
    has_former: bool = False
    phase: Phase = Phase.STARTING
    progress: Progress | None = None
    skipped: tuple[Skipped, ...] = ()
    by_words: bool = False
    is_held: bool = False
    completed: Completed | None = None
    failed: TutorError | None = None

    @property
    def is_over(self) -> bool:
        return self.phase in {Phase.DONE, Phase.CANCELLED, Phase.FAILED}

    @property
    def activity(self) -> str:
        """What it is doing, in a few words; nothing where it is over."""
        if self.is_over:
            return ""
        told = {
            Phase.WAITING: _("Waiting: another process is indexing"),
            Phase.WRITING: _("Writing the index ..."),
            Phase.STOPPING: _("Stopping ..."),
        }
        if self.is_held:
            return _("Indexing is halted from outside")
        return told.get(self.phase) or indexing_text(self.progress)


class IndexProcess:
    """One run of `tutor index` over a course, with the settings in force."""

    def __init__(self, config: Config, course: str, *, rebuild: bool = False) -> None:
        self._cancelled = False
        arguments = ["--lang", language(), "index", "--course", course, "--progress", "json"]
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "tutor", *arguments, *(["--rebuild"] * rebuild)],
            env=environment(config, os.environ),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
            start_new_session=True,
        )
        if sys.platform != "win32":
            with suppress(OSError):
                os.setpriority(os.PRIO_PROCESS, self._process.pid, NICENESS)

    def follow(self, run: IndexRun) -> Generator[IndexRun]:
        """The run as it goes on, the last one being over. Reads until the process has ended."""
        from tutor.index.build.events import event_of  # noqa: PLC0415 - NumPy and more

        assert self._process.stdout is not None  # noqa: S101 - a pipe was asked for
        Thread(target=self._bury, name="index-end", daemon=True).start()
        said, shown = "", 0.0
        with self._process.stdout as lines:
            for line in lines:
                if (event := event_of(line)) is None:
                    said = line.strip()
                    continue
                before, run = run, after(run, event)
                is_step = run.phase is before.phase and run.progress is not before.progress
                if not is_step or time.monotonic() - shown > _SHOW_EVERY_S:
                    shown = time.monotonic()
                    yield run
        yield self._end(run, self._process.wait(), said)

    def _end(self, run: IndexRun, code: int, said: str) -> IndexRun:
        """How the run has ended; `said` is the last line that was no event."""
        if run.completed and code in {ExitCode.OK, ExitCode.PARTIAL}:
            return replace(run, phase=Phase.DONE)
        if self._cancelled:
            return replace(run, phase=Phase.CANCELLED)
        failed = run.failed or TutorError(
            _("The indexing process ended unexpectedly (%(code)d). %(said)s")
            % {"code": code, "said": said},
            _("Index again: what was embedded is kept."),
        )
        return replace(run, phase=Phase.FAILED, failed=failed)

    @property
    def is_held(self) -> bool:
        """Whether something outside has stopped it without ending it (SIGSTOP), as Linux tells."""
        if not hasattr(os, "waitid") or self._process.returncode is not None:
            return False
        looked_for = os.WSTOPPED | os.WCONTINUED | os.WNOHANG | os.WNOWAIT
        with suppress(ChildProcessError):
            changed = os.waitid(os.P_PID, self._process.pid, looked_for)
            return changed is not None and changed.si_code == os.CLD_STOPPED
        return False

    def cancel(self) -> None:
        """Ask it to stop; the index in force stays, and what was embedded is kept."""
        self._cancelled = True
        with suppress(OSError):
            self._process.send_signal(signal.SIGTERM if os.name == "nt" else signal.SIGINT)

    def close(self) -> None:
        """Cancel it, and see to it that it ends."""
        if self._process.poll() is None:
            if not self._cancelled:  # a second signal would break off its tidying up
                self.cancel()
            try:
                self._process.wait(_PATIENCE_S)
            except subprocess.TimeoutExpired:
                self._kill()
                self._process.wait()

    def _kill(self) -> None:
        """With the processes that read PDFs: they may live on and hold the pipe open."""
        with suppress(OSError):
            if os.name == "nt":
                self._process.kill()
            else:
                os.killpg(self._process.pid, signal.SIGKILL)

    def _bury(self) -> None:
        self._process.wait()
        self._kill()


def after(run: IndexRun, event: IndexEvent) -> IndexRun:
    """The run after an event; it is over only when its process is."""
    from tutor.index import build  # noqa: PLC0415 - NumPy and more
    from tutor.index.store import Skipped  # noqa: PLC0415 - as above

    phases: dict[type[IndexEvent], Phase] = {
        build.WaitingForLock: Phase.WAITING,
        build.Planned: Phase.WORKING,
        build.Progress: Phase.WORKING,
        build.Committing: Phase.WRITING,
    }
    changes: dict[str, Any] = {}
    match event:
        case build.Searchable() | build.WaitingForLock(searchable=True):
            changes = {"by_words": not run.has_former}
        case build.Progress():
            changes = {"progress": event}
        case Skipped():
            changes = {"skipped": (*run.skipped, event)}
        case build.Completed():
            changes = {"completed": event}
        case build.Failed():
            changes = {"failed": TutorError(event.message, event.remedy)}
    return replace(run, phase=phases.get(type(event), run.phase), **changes)


def environment(config: Config, inherited: Mapping[str, str]) -> dict[str, str]:
    """Variables by which another process has the settings that an index depends on."""
    values: dict[str, Any] = {
        "notes_dir": config.notes_path,
        "stores_dir": config.stores_path,
        "ollama_host": config.ollama.host,
    }
    for section in _SECTIONS:
        for name, value in getattr(config, section).model_dump(mode="json").items():
            values[f"{section}_{name}"] = value
    settings = {f"TUTOR_{k.upper()}": str(v) for k, v in values.items() if v is not None}
    folder = Path(tutor.__file__).parent.parent
    path = [*filter(None, [inherited.get("PYTHONPATH")])]
    if folder.name not in _INSTALLED:
        path.append(str(folder))
    return {
        **inherited,
        **settings,
        "TUTOR_ROOT": str(config.root),
        "PYTHONPATH": os.pathsep.join(path),
        "PYTHONUTF8": "1",
    }
