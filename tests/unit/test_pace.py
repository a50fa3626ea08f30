"""The time left is told by what was done in the last ten seconds."""

from __future__ import annotations

import pytest

from tutor.index.build.pace import Pace


def _pace(*notes: tuple[float, int, int]) -> Pace:
    clock = iter([seconds for seconds, _texts, _chars in notes])
    pace = Pace(lambda: next(clock))
    for _seconds, texts, chars in notes:
        pace.note(texts, chars)
    return pace


def test_before_anything_is_embedded_nothing_is_told() -> None:
    for pace in (_pace(), _pace((0, 0, 0)), _pace((0, 0, 0), (5, 0, 0))):
        assert pace.texts_per_s == 0
        assert pace.seconds_for(1000) is None


def test_only_the_last_ten_seconds_count() -> None:
    slow_then_fast = [(second, second, 100 * second) for second in range(60)]
    slow_then_fast += [
        (60 + second, 60 + 10 * second, 6000 + 1000 * second) for second in range(15)
    ]
    pace = _pace(*slow_then_fast)
    assert pace.texts_per_s == pytest.approx(10)
    assert pace.seconds_for(5000) == pytest.approx(5)


def test_a_batch_that_takes_longer_than_the_window_still_tells() -> None:
    pace = _pace((0, 0, 0), (30, 15, 12_000), (60, 30, 24_000))
    assert pace.texts_per_s == pytest.approx(0.5)
    assert pace.seconds_for(4000) == pytest.approx(10)


def test_waiting_slows_the_pace_down() -> None:
    pace = _pace((0, 0, 0), (1, 10, 1000), (1.5, 10, 1000), (2, 10, 1000))
    assert pace.texts_per_s == pytest.approx(5)
