"""Settings side by side: averages with intervals, differences with a verdict, winners per group.

Whoever compares asks the same cases in every setting, so that differences are taken case by case.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tutor.evaluation.measures import HEADLINE, LESS_IS_BETTER, RATIOS, SECONDS, STAGES
from tutor.evaluation.statistics import (
    Interval,
    Verdict,
    mean_interval,
    paired_difference,
    statistic_interval,
    verdict,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from tutor.evaluation.outcomes import Outcome, Passage

FEWEST = 10
"""Cases from which there is a verdict: the intervals of fewer are known to be too narrow."""
FORMULAS, TECHNIQUES, CONCEPTS = "formulas", "techniques", "concepts"
CLASSIC = {
    "formula": FORMULAS,
    "technique": TECHNIQUES,
    "procedure": TECHNIQUES,
    "concept": CONCEPTS,
    "definition": CONCEPTS,
}
"""The three kinds of question by which strategies are usually compared; others stay themselves."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A measure of `first` minus that of `second`; `better` is a setting's name, if shown.

    Nothing is shown by fewer than `FEWEST` cases.
    """

    measure: str
    first: str
    second: str
    interval: Interval
    better: str | None


@dataclass(frozen=True, slots=True)
class Group:
    """The cases of one kind or language; `averages` per setting, in their order.

    `leader` has the best average; it is the `winner` if its difference from every other is shown.
    """

    name: str
    averages: Mapping[str, Interval]
    leader: str
    winner: str | None


@dataclass(frozen=True, slots=True)
class Differing:
    """A question on which two settings differ: the measure, and the first passage of each."""

    case: str
    question: str
    values: tuple[float, float]
    passages: tuple[Passage | None, Passage | None]


class Comparison:
    """The outcomes of a run, by setting and case. Intervals are of 95 %, by bootstrap."""

    def __init__(self, outcomes: Iterable[Outcome], settings: Sequence[str], *, seed: int = 0):
        self.settings = tuple(settings)
        self.seed = seed
        self._outcomes: dict[str, dict[str, Outcome]] = {name: {} for name in self.settings}
        for outcome in outcomes:
            if outcome.setting in self._outcomes:
                self._outcomes[outcome.setting][outcome.case] = outcome

    def outcomes(self, setting: str) -> list[Outcome]:
        """The outcomes of a setting."""
        return list(self._outcomes[setting].values())

    def all_outcomes(self) -> list[Outcome]:
        """The outcomes of every setting."""
        return [outcome for setting in self.settings for outcome in self.outcomes(setting)]

    def measures(self, names: Iterable[str]) -> list[str]:
        """Those of the names that were measured at all."""
        return [name for name in names if any(self.values(one, name) for one in self.settings)]

    def stages(self) -> list[str]:
        """The stages that took time, in the order in which they happen, whole seconds last."""
        found = {stage for s in self.settings for o in self.outcomes(s) for stage in o.seconds}
        order = (*STAGES, *sorted(found - {*STAGES, *SECONDS}), *SECONDS)
        return [stage for stage in order if stage in found]

    def values(self, setting: str, measure: str) -> dict[str, float]:
        """A measure by case, where it is defined."""
        values = {key: measured(o, measure) for key, o in self._outcomes[setting].items()}
        return {key: value for key, value in values.items() if value is not None}

    def average(self, setting: str, measure: str) -> Interval:
        """A setting's average over the cases for which the measure is defined."""
        return mean_interval(list(self.values(setting, measure).values()), seed=self.seed)

    def difference(self, measure: str, first: str, second: str) -> Difference:
        """`first` minus `second`, over the cases that both have."""
        one, other = self.values(first, measure), self.values(second, measure)
        interval = (
            self._ratio_difference(one, other, first, second)
            if measure in RATIOS
            else _paired(one, other, self.seed)
        )
        return Difference(
            measure, first, second, interval, _better(interval, measure, first, second)
        )

    def differences(self, measure: str, base: str | None = None) -> list[Difference]:
        """Every other setting minus `base` (the first one)."""
        base = base or self.settings[0]
        others = [name for name in self.settings if name != base]
        return [self.difference(measure, name, base) for name in others]

    def differences_from(self, leader: str, measure: str) -> list[Difference]:
        """`leader` minus every other setting."""
        others = [name for name in self.settings if name != leader]
        return [self.difference(measure, leader, name) for name in others]

    def groups(self, group_of: Callable[[Outcome], str], measure: str = HEADLINE) -> list[Group]:
        """The measure in every group of cases that has it, the classic three first."""
        names: dict[str, None] = {}
        for setting in self.settings:
            for outcome in self._outcomes[setting].values():
                if measured(outcome, measure) is not None and group_of(outcome):
                    names[group_of(outcome)] = None
        classic = [name for name in (FORMULAS, TECHNIQUES, CONCEPTS) if name in names]
        ordered = dict.fromkeys((*classic, *names))
        return [self._group(name, group_of, measure) for name in ordered]

    def differing(self, first: str, second: str, measure: str = HEADLINE) -> list[Differing]:
        """The questions whose measure differs, the largest differences first."""
        one, other = self.values(first, measure), self.values(second, measure)
        found = [
            Differing(
                key,
                self._outcomes[first][key].question,
                (one[key], other[key]),
                (_first(self._outcomes[first][key]), _first(self._outcomes[second][key])),
            )
            for key in one
            if key in other and one[key] != other[key]
        ]
        return sorted(found, key=lambda d: -abs(d.values[0] - d.values[1]))

    def _group(self, name: str, group_of: Callable[[Outcome], str], measure: str) -> Group:
        within = Comparison(
            (o for s in self.settings for o in self.outcomes(s) if group_of(o) == name),
            self.settings,
            seed=self.seed,
        )
        averages = {setting: within.average(setting, measure) for setting in self.settings}
        leader = max(self.settings, key=lambda s: _worth(averages[s], measure))
        shown = [found.better == leader for found in within.differences_from(leader, measure)]
        return Group(name, averages, leader, leader if shown and all(shown) else None)

    def _ratio_difference(
        self, one: Mapping[str, float], other: Mapping[str, float], first: str, second: str
    ) -> Interval:
        """Of averages over different cases: all cases are drawn again, the same for both."""
        keys = [key for key in self._outcomes[first] if key in self._outcomes[second]]
        sides = [np.array([side.get(key, np.nan) for key in keys]) for side in (one, other)]

        def difference(drawn: NDArray[np.float64]) -> NDArray[np.float64]:
            rows = drawn.astype(np.intp)
            means = [_means(side[rows]) for side in sides]
            return np.asarray(means[0] - means[1])

        if not all(np.isfinite(side).any() for side in sides):
            keys = []
        return statistic_interval(np.arange(len(keys), dtype=float), difference, seed=self.seed)


def measured(outcome: Outcome, measure: str) -> float | None:
    """A measure of an outcome, or its seconds; None where it has none."""
    found = outcome.measures.get(measure, outcome.seconds.get(measure))
    return found if found is not None and math.isfinite(found) else None


def kind_of(outcome: Outcome) -> str:
    """Formulas, techniques, concepts, or the kind itself."""
    return CLASSIC.get(outcome.kind, outcome.kind)


def language_of(outcome: Outcome) -> str:
    """The question's language."""
    return outcome.language


def between_runs(
    now: Comparison, before: Comparison, setting: str, measure: str
) -> Difference | None:
    """A run minus an earlier one, over the cases of both; None where they share none."""
    new, old = now.values(setting, measure), before.values(setting, measure)
    if not new.keys() & old.keys():
        return None
    interval = _paired(new, old, now.seed)
    return Difference(
        measure, setting, setting, interval, _better(interval, measure, "now", "before")
    )


def _paired(one: Mapping[str, float], other: Mapping[str, float], seed: int) -> Interval:
    keys = [key for key in one if key in other]
    return paired_difference([one[k] for k in keys], [other[k] for k in keys], seed=seed)


def _better(interval: Interval, measure: str, first: str, second: str) -> str | None:
    found = verdict(interval)
    if found is Verdict.NO_DIFFERENCE or interval.n < FEWEST:
        return None
    return first if (found is Verdict.FIRST) != (measure in LESS_IS_BETTER) else second


def _worth(average: Interval, measure: str) -> float:
    if math.isnan(average.estimate):
        return -math.inf
    return -average.estimate if measure in LESS_IS_BETTER else average.estimate


def _means(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Along the last axis, of what is defined; 0 where nothing is."""
    defined = np.isfinite(values)
    total = np.where(defined, values, 0).sum(axis=-1)
    return np.asarray(total / np.maximum(defined.sum(axis=-1), 1))


def _first(outcome: Outcome) -> Passage | None:
    return outcome.passages[0] if outcome.passages else None
