"""An index in use is closed by whoever uses it last."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock


class Lease:
    """Counts who uses a thing; `close` is called once, when it was retired and nobody does."""

    def __init__(self, close: Callable[[], None]) -> None:
        self._close = close
        self._lock = Lock()
        self._users = 0
        self._retired = False

    def begin(self) -> bool:
        """Whether the thing can be used still; if so, `end` has to follow."""
        with self._lock:
            if self._retired and not self._users:
                return False
            self._users += 1
            return True

    def end(self) -> None:
        """One user less."""
        with self._lock:
            self._users -= 1
            over = self._retired and not self._users
        if over:
            self._close()

    def retire(self) -> None:
        """Close it now, or after the last use."""
        with self._lock:
            over = not self._retired and not self._users
            self._retired = True
        if over:
            self._close()
