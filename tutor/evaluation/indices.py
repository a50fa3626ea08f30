"""Indexes that exist for a measurement only: other chunks, other vectors, any size.

They are written and opened by the same code as a student's own, so that what is measured on them
is the product.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import cast

import numpy as np

from tutor.config import ChromaConfig, Config
from tutor.courses import Course
from tutor.embedding.embedder import Embedder
from tutor.errors import StoreError, command
from tutor.i18n import _
from tutor.index.build.derivations import retrieval_derivations
from tutor.index.build.embedded import EmbeddingQueue, chunk_vectors
from tutor.index.build.sentences import SentenceFiles
from tutor.index.store import Derivation, Indexed, Recipe, StoreReader, VectorSpace
from tutor.index.store.sentences import SENTENCES, read_known
from tutor.index.store.writer import Contents, Update, commit, load_contents
from tutor.ingest.chunking import CHUNKING_VERSION, chunks_of
from tutor.model import Chunk, CleanText, Source, SourceId, Strategy, Vectors, chunk_id, source_id
from tutor.text.language import detect_language
from tutor.text.sentences import split_sentences

CHUNK_CHARS = 750
PER_DOCUMENT = 50
NOISE = 0.4
"""Length of what is added to a vector of length 1; its cosine with itself is then about 0.93."""


def cut_again(
    folder: Path,
    real: StoreReader,
    config: Config,
    embedder: Embedder,
    *,
    chunk_chars: int | None,
    progress: Callable[[int], None] = lambda _left: None,
) -> Path:
    """An index of a course's documents with other chunks, or by another embedder.

    `folder` is filled; vectors are remembered beside it, so that a run that was stopped goes on.
    `progress` is told how many texts are left to embed.
    """
    known = _known(real) if embedder.identity == real.manifest.recipe.space.embedder else {}
    space_key = sha256(embedder.identity.encode()).hexdigest()[:16]
    queue = EmbeddingQueue(_made(folder.parent / f"vectors-{space_key}"), embedder, known)
    texts = {key: real.text(key) for key in real.sources}
    chunks: Sequence[Chunk] = real.chunks(config.strategy).chunks
    if chunk_chars:
        parts = (chunks_of(text, config.strategy, chunk_chars) for text in texts.values())
        chunks = [chunk for part in parts for chunk in part]
    queue.add([chunk.text for chunk in chunks])
    sentences = SentenceFiles() if config.retrieval.sentences else None
    if sentences:
        queue.add(sentences.collect(texts.values()))
        sentences.vectors = queue.known
    for _batch in queue.work(to_the_end=True):
        progress(queue.waiting)
    space = VectorSpace(embedder.identity, embedder.dim, CHUNKING_VERSION)
    recipe = Recipe(space, real.manifest.recipe.cleaning, real.manifest.recipe.reading)
    derivations = [*([sentences] if sentences else []), *retrieval_derivations()]
    counts = {key: sum(chunk.source_id == key for chunk in chunks) for key in texts}
    indexed = tuple(
        Indexed(entry.source, {config.strategy: counts[entry.source.id]}, entry.page_starts)
        for entry in real.manifest.indexed
    )
    added = {config.strategy: (chunks, queue.vectors(chunks))}
    _commit(folder, recipe, indexed, added, texts=texts, derivations=derivations)
    return folder


def generate_course(
    folder: Path, real: StoreReader, strategy: Strategy, chunks: int, *, seed: int = 0
) -> Course:
    """A course of so many chunks of one strategy: vectors perturbed, sentences recombined.

    What it says makes no sense, but its words have a natural text's frequencies and its vectors
    lie as an embedder lays them, so that searching it takes as long as searching a real course of
    that size. Raises `StoreError` when the real course has no chunk to start from.
    """
    table = real.chunks(strategy)
    sentences = _sentences([chunk.text for chunk in table.chunks])
    if not sentences:
        raise StoreError(
            _("The index has no chunks of the strategy `%(strategy)s`.")
            % {"strategy": strategy.value},
            command(f"index --strategy {strategy.value}"),
        )
    random = np.random.default_rng(seed)
    texts: dict[SourceId, CleanText] = {}
    added: list[Chunk] = []
    indexed: list[Indexed] = []
    for number, start in enumerate(range(0, chunks, PER_DOCUMENT)):
        size = min(PER_DOCUMENT, chunks - start)
        source = Source(source_id(f"{number}.pdf"), f"{number}.pdf", str(number), str(number), 1)
        texts[source.id], cut = _document(source.id, strategy, sentences, size, random)
        added += cut
        indexed.append(Indexed(source, {strategy: size}, (0,)))
    files = SentenceFiles()
    files.collect(texts.values())
    files.vectors = _AnyVectors(perturbed(table.vectors, 10 * len(table.vectors), random))
    vectors = perturbed(table.vectors, chunks, random)
    derivations = [*retrieval_derivations(), files]
    store = folder / "store"
    added_by = {strategy: (added, vectors)}
    recipe = real.manifest.recipe
    _commit(store, recipe, tuple(indexed), added_by, texts=texts, derivations=derivations)
    return Course(f"generated-{chunks}", folder, store)


def perturbed(vectors: Vectors, count: int, random: np.random.Generator) -> Vectors:
    """`count` unit vectors, each near one of `vectors`, shape (count, dim)."""
    rows = vectors[random.integers(0, len(vectors), count)]
    scale = np.float32(NOISE / rows.shape[1] ** 0.5)
    rows += scale * random.standard_normal(rows.shape, np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    return rows


def _commit(
    store: Path,
    recipe: Recipe,
    indexed: tuple[Indexed, ...],
    added: Mapping[Strategy, tuple[Sequence[Chunk], Vectors]],
    *,
    texts: Mapping[SourceId, CleanText],
    derivations: Sequence[Derivation],
) -> None:
    contents = load_contents(_made(store), None, recipe.space.dim)
    update = Update(recipe, indexed, (), set(), added, texts)
    commit(store, None, contents, update, ChromaConfig(), derivations=derivations)


def _made(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _known(store: StoreReader) -> dict[bytes, Vectors]:
    """The vectors that an index itself has."""
    tables = {strategy: store.chunks(strategy) for strategy in store.manifest.collections}
    sentences = store.derived(SENTENCES, read_known) or {}
    return {**sentences, **chunk_vectors(Contents(tables, {}))}


class _AnyVectors(Mapping[bytes, "Vectors"]):
    """A vector for every sentence there may be: its hash picks one."""

    def __init__(self, vectors: Vectors) -> None:
        self._vectors = vectors

    def __getitem__(self, key: bytes) -> Vectors:
        place = int.from_bytes(key[:8], "big") % len(self._vectors)
        return cast("Vectors", self._vectors[place])

    def __iter__(self) -> Iterator[bytes]:
        return iter(())

    def __len__(self) -> int:
        return len(self._vectors)


def _sentences(texts: list[str]) -> list[str]:
    found: dict[str, None] = {}
    for text in texts:
        spans = split_sentences(text, detect_language(text))
        found.update(dict.fromkeys(text[start:end] for start, end in spans))
    return [text for text in found if 20 <= len(text) <= CHUNK_CHARS // 2] or list(found)


def _document(
    source: SourceId,
    strategy: Strategy,
    sentences: list[str],
    size: int,
    random: np.random.Generator,
) -> tuple[CleanText, list[Chunk]]:
    """A document of so many chunks: sentences drawn until each has its length."""
    text = ""
    chunks = []
    for ordinal in range(size):
        start = len(text)
        while len(text) - start < CHUNK_CHARS:
            text += sentences[random.integers(len(sentences))] + " "
        end = len(text) - 1
        text = text[:end] + "\n\n"
        body = text[start:end]
        name = chunk_id(source, strategy, start, end, body)
        chunks.append(Chunk(name, source, strategy, body, start, end, 1, 1, ordinal))
    return CleanText(source, text, (0,)), chunks
