"""Intervals that cover what they should, and verdicts that do not see what is not there."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.stats import spearmanr

from scripts.part_quality import kappa, rank_correlation, ratio
from tutor.evaluation.statistics import Interval, interval

VALUES = st.lists(st.floats(-5, 5), min_size=1, max_size=40)


@settings(suppress_health_check=[HealthCheck.too_slow])  # SciPy resamples slowly at first
@given(VALUES, st.integers(0, 9))
def test_an_interval_holds_its_estimate_and_is_the_same_for_the_same_seed(
    values: list[float], seed: int
) -> None:
    found = interval(values, seed=seed, resamples=200)
    assert found.estimate == pytest.approx(sum(values) / len(values))
    assert min(values) - 1e-9 <= found.low <= found.high + 1e-9 <= max(values) + 2e-9
    assert found == interval(values, seed=seed, resamples=200)


def test_about_95_of_100_intervals_hold_the_true_mean() -> None:
    random = np.random.default_rng(7)
    held = 0
    for trial in range(300):
        found = interval(random.normal(0.3, 1, 60), seed=trial, resamples=400)
        held += found.low <= 0.3 <= found.high
    assert 0.90 <= held / 300 <= 0.99


def test_the_same_cases_are_drawn_of_both_sides() -> None:
    random = np.random.default_rng(3)
    first = random.normal(0, 10, 80)
    second = first - 0.5 + random.normal(0, 0.1, 80)

    def gap(one: NDArray[np.float64], other: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray(one.mean(axis=-1) - other.mean(axis=-1))

    assert interval(first, second, statistic=gap).sign == 1
    assert interval(second, first, statistic=gap).sign == -1
    assert interval(first, random.normal(0, 10, 80), statistic=gap).sign == 0


def test_no_values_give_no_number() -> None:
    empty = interval([])
    assert math.isnan(empty.estimate)
    assert empty.n == 0
    assert empty.sign == 0


def test_many_values_are_drawn_in_parts() -> None:
    found = interval(np.linspace(0, 1, 9000), resamples=1000)
    assert found == Interval(found.estimate, found.low, found.high, 9000)
    assert 0.48 < found.low < 0.5 < found.high < 0.52


def test_kappa_against_a_calculation_by_hand() -> None:
    # 20 both acceptable, 15 both not, 5 and 10 differ: observed 0.7, by chance 0.5.
    pairs = np.array([(1, 1)] * 20 + [(0, 0)] * 15 + [(1, 0)] * 5 + [(0, 1)] * 10, bool)
    found = kappa(pairs[:, 0], pairs[:, 1])
    assert found.estimate == pytest.approx(0.4)
    assert found.low < 0.4 < found.high
    assert kappa(np.ones(5, bool), np.ones(5, bool)).estimate == 0


def test_the_rank_correlation_is_that_of_scipy() -> None:
    hand, judged = np.array([1, 2, 3, 4, 5, 5]), np.array([2, 1, 3, 5, 5, 4])
    expected = spearmanr(hand, judged).statistic
    assert rank_correlation(hand, judged).estimate == pytest.approx(expected)
    assert rank_correlation(hand, np.ones(6)).estimate == 0


def test_a_share_of_nothing_is_no_number() -> None:
    part, whole = np.array([1, 1, 0, 1], bool), np.array([1, 0, 1, 1], bool)
    assert ratio(part, whole).estimate == pytest.approx(2 / 3)
    assert f"{ratio(part, np.zeros(4, bool)):.3f}" == "-"
    assert f"{Interval(0.5, 0.25, 0.75, 3):+.2f}" == "+0.50 [+0.25, +0.75]"
    assert f"{Interval(0.5, math.nan, math.nan, 3):.1f}" == "0.5"
