"""Indexes that exist for a measurement only: other chunks, other vectors.

They are written and opened by the same code as a student's own, so that what is measured on them
is the product.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from pathlib import Path

from tutor.config import ChromaConfig, Config
from tutor.embedding.embedder import Embedder
from tutor.index.build.embedding_queue import EmbeddingQueue, chunk_vectors
from tutor.index.store import Indexed, Recipe, StoreReader, VectorSpace
from tutor.index.store.sentences import SENTENCES, Sentences, read_known
from tutor.index.store.tables import Contents
from tutor.index.store.writer import IndexChanges, commit, load_contents
from tutor.ingest.chunking import CHUNKING_VERSION, chunks_of
from tutor.model import Chunk, CleanText, SourceId, Strategy, Vectors


def cut_again(
    folder: Path,
    real: StoreReader,
    config: Config,
    embedder: Embedder,
    *,
    chars: int,
    progress: Callable[[int], None],
) -> None:
    """Fill `folder` with an index of a course's documents with other chunks, of up to so many
    `chars`, or other vectors.

    Vectors are remembered beside it, so that a run that was stopped goes on. `progress` is told
    how many texts are left to embed.
    """
    known: dict[bytes, Vectors] = {}
    if embedder.identity == real.manifest.recipe.space.embedder:
        tables = {strategy: real.chunks(strategy) for strategy in real.manifest.collections}
        known = chunk_vectors(Contents(tables, {})) | (real.derived(SENTENCES, read_known) or {})
    vectors_folder = (
        folder.parent / f"vectors-{sha256(embedder.identity.encode()).hexdigest()[:16]}"
    )
    vectors_folder.mkdir(parents=True, exist_ok=True)
    queue = EmbeddingQueue(vectors_folder, embedder, known)
    texts = {key: real.text(key) for key in real.sources}
    chunks = {
        key: chunks_of(text, strategy=config.strategy, chars=chars) for key, text in texts.items()
    }
    every = [chunk for own in chunks.values() for chunk in own]
    queue.add([chunk.text for chunk in every])
    sentences = Sentences() if config.retrieval.sentences else None
    if sentences:
        queue.add(sentences.collect(texts.values()))
    while queue.waiting:
        queue.embed_batch()
        progress(queue.waiting)
    space = VectorSpace(embedder.identity, embedder.dim, CHUNKING_VERSION)
    recipe = Recipe(space, real.manifest.recipe.cleaning, real.manifest.recipe.reading)
    indexed = [
        Indexed(entry.source, {config.strategy: len(chunks[entry.source.id])}, entry.page_starts)
        for entry in real.manifest.indexed
    ]
    added = {config.strategy: (every, queue.vectors(every))}
    commit_index(
        folder,
        recipe,
        indexed=indexed,
        added=added,
        texts=texts,
        sentences=sentences,
        sentence_vectors=queue.known,
    )


def commit_index(
    store: Path,
    recipe: Recipe,
    *,
    indexed: Sequence[Indexed],
    added: Mapping[Strategy, tuple[Sequence[Chunk], Vectors]],
    texts: Mapping[SourceId, CleanText],
    sentences: Sentences | None,
    sentence_vectors: Mapping[bytes, Vectors],
) -> None:
    """Make an index of these documents and chunks in an empty folder.

    `sentence_vectors` are those of all `sentences`, by `text_key`.
    """
    store.mkdir(parents=True, exist_ok=True)
    contents = load_contents(store, None, recipe.space.dim)
    changes = IndexChanges(recipe, tuple(indexed), (), set(), added, texts)
    commit(
        store,
        None,
        contents,
        changes,
        ChromaConfig(),
        sentences=sentences,
        sentence_vectors=sentence_vectors,
    )
