#!/usr/bin/env python3
"""Measure what retrieval costs beside embedding the question, on generated courses.

    scripts/retrieval_cost.py [--chunks 1500 150000] [--questions 200] [--json]

Each course is a real index in a temporary folder: words with the frequencies of a natural text, in
chunks of some 750 characters, and vectors around as many topics as there are documents. Asked in a
fresh process each: the bundled embedder alone and the whole retrieval, taking turns, after a
warm-up. Prints milliseconds (p50, p95) and the memory of that process in MB.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

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
    from collections.abc import Iterator, Sequence

    from tutor.types import Vectors

STRATEGY = Strategy.SEMANTIC
DIM = 384
SPACE = VectorSpace("generated", DIM, 1)
CHUNKS_PER_DOCUMENT = 50
SENTENCES_PER_CHUNK = 4
WORDS_PER_SENTENCE = 28
VOCABULARY = 40_000
SYLLABLES = "ba ce di fo gu la me ni po ru sa te vi xo za tra cle bri gno plu".split()


def words() -> list[str]:
    """A vocabulary, the most frequent words first."""
    return [
        SYLLABLES[n % 20]
        + SYLLABLES[n // 20 % 20]
        + SYLLABLES[n // 400 % 20]
        + str(n // 8000 or "")
        for n in range(VOCABULARY)
    ]


def sentences(count: int, seed: int) -> Iterator[str]:
    """Sentences whose words have a Zipf distribution."""
    random, vocabulary = np.random.default_rng(seed), words()
    weights = 1 / np.arange(1, VOCABULARY + 1)
    places = np.cumsum(weights / weights.sum())
    for _ in range(count):
        drawn = np.searchsorted(places, random.random(WORDS_PER_SENTENCE))
        picked = [vocabulary[min(place, VOCABULARY - 1)] for place in drawn]
        yield " ".join(picked).capitalize() + "."


def around(centre: Vectors, count: int, random: np.random.Generator) -> Vectors:
    """Unit vectors whose cosines to one another are about those of an E5 model on one topic."""
    rows = centre + 0.5 * random.normal(size=(count, DIM)).astype(np.float32) / DIM**0.5
    unit: Vectors = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
    return unit


def generate(store: Path, count: int, seed: int = 0) -> None:
    """Commit an index of `count` chunks, with everything that retrieval asks."""
    random = np.random.default_rng(seed)
    common = random.normal(size=DIM).astype(np.float32) / DIM**0.5
    files = SentenceFiles()
    spoken = sentences(count * SENTENCES_PER_CHUNK, seed)
    chunks: list[Chunk] = []
    vectors: list[Vectors] = []
    texts: dict[Any, CleanText] = {}
    indexed: list[Indexed] = []
    known: dict[bytes, Vectors] = {}
    for number in range(-(-count // CHUNKS_PER_DOCUMENT)):
        here = min(CHUNKS_PER_DOCUMENT, count - number * CHUNKS_PER_DOCUMENT)
        topic = 2 * common + random.normal(size=DIM).astype(np.float32) / DIM**0.5
        topic /= np.linalg.norm(topic)
        source = source_id(f"{number}.pdf")
        text = ""
        for ordinal in range(here):
            start = len(text)
            text += " ".join(next(spoken) for _ in range(SENTENCES_PER_CHUNK)) + "\n\n"
            body = text[start:-2]
            name = chunk_id(source, STRATEGY, start, start + len(body), body)
            place = (start, start + len(body), 1, 1, ordinal)
            chunks.append(Chunk(name, source, STRATEGY, body, *place))
        vectors.append(around(topic, here, random))
        texts[source] = CleanText(source, text, (0,))
        entry = Source(source, f"{number}.pdf", str(number), str(number), 1)
        indexed.append(Indexed(entry, {STRATEGY: here}, (0,)))
        found = files.collect([texts[source]])
        known |= zip(map(text_key, found), around(topic, len(found), random), strict=True)
    files.vectors = known
    added = {STRATEGY: (chunks, np.concatenate(vectors))}
    update = Update(Recipe(SPACE, 1, "generated"), tuple(indexed), (), set(), added, texts)
    store.mkdir(parents=True)
    contents = load_contents(store, None, DIM)
    derivations = [*retrieval_derivations(), files]
    commit(store, None, contents, update, ChromaConfig(), derivations=derivations)


def ask(store: Path, questions: int) -> dict[str, float]:
    """Ask an index, and the embedder alone, in turns."""
    embedder, _why = choose_embedder("bundled", None, "cpu", "")
    asked = [" ".join(line.split()[:9]) for line in sentences(questions + 10, seed=1)]
    alone: list[float] = []
    whole: list[float] = []
    stages = Stopwatch()
    with open_store(store, SPACE, ChromaConfig()) as reader:
        path = reader.derived_path(lexical_name(STRATEGY))
        assert path is not None
        lexical = LexicalIndex.load(path, detect_language)
        hybrid = Hybrid(reader, lambda _strategy: lexical)
        for number, question in enumerate(asked):
            started = time.perf_counter()
            embedder.embed_queries([question])
            embedded = time.perf_counter()
            stopwatch = stages if number >= 10 else Stopwatch()
            retrieve(
                question,
                reader,
                embedder,
                strategy=STRATEGY,
                k=4,
                stopwatch=stopwatch,
                hybrid=hybrid,
            )
            if number >= 10:
                alone.append(embedded - started)
                whole.append(time.perf_counter() - embedded)
    return {
        **percentiles("embed", alone),
        **percentiles("retrieve", whole),
        "p50 ratio": float(np.median(whole) / np.median(alone)),
        **{f"{name} mean": 1000 * s / questions for name, s in stages.seconds.items()},
        **memory(),
    }


def percentiles(name: str, seconds: Sequence[float]) -> dict[str, float]:
    """In milliseconds."""
    return {f"{name} p{p}": float(1000 * np.percentile(seconds, p)) for p in (50, 95)}


def memory() -> dict[str, float]:
    """This process's memory in MB: all that is resident, and what is its own alone."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    fields = dict(line.split(":", 1) for line in status.splitlines())
    return {
        "resident MB": int(fields["VmRSS"].split()[0]) / 1024,
        "of that not mapped files MB": int(fields["RssAnon"].split()[0]) / 1024,
    }


def main() -> None:
    """Generate, ask in a fresh process, print."""
    parser = argparse.ArgumentParser(description="What retrieval costs beside the embedding.")
    parser.add_argument("--chunks", type=int, nargs="+", default=[1500, 150_000])
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--ask", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.ask:
        print(json.dumps(ask(options.ask, options.questions)))
        return
    for count in options.chunks:
        with tempfile.TemporaryDirectory() as folder:
            store = Path(folder) / "course"
            generate(store, count)
            command = [sys.executable, __file__, "--ask", str(store)]
            command += ["--questions", str(options.questions)]
            output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        figures = {"chunks": count, **json.loads(output)}
        if options.json:
            print(json.dumps(figures), flush=True)
        else:
            print("\n".join(f"{name:30} {figure:10.2f}" for name, figure in figures.items()), "\n")


if __name__ == "__main__":
    main()
