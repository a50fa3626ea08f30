"""Settings side by side: averages with intervals, differences with a verdict, the best of them.

Whoever compares asks the same cases in every setting, so that differences are taken case by case.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from tutor.evaluation.cases import CLASSIC, CLASSIC_KINDS
from tutor.evaluation.metrics import HEADLINE, LESS_IS_BETTER, UNPAIRED
from tutor.evaluation.records import Outcome
from tutor.evaluation.statistics import Interval, interval

FEWEST = 10
"""Cases from which there is a verdict: the intervals of fewer are known to be too narrow."""
GROUPED_BY: Mapping[str, Callable[[Outcome], str]] = {
    "kind": lambda outcome: CLASSIC.get(outcome.kind, outcome.kind),
    "language": lambda outcome: outcome.language,
}
"""What cases are grouped by; of their kinds formulas, techniques and concepts come together."""


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
class Suggestion:
    """The setting to use. `best` has the highest mean; `ties` are not shown to be worse than it.

    `chosen` is one of the ties: the one in force, else the fastest.
    """

    chosen: str
    best: str
    average: Interval
    ties: tuple[str, ...]


class Results:
    """The outcomes of a run, by setting and case."""

    def __init__(self, outcomes: Iterable[Outcome], settings: Sequence[str]) -> None:
        self.settings = tuple(settings)
        self.outcomes = {one.key: one for one in outcomes if one.setting in self.settings}
        rows = [
            {"case": one.case, "setting": one.setting, **one.seconds, **one.measures}
            for one in self.outcomes.values()
        ]
        self._table = pd.DataFrame(rows, columns=None if rows else ["case", "setting"])

    def measures(self, names: Iterable[str]) -> list[str]:
        """Those of the names that were measured at all."""
        return [name for name in names if name in self._table and self._table[name].notna().any()]

    def values(self, measure: str) -> pd.DataFrame:
        """A measure: a row per case, a column per setting, NaN where it is not defined."""
        table = self._table.reindex(columns=["case", "setting", measure])
        found = table.pivot(index="case", columns="setting", values=measure)
        return found.reindex(index=table["case"].unique(), columns=list(self.settings))

    def averages(self, measure: str) -> dict[str, Interval]:
        """Every setting's average over the cases for which the measure is defined."""
        values = self.values(measure)
        return {name: interval(values[name].dropna().to_numpy()) for name in self.settings}

    def difference(self, measure: str, first: str, second: str) -> Difference:
        """`first` minus `second`, over the cases that both have."""
        values = self.values(measure)
        found = interval((values[first] - values[second]).dropna().to_numpy())
        sign = found.sign if found.n >= FEWEST else 0
        if measure in LESS_IS_BETTER:
            sign = -sign
        return Difference(measure, first, second, found, {1: first, -1: second}.get(sign))

    def differences(self, measure: str) -> list[Difference]:
        """Every other setting minus the first one."""
        first, *others = self.settings if measure not in UNPAIRED else self.settings[:1]
        return [self.difference(measure, one, first) for one in others]

    def groups(self, by: str, measure: str = HEADLINE) -> dict[str, Results]:
        """The results in every group of cases that has the measure, the classic kinds first."""
        groups: dict[str, list[Outcome]] = {name: [] for name in CLASSIC_KINDS}
        for one in self.outcomes.values():
            if not math.isnan((one.seconds | one.measures).get(measure, math.nan)):
                groups.setdefault(GROUPED_BY[by](one), []).append(one)
        return {
            name: Results(group, self.settings) for name, group in groups.items() if name and group
        }

    def leader(self, measure: str = HEADLINE) -> tuple[str, bool]:
        """The setting with the best average, and whether its lead over every other is shown."""
        sign = -1 if measure in LESS_IS_BETTER else 1
        means = self.values(measure).mean() * sign
        leader = str(means.fillna(-math.inf).idxmax())
        others = [name for name in self.settings if name != leader]
        shown = [self.difference(measure, leader, one).better == leader for one in others]
        return leader, bool(shown) and all(shown)

    def suggest(self, present: str | None) -> Suggestion | None:
        """The best setting for these cases; None where no case tells.

        The best is the setting with the highest mean of `HEADLINE`; those whose difference from it
        is not shown are ties. Among ties the `present` one stays, or else the fastest one is taken.
        """
        averages = {name: one for name, one in self.averages(HEADLINE).items() if one.n}
        if not averages:
            return None
        best = max(averages, key=lambda name: averages[name].estimate)
        ties = tuple(
            name for name in averages if self.difference(HEADLINE, best, name).better is None
        )
        pace = self.values("retrieval_s").median().fillna(math.inf)
        chosen = present if present in ties else min(ties, key=lambda name: float(pace[name]))
        return Suggestion(chosen, best, averages[chosen], ties)
