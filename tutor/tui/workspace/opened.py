"""A course opened for asking, and who uses it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock

from tutor.answer import Agent
from tutor.courses import Course
from tutor.embedding.embedder import Embedder
from tutor.index.store import StoreReader


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
    """A course opened for asking. `why_no_model` is said once, not with every answer."""

    course: Course
    embedder: Embedder
    store: StoreReader
    agent: Agent
    lease: Lease
    why_no_model: str = ""
