#!/usr/bin/env python3
"""What each check of written sentences is worth: the verifier without it, beside the whole one.

    python scripts/verification_rules.py

Decides the 208 pairs of a sentence and a passage (`support_pairs.jsonl`) with all checks, and
without one at a time. Prints, for both halves, how many pairs are decided otherwise, precision,
recall and F1, and the F1 that the check gains, with a paired 95 % interval by bootstrap.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from unittest.mock import patch

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from scripts.part_quality import support_pairs, verified  # noqa: E402
from tutor.answer.agent import RememberingEmbedder  # noqa: E402
from tutor.embedding import choose_embedder  # noqa: E402

PACKAGE = "tutor.answer.verification"
CHECKS: dict[str, tuple[str, object]] = {
    "numbers agree": ("evidence.numbers.agree", True),
    "names are known": ("evidence.names.known", True),
    "formulas agree": ("evidence.formulas.agree", True),
    "nothing opposed": ("evidence.polarity.opposed", False),
    "of these, negations": ("polarity._negated_otherwise", False),
    "of these, opposites": ("polarity._opposite_pole", False),
    "terms not exchanged": ("evidence.order.exchanged", False),
    "parallels not exchanged": ("evidence.order.parallel_exchanged", False),
    "every clause is known": ("evidence._weakest", 1.0),
}
SAMPLES = 2000


def main() -> None:
    """Print a table per half."""
    chosen, _why = choose_embedder("bundled", None, "cpu", "")
    embedder = RememberingEmbedder(chosen)
    pairs = support_pairs()

    def decided() -> np.ndarray:
        return verified(pairs, embedder)["decided"].to_numpy(bool)

    whole = decided()
    without = {}
    for name, (place, answer) in CHECKS.items():
        with patch(f"{PACKAGE}.{place}", _always(answer)):
            without[name] = decided()
    truth = np.array([pair.supported for pair in pairs])
    for split in ("dev", "test"):
        rows = np.array([pair.split == split for pair in pairs])
        print(f"{split}: {rows.sum()} pairs, F1 with all checks {f1(truth[rows], whole[rows]):.3f}")
        for name, decisions in without.items():
            print(_row(name, truth[rows], whole[rows], decisions[rows]))


def f1(truth: np.ndarray, decided: np.ndarray) -> float:
    """Of the decision that a sentence is supported."""
    right = (truth & decided).sum()
    return float(2 * right / max(1, truth.sum() + decided.sum()))


def _always(answer: object) -> Callable[..., object]:
    return lambda *_arguments, **_options: answer


def _row(name: str, truth: np.ndarray, whole: np.ndarray, without: np.ndarray) -> str:
    generator = np.random.default_rng(0)
    gains: Sequence[float] = [
        f1(truth[rows], whole[rows]) - f1(truth[rows], without[rows])
        for rows in generator.integers(0, len(truth), (SAMPLES, len(truth)))
    ]
    low, high = np.quantile(gains, (0.025, 0.975))
    gain = f1(truth, whole) - f1(truth, without)
    right = (truth & without).sum()
    return (
        f"  {name:24} {(whole != without).sum():3} otherwise  "
        f"precision {right / max(1, without.sum()):.3f}  recall {right / truth.sum():.3f}  "
        f"F1 {f1(truth, without):.3f}  gain {gain:+.3f} [{low:+.3f}, {high:+.3f}]"
    )


if __name__ == "__main__":
    main()
