"""How fast a run goes, and how long it will go on: one estimate for chunks and sentences."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable

WINDOW_S = 10.0


class Pace:
    """How much was embedded in the last ten seconds.

    What a text costs goes by its length, so that the time left is told by characters.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._seen: deque[tuple[float, int, int]] = deque()

    def note(self, texts: int, chars: int) -> None:
        """Take down how much has been embedded in all since the run began."""
        now = self._clock()
        if self._seen and self._seen[-1][1] == texts and len(self._seen) > 1:
            self._seen.pop()  # a sign of life: time went by and nothing more was done
        self._seen.append((now, texts, chars))
        while len(self._seen) > 2 and self._seen[1][0] <= now - WINDOW_S:
            self._seen.popleft()

    @property
    def texts_per_s(self) -> float:
        """Texts embedded in a second; 0 before there were any."""
        seconds, texts, _chars = self._done()
        return texts / seconds if seconds else 0.0

    def seconds_for(self, chars: float) -> float | None:
        """How long so many characters will take; None until that can be told."""
        seconds, _texts, done = self._done()
        return chars * seconds / done if done else None

    def _done(self) -> tuple[float, int, int]:
        if not self._seen:
            return 0.0, 0, 0
        first, last = self._seen[0], self._seen[-1]
        return last[0] - first[0], last[1] - first[1], last[2] - first[2]
