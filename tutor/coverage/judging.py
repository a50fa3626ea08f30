"""The decision: the signals weighed by a logistic model, against a threshold.

Weights and thresholds were fitted on the development halves of three sets (questions over the
sample course, XQuAD with the paragraph of the answer hidden, SQuAD 2 in Spanish), once for
questions in the notes' language and once for others. They weigh signals that are on the index's
own scale, so they hold for other courses and embedders.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tutor.coverage.signals import DEPTH, signals
from tutor.types import Coverage

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tutor.coverage.calibration import Calibration
    from tutor.coverage.reading import TextReader
    from tutor.types import Hit, Vectors


@dataclass(frozen=True, slots=True)
class Model:
    """A logistic model: `weights` by signal, `bias`; `threshold` is a probability.

    At the threshold about 5 % of the answerable development questions are refused (cross-validated,
    mean over the sets). A higher one refuses more of the unanswerable ones, and of these.
    """

    weights: Mapping[str, float]
    bias: float
    threshold: float

    def evidence(self, values: Mapping[str, float]) -> float:
        """The probability that the notes cover the question, were half of all covered."""
        total = self.bias + sum(weight * values[name] for name, weight in self.weights.items())
        return 1 / (1 + math.exp(-max(-30.0, min(30.0, total))))


SAME_LANGUAGE = Model(
    {
        "best": 0.443,
        "lift": 0.356,
        "first": 1.175,
        "any": 0.318,
        "unknown": -1.215,
        "names_missing": -1.303,
        "kind_missing": -0.245,
    },
    bias=0.36,
    threshold=0.291,
)
OTHER_LANGUAGE = Model(
    {"best": 0.361, "lift": 0.235, "names_missing": -0.836, "kind_missing": -0.152},
    bias=0.803,
    threshold=0.279,
)


def judge(
    question: str,
    hits: Sequence[Hit],
    vector: Vectors,
    calibration: Calibration,
    reader: TextReader,
) -> Coverage:
    """Whether the notes cover a question, from the passages found for it, best first.

    `vector` is the question's, shape (dim,). Looks at the first `DEPTH` hits, so as many should
    be retrieved even when fewer are wanted; embeds nothing.
    """
    hits = hits[:DEPTH]
    if not hits:
        return Coverage(covered=False, evidence=0.0, threshold=SAME_LANGUAGE.threshold)
    values, foreign = signals(question, hits, vector, calibration, reader)
    model = OTHER_LANGUAGE if foreign else SAME_LANGUAGE
    evidence = model.evidence(values)
    return Coverage(evidence >= model.threshold, evidence, model.threshold)
