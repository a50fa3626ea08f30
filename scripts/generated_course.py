"""Make a course of any size, to be measured with `tutor bench`.

    python -m scripts.generated_course CHUNKS FOLDER [--strategy semantic]
    TUTOR_ROOT=FOLDER tutor bench --modes embedder,dense,hybrid --strategies semantic

Starts from the index of the sample course, which has to be in the current folder (or TUTOR_ROOT,
TUTOR_STORES_DIR). FOLDER gets an index (`stores/generated`) of so many chunks of one strategy.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from scripts._course import course_agent
from tutor.evaluation.indices import commit_index
from tutor.index.store import Indexed, StoreReader
from tutor.index.store.sentences import Sentences
from tutor.model import (
    Chunk,
    CleanText,
    Source,
    SourceId,
    Strategy,
    Vectors,
    chunk_id,
    source_id,
)

CHUNK_CHARS = 750
PER_DOCUMENT = 50
NOISE = 0.4
"""Length of what is added to a vector of length 1; its cosine with itself is then about 0.93."""


def generate_course(store: Path, real: StoreReader, strategy: Strategy, chunks: int) -> None:
    """Make an index of so many chunks of one strategy: vectors perturbed, sentences recombined.

    What it says makes no sense, but its words have a natural text's frequencies and its vectors
    lie as an embedder lays them, so that searching it takes as long as searching a real course of
    that size. The real course needs a chunk to start from.
    """
    table = real.chunks(strategy)
    sentences = Sentences().collect(real.text(key) for key in real.sources)
    sentences = [text for text in sentences if len(text) <= CHUNK_CHARS // 2]
    random = np.random.default_rng(0)
    texts: dict[SourceId, CleanText] = {}
    added: list[Chunk] = []
    indexed: list[Indexed] = []
    for number, start in enumerate(range(0, chunks, PER_DOCUMENT)):
        size = min(PER_DOCUMENT, chunks - start)
        source = Source(source_id(f"{number}.pdf"), f"{number}.pdf", str(number), str(number), 1)
        texts[source.id], own = _document(source.id, strategy, sentences, size, random)
        added += own
        indexed.append(Indexed(source, {strategy: size}, (0,)))
    files = Sentences()
    files.collect(texts.values())
    any_vectors = _AnyVectors(perturbed(table.vectors, 10 * len(table.vectors), random))
    vectors = {strategy: (added, perturbed(table.vectors, chunks, random))}
    recipe = real.manifest.recipe
    commit_index(
        store,
        recipe,
        indexed=indexed,
        added=vectors,
        texts=texts,
        sentences=files,
        sentence_vectors=any_vectors,
    )


def perturbed(vectors: Vectors, count: int, random: np.random.Generator) -> Vectors:
    """`count` unit vectors, each near one of `vectors`, shape (count, dim)."""
    rows: Vectors = vectors[random.integers(0, len(vectors), count)]
    scale = np.float32(NOISE / rows.shape[1] ** 0.5)
    rows += scale * random.standard_normal(rows.shape, np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    return rows


class _AnyVectors(dict[bytes, Vectors]):
    """A vector for every sentence there may be: its hash picks one."""

    def __init__(self, vectors: Vectors) -> None:
        self._vectors = vectors

    def __missing__(self, key: bytes) -> Vectors:
        row: Vectors = self._vectors[int.from_bytes(key[:8], "big") % len(self._vectors)]
        return row


def _document(
    source: SourceId,
    strategy: Strategy,
    sentences: Sequence[str],
    size: int,
    random: np.random.Generator,
) -> tuple[CleanText, list[Chunk]]:
    """A document of so many chunks: sentences drawn until each has its length."""
    text, chunks = "", list[Chunk]()
    for ordinal in range(size):
        body = ""
        while len(body) < CHUNK_CHARS:
            body += sentences[int(random.integers(len(sentences)))] + " "
        start, body = len(text), body[:-1]
        text += body + "\n\n"
        name = chunk_id(source, strategy, start, start + len(body), body)
        span = (start, start + len(body))
        chunks.append(Chunk(name, source, strategy, body, *span, 1, 1, ordinal))
    return CleanText.plain(source, text), chunks


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("chunks", type=int)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--strategy", choices=list(Strategy), type=Strategy, default="semantic")
    options = parser.parse_args()
    store = options.folder / "stores" / "generated"
    with course_agent() as agent:
        generate_course(store, agent.store, options.strategy, options.chunks)
    print(f"TUTOR_ROOT={options.folder} tutor bench --strategies {options.strategy}")


if __name__ == "__main__":
    main()
