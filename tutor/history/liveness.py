"""Tells an answer that is being written from one whose process was killed.

A store that writes holds a lock file for as long as its process lives; the system lets go of the
lock at any death. Process numbers would say it less surely: they are used again, and another
machine may share the folder.
"""

from __future__ import annotations

import secrets
import threading
from contextlib import suppress
from pathlib import Path

from filelock import FileLock, Timeout


class Writer:
    """The sign of life of one store; `name` is written into the turns that it begins."""

    def __init__(self, database: Path) -> None:
        self._database = database
        self._lock: FileLock | None = None
        self._threads = threading.Lock()
        self.name = secrets.token_hex(8)

    def appear(self) -> None:
        """Show that this process lives, from now until `vanish`. Raises `OSError`."""
        with self._threads:
            if self._lock is None:
                lock = _lock(self._database, self.name)
                lock.acquire()
                self._lock = lock

    def vanish(self) -> None:
        """Take the sign of life back."""
        with self._threads:
            if self._lock is not None:
                self._lock.release()
                _path(self._database, self.name).unlink(missing_ok=True)
                self._lock = None

    def is_alive(self, name: str) -> bool:
        """Whether the store that wrote `name` into its turns is still open somewhere."""
        if name == self.name:
            return self._lock is not None
        path = _path(self._database, name)
        if not path.exists():
            return False
        lock = _lock(self._database, name)
        try:
            lock.acquire()
        except Timeout:
            return True
        lock.release()
        with suppress(OSError):
            path.unlink(missing_ok=True)
        return False


def _lock(database: Path, name: str) -> FileLock:
    # Released by whichever thread closes the store.
    return FileLock(_path(database, name), timeout=0, mode=0o600, thread_local=False)


def _path(database: Path, name: str) -> Path:
    return database.with_name(f"{database.name}.{name}.lock")
