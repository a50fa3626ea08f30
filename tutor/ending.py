"""Being told to end: SIGTERM, and SIGHUP of a terminal that was closed."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

BY_SIGNAL = 128
"""With the signal's number the exit code of a process that it ended."""
_ENDING = (signal.SIGTERM,) if sys.platform == "win32" else (signal.SIGTERM, signal.SIGHUP)


@contextmanager
def told_to_end(leave: Callable[[int], None]) -> Iterator[None]:
    """Have these signals call `leave` with the exit code that follows, in the main thread.

    A second one ends the process at once. What was ignored before, as under `nohup`, stays so.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def hear(number: int, _frame: FrameType | None) -> None:
        signal.signal(number, signal.SIG_DFL)
        leave(BY_SIGNAL + number)

    heard = [number for number in _ENDING if signal.getsignal(number) is not signal.SIG_IGN]
    former = {number: signal.signal(number, hear) for number in heard}
    try:
        yield
    finally:
        for number, handler in former.items():
            signal.signal(number, handler)
