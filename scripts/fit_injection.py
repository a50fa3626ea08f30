"""Fits what tells sentences that order a language model about from those of ordinary notes.

    python -m scripts.fit_injection            fit on the sample course, write the weights, measure
    python -m scripts.fit_injection --measure  the weights in force on the course in force

Needs the index of a course in the current folder (or TUTOR_ROOT, TUTOR_STORES_DIR). A logistic
model on sentence vectors is fitted to the orders of the development half of `injections.jsonl`
against all sentences of the course and, with more weight, the plain instructions of that file; the
threshold is the value that, in cross-validation, one of 500 of these exceeds. Printed beside it: a
list of words, the trivial baseline.
"""

from __future__ import annotations

import argparse
import json
import re
from importlib.resources import files

import numpy as np
import pandas as pd
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold

from scripts._course import ROOT, course_agent, share
from tutor.answer import injection
from tutor.model import Vectors

FALSE_ALARMS = 0.002
WEIGHT = 20.0
"""Of a plain instruction: the course has few sentences that are like orders."""
DECIMALS = 4
DATA = "data/injections.jsonl"
WORDS = re.compile(
    r"\b(?:ignor[ae]|olvida|forget|disregard|instruc\w+|prompt|asistente|assistant|chatbot|IA|AI|LLM"
    r"|modelo de lenguaje|language model|responde|contesta|reply|from now on|a partir de ahora)\b",
    re.IGNORECASE,
)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--measure", action="store_true")
    measured_only = parser.parse_args().measure
    texts, vectors, written, own_vectors = _material()
    order = written["order"].to_numpy(bool)
    test = written["split"].to_numpy() == "test"
    if not measured_only:
        _fit(vectors, own_vectors[~order], own_vectors[order & ~test])
    weights, bias = injection.weights()
    for half, name in ((order & ~test, "dev"), (order & test, "test")):
        caught = own_vectors[half] @ weights + bias > 0
        words = written[half]["text"].str.contains(WORDS).to_numpy(bool)
        print(f"{name}: orders caught {share(caught)}, by words {share(words)}")
        print(f"  difference {share(caught.astype(float) - words)}")
    alarms = vectors @ weights + bias > 0
    print(f"course: {len(texts)} sentences, taken for orders {share(alarms)}", end=", ")
    print(f"by words {share([bool(WORDS.search(text)) for text in texts])}")
    for text, alarm in zip(texts, alarms, strict=True):
        if alarm:
            print(f"  {' '.join(text.split())[:100]}")


def _material() -> tuple[list[str], Vectors, pd.DataFrame, Vectors]:
    """Sentences of the course and their vectors, the written ones and theirs."""
    texts, vectors = [], []
    with course_agent() as agent:
        store, embedder = agent.store, agent.embedder
        if store.sentences is None:
            raise SystemExit("The index has no sentences: tutor index --rebuild")
        for source in store.sources:
            words, rows = store.statements(source)
            texts += words
            vectors.append(rows)
    written = pd.read_json(str(files("tutor.evaluation").joinpath(DATA)), lines=True)
    return texts, np.vstack(vectors), written, embedder.embed_passages(written["text"].tolist())


def _fit(course: Vectors, plain: Vectors, orders: Vectors) -> None:
    rows = np.vstack([orders, course, plain])
    counts = [len(orders), len(course), len(plain)]
    labels = np.repeat([1, 0, 0], counts)
    shares = np.repeat([len(course) / len(orders), 1.0, WEIGHT], counts)
    model = LogisticRegression(C=10.0, max_iter=3000)
    unseen = np.zeros(len(rows))
    for known, held_out in StratifiedKFold(10, shuffle=True, random_state=0).split(rows, labels):
        model.fit(rows[known], labels[known], shares[known])
        unseen[held_out] = model.decision_function(rows[held_out])
    threshold = np.quantile(unseen[len(orders) :], 1 - FALSE_ALARMS)
    model.fit(rows, labels, shares)
    fitted = {
        "bias": round(float(model.intercept_[0] - threshold), DECIMALS),
        "weights": [round(float(weight), DECIMALS) for weight in model.coef_[0]],
    }
    path = ROOT / "tutor" / "answer" / injection.FILE_NAME
    path.write_text(json.dumps(fitted) + "\n", encoding="utf-8")
    injection.weights.cache_clear()


if __name__ == "__main__":
    main()
