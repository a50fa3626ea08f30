"""One set-up at a time: the second one waits until the first has finished."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from scripts._pip import say


@contextmanager
def exclusive(path: Path) -> Iterator[int | None]:
    """Hold the lock file; the value is the descriptor that child processes inherit.

    A child that outlives a killed set-up keeps the lock with it, so that nobody rebuilds an
    environment into which a pip is still writing. The value is None where the file system has
    no locks: then there is no protection.
    """
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        yield descriptor if _lock(descriptor) else None
    finally:
        os.close(descriptor)


if sys.platform == "win32":
    import msvcrt
    import time

    def _lock(descriptor: int) -> bool:
        told = False
        while True:
            try:
                msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
            except OSError:
                told = told or _tell_waiting()
                time.sleep(0.5)
            else:
                return True
else:
    import fcntl

    def _lock(descriptor: int) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            _tell_waiting()
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        except OSError:
            return False
        return True


def _tell_waiting() -> bool:
    say(
        "Otra orden está preparando tutor; espero a que termine.",
        "Another command is setting tutor up; waiting for it to finish.",
    )
    return True
