"""The indexer in a process of its own: nothing it does can make the app wait or take it down."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from threading import Lock, Thread
from typing import Any

import tutor
from tutor.config import Config
from tutor.errors import ExitCode
from tutor.i18n import _, language
from tutor.index.build.events import (
    Committing,
    Completed,
    Failed,
    IndexEvent,
    Planned,
    Progress,
    Searchable,
    WaitingForLock,
    event_of,
)
from tutor.index.store import Skipped
from tutor.tui.workspace.index_run import IndexRun, Phase

_NICENESS = 10
_PATIENCE_S = 5.0
"""From being asked to stop to being made to."""
_LINES_KEPT = 5
_SECTIONS = ("reading", "embedder", "retrieval", "chroma")
_INSTALLED = frozenset({"site-packages", "dist-packages"})
_KEPT: Mapping[type[IndexEvent], tuple[Phase, str]] = {
    Progress: (Phase.WORKING, "progress"),
    Completed: (Phase.DONE, "completed"),
    Failed: (Phase.FAILED, "failed"),
}
"""Events that a run keeps, each under its name, and the phase that they tell of."""


class IndexProcess:
    """One run of `tutor index` over a course, with the settings in force."""

    def __init__(self, config: Config, course: str, *, rebuild: bool = False) -> None:
        self._course = course
        self._cancelled = False
        self._lock = Lock()
        self._said: deque[str] = deque(maxlen=_LINES_KEPT)
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
                os.setpriority(os.PRIO_PROCESS, self._process.pid, _NICENESS)

    def follow(self) -> Iterator[IndexRun]:
        """The run as it goes on, the last one being over. Reads until the process has ended."""
        run = IndexRun(self._course)
        yield run
        assert self._process.stdout is not None  # noqa: S101 - a pipe was asked for
        Thread(target=self._bury, name="index-end", daemon=True).start()
        for line in self._process.stdout:
            event = event_of(line)
            if event is None:
                self._said.append(line.strip())
            else:
                run = after(run, event)
                if not run.is_over:  # it is over when the process is
                    yield run
        self._process.stdout.close()
        yield self._end(run, self._process.wait())

    def cancel(self) -> None:
        """Ask it to stop; the index in force stays, and what was embedded is kept."""
        self._cancelled = True
        with suppress(OSError):
            self._process.send_signal(signal.SIGTERM if os.name == "nt" else signal.SIGINT)

    def close(self) -> None:
        """Cancel it, and see to it that it ends."""
        with self._lock:
            if self._process.poll() is not None:
                return
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

    def _end(self, run: IndexRun, code: int) -> IndexRun:
        if run.completed and code in {ExitCode.OK, ExitCode.PARTIAL}:
            return replace(run, phase=Phase.DONE)
        if self._cancelled:
            return replace(run, phase=Phase.CANCELLED)
        failed = run.failed or Failed(
            _("The indexing process ended unexpectedly (%(code)d). %(said)s")
            % {"code": code, "said": " ".join(list(self._said)[-1:])},
            _("Index again: what was embedded is kept."),
        )
        return replace(run, phase=Phase.FAILED, failed=failed)


def after(run: IndexRun, event: IndexEvent) -> IndexRun:
    """The run after an event."""
    changes: dict[str, Any]
    match event:
        case WaitingForLock():
            changes = {"phase": Phase.WAITING, "by_words": run.by_words or event.searchable}
        case Planned():
            changes = {"phase": Phase.WORKING}
        case Skipped():
            changes = {"skipped": (*run.skipped, event)}
        case Searchable():
            changes = {"by_words": True}
        case Committing():
            changes = {"phase": Phase.WRITING}
        case _:
            phase, kept_as = _KEPT[type(event)]
            changes = {"phase": phase, kept_as: event}
    return replace(run, **changes)


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
