"""What a difference between two averages is worth: bootstrap intervals, and a verdict in words.

Percentile bootstrap (Efron and Tibshirani, "An Introduction to the Bootstrap", 1993): the cases
are drawn again with replacement; for a difference the same draw serves both sides (paired).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

RESAMPLES = 2000
LEVEL = 0.95
_CELLS_AT_ONCE = 4_000_000


@dataclass(frozen=True, slots=True)
class Interval:
    """An estimate with the bounds of its confidence interval, from `n` cases."""

    estimate: float
    low: float
    high: float
    n: int


class Verdict(StrEnum):
    """What a paired difference shows."""

    FIRST = "first"
    SECOND = "second"
    NO_DIFFERENCE = "no difference shown"


def mean_interval(
    values: Sequence[float], *, seed: int = 0, resamples: int = RESAMPLES, level: float = LEVEL
) -> Interval:
    """The mean of the values with its bootstrap interval; NaN without values."""
    return statistic_interval(
        np.asarray(values, dtype=float),
        lambda drawn: drawn.mean(axis=-1),
        seed=seed,
        resamples=resamples,
        level=level,
    )


def paired_difference(
    first: Sequence[float],
    second: Sequence[float],
    *,
    seed: int = 0,
    resamples: int = RESAMPLES,
    level: float = LEVEL,
) -> Interval:
    """`first` minus `second`, case by case, with the bootstrap interval of its mean.

    Raises `ValueError` when they are not as many.
    """
    if len(first) != len(second):
        message = f"{len(first)} and {len(second)} values cannot be paired"
        raise ValueError(message)
    difference = np.asarray(first, dtype=float) - np.asarray(second, dtype=float)
    return mean_interval(list(difference), seed=seed, resamples=resamples, level=level)


def statistic_interval(
    values: NDArray[np.float64],
    statistic: Callable[[NDArray[np.float64]], NDArray[np.float64]],
    *,
    seed: int = 0,
    resamples: int = RESAMPLES,
    level: float = LEVEL,
) -> Interval:
    """Any statistic of one-dimensional values, with its percentile bootstrap interval.

    `statistic` reduces the last axis. The draws depend on `seed` and the number of values only.
    """
    n = len(values)
    if n == 0:
        return Interval(float("nan"), float("nan"), float("nan"), 0)
    random = np.random.default_rng(seed)
    drawn: list[NDArray[np.float64]] = []
    step = max(1, _CELLS_AT_ONCE // n)
    for begin in range(0, resamples, step):
        rows = min(step, resamples - begin)
        drawn.append(np.atleast_1d(statistic(values[random.integers(0, n, size=(rows, n))])))
    outside = (1 - level) / 2
    low, high = np.quantile(np.concatenate(drawn), [outside, 1 - outside])
    return Interval(float(statistic(values)), float(low), float(high), n)


def verdict(difference: Interval) -> Verdict:
    """Which side of a paired difference is higher, if the interval leaves out zero."""
    if difference.low > 0:
        return Verdict.FIRST
    if difference.high < 0:
        return Verdict.SECOND
    return Verdict.NO_DIFFERENCE
