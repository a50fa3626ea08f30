"""The rate and the time left are told by what was done in the last ten seconds."""

from __future__ import annotations

import pytest

from tutor.index.build.tally import Pace


def _pace(*notes: tuple[float, int, int]) -> tuple[float, float]:
    clock = iter([seconds for seconds, _texts, _chars in notes])
    pace = Pace(lambda: next(clock))
    return [pace.note(texts, chars) for _seconds, texts, chars in notes][-1]


def test_before_anything_is_embedded_nothing_is_told() -> None:
    assert _pace((0, 0, 0)) == _pace((0, 0, 0), (5, 0, 0)) == (0, 0)


def test_only_the_last_ten_seconds_count() -> None:
    slow_then_fast = [(second, second, 100 * second) for second in range(60)]
    slow_then_fast += [
        (60 + second, 60 + 10 * second, 6000 + 1000 * second) for second in range(15)
    ]
    assert _pace(*slow_then_fast) == pytest.approx((10, 1000))


def test_a_batch_that_takes_longer_than_the_window_still_tells() -> None:
    assert _pace((0, 0, 0), (30, 15, 12_000), (60, 30, 24_000)) == pytest.approx((0.5, 400))


def test_waiting_slows_the_pace_down() -> None:
    told = _pace((0, 0, 0), (1, 10, 1000), (1.5, 10, 1000), (2, 10, 1000))
    assert told == pytest.approx((5, 500))


def test_time_in_which_only_reading_was_done_does_not_slow_it_down() -> None:
    assert _pace((0, 0, 0), (20, 0, 0), (24, 24, 9_600)) == pytest.approx((6, 2_400))
