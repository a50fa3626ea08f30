"""What an index says of itself, so that one decision holds for every course and embedder."""

from __future__ import annotations

import base64
import binascii
import json
from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from tutor.types import Strategy, Vectors

COVERAGE_VERSION = "2"
NATIVE_SHARE = 0.25
"""Share of the passages from which a language is one of the notes' own."""
_KINDS = ("best", "mean", "lift")


@dataclass(frozen=True, slots=True)
class Level:
    """Where a signal lies when the notes do cover the question, and how much it varies."""

    covered: float
    spread: float

    def of(self, value: float) -> float:
        """How many spreads `value` lies above what is usual of covered questions."""
        return (value - self.covered) / self.spread


@dataclass(frozen=True, slots=True)
class Scale:
    """The levels of the three cosine signals.

    `best` is the best passage's cosine, `mean` that of the best three, `lift` how far the best
    one rises over the question's cosines to the whole course, in their standard deviations.
    """

    best: Level
    mean: Level
    lift: Level


@dataclass(frozen=True)
class Calibration:
    """What `judge` has to know of an index.

    `scales` are those of `sentence` and `dense` cosines; `foreign_shift` is what a question's
    cosine changes by when it is asked in another language than the notes'. `background` are
    vectors of chunks all over the course, shape (m, dim). `holders` counts, for each term, the
    passages that hold it, out of `passages`; `languages` the passages in each. `questions` tells
    from how many questions of the course's own the scales come; 0 where it was too small to make
    any.
    """

    scales: Mapping[str, Scale]
    foreign_shift: float
    background: Vectors
    passages: int
    holders: Mapping[str, int] = field(default_factory=dict)
    languages: Mapping[str, int] = field(default_factory=dict)
    questions: int = 0
    version: str = COVERAGE_VERSION

    def is_foreign(self, language: str) -> bool:
        """Whether a question in that language is not in a language of the notes."""
        return self.languages.get(language, 0) < NATIVE_SHARE * self.passages

    def to_json(self) -> dict[str, Any]:
        """Everything as JSON values; terms are grouped by how many passages hold them."""
        groups: dict[int, list[str]] = defaultdict(list)
        for term, count in sorted(self.holders.items()):
            groups[count].append(term)
        packed = np.ascontiguousarray(self.background, dtype="<f2")
        return {
            "version": self.version,
            "questions": self.questions,
            "scales": {
                name: {
                    kind: [getattr(scale, kind).covered, getattr(scale, kind).spread]
                    for kind in _KINDS
                }
                for name, scale in self.scales.items()
            },
            "foreign_shift": self.foreign_shift,
            "background": {
                "shape": list(packed.shape),
                "float16": base64.b64encode(packed.tobytes()).decode("ascii"),
            },
            "passages": self.passages,
            "languages": dict(self.languages),
            "holders": {str(count): terms for count, terms in sorted(groups.items())},
        }

    @classmethod
    def from_json(cls, record: Any) -> Calibration:
        """The calibration that `to_json` gave. Raises `ValueError` when it is damaged."""
        try:
            return cls(
                scales={
                    name: Scale(**{kind: Level(*map(float, scale[kind])) for kind in _KINDS})
                    for name, scale in record["scales"].items()
                },
                foreign_shift=float(record["foreign_shift"]),
                background=_unpacked(record["background"]),
                passages=int(record["passages"]),
                holders={
                    term: int(count) for count, terms in record["holders"].items() for term in terms
                },
                languages={str(k): int(v) for k, v in record["languages"].items()},
                questions=int(record["questions"]),
                version=str(record["version"]),
            )
        except (KeyError, TypeError, AttributeError, binascii.Error) as error:
            message = f"no calibration: {error!r}"
            raise ValueError(message) from error


def calibration_name(strategy: Strategy) -> str:
    """Name of the file, within a generation, of a strategy's calibration."""
    return f"calibration_{strategy.value}.json"


def read_calibration(path: Path) -> Calibration:
    """A calibration as it was saved. Raises `ValueError` when it is damaged."""
    try:
        return Calibration.from_json(json.loads(path.read_text(encoding="utf-8")))
    except OSError as error:
        message = f"no calibration: {error}"
        raise ValueError(message) from error


def _unpacked(record: Mapping[str, Any]) -> Vectors:
    flat = np.frombuffer(base64.b64decode(record["float16"], validate=True), dtype="<f2")
    return flat.reshape(record["shape"]).astype(np.float32)
