"""What each check of written sentences is worth: the verifier without it, beside the whole one.

    python -m scripts.verification_rules

Decides the 208 pairs of a sentence and a passage (`support_pairs.jsonl`) and the labelled sentences
of a real model (`tests/data/model_answers.jsonl`) with all checks, and without one at a time.
Prints, for both halves of the pairs and for the model, how many are decided otherwise, precision,
recall and F1, and the F1 that the check gains, with a paired 95 % interval by bootstrap.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from unittest.mock import patch

import numpy as np

from scripts._course import ROOT, records
from scripts.part_quality import support_pairs
from tutor.answer.verification.verify import SupportVerdict, verify
from tutor.config import EmbedderConfig, OllamaConfig
from tutor.embedding import choose_embedder
from tutor.embedding.embedder import RememberingEmbedder

PACKAGE = "tutor.answer.verification"
CHECKS: dict[str, tuple[str, object]] = {
    "numbers agree": ("verify.numbers.agree", True),
    "names are known": ("verify._names", frozenset()),
    "formulas agree": ("verify.formulas.agree", True),
    "nothing negated otherwise": ("contradiction._negated_otherwise", False),
    "no opposite said": ("contradiction._at_other_pole", False),
    "parallels not exchanged": ("verify.contradiction.exchanged", False),
}
SAMPLES = 2000


def main() -> None:
    chosen, _why = choose_embedder(EmbedderConfig(kind="bundled"), OllamaConfig())
    embedder = RememberingEmbedder(chosen)
    cases = [(p.split, p.sentence, [p.passage], "", p.supported) for p in support_pairs()]
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
        with patch(f"{PACKAGE}.{place}", _always(answer)):
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
    return (
        f"  {name:24} {(whole != without).sum():3} otherwise  {figures(truth, without)}  "
        f"gain {gain:+.3f} [{low:+.3f}, {high:+.3f}]"
    )


if __name__ == "__main__":
    main()
