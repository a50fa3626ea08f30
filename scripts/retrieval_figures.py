#!/usr/bin/env python3
"""Measure retrieval on a set of paragraphs and questions: each leg alone, and all together.

    scripts/retrieval_figures.py FILE.json [--sentences | --no-sentences]

FILE has `paragraphs` (`id`, `text`, `title`) and `questions` (`paragraph_id`, `text`, and maybe
`text_en`), as XQuAD, or is a SQuAD file (`data`). Every paragraph is one chunk of a real index in a
temporary folder. Prints R@1 and MRR@10 per language, over all titles and over every other title.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tutor.chunking import detect_language
from tutor.config import ChromaConfig
from tutor.embedding import choose_embedder
from tutor.indexing.derivations import retrieval_derivations
from tutor.indexing.sentences import SentenceFiles
from tutor.lexical import LexicalIndex, lexical_name
from tutor.retrieval import Hybrid, retrieve
from tutor.store import Indexed, Recipe, VectorSpace, open_store
from tutor.store.journal import text_key
from tutor.store.writer import Update, commit, load_contents
from tutor.timing import Stopwatch
from tutor.types import Chunk, CleanText, Source, Strategy, chunk_id, source_id

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from tutor.ports import Embedder
    from tutor.store import Derivation, StoreReader
    from tutor.types import SourceId, Vectors

DEPTH = 10
STRATEGY = Strategy.SEMANTIC


class Paragraph(NamedTuple):
    """One passage, to be found by its questions."""

    id: str
    title: str
    text: str


class Asked(NamedTuple):
    """A question and the paragraph that answers it."""

    language: str
    text: str
    paragraph: str


class Remembered:
    """An embedder that keeps its vectors: questions are asked once per configuration."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._known: dict[str, Vectors] = {}
        self.identity, self.dim, self.device = embedder.identity, embedder.dim, embedder.device

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Vectors of passages."""
        return self._embedder.embed_passages(texts)

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Vectors of questions."""
        new = [text for text in texts if text not in self._known]
        if new:
            self._known |= dict(zip(new, self._embedder.embed_queries(new), strict=True))
        return np.stack([self._known[text] for text in texts])


def read_cases(path: Path) -> tuple[list[Paragraph], list[Asked]]:
    """The paragraphs and questions of a file."""
    record = json.loads(path.read_text(encoding="utf-8"))
    if "paragraphs" in record:
        paragraphs = [Paragraph(p["id"], p["title"], p["text"]) for p in record["paragraphs"]]
        questions = [
            Asked(language, q[key], q["paragraph_id"])
            for q in record["questions"]
            for language, key in (("es", "text"), ("en", "text_en"))
            if key in q
        ]
        return paragraphs, questions
    paragraphs, questions = [], []
    for article in record["data"]:
        for paragraph in article["paragraphs"]:
            key = str(len(paragraphs))
            paragraphs.append(Paragraph(key, article["title"], paragraph["context"]))
            questions += [
                Asked("es", q["question"], key)
                for q in paragraph["qas"]
                if q["answers"] and not q.get("is_impossible")
            ]
    return paragraphs, questions


def build(
    store: Path, paragraphs: Sequence[Paragraph], embedder: Embedder, *, sentences: bool
) -> StoreReader:
    """An index with a document per paragraph, and a chunk per document."""
    chunks: list[Chunk] = []
    texts: dict[SourceId, CleanText] = {}
    indexed: list[Indexed] = []
    for key, title, text in paragraphs:
        source = source_id(key)
        texts[source] = CleanText(source, text, (0,))
        entry = Source(source, key, title, key, 1)
        indexed.append(Indexed(entry, {STRATEGY: 1}, (0,)))
        name = chunk_id(source, STRATEGY, 0, len(text), text)
        chunks.append(Chunk(name, source, STRATEGY, text, 0, len(text), 1, 1, 0))
    vectors = embedder.embed_passages([chunk.text for chunk in chunks])
    derivations: list[Derivation] = list(retrieval_derivations())
    if sentences:
        files = SentenceFiles()
        wanted = files.collect(texts.values())
        rows = embedder.embed_passages(wanted)
        files.vectors = {text_key(t): row for t, row in zip(wanted, rows, strict=True)}
        derivations.append(files)
    space = VectorSpace(embedder.identity, embedder.dim, 1)
    recipe = Recipe(space, 1, "paragraphs")
    update = Update(recipe, tuple(indexed), (), set(), {STRATEGY: (chunks, vectors)}, texts)
    nothing = load_contents(store, None, embedder.dim)
    commit(store, None, nothing, update, ChromaConfig(), derivations=derivations)
    return open_store(store, space, ChromaConfig())


def best_by_words(question: str, reader: StoreReader, lexical: LexicalIndex) -> list[SourceId]:
    """The documents that BM25 alone puts first."""
    best = np.argsort(-lexical.score(question).bm25, kind="stable")[:DEPTH]
    return [chunk.source_id for chunk in reader.fetch(STRATEGY, [int(row) for row in best])]


def best_by_retrieval(
    question: str, reader: StoreReader, embedder: Embedder, hybrid: Hybrid | None
) -> list[SourceId]:
    """The documents that `retrieve` puts first."""
    hits = retrieve(
        question,
        reader,
        embedder,
        strategy=STRATEGY,
        k=DEPTH,
        stopwatch=Stopwatch(),
        hybrid=hybrid,
    )
    return [hit.chunk.source_id for hit in hits]


def figures(ranks: Sequence[int]) -> str:
    """R@1 and MRR@10 of ranks (0: not among the first ten)."""
    all_ranks = np.array(ranks)
    reciprocal = np.divide(1, all_ranks, out=np.zeros(len(ranks)), where=all_ranks > 0)
    return f"{(all_ranks == 1).mean():.4f} {reciprocal.mean():.4f}"


def print_table(
    questions: Sequence[Asked], half: Mapping[str, int], reader: StoreReader, embedder: Embedder
) -> None:
    """Ask every question in every way."""
    path = reader.derived_path(lexical_name(STRATEGY))
    assert path is not None
    lexical = LexicalIndex.load(path, detect_language)
    hybrid = Hybrid(reader, lambda _strategy: lexical)
    ways: dict[str, Callable[[str], list[SourceId]]] = {
        "bm25": lambda text: best_by_words(text, reader, lexical),
        "dense": lambda text: best_by_retrieval(text, reader, embedder, None),
        "hybrid": lambda text: best_by_retrieval(text, reader, embedder, hybrid),
    }
    print("language  ranking   all titles     even titles    odd titles   (R@1 MRR@10)")
    for language in dict.fromkeys(question.language for question in questions):
        asked = [question for question in questions if question.language == language]
        for name, way in ways.items():
            ranks: dict[int, list[int]] = {0: [], 1: []}
            for question in asked:
                best, wanted = way(question.text), source_id(question.paragraph)
                rank = best.index(wanted) + 1 if wanted in best else 0
                ranks[half[question.paragraph]].append(rank)
            parts = [figures(part) for part in (ranks[0] + ranks[1], ranks[0], ranks[1])]
            print(f"{language:9} {name:9}", "  ".join(parts), flush=True)


def main() -> None:
    """Build, ask, print."""
    parser = argparse.ArgumentParser(description="Measure retrieval: each leg, and all together.")
    parser.add_argument("file", type=Path)
    parser.add_argument("--sentences", action=argparse.BooleanOptionalAction, default=True)
    options = parser.parse_args()
    paragraphs, questions = read_cases(options.file)
    titles = {title: n for n, title in enumerate(dict.fromkeys(p.title for p in paragraphs))}
    half = {paragraph.id: titles[paragraph.title] % 2 for paragraph in paragraphs}
    chosen, why = choose_embedder("bundled", None, "cpu", "")
    print(why)
    embedder = Remembered(chosen)
    embedder.embed_queries([question.text for question in questions])
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder) / "course"
        store.mkdir()
        with build(store, paragraphs, embedder, sentences=options.sentences) as reader:
            print_table(questions, half, reader, embedder)


if __name__ == "__main__":
    main()
