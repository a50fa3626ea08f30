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

    At the threshold, 5 % of the answerable development questions were refused.
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
        "best": 0.461,
        "lift": 0.269,
        "first": 1.6,
        "any": 0.353,
        "unknown": -1.517,
        "names_missing": -0.998,
        "kind_missing": -0.657,
    },
    0.464,
    0.28,
)
OTHER_LANGUAGE = Model(
    {
        "best": 0.285,
        "mean": 0.16,
        "lift": 0.139,
        "names_missing": -0.995,
        "kind_missing": -0.382,
    },
    0.8,
    0.28,
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
