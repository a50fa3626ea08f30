"""Texts on their way to vectors: each is embedded once, and remembered at once."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from itertools import accumulate, islice, takewhile
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from tutor.index.build.tally import Counts
from tutor.index.store.journal import Journal, text_key
from tutor.index.store.sentences import SENTENCES, SENTENCES_VERSION, Sentences, read_known
from tutor.index.store.upkeep import damaged_files, explained_disk_errors
from tutor.model import Chunk, CleanText, SourceId, Vectors

if TYPE_CHECKING:
    from tutor.embedding.embedder import Embedder
    from tutor.index.store.manifest import Manifest
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


def kept_sentences(
    store: Path, manifest: Manifest, sentences: Sentences, texts: Mapping[SourceId, CleanText]
) -> dict[bytes, Vectors]:
    """The vectors of all sentences of a generation, by `text_key`, as far as they are sound.

    `sentences` keeps where they stand in the `texts` of its documents.
    """
    if SENTENCES not in manifest.derived:
        return {}
    if any(True for _name in damaged_files(store, manifest, SENTENCES)):
        return {}
    folder = store / manifest.folder / SENTENCES
    try:
        known = read_known(folder)
        if manifest.derived[SENTENCES] == SENTENCES_VERSION:
            sentences.keep(folder, texts)
    except (OSError, ValueError):  # of another version
        return {}
    return known


class EmbeddingQueue:
    """Collects texts and embeds them in batches; those in `known` are not embedded again.

    `known` maps `text_key` to vectors and grows by what a killed run left, and by this one's work.
    `counts` grow by what is asked for and embedded, `waiting_chars` are of what waits now.
    """

    def __init__(
        self,
        store: Path,
        embedder: Embedder,
        known: Mapping[bytes, Vectors],
        counts: Counts | None = None,
    ) -> None:
        self._store = store
        self._embedder = embedder
        self._journal = Journal(store, embedder.identity, embedder.dim)
        journaled = self._journal.load()
        with explained_disk_errors(store):
            self._journal.begin(journaled)
        self.known: dict[bytes, Vectors] = {**journaled, **known}
        self.counts = counts or Counts()
        self._waiting: dict[bytes, str] = {}
        self.waiting_chars = 0
        self._batch_chars = _BATCH_CHARS.get(embedder.device, _DEFAULT_BATCH_CHARS)

    @property
    def waiting(self) -> int:
        """How many texts still have to be embedded."""
        return len(self._waiting)

    def unknown(self, texts: Sequence[str]) -> dict[bytes, str]:
        """Those of the texts that have no vector and do not wait for one, by their `text_key`."""
        keys = {text_key(text): text for text in texts}
        return {
            key: text
            for key, text in keys.items()
            if key not in self.known and key not in self._waiting
        }

    def count_in(self, counts: Counts) -> None:
        """Count in `counts` from here on: texts of another kind are next."""
        self.counts = counts

    def add(self, texts: Sequence[str]) -> None:
        """Ask for the vectors of these texts."""
        self.counts.found += len(texts)
        new = self.unknown(texts)
        self._waiting |= new
        self.waiting_chars += sum(map(len, new.values()))

    @property
    def has_batch(self) -> bool:
        """Whether enough waits for a full batch."""
        return self.waiting_chars >= self._batch_chars

    def embed_batch(self) -> None:
        """Embed what has waited longest, a batch at most. Raises what the embedder raises."""
        lengths = accumulate(map(len, self._waiting.values()))
        size = 1 + sum(1 for _n in takewhile(lambda n: n < self._batch_chars, lengths))
        batch = dict(islice(self._waiting.items(), size))
        started = time.perf_counter()
        vectors = self._embedder.embed_passages(list(batch.values()))
        self.counts.seconds += time.perf_counter() - started
        with explained_disk_errors(self._store):
            self._journal.append(zip(batch, vectors, strict=True))
        self.known.update(zip(batch, vectors, strict=True))
        for key in batch:
            del self._waiting[key]
        self.counts.embedded += len(batch)
        chars = sum(map(len, batch.values()))
        self.counts.chars += chars
        self.waiting_chars -= chars

    def vectors(self, chunks: Sequence[Chunk]) -> Vectors:
        """The vectors of chunks whose texts were added, shape (n, dim)."""
        if not chunks:
            return np.empty((0, self._embedder.dim), np.float32)
        return np.stack([self.known[text_key(chunk.text)] for chunk in chunks])

    def committed(self) -> None:
        """The vectors are in the store; forget the journal."""
        self._journal.clear()
