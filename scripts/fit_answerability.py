"""Fit the constants of `tutor/answer/answerability.py`, and measure them.

    python -m scripts.fit_answerability --qa FOLDER [--public ROOT]

Asks courses what is in them and what is not, as the product asks: the sample course with all its
questions, whose index has to be in the current folder (or TUTOR_ROOT, TUTOR_STORES_DIR); the public
PDFs with theirs, whose index has to be in ROOT; and one that is made of FOLDER's
`xquad_es_retrieval.json` for as long as this runs: XQuAD's Spanish paragraphs with questions in
Spanish and English. Every other paragraph is left out, and what is asked about those has no answer.

The constants come from the halves called `dev` alone. Takes five minutes of processor time.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

from scripts._course import DATA, in_force, records
from scripts.paragraph_course import build, read_articles
from tutor.answer.answerability import (
    BIAS,
    SURE,
    THRESHOLD,
    WEIGHTS,
    probability,
    signals,
)
from tutor.answer.finding import depth
from tutor.app import find_course, make_agent, open_course
from tutor.config import EmbedderConfig, OllamaConfig, load_config
from tutor.embedding import choose_embedder
from tutor.embedding.embedder import RememberingEmbedder
from tutor.index.store import VectorSpace, open_store
from tutor.ingest.chunking import CHUNKING_VERSION
from tutor.model import Strategy
from tutor.search.retrieval import retrieve
from tutor.timing import Stopwatch

if TYPE_CHECKING:
    from scripts.paragraph_course import Article
    from tutor.config import Config
    from tutor.embedding.embedder import Embedder
    from tutor.index.store import StoreReader

XQUAD = "xquad_es_retrieval.json"
ARTICLES = 24
"""Of 48: an index in minutes."""
QUESTIONS = 10
"""Of each article, language and kind: those with an answer and those without."""
COURSE_COUNTS = 2
"""How many sets each of a course's counts for: it has real notes, with near misses."""
KINDS = ("", "_near", "_short", "_kinds", "_topics", "_unseen")
"""Of the files of questions; those over the public PDFs end in `_public`."""
FALSE_ABSTENTIONS = 0.003
"""Share of the answerable questions that may be taken for unanswerable."""
HEDGED = 0.05
"""Share of those over the courses of which it may be said that the notes come only near. Of courses
that nothing was fitted on twice as many lie there, and 2 % are refused (docs/conversation.md)."""
SPLITS = ("dev", "test")


@dataclass(frozen=True)
class Asked:
    """A question, and whether the course answers it."""

    question: str
    split: str
    answerable: bool


@dataclass(frozen=True)
class Measured:
    """A question's signals by name, as the product sees them."""

    split: str
    answerable: bool
    signals: Mapping[str, float]


@dataclass(frozen=True)
class Model:
    """What is fitted, rounded as it stands in the product."""

    bias: float
    weights: Mapping[str, float]
    threshold: float = 0.0
    sure: float = 0.0

    def probabilities(self, rows: Iterable[Measured]) -> np.ndarray:
        """That the notes answer each question."""
        return np.array([probability(row.signals, self.bias, self.weights) for row in rows])


def questions(ending: str) -> list[Asked]:
    """All questions of a course: those of the sample course, or of the public PDFs."""
    asked = []
    for path in sorted({DATA / f"questions{kind}{ending}.jsonl" for kind in KINDS}):
        for record in records(path) if path.exists() else ():
            question = record.get("standalone") or record["question"]
            asked.append(Asked(question, record["split"], record.get("answerable", True)))
    return asked


def xquad(articles: Sequence[Article], language: str) -> Iterator[Asked]:
    """Questions of every paragraph in a language; the paragraphs of odd number are left out."""
    for number, article in enumerate(articles):
        for answerable in (True, False):
            asked = [
                Asked(one.question, SPLITS[number % 2], answerable)
                for one in article.questions
                if one.language == language and (one.paragraph % 2 == 0) is answerable
            ]
            yield from random.Random(number).sample(asked, min(QUESTIONS, len(asked)))


def measure(
    config: Config,
    store: StoreReader,
    embedder: Embedder,
    strategy: Strategy,
    asked: Iterable[Asked],
) -> list[Measured]:
    """Each question with its signals, from the passages that answering would look at."""
    agent = make_agent(config, store, embedder)
    reference, remembering = agent.reference(strategy), RememberingEmbedder(embedder)
    if reference is None:
        sys.exit("The index lacks what abstaining asks; build it again with `tutor index`.")
    rows = []
    for one in asked:
        hits = retrieve(
            one.question,
            store,
            remembering,
            strategy=strategy,
            k=depth(config.k),
            stopwatch=Stopwatch(),
            hybrid=agent.hybrid,
        ).hits
        values = signals(one.question, hits, reference)
        rows.append(Measured(one.split, one.answerable, values))
    return rows


def measure_all(qa: Path, public: Path | None, folder: Path) -> dict[str, list[Measured]]:
    """All sets by name; the course of paragraphs is made in `folder`."""
    config = in_force(engine="extractive")
    bundled = EmbedderConfig(kind="bundled", precision=config.embedder.precision)
    embedder, why = choose_embedder(bundled, OllamaConfig())
    print(why)
    sets = {}
    courses = [("course, ", config, "")]
    if public:
        courses.append(
            (
                "course of public PDFs, ",
                load_config(public, {}, {"engine": "extractive"}),
                "_public",
            )
        )
    for name, settings, ending in courses:
        with open_course(settings, find_course(settings), embedder) as store:
            for strategy in Strategy:
                rows = measure(settings, store, embedder, strategy, questions(ending))
                sets[f"{name}{strategy.value}"] = rows
    articles = read_articles(qa / XQUAD)[:ARTICLES]
    halved = [one._replace(paragraphs=one.paragraphs[::2]) for one in articles]
    build(folder, halved, embedder, cut=False)
    space = VectorSpace(embedder.identity, embedder.dim, CHUNKING_VERSION)
    with open_store(folder, space, config.chroma) as store:
        for language in ("es", "en"):
            asked = xquad(articles, language)
            rows = measure(config, store, embedder, Strategy.SEMANTIC, asked)
            sets[f"XQuAD, {language}"] = rows
    return sets


def fit(sets: Mapping[str, Sequence[Measured]]) -> Model:
    """The model in which both kinds of questions, and all sets but the courses', count the same."""
    rows = [row for part in sets.values() for row in part]
    names = list(rows[0].signals)
    matrix = np.array([[row.signals[name] for name in names] for row in rows])
    spread = matrix.std(axis=0) + 1e-9
    answerable = np.array([row.answerable for row in rows])
    counts = _counts(sets)
    fitted = LogisticRegression(max_iter=2000)
    fitted.fit(matrix / spread, answerable, sample_weight=counts)
    weights = [round(float(weight), 3) for weight in fitted.coef_[0] / spread]
    model = Model(round(float(fitted.intercept_[0]), 3), dict(zip(names, weights, strict=True)))
    asked = [name.startswith("course") for name, part in sets.items() for _row in part]
    scores = model.probabilities(rows)
    threshold = _below(scores[answerable], counts[answerable], FALSE_ABSTENTIONS)
    real = answerable & np.array(asked)
    sure = _below(scores[real], np.ones(real.sum()), HEDGED)
    return Model(model.bias, model.weights, threshold, sure)


def _below(scores: np.ndarray, counts: np.ndarray, share: float) -> float:
    """What a share of the scores lies below, each as often as it counts."""
    order = np.argsort(scores)
    below = np.cumsum(counts[order]) / counts.sum()
    return round(float(scores[order][np.searchsorted(below, share, side="right")]), 3)


def _counts(sets: Mapping[str, Sequence[Measured]]) -> np.ndarray:
    """What each question counts; the mean is 1."""
    parts = []
    for name, rows in sets.items():
        kinds = Counter(row.answerable for row in rows)
        of_set = COURSE_COUNTS if name.startswith("course") else 1
        parts += [of_set / kinds[row.answerable] for row in rows]
    return np.array(parts) * len(parts) / sum(parts)


def usual(sets: Mapping[str, Sequence[Measured]]) -> float:
    """The mean nearness, which a small course does not have, where it is answerable."""
    rows = [row for part in sets.values() for row in part if row.answerable]
    return round(float(np.mean([row.signals["nearness"] for row in rows])), 2)


def report(name: str, rows: Sequence[Measured], model: Model) -> str:
    """One line: how many questions, AUC; the shares abstained from and hedged, of both kinds."""
    answerable = np.array([row.answerable for row in rows])
    scores = model.probabilities(rows)
    abstained, unsure = scores < model.threshold, scores < model.sure
    return (
        f"{name:31} {answerable.sum():4} {(~answerable).sum():4}  "
        f"{roc_auc_score(answerable, scores):.3f}  {abstained[~answerable].mean():.3f}  "
        f"{abstained[answerable].mean():.3f}  "
        f"{unsure[~answerable].mean():.3f}  {unsure[answerable].mean():.3f}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--qa", type=Path, required=True, help=f"has {XQUAD}")
    parser.add_argument("--public", type=Path, help="the folder of a course of the public PDFs")
    options = parser.parse_args()
    with TemporaryDirectory() as folder:
        sets = measure_all(options.qa, options.public, Path(folder))
    halves = {
        split: {name: [row for row in rows if row.split == split] for name, rows in sets.items()}
        for split in SPLITS
    }
    model = fit(halves["dev"])
    print(f"BIAS = {model.bias}\nWEIGHTS = {model.weights}\nTHRESHOLD = {model.threshold}")
    print(f"SURE = {model.sure}")
    fitted = (model.bias, model.weights, model.threshold, model.sure)
    same = fitted == (BIAS, WEIGHTS, THRESHOLD, SURE)
    print("The product has", "the same." if same else "other ones.")
    print("Usual, of answerable questions:", usual(halves["dev"]))
    for split, parts in halves.items():
        print(f"{split:31} with  w/o   AUC   abstained w/o, with; or hedged w/o, with")
        for name, rows in parts.items():
            print(report(name, rows, model))


if __name__ == "__main__":
    main()
