"""What an average, a share or a difference is worth: bootstrap intervals, agreement, verdicts.

Percentile bootstrap (Efron and Tibshirani, "An Introduction to the Bootstrap", 1993): the cases
are drawn again with replacement; for a difference the same draw serves both sides (paired).
"""

from __future__ import annotations

import math
import shlex
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tutor.errors import ConfigError
from tutor.i18n import _

RESAMPLES = 2000
_MEAN = partial(np.mean, axis=-1)
_CELLS_AT_ONCE = 4_000_000

Samples = NDArray[Any]


@dataclass(frozen=True, slots=True)
class Interval:
    """An estimate with the bounds of its 95 % confidence interval, from `n` cases."""

    estimate: float
    low: float
    high: float
    n: int

    @property
    def sign(self) -> int:
        """1 or -1 where the interval leaves out zero, else 0: of a difference, which side leads."""
        return int(self.low > 0) - int(self.high < 0)

    def __format__(self, spec: str) -> str:
        """As in `0.817 [0.718, 0.901]`; `-` where there is no number, no bounds where there are
        none.
        """
        if math.isnan(self.estimate):
            return "-"
        if math.isnan(self.low):
            return format(self.estimate, spec)
        return f"{self.estimate:{spec}} [{self.low:{spec}}, {self.high:{spec}}]"


def require_extra() -> None:
    """Say at once what would only be missed at the end. Raises `ConfigError`."""
    if find_spec("scipy") is None:
        raise ConfigError(
            _("Measuring needs what is not installed: %(packages)s.") % {"packages": "scipy"},
            _("Install the evaluation extra: %(command)s")
            % {"command": shlex.join([sys.executable, "-m", "pip", "install", "scipy"])},
        )


def interval(
    *samples: Sequence[float] | Samples,
    statistic: Callable[..., Any] = _MEAN,
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> Interval:
    """A statistic of the values (their mean) with its interval; NaN without values.

    `statistic` reduces the last axis. It gets as many arguments as there are `samples`, of which
    the same cases are drawn.
    """
    columns = tuple(map(np.asarray, samples))
    n = len(columns[0])
    estimate = float(statistic(*columns)) if n else math.nan
    if n < 2:
        return Interval(estimate, estimate, estimate, n)
    from scipy import stats  # noqa: PLC0415 - 0.6 s, once everything is measured

    drawn = stats.bootstrap(
        columns,
        lambda *cells, axis: statistic(*cells),  # noqa: ARG005, PLW0108 - the last one
        n_resamples=resamples,
        batch=max(1, _CELLS_AT_ONCE // n),
        vectorized=True,
        paired=True,
        axis=-1,
        method="percentile",
        rng=np.random.default_rng(seed),
    ).confidence_interval
    return Interval(estimate, float(drawn.low), float(drawn.high), n)
