"""The signals that the decision adds up, each on a scale that the index has set."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tutor.coverage.wording import wording

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tutor.coverage.calibration import Calibration, Scale
    from tutor.coverage.reading import TextReader
    from tutor.types import Hit, Vectors

DEPTH = 6
"""Passages that are looked at, the best ones; the decision was fitted with as many."""
DENSE = "dense"
SENTENCE = "sentence"

_AVERAGED = 3
_LEAST_SPREAD = 1e-3


@dataclass(frozen=True, slots=True)
class Signals:
    """The signals by name; they come from `kind` cosines (`sentence` or `dense`).

    `foreign`: the question is in another language than the notes.
    """

    values: Mapping[str, float]
    kind: str
    foreign: bool


def cosine_signals(
    cosines: Sequence[float], vector: Vectors, background: Vectors, shift: float = 0.0
) -> tuple[float, float, float]:
    """The best cosine, the mean of the best three, and the lift of the best one (see `Scale`).

    `shift` is what the question's cosines to the background have lost to its language.
    """
    ordered = sorted(cosines, reverse=True)[:_AVERAGED]
    usual = background @ vector
    spread = max(float(usual.std()), _LEAST_SPREAD) if len(usual) else 1.0
    middle = float(usual.mean()) - shift if len(usual) else 0.0
    return ordered[0], float(np.mean(ordered)), (ordered[0] - middle) / spread


def signals(
    question: str,
    hits: Sequence[Hit],
    vector: Vectors,
    calibration: Calibration,
    reader: TextReader,
) -> Signals:
    """What the passages say of the question.

    `hits` are the passages found, best first, at least one; `vector` is the question's, (dim,).
    """
    asked = reader.language_of(question)
    foreign = calibration.is_foreign(asked)
    others = [reader.language_of(hit.chunk.text) != asked for hit in hits]
    kind, cosines = _cosines(hits, calibration, others)
    scale: Scale = calibration.scales[kind]
    # The background is in the notes' language, so its cosines rise with the passages'.
    shift = calibration.foreign_shift if foreign else 0.0
    best, mean, lift = cosine_signals(cosines, vector, calibration.background, shift)
    words = wording(
        question,
        [hit.chunk.text for hit in hits],
        reader,
        calibration.holders,
        calibration.passages,
    )
    values = {
        "best": scale.best.of(best),
        "mean": scale.mean.of(mean),
        "lift": scale.lift.of(lift),
        "first": words.first,
        "any": words.any,
        "unknown": words.unknown,
        "names_missing": words.names_missing,
        "kind_missing": words.kind_missing,
    }
    return Signals(values, kind, foreign)


def _cosines(
    hits: Sequence[Hit], calibration: Calibration, foreign: Sequence[bool]
) -> tuple[str, list[float]]:
    """The cosines of the hits' best sentences, or of their chunks where those are not known.

    Those of `foreign` passages are raised to what they were in the question's language.
    """
    if SENTENCE in calibration.scales and all(SENTENCE in hit.legs for hit in hits):
        kind, found = SENTENCE, [hit.legs[SENTENCE].score for hit in hits]
    else:
        kind = DENSE
        found = [hit.legs[DENSE].score if DENSE in hit.legs else hit.score for hit in hits]
    shifts = [calibration.foreign_shift if other else 0.0 for other in foreign]
    return kind, [cosine - shift for cosine, shift in zip(found, shifts, strict=True)]
