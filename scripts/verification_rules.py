"""What each check of written sentences is worth: the verifier without it, beside the whole one.

    python -m scripts.verification_rules

Decides the 208 pairs of a sentence and a passage (`support_pairs.jsonl`) and the labelled sentences
of a real model (`tests/data/model_answers.jsonl`) with all checks, and without one at a time.
Prints, for both halves of the pairs and for the model, how many are decided otherwise, precision,
recall and F1, and the F1 that the check gains, with a paired 95 % interval by bootstrap.
"""

from __future__ import annotations

from typing import Any
from unittest.mock import Mock, patch

import numpy as np

from scripts._course import ROOT, bundled, records
from tutor.answer.verification.verify import SupportVerdict, verify
from tutor.evaluation.statistics import interval

PACKAGE = "tutor.answer.verification"
CHECKS: dict[str, tuple[str, object]] = {
    "numbers agree": ("verify.numbers.agree", True),
    "names are known": ("verify._names", frozenset()),
    "formulas agree": ("verify.formulas.agree", True),
    "nothing negated otherwise": ("contradiction._negated_otherwise", False),
    "no opposite said": ("contradiction._at_other_pole", False),
    "parallels not exchanged": ("verify.contradiction.exchanged", False),
}


def main() -> None:
    embedder = bundled()
    cases = [
        (pair["split"], pair["sentence"], [pair["passage"]], "", pair["supported"])
        for pair in records("support_pairs.jsonl")
    ]
    cases += [
        ("model", sentence["text"], row["passages"], row["question"], sentence["holds"])
        for row in records(ROOT / "tests" / "data" / "model_answers.jsonl")
        for sentence in row["sentences"]
        if sentence.get("holds") is not None
    ]

    def decided() -> np.ndarray:
        told = [verify(text, read, embedder, asked) for _split, text, read, asked, _truth in cases]
        return np.array([any(s.verdict is SupportVerdict.SUPPORTED for s in one) for one in told])

    whole = decided()
    without = {}
    for name, (place, answer) in CHECKS.items():
        with patch(f"{PACKAGE}.{place}", Mock(return_value=answer)):
            without[name] = decided()
    truth = np.array([case[-1] for case in cases])
    for split in ("dev", "test", "model"):
        among = np.array([case[0] == split for case in cases])
        print(f"{split}: {among.sum()}, all checks {figures(truth[among], whole[among])}")
        for name, decisions in without.items():
            print(_row(name, truth[among], whole[among], decisions[among]))


def figures(truth: np.ndarray, decided: np.ndarray) -> str:
    """Precision and recall of the decision that a sentence is supported, and F1 of both."""
    right = (truth & decided).sum()
    precision, recall = right / max(1, decided.sum()), right / truth.sum()
    return f"precision {precision:.3f}  recall {recall:.3f}  F1 {f1(truth, decided):.3f}"


def f1(truth: np.ndarray, decided: np.ndarray) -> Any:
    """Of the decision that a sentence is supported; over the last axis."""
    right = (truth & decided).sum(-1)
    return 2 * right / np.maximum(1, truth.sum(-1) + decided.sum(-1))


def _row(name: str, truth: np.ndarray, whole: np.ndarray, without: np.ndarray) -> str:
    gain = interval(truth, whole, without, statistic=lambda t, w, o: f1(t, w) - f1(t, o))
    otherwise = (whole != without).sum()
    return f"  {name:24} {otherwise:3} otherwise  {figures(truth, without)}  gain {gain:+.3f}"


if __name__ == "__main__":
    main()
