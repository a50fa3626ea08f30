"""Makes stores for tests: real files and a real Chroma, with vectors that need no model."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tutor.config import ChromaConfig
from tutor.index.store import Indexed, Manifest, Recipe, VectorSpace
from tutor.index.store.writer import IndexChanges, commit, load_contents
from tutor.model import Chunk, CleanText, Source, Strategy, Vectors, chunk_id, source_id

DIM = 8
SPACE = VectorSpace("test-embedder", DIM, 1)
RECIPE = Recipe(SPACE, 1, "test-reader")
LOCAL = ChromaConfig()


def unit_vectors(n: int, seed: int = 0) -> Vectors:
    """`n` random directions."""
    rows = np.random.default_rng(seed).normal(size=(n, DIM)).astype(np.float32)
    norms: Vectors = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / norms, np.float32)


def make_source(path: str) -> Source:
    return Source(source_id(path), path, f"Título de {path}", f"sha of {path}", pages=2, week=1)


def make_chunks(path: str, n: int, strategy: Strategy) -> list[Chunk]:
    source = source_id(path)
    texts = [f"Fragmento {i} de {path}." for i in range(n)]
    return [
        Chunk(
            id=chunk_id(source, strategy, 100 * i, 100 * i + len(text), text),
            source_id=source,
            strategy=strategy,
            text=text,
            start=100 * i,
            end=100 * i + len(text),
            first_page=1,
            last_page=2,
            ordinal=i,
        )
        for i, text in enumerate(texts)
    ]


def make_changes(
    sizes: dict[str, int], *, seed: int = 0, new: set[str] | None = None
) -> IndexChanges:
    """The changes after which the store holds these documents with so many chunks per strategy.

    Only the documents in `new` (all of them, if not given) come with chunks.
    """
    new = set(sizes) if new is None else new
    added = {}
    for number, strategy in enumerate(Strategy):
        chunks = [c for path in sorted(new) for c in make_chunks(path, sizes[path], strategy)]
        added[strategy] = (chunks, unit_vectors(len(chunks), seed + number))
    return IndexChanges(
        recipe=RECIPE,
        indexed=tuple(
            Indexed(make_source(path), dict.fromkeys(Strategy, n), page_starts=(0, 150))
            for path, n in sorted(sizes.items())
        ),
        skipped=(),
        replaced={source_id(path) for path in new},
        added=added,
        texts={source_id(path): CleanText(source_id(path), path, (0, 1)) for path in new},
    )


def apply(
    store: Path, old: Manifest | None, changes: IndexChanges, chroma: ChromaConfig = LOCAL
) -> Manifest:
    """Commit changes as the indexer does."""
    store.mkdir(parents=True, exist_ok=True)
    return commit(store, old, load_contents(store, old, DIM), changes, chroma)
