"""A course opened for asking, for as long as somebody uses it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import TypeAlias

from tutor.answer import Agent
from tutor.courses import Course
from tutor.embedding.embedder import Embedder
from tutor.index.store import StoreReader
from tutor.index.store.manifest import FILE_NAME

Stamp: TypeAlias = tuple[int, int, int] | None
"""A manifest's file as it was; None where there is none."""


class Lease:
    """Counts who uses a thing, its owner first; `close` is called when the last one has ended."""

    def __init__(self, close: Callable[[], None]) -> None:
        self._close = close
        self._lock = Lock()
        self._users = 1

    def begin(self) -> bool:
        """Whether the thing can be used still; if so, `end` has to follow."""
        with self._lock:
            self._users += bool(self._users)
            return bool(self._users)

    def end(self) -> None:
        """One user less."""
        with self._lock:
            self._users -= 1
            is_last = not self._users
        if is_last:
            self._close()


@dataclass(frozen=True, slots=True)
class OpenedCourse:
    """A course opened for asking. `why_no_model` is said once, not with every answer.

    `stamp` is the manifest's file as it was: another one says that the index has changed.
    """

    course: Course
    embedder: Embedder
    store: StoreReader
    agent: Agent
    lease: Lease
    stamp: Stamp
    why_no_model: str = ""


def stamp_of(store: Path) -> Stamp:
    """The manifest's file of a store as it is now."""
    try:
        status = (store / FILE_NAME).stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino
