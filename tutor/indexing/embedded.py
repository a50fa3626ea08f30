"""Texts on their way to vectors: each is embedded once, and remembered at once."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np

from tutor.store.journal import Journal, text_key
from tutor.store.upkeep import explained_disk_errors

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from tutor.ports import Embedder
    from tutor.store.writer import Contents
    from tutor.types import Chunk, Vectors

_BATCH = {"cuda": 256}
_DEFAULT_BATCH = 16


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
    `embedded`, `reused` and `seconds` count texts and the time spent in the embedder.
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
        self._batch = _BATCH.get(embedder.device, _DEFAULT_BATCH)
        self.found = 0
        self.embedded = 0
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
            if key not in self.known:
                self._waiting[key] = text

    def work(self, *, to_the_end: bool) -> Iterator[None]:
        """Embed full batches, or everything; yields after each. Raises what the embedder raises."""
        while len(self._waiting) >= (1 if to_the_end else self._batch):
            keys = [key for key, _text in zip(self._waiting, range(self._batch), strict=False)]
            started = time.perf_counter()
            vectors = self._embedder.embed_passages([self._waiting[key] for key in keys])
            self.seconds += time.perf_counter() - started
            with explained_disk_errors(self._store):
                self._journal.append(zip(keys, vectors, strict=True))
            for key, vector in zip(keys, vectors, strict=True):
                self.known[key] = vector
                del self._waiting[key]
            self.embedded += len(keys)
            yield

    def vectors(self, chunks: Sequence[Chunk]) -> Vectors:
        """The vectors of chunks whose texts were added, shape (n, dim)."""
        if not chunks:
            return np.empty((0, self._embedder.dim), np.float32)
        return np.stack([self.known[text_key(chunk.text)] for chunk in chunks])

    def committed(self) -> None:
        """The vectors are in the store; forget the journal."""
        self._journal.clear()
