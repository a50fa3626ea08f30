"""Fit the weights of `tutor/answer/quoting/scoring.py`, and measure them.

    python -m scripts.fit_quotes collect OUT.pkl QUESTIONS.jsonl ...
    python -m scripts.fit_quotes fit OUT.pkl ...

The first form asks the course whose index is in the current folder (or TUTOR_ROOT,
TUTOR_STORES_DIR) questions whose answers are known, with both strategies, and keeps the signals of
every statement that could be quoted. The second fits weights to the questions called `dev`, and
prints how often the best excerpt holds what is asked for, with the weights in force and with the
fitted ones: on `dev` each fifth of the questions by weights of the other four, on `test` by all.

The likelihood is that of the best statement among all (a softmax), with a penalty for what differs
from the weights in force. `called`, `example` and `listed` are not fitted: few questions
tell of them.
"""

from __future__ import annotations

import argparse
import pickle
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import logsumexp, softmax

from scripts._course import course_agent
from scripts.quotes import Known, holds, read_questions
from tutor.answer import Agent, answer
from tutor.answer.quoting.excerpts import excerpts
from tutor.answer.quoting.scoring import WEIGHTS, Signals, signals
from tutor.embedding.embedder import CachingEmbedder
from tutor.evaluation.statistics import interval
from tutor.events import Retrieved
from tutor.model import Hit, Route, Strategy

SHARPNESS = 25.0
"""By how much a likelihood grows with evidence: about e for .04, as far as quotes go together."""
PENALTY = 0.005
FIXED = ("called", "headed", "example", "listed")


@dataclass(frozen=True)
class Collected:
    """A question with the signals of every statement, and of which excerpt each is.

    `right` says of each excerpt whether it holds what is asked for.
    """

    id: str
    split: str
    values: NDArray[np.float64]
    excerpt: NDArray[np.intp]
    right: NDArray[np.bool_]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    collecting = commands.add_parser("collect")
    collecting.add_argument("out", type=Path)
    collecting.add_argument("questions", type=Path, nargs="+")
    fitting = commands.add_parser("fit")
    fitting.add_argument("collected", type=Path, nargs="+")
    chosen = parser.parse_args()
    if chosen.command == "collect":
        found = list(collect([case for path in chosen.questions for case in read_questions(path)]))
        chosen.out.write_bytes(pickle.dumps(found))
        print(f"{len(found)} questions, {sum(one.right.any() for one in found)} can be answered")
    else:
        report({path.stem: pickle.loads(path.read_bytes()) for path in chosen.collected})
    return 0


def collect(cases: Sequence[Known]) -> Iterator[Collected]:
    """Ask every question, as the product asks."""
    with course_agent() as agent:
        for case in cases:
            for strategy in Strategy:
                events = answer(case.question, agent, forced=Route(strategy.value))
                hits = next(event.hits for event in events if isinstance(event, Retrieved))
                parts = excerpts(hits, agent.store.text)
                found = signals([case.question], parts, _knowing(hits, agent))
                told = [(n, v) for n, own in enumerate(found) for _said, v in own]
                if told:
                    yield Collected(
                        case.id,
                        case.split,
                        np.array([values for _n, values in told], float),
                        np.array([n for n, _values in told]),
                        np.array([holds(part.text, case) for part in parts]),
                    )


def _knowing(hits: Sequence[Hit], agent: Agent) -> CachingEmbedder:
    """An embedder that has the vectors of the hits' documents from the index."""
    knowing = CachingEmbedder(agent.embedder)
    for source in {hit.source.id for hit in hits}:
        knowing.remember_passages(*agent.store.statements(source))
    return knowing


def report(sets: dict[str, list[Collected]]) -> None:
    """Fit, and print weights and shares."""
    dev = [one for own in sets.values() for one in own if one.split == "dev"]
    weights = fitted(dev)
    for name, now, new in zip(Signals._fields, WEIGHTS, weights, strict=True):
        print(f"{name:8} {now:6.3f} in force, {new:6.3f} fitted")
    ids = sorted({one.id for one in dev})
    np.random.default_rng(0).shuffle(ids)
    by_fifth = [set(ids[fifth::5]) for fifth in range(5)]
    left_out = [(own, fitted([one for one in dev if one.id not in own])) for own in by_fifth]
    everything = [one for own in sets.values() for one in own]
    for split in ("dev", "test"):
        for name, own in [("all", everything), *sets.items()]:
            asked = [one for one in own if one.split == split]
            others = left_out if split == "dev" else []
            after = [
                first_is_right(one, next((w for own, w in others if one.id in own), weights))
                for one in asked
            ]
            before = [first_is_right(one, np.array(WEIGHTS, float)) for one in asked]
            _line(f"{split} {name}", [one.id for one in asked], before, after)


def fitted(questions: Sequence[Collected]) -> NDArray[np.float64]:
    """Weights for these questions, that of the cosine 1."""
    start = np.array(WEIGHTS, float)
    free = np.array([name not in FIXED for name in Signals._fields])
    useful = [one for one in questions if 0 < one.right[one.excerpt].mean() < 1]
    spread = np.vstack([one.values for one in useful]).std(axis=0) + 1e-3

    def loss(point: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        weights = np.where(free, point, start * SHARPNESS)
        total, slope = 0.0, np.zeros_like(point)
        for one in useful:
            scores, right = one.values @ weights, one.right[one.excerpt]
            total += float(logsumexp(scores) - logsumexp(scores[right]))
            slope += softmax(scores) @ one.values - softmax(scores[right]) @ one.values[right]
        far = (point - start * SHARPNESS) * spread
        return (
            total / len(useful) + PENALTY * float(far @ far),
            np.where(free, slope / len(useful) + 2 * PENALTY * far * spread, 0.0),
        )

    found = minimize(loss, start * SHARPNESS, jac=True, method="L-BFGS-B").x
    weights = np.where(free, found / found[0], start)
    return np.asarray(weights)


def first_is_right(one: Collected, weights: NDArray[np.float64]) -> bool:
    """Whether the excerpt of the best statement holds what is asked for."""
    return bool(one.right[one.excerpt[int((one.values @ weights).argmax())]])


def _line(name: str, ids: Sequence[str], now: Sequence[bool], new: Sequence[bool]) -> None:
    told = pd.DataFrame({"id": ids, "now": now, "new": new}).astype({"now": float, "new": float})
    gain = (told["new"] - told["now"]).groupby(told["id"]).mean()
    print(
        f"{name}: {len(gain)} questions, {told['now'].mean():.3f} in force,"
        f" {told['new'].mean():.3f} fitted, difference {interval(gain.to_numpy(), seed=1):+.3f}"
    )


if __name__ == "__main__":
    sys.exit(main())
