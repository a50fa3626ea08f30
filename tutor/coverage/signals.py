"""The signals that the decision adds up, each on a scale that the index has set."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tutor.coverage.wording import wording

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tutor.coverage.calibration import Calibration, Scale
    from tutor.coverage.reading import TextReader
    from tutor.types import Hit, Vectors

DEPTH = 6
"""Passages that are looked at, the best ones; the decision was fitted with as many."""
DENSE = "dense"
SENTENCE = "sentence"

_AVERAGED = 3
_LEAST_SPREAD = 1e-3

SAME_LANGUAGE = ("best", "lift", "first", "any", "unknown", "names_missing", "kind_missing")
OTHER_LANGUAGE = ("best", "mean", "lift", "names_missing", "kind_missing")


def cosine_signals(
    cosines: Sequence[float], vector: Vectors, background: Vectors
) -> tuple[float, float, float]:
    """The best cosine, the mean of the best three, and the lift of the best one (see `Scale`)."""
    ordered = sorted(cosines, reverse=True)[:_AVERAGED]
    usual = background @ vector
    spread = max(float(usual.std()), _LEAST_SPREAD) if len(usual) else 1.0
    middle = float(usual.mean()) if len(usual) else 0.0
    return ordered[0], float(np.mean(ordered)), (ordered[0] - middle) / spread


def signals(
    question: str,
    hits: Sequence[Hit],
    vector: Vectors,
    calibration: Calibration,
    reader: TextReader,
) -> tuple[dict[str, float], bool]:
    """The signals by name, and whether the passages are in another language than the question.

    `hits` are the passages found, best first, at least one; `vector` is the question's, (dim,).
    """
    kind, cosines = _cosines(hits, calibration)
    scale: Scale = calibration.scales[kind]
    foreign = is_foreign(question, hits, reader)
    best, mean, lift = cosine_signals(cosines, vector, calibration.background)
    shift = calibration.foreign_shift if foreign else 0.0
    words = wording(
        question,
        [hit.chunk.text for hit in hits],
        reader,
        calibration.holders,
        calibration.passages,
    )
    return {
        "best": scale.best.of(best - shift),
        "mean": scale.mean.of(mean - shift),
        "lift": scale.lift.of(lift),
        "first": words.first,
        "any": words.any,
        "unknown": words.unknown,
        "names_missing": words.names_missing,
        "kind_missing": words.kind_missing,
    }, foreign


def is_foreign(question: str, hits: Sequence[Hit], reader: TextReader) -> bool:
    """Whether most of the passages are in another language than the question."""
    asked = reader.language_of(question)
    return 2 * sum(reader.language_of(hit.chunk.text) != asked for hit in hits) > len(hits)


def _cosines(hits: Sequence[Hit], calibration: Calibration) -> tuple[str, list[float]]:
    """The cosines of the hits' best sentences, or of their chunks where those are not known."""
    if SENTENCE in calibration.scales and all(SENTENCE in hit.legs for hit in hits):
        return SENTENCE, [hit.legs[SENTENCE].score for hit in hits]
    return DENSE, [hit.legs[DENSE].score if DENSE in hit.legs else hit.score for hit in hits]
