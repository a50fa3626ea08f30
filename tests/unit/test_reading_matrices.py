"""What TeX draws: bars in pieces, a brace that it calls "(", brackets larger than their letters."""

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


def test_the_number_of_an_equation_is_no_part_of_its_cases() -> None:
    spans = [
        *(_span("f =", 30, 105), _span("{", 52, 105)),
        *(_span("1", 60, 112), _span("si x > 0", 80, 112)),
        *(_span("0", 60, 98), _span("si no", 80, 98)),
        _span("(12)", 200, 105),
    ]
    (line,) = page_lines(spans)
    assert " ".join(line.text.split()) == "f = {1 si x > 0; 0 si no (12)"


def test_brackets_may_be_larger_than_what_they_hold() -> None:
    spans = [
        _span("x =", 30, 99, 8),
        _span("(", 50, 102),
        *(_span("2ab", 60, 111, 8), _span("2cd", 60, 90, 8)),
        *(_span(".", 64, base, 8) for base in (104, 101, 98)),
        _span(")", 78, 102),
        _span("+ y", 90, 99, 8),
    ]
    (line,) = page_lines(spans)
    assert " ".join(line.text.split()) == "x = (2ab; ⋮; 2cd) + y"


def test_rows_may_begin_with_what_ends_others() -> None:
    spans = [_span("{", 50, 105), _span("⇒ a", 60, 112), _span("⇒ b", 60, 98)]
    (line,) = page_lines(spans)
    assert line.text == "{⇒ a; ⇒ b"


def test_a_line_in_brackets_and_one_below_are_no_matrix() -> None:
    spans = [
        _span("[", 50, 102),
        *(_span("1 - a", 58, 102, 8), _span("r = 3", 58, 91, 8)),
        _span("]", 90, 102),
    ]
    assert ";" not in "".join(line.text for line in page_lines(spans))
