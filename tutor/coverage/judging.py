"""The decision: the signals weighed by a logistic model, against a threshold.

Weights and thresholds were fitted on the development halves of three sets (questions over the
sample course, XQuAD with the paragraph of the answer hidden, SQuAD 2 in Spanish).
They weigh signals that are on the index's own scale, which is what courses and embedders differ in.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tutor.coverage.signals import DENSE, DEPTH, SENTENCE, signals
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


MODELS: dict[tuple[str, bool], Model] = {
    (SENTENCE, False): Model(
        {
            "best": 0.446,
            "lift": 0.329,
            "first": 1.185,
            "any": 0.323,
            "unknown": -1.199,
            "names_missing": -1.3,
            "kind_missing": -0.243,
        },
        bias=0.515,
        threshold=0.287,
    ),
    (SENTENCE, True): Model(
        {"best": 0.376, "lift": 0.194, "names_missing": -0.832, "kind_missing": -0.171},
        bias=1.044,
        threshold=0.27,
    ),
    (DENSE, False): Model(
        {
            "best": 0.402,
            "lift": 0.382,
            "first": 1.369,
            "any": 0.291,
            "unknown": -0.941,
            "names_missing": -1.487,
            "kind_missing": -0.363,
        },
        bias=-0.904,
        threshold=0.286,
    ),
    (DENSE, True): Model(
        {"best": 0.415, "lift": 0.267, "names_missing": -0.89, "kind_missing": -0.663},
        bias=0.186,
        threshold=0.32,
    ),
}
"""By the kind of cosines, and whether the question is in another language than the notes.

In another language the words say nothing of the passages, only names, acronyms and numbers do.
"""


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
        return Coverage(covered=False, evidence=0.0, threshold=MODELS[SENTENCE, False].threshold)
    found = signals(question, hits, vector, calibration, reader)
    model = MODELS[found.kind, found.foreign]
    evidence = model.evidence(found.values)
    return Coverage(evidence >= model.threshold, evidence, model.threshold)
