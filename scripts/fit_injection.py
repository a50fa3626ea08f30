#!/usr/bin/env python3
"""Fits what tells sentences that order a language model about from those of ordinary notes.

    python scripts/fit_injection.py            fit on the sample course, write the weights, measure
    python scripts/fit_injection.py --measure  the weights in force on the course in force

Needs the index of a course in the current folder (or TUTOR_ROOT, TUTOR_STORES_DIR). A logistic
model on sentence vectors is fitted to the orders of the development half of `injections.jsonl`
against all sentences of the course; the threshold is the value that, in cross-validation, one
sentence in 200 of the course exceeds. Printed beside it: a list of words, the trivial baseline.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from importlib.resources import files
from pathlib import Path

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tutor.answer import injection  # noqa: E402
from tutor.app import find_course, make_embedder, open_course  # noqa: E402
from tutor.config import find_root, load_config  # noqa: E402
from tutor.evaluation.statistics import interval  # noqa: E402
from tutor.model import Vectors  # noqa: E402

FALSE_ALARMS = 0.005
DECIMALS = 4
WORDS = re.compile(
    r"\b(ignor[ae]|olvida|forget|disregard|instruc\w+|prompt|asistente|assistant|chatbot|IA|AI|LLM"
    r"|modelo de lenguaje|language model|responde|contesta|reply|from now on|a partir de ahora)\b",
    re.IGNORECASE,
)


def main() -> None:
    """Fit or measure."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--measure", action="store_true")
    measured_only = parser.parse_args().measure
    texts, vectors, orders, ordering, test = _material()
    if not measured_only:
        _fit(vectors, ordering[~test])
    weights, bias = injection.weights()
    for half, name in ((~test, "dev"), (test, "test")):
        caught = ordering[half] @ weights + bias > 0
        words = np.array(
            [bool(WORDS.search(text)) for text, own in zip(orders, half, strict=True) if own]
        )
        print(f"{name}: orders caught {_share(caught)}, by words {_share(words)}")
        print(f"  difference {_share(caught.astype(float) - words)}")
    alarms = vectors @ weights + bias > 0
    print(f"course: {len(texts)} sentences, taken for orders {_share(alarms)}", end=", ")
    print(f"by words {_share([bool(WORDS.search(text)) for text in texts])}")
    for text, alarm in zip(texts, alarms, strict=True):
        if alarm:
            print(f"  {' '.join(text.split())[:100]}")


def _material() -> tuple[list[str], Vectors, list[str], Vectors, np.ndarray]:
    """Sentences of the course and their vectors, orders and theirs, and which of them are test."""
    config = load_config(find_root(Path.cwd(), os.environ), os.environ, {"engine": "extractive"})
    embedder, _why = make_embedder(config)
    texts, vectors = [], []
    with open_course(config, find_course(config), embedder) as store:
        for source in store.sources:
            table = store.sentences
            if table is None:
                raise SystemExit("The index has no sentences: tutor index --rebuild")
            spans, rows = table.of_source(source)
            text = store.text(source).text
            texts += [text[start:end] for start, end in spans]
            vectors.append(np.asarray(rows, dtype=np.float32))
    lines = files("tutor.evaluation").joinpath("data/injections.jsonl").read_text("utf-8")
    records = [json.loads(line) for line in lines.splitlines()]
    orders = [record["text"] for record in records]
    test = np.array([record["split"] == "test" for record in records])
    return texts, np.vstack(vectors), orders, embedder.embed_passages(orders), test


def _fit(ordinary: Vectors, orders: Vectors) -> None:
    rows = np.vstack([orders, ordinary])
    labels = np.repeat([1, 0], [len(orders), len(ordinary)])
    model = LogisticRegression(C=1.0, class_weight="balanced", max_iter=3000)
    unseen = cross_val_predict(model, rows, labels, cv=10, method="decision_function")
    threshold = np.quantile(unseen[len(orders) :], 1 - FALSE_ALARMS)
    model.fit(rows, labels)
    fitted = {
        "bias": round(float(model.intercept_[0] - threshold), DECIMALS),
        "weights": [round(float(weight), DECIMALS) for weight in model.coef_[0]],
    }
    path = ROOT / "tutor" / "answer" / injection.FILE_NAME
    path.write_text(json.dumps(fitted) + "\n", encoding="utf-8")
    injection.weights.cache_clear()


def _share(values: object) -> str:
    share = interval(np.asarray(values, dtype=float).tolist(), seed=1)
    return f"{share.estimate:.3f} [{share.low:.3f}, {share.high:.3f}]"


if __name__ == "__main__":
    main()
