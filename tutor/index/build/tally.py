"""How far an update is: what was read and embedded, how fast, and what is left."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from tutor.index.build import events

WINDOW_S = 10.0


@dataclass(slots=True)
class Counts:
    """How many texts were asked for and how many embedded; what that took, in characters, too."""

    found: int = 0
    embedded: int = 0
    chars: int = 0
    seconds: float = 0.0


class Pace:
    """How fast texts were embedded in the last ten seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._seen: deque[tuple[float, int, int]] = deque()

    def note(self, texts: int, chars: int) -> tuple[float, float]:
        """Take down how much has been embedded in all; returns texts and characters per second.

        Both are 0 before there were any. What a text costs goes by its length.
        """
        now = self._clock()
        if not texts:
            self._seen.clear()  # reading is no embedding
        if len(self._seen) > 1 and self._seen[-1][1] == texts:
            self._seen.pop()  # time went by and nothing more was done
        self._seen.append((now, texts, chars))
        while len(self._seen) > 2 and self._seen[1][0] <= now - WINDOW_S:
            self._seen.popleft()
        start, texts_before, chars_before = self._seen[0]
        seconds = now - start or 1.0
        return (texts - texts_before) / seconds, (chars - chars_before) / seconds


class Tally:
    """What an update has done, of the files with these `sizes` in bytes.

    Chunks are embedded first and sentences when all of them are; `pages` are those read.
    """

    def __init__(self, sizes: Mapping[str, int]) -> None:
        self._started = time.perf_counter()
        self._sizes = sizes
        self._bytes_read = 0
        self._files_done = 0
        self._pace = Pace()
        self.pages = 0
        self.chunks = Counts()
        self.sentences = Counts()

    @property
    def seconds(self) -> float:
        """Since it was begun."""
        return time.perf_counter() - self._started

    def file_done(self, path: str) -> None:
        """A file was read, or will not be."""
        self._files_done += 1
        self._bytes_read += self._sizes[path]

    def progress(
        self, texts_left: int, chars_left: int, path: str, awaited_s: float
    ) -> events.Progress:
        """How far the update is, which has to embed so many chunks or sentences yet, and so many
        characters of both.
        """
        chunks, sentences = self.chunks, self.sentences
        in_sentences = sentences.found > 0
        chars = chunks.chars + sentences.chars
        unread = sum(self._sizes.values()) - self._bytes_read
        if unread and self._bytes_read:  # they will give as much to embed as the others did
            chars_left += (chars + chars_left) * unread // self._bytes_read
        texts_per_s, chars_per_s = self._pace.note(chunks.embedded + sentences.embedded, chars)
        return events.Progress(
            path=path,
            awaited_s=awaited_s,
            files_done=self._files_done,
            files=len(self._sizes),
            pages=self.pages,
            chunks_done=chunks.found - (0 if in_sentences else texts_left),
            chunks_found=chunks.found,
            texts_per_s=texts_per_s,
            seconds_left=chars_left / chars_per_s if chars_per_s else None,
            sentences_done=sentences.found - texts_left if in_sentences else 0,
            sentences_found=sentences.found,
        )
