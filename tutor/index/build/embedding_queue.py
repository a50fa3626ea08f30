"""Texts on their way to vectors: each is embedded once, and remembered at once."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from tutor.index.store.journal import Journal, text_key
from tutor.index.store.upkeep import explained_disk_errors
from tutor.model import Chunk, Vectors

if TYPE_CHECKING:
    from tutor.embedding.embedder import Embedder
    from tutor.index.store.tables import Contents

_BATCH_CHARS = {"cuda": 200_000}
_DEFAULT_BATCH_CHARS = 12_000
"""A batch in characters: 15 chunks, or so many sentences that several are equally long."""


def chunk_vectors(contents: Contents) -> dict[bytes, Vectors]:
    """The vectors of all chunks of a generation, by the `text_key` of their texts."""
    return {
        text_key(chunk.text): vector
        for table in contents.tables.values()
        for chunk, vector in zip(table.chunks, table.vectors, strict=True)
    }


class EmbeddingQueue:
    """Collects texts and embeds them in batches; those in `known` are not embedded again.

    `known` maps `text_key` to vectors and grows by what a killed run left, and by this one's work.
    `embedded`, `reused` and `seconds` count texts and the time spent in the embedder; `chars` and
    `waiting_chars` the characters of what was and of what has to be embedded.
    """

    def __init__(self, store: Path, embedder: Embedder, known: Mapping[bytes, Vectors]) -> None:
        self._store = store
        self._embedder = embedder
        self._journal = Journal(store, embedder.identity, embedder.dim)
        journaled = self._journal.load()
        with explained_disk_errors(store):
            self._journal.begin(journaled)
        self.known: dict[bytes, Vectors] = {**journaled, **known}
        self._waiting: dict[bytes, str] = {}
        self.waiting_chars = 0
        self._batch_chars = _BATCH_CHARS.get(embedder.device, _DEFAULT_BATCH_CHARS)
        self.found = 0
        self.embedded = 0
        self.chars = 0
        self.seconds = 0.0

    @property
    def waiting(self) -> int:
        """How many texts still have to be embedded."""
        return len(self._waiting)

    @property
    def reused(self) -> int:
        """How many of the texts needed no embedding."""
        return self.found - self.embedded - self.waiting

    def add(self, texts: Sequence[str]) -> None:
        """Ask for the vectors of these texts."""
        self.found += len(texts)
        for text in texts:
            key = text_key(text)
            if key not in self.known and key not in self._waiting:
                self._waiting[key] = text
                self.waiting_chars += len(text)

    def learn(self, known: Mapping[bytes, Vectors]) -> None:
        """Take over what another queue has embedded; what waits still goes by its length."""
        self.known |= known
        waiting = [item for item in self._waiting.items() if item[0] not in known]
        # Texts of one length share a run of the encoder, or are padded to the longest of a batch.
        self._waiting = dict(sorted(waiting, key=lambda item: len(item[1])))
        self.waiting_chars = sum(map(len, self._waiting.values()))

    def work(self, *, to_the_end: bool) -> Iterator[None]:
        """Embed full batches, or everything; yields after each. Raises what the embedder raises."""
        while self._waiting and (to_the_end or self.waiting_chars >= self._batch_chars):
            keys = self._next_batch()
            started = time.perf_counter()
            vectors = self._embedder.embed_passages([self._waiting[key] for key in keys])
            self.seconds += time.perf_counter() - started
            with explained_disk_errors(self._store):
                self._journal.append(zip(keys, vectors, strict=True))
            for key, vector in zip(keys, vectors, strict=True):
                self.known[key] = vector
                chars = len(self._waiting.pop(key))
                self.waiting_chars -= chars
                self.chars += chars
            self.embedded += len(keys)
            yield

    def _next_batch(self) -> list[bytes]:
        keys, chars = [], 0
        for key, text in self._waiting.items():
            keys.append(key)
            chars += len(text)
            if chars >= self._batch_chars:
                break
        return keys

    def vectors(self, chunks: Sequence[Chunk]) -> Vectors:
        """The vectors of chunks whose texts were added, shape (n, dim)."""
        if not chunks:
            return np.empty((0, self._embedder.dim), np.float32)
        return np.stack([self.known[text_key(chunk.text)] for chunk in chunks])

    def committed(self) -> None:
        """The vectors are in the store; forget the journal."""
        self._journal.clear()
