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
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pandas as pd
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

from scripts._course import DATA, bundled, in_force, records
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
from tutor.config import load_config
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


def questions(ending: str) -> list[dict[str, Any]]:
    """All questions of a course: those of the sample course, or of the public PDFs."""
    paths = sorted(DATA / f"questions{kind}{ending}.jsonl" for kind in KINDS)
    return [
        {
            "question": record.get("standalone") or record["question"],
            "split": record["split"],
            "answerable": record.get("answerable", True),
        }
        for path in paths
        if path.exists()
        for record in records(path)
    ]


def xquad(articles: Sequence[Article], language: str) -> Iterator[dict[str, Any]]:
    """Questions of every paragraph in a language; the paragraphs of odd number are left out."""
    for number, article in enumerate(articles):
        for answerable in (True, False):
            asked = [
                {"question": one.question, "split": SPLITS[number % 2], "answerable": answerable}
                for one in article.questions
                if one.language == language and (one.paragraph % 2 == 0) is answerable
            ]
            yield from random.Random(number).sample(asked, min(QUESTIONS, len(asked)))


def measure(
    config: Config,
    store: StoreReader,
    embedder: Embedder,
    strategy: Strategy,
    asked: Iterable[dict[str, Any]],
) -> Iterator[dict[str, Any]]:
    """Each question with its signals, from the passages that answering would look at."""
    agent = make_agent(config, store, embedder)
    reference = agent.reference(strategy)
    if reference is None:
        sys.exit("The index lacks what abstaining asks; build it again with `tutor index`.")
    for one in asked:
        hits = retrieve(
            one["question"],
            store,
            embedder,
            strategy=strategy,
            k=depth(config.k),
            stopwatch=Stopwatch(),
            hybrid=agent.hybrid,
        ).hits
        yield {**one, **signals(one["question"], hits, reference)}


def measure_all(qa: Path, public: Path | None, folder: Path) -> Iterator[dict[str, Any]]:
    """All questions of all sets; the course of paragraphs is made in `folder`."""
    config = in_force(engine="extractive")
    embedder = bundled(config.embedder.precision)
    courses = [("course, ", config, "")]
    if public:
        settings = load_config(public, {}, {"engine": "extractive"})
        courses.append(("course of public PDFs, ", settings, "_public"))
    for name, settings, ending in courses:
        with open_course(settings, find_course(settings), embedder) as store:
            for strategy in Strategy:
                asked = ({"set": f"{name}{strategy.value}", **one} for one in questions(ending))
                yield from measure(settings, store, embedder, strategy, asked)
    articles = read_articles(qa / XQUAD)[:ARTICLES]
    halved = [one._replace(paragraphs=one.paragraphs[::2]) for one in articles]
    build(folder, halved, embedder, cut=False)
    space = VectorSpace(embedder.identity, embedder.dim, CHUNKING_VERSION)
    with open_store(folder, space, config.chroma) as store:
        for language in ("es", "en"):
            asked = ({"set": f"XQuAD, {language}", **one} for one in xquad(articles, language))
            yield from measure(config, store, embedder, Strategy.SEMANTIC, asked)


class Model(NamedTuple):
    """What is fitted, rounded as it stands in the product."""

    bias: float
    weights: dict[str, float]
    threshold: float = 0.0
    sure: float = 0.0

    def probabilities(self, table: pd.DataFrame) -> np.ndarray:
        """That the notes answer each question."""
        rows: Any = table[list(self.weights)].to_dict("records")
        return np.array([probability(row, self.bias, self.weights) for row in rows])


def fit(table: pd.DataFrame) -> Model:
    """The model in which both kinds of questions, and all sets but the courses', count the same."""
    matrix = table[list(WEIGHTS)]
    spread = matrix.std(ddof=0) + 1e-9
    answerable = table["answerable"].to_numpy(bool)
    of_course = table["set"].str.startswith("course").to_numpy(bool)
    sizes = table.groupby(["set", "answerable"])["split"].transform("size")
    counts = np.where(of_course, COURSE_COUNTS, 1) / sizes.to_numpy()
    fitted = LogisticRegression(max_iter=2000)
    fitted.fit((matrix / spread).to_numpy(), answerable, sample_weight=counts / counts.mean())
    weights = (fitted.coef_[0] / spread).round(3).to_dict()
    model = Model(round(float(fitted.intercept_[0]), 3), weights)
    scores, real = model.probabilities(table), answerable & of_course
    threshold = _below(scores[answerable], counts[answerable], FALSE_ABSTENTIONS)
    return model._replace(
        threshold=threshold, sure=_below(scores[real], np.ones(real.sum()), HEDGED)
    )


def _below(scores: np.ndarray, counts: np.ndarray, share: float) -> float:
    """What a share of the scores lies below, each as often as it counts."""
    order = np.argsort(scores)
    below = np.cumsum(counts[order]) / counts.sum()
    return round(float(scores[order][np.searchsorted(below, share, side="right")]), 3)


def report(name: str, table: pd.DataFrame, model: Model) -> str:
    """One line: how many questions, AUC; the shares abstained from and hedged, of both kinds."""
    answerable = table["answerable"].to_numpy(bool)
    scores = model.probabilities(table)
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
        table = pd.DataFrame(measure_all(options.qa, options.public, Path(folder)))
    dev = table[table["split"] == "dev"]
    model = fit(dev)
    print(f"BIAS = {model.bias}\nWEIGHTS = {model.weights}\nTHRESHOLD = {model.threshold}")
    print(f"SURE = {model.sure}")
    same = model == (BIAS, WEIGHTS, THRESHOLD, SURE)
    print("The product has", "the same." if same else "other ones.")
    usual = dev.loc[dev["answerable"], "nearness"].mean()
    print(f"Usual, of answerable questions: {usual:.2f}")
    for split in SPLITS:
        print(f"{split:31} with  w/o   AUC   abstained w/o, with; or hedged w/o, with")
        for name, part in table[table["split"] == split].groupby("set", sort=False):
            print(report(str(name), part, model))


if __name__ == "__main__":
    main()
