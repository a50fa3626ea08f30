"""Determinants, whose bars TeX makes of pieces; cases whose brace it calls "("."""

from __future__ import annotations

import pytest

from tutor.ingest.reading.layout import page_lines
from tutor.ingest.reading.spans import TextSpan


def _span(text: str, left: float, base: float, size: float = 10.0) -> TextSpan:
    width = 0.6 * size * len(text)
    return TextSpan(text, left, base - 0.25 * size, left + width, base + 0.75 * size, 0, size, base)


def _bar(left: float, lowest: float, pieces: int) -> list[TextSpan]:
    return [_span("|", left, lowest + 6.5 * number) for number in range(pieces)]


@pytest.mark.parametrize(
    ("inside", "read"),
    [
        ([("a", 60, 112), ("b", 80, 112), ("c", 60, 98), ("d", 80, 98)], "D = |a, b; c, d| = 3"),
        ([("x", 70, 105)], "D = | x | = 3"),
    ],
)
def test_pieces_of_a_bar_are_one(inside: list[tuple[str, float, float]], read: str) -> None:
    spans = [
        _span("D =", 30, 105),
        *_bar(52, 95, 4),
        *(_span(*one) for one in inside),
        *_bar(90, 95, 4),
        _span("= 3", 100, 105),
    ]
    assert [" ".join(line.text.split()) for line in page_lines(spans)] == [read]


def test_a_round_bracket_that_nothing_closes_is_the_brace_of_cases() -> None:
    spans = [
        _span("f =", 30, 105),
        _span("(", 52, 105.2),
        *(_span("1", 60, 112), _span("si x > 0", 80, 112)),
        *(_span("0", 60, 98), _span("si no", 80, 98)),
    ]
    (line,) = page_lines(spans)
    assert " ".join(line.text.split()) == "f = {1 si x > 0; 0 si no"
