"""A drawing's labels beside a paragraph; bullets and comments on the lines of one."""

from __future__ import annotations

import pytest

from tutor.ingest.reading.layout import _peel_margins, page_lines
from tutor.ingest.reading.spans import TextSpan

PROSE = (
    "Cuando alfa crece, la regresión",
    "de lasso hace que algunos de sus",
    "coeficientes sean nulos: elige",
    "cuáles de las variables quedan",
)


def _span(text: str, left: float, base: float, order: int, *, mono: bool = False) -> TextSpan:
    right = left + 5 * len(text)
    return TextSpan(text, left, base - 2.5, right, base + 7.5, order, 10, base, mono=mono)


def _read(labels: list[tuple[str, float]], *, mono: bool = False) -> str:
    """The page of the prose, each 14 points a line, with labels on the left at these heights."""
    spans = [_span(text, 40, base, order) for order, (text, base) in enumerate(labels)]
    for place, line in enumerate(PROSE):
        spans.append(_span(line, 120, 100 - 14 * place, len(labels) + place, mono=mono))
    return "\n".join(line.text for line in page_lines(spans))


def test_a_drawings_labels_do_not_part_the_lines_beside_it() -> None:
    assert "\n".join(PROSE) in _read([("400", 107), ("300", 93), ("200", 79), ("100", 65)])


@pytest.mark.parametrize("mark", ["1.", "•"])
def test_marks_on_the_lines_of_a_paragraph_stay_before_them(mark: str) -> None:
    read = _read([(mark, 100), (mark, 86), (mark, 72), (mark, 58)])
    assert all(line.startswith(mark) for line in read.split("\n"))


def test_a_pages_number_far_below_a_short_page_stands_in_no_column() -> None:
    spans = [_span(line, 40, 700 - 14 * place, place) for place, line in enumerate(PROSE)]
    number, words = _span("12", 206, 40, 4), _span("fin de la lección", 40, 40, 4)
    assert _peel_margins([*spans, number]) == ([], spans, [number])
    assert _peel_margins([*spans, words]) == ([], [*spans, words], [])
