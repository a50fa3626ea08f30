"""Intervals that cover what they should, and verdicts that do not see what is not there."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tutor.evaluation.statistics import (
    Interval,
    Verdict,
    mean_interval,
    paired_difference,
    verdict,
)

VALUES = st.lists(st.floats(-5, 5), min_size=1, max_size=40)


@given(VALUES, st.integers(0, 9))
def test_an_interval_holds_its_estimate_and_is_the_same_for_the_same_seed(
    values: list[float], seed: int
) -> None:
    found = mean_interval(values, seed=seed, resamples=200)
    assert found.estimate == pytest.approx(sum(values) / len(values))
    assert min(values) - 1e-9 <= found.low <= found.high <= max(values) + 1e-9
    assert found == mean_interval(values, seed=seed, resamples=200)


def test_about_95_of_100_intervals_hold_the_true_mean() -> None:
    random = np.random.default_rng(7)
    held = 0
    for trial in range(300):
        found = mean_interval(list(random.normal(0.3, 1, 60)), seed=trial, resamples=400)
        held += found.low <= 0.3 <= found.high
    assert 0.90 <= held / 300 <= 0.99


def test_a_paired_difference_sees_what_unpaired_noise_would_hide() -> None:
    random = np.random.default_rng(3)
    first = random.normal(0, 10, 80)
    second = first - 0.5 + random.normal(0, 0.1, 80)
    assert verdict(paired_difference(list(first), list(second))) is Verdict.FIRST
    assert verdict(paired_difference(list(second), list(first))) is Verdict.SECOND
    other = random.normal(0, 10, 80)
    assert verdict(paired_difference(list(first), list(other))) is Verdict.NO_DIFFERENCE


def test_equal_sides_show_no_difference() -> None:
    difference = paired_difference([1.0, 0.0, 1.0], [1.0, 0.0, 1.0])
    assert (difference.low, difference.high) == (0, 0)
    assert verdict(difference) is Verdict.NO_DIFFERENCE


def test_no_values_give_no_number_and_unequal_ones_cannot_be_paired() -> None:
    empty = mean_interval([])
    assert math.isnan(empty.estimate)
    assert empty.n == 0
    assert verdict(empty) is Verdict.NO_DIFFERENCE
    with pytest.raises(ValueError, match="cannot be paired"):
        paired_difference([1.0], [1.0, 2.0])


def test_many_values_are_drawn_in_parts() -> None:
    found = mean_interval(list(np.linspace(0, 1, 9000)), resamples=1000)
    assert found == Interval(found.estimate, found.low, found.high, 9000)
    assert 0.48 < found.low < 0.5 < found.high < 0.52
