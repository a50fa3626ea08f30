"""Courses of any size, generated from a real one: vectors perturbed, sentences recombined.

What a generated course says makes no sense, but its words have a natural text's frequencies and
its vectors lie as an embedder lays them, so that searching it takes as long as searching a real
course of that size.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, cast

import numpy as np

from tutor.chunking import detect_language, split_sentences
from tutor.config import ChromaConfig
from tutor.courses import Course
from tutor.errors import StoreError, command
from tutor.i18n import _
from tutor.indexing.derivations import retrieval_derivations
from tutor.indexing.sentences import SentenceFiles
from tutor.store import Indexed, StoreReader
from tutor.store.writer import Update, commit, load_contents
from tutor.types import Chunk, CleanText, Source, chunk_id, source_id

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tutor.types import SourceId, Strategy, Vectors

CHUNK_CHARS = 750
PER_DOCUMENT = 50
NOISE = 0.4
"""Length of what is added to a vector of length 1; its cosine with itself is then about 0.93."""


def generate_course(
    folder: Path, real: StoreReader, strategy: Strategy, chunks: int, *, seed: int = 0
) -> Course:
    """An index of so many chunks of one strategy, with everything that retrieval asks.

    Raises `StoreError` when the real course has no chunk to start from.
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
    for number, size in enumerate(_sizes(chunks)):
        path = f"{number}.pdf"
        text, cut = _document(source_id(path), strategy, sentences, size, random)
        added += cut
        texts[text.source_id] = text
        source = Source(text.source_id, path, str(number), str(number), pages=1)
        indexed.append(Indexed(source, {strategy: size}, (0,)))
    files = SentenceFiles()
    files.collect(texts.values())
    files.vectors = _AnyVectors(perturbed(table.vectors, 10 * len(table.vectors), random))
    vectors = perturbed(table.vectors, chunks, random)
    store = folder / "store"
    store.mkdir(parents=True)
    recipe = real.manifest.recipe
    update = Update(recipe, tuple(indexed), (), set(), {strategy: (added, vectors)}, texts)
    contents = load_contents(store, None, recipe.space.dim)
    derivations = [*retrieval_derivations(), files]
    commit(store, None, contents, update, ChromaConfig(), derivations=derivations)
    return Course(f"generated-{chunks}", folder, store)


def perturbed(vectors: Vectors, count: int, random: np.random.Generator) -> Vectors:
    """`count` unit vectors, each near one of `vectors`, shape (count, dim)."""
    rows = vectors[random.integers(0, len(vectors), count)]
    scale = np.float32(NOISE / rows.shape[1] ** 0.5)
    rows += scale * random.standard_normal(rows.shape, np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    return rows


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


def _sizes(chunks: int) -> Iterator[int]:
    """Chunks per document."""
    for start in range(0, chunks, PER_DOCUMENT):
        yield min(PER_DOCUMENT, chunks - start)


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
