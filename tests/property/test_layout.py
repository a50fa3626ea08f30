"""Invariants of the reading order."""

from __future__ import annotations

import math
import unicodedata
from collections import Counter
from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from tutor.ingest.reading.layout import page_lines
from tutor.ingest.reading.spans import TextSpan
from tutor.model import Page, SourceId

_edges = st.floats(-50, 900, allow_nan=False)
_wild = st.one_of(_edges, st.sampled_from([math.inf, -math.inf, math.nan, 1e30, 0.0]))


def span(text: str, left: float, bottom: float, right: float, top: float, order: int) -> TextSpan:  # noqa: PLR0917
    """A piece whose type fills its box."""
    size = top - bottom
    return TextSpan(text, left, bottom, right, top, order, size, bottom + 0.22 * size)


def page_text(spans: Sequence[TextSpan]) -> str:
    return Page.of_lines(SourceId("s"), 1, page_lines(spans)).text


def characters(text: str) -> Counter[str]:
    """What is drawn, raised and lowered letters as the others, without the marks that say so."""
    plain = unicodedata.normalize("NFKC", text)
    return Counter(char for char in plain if not char.isspace() and char not in "^_()")


@st.composite
def _scattered(draw: st.DrawFn, edge: st.SearchStrategy[float] = _edges) -> list[TextSpan]:
    """Pieces anywhere, overlapping, of any size; no two of the same text."""
    count = draw(st.integers(0, 40))
    spans = []
    for n in range(count):
        left, bottom = draw(edge), draw(edge)
        width, height = draw(st.floats(0, 400)), draw(st.floats(0, 40))
        text = draw(st.text("abcñé -.", max_size=8)) + f"«{n}»"
        spans.append(span(text, left, bottom, left + width, bottom + height, n))
    return spans


@given(_scattered())
def test_nothing_is_lost_or_invented(spans: list[TextSpan]) -> None:
    assert characters(page_text(spans)) == characters("".join(span.text for span in spans))


@given(_scattered(_wild))
def test_places_that_make_no_sense_lose_nothing_either(spans: list[TextSpan]) -> None:
    assert characters(page_text(spans)) == characters("".join(span.text for span in spans))


@given(_scattered())
def test_no_empty_lines_but_single_ones_between_blocks(spans: list[TextSpan]) -> None:
    text = page_text(spans)
    assert "\n\n\n" not in text
    assert text == text.strip()


@given(
    st.tuples(st.integers(5, 40), st.integers(5, 40)),
    st.floats(6, 14),
    st.floats(1.1, 1.6),
    st.floats(1.0, 4.0),
    st.floats(-0.4, 0.4),
)
def test_two_columns_of_prose(
    counts: tuple[int, int], size: float, leading: float, gutter: float, shift: float
) -> None:
    """Any type size, leading, gutter from one em, and lines at other heights on the two sides."""
    pitch, width = size * leading, 25 * size
    spans: list[TextSpan] = []
    for side, count in zip(("izquierda", "derecha"), counts, strict=True):
        x = 50.0 if side == "izquierda" else 50 + width + gutter * size
        top = 800 - (shift * pitch if side == "derecha" else 0)
        for row in range(count):
            y = top - row * pitch
            text = f"una línea de la columna {side} que la llena, {row}"
            spans.append(span(text, x, y - size, x + width, y, len(spans)))
    lines = page_text(spans).split("\n")
    assert [line for line in lines if line] == [span.text for span in spans]


@given(st.integers(2, 12), st.integers(2, 6), st.floats(1.3, 3.0))
def test_a_table_drawn_by_rows_is_read_by_rows(rows: int, columns: int, leading: float) -> None:
    spans = [
        span(f"c{row}x{column}", 60 + 80 * column, y - 10, 95 + 80 * column, y, row * 10 + column)
        for row in range(rows)
        for column in range(columns)
        for y in [700 - 10 * leading * row]
    ]
    lines = [line for line in page_text(spans).split("\n") if line]
    assert lines == [" ".join(f"c{r}x{c}" for c in range(columns)) for r in range(rows)]


@given(st.lists(st.sampled_from(["palabra", "otra", "más"]), min_size=1, max_size=30), st.data())
def test_a_line_reads_from_left_to_right_in_whatever_order_it_is_drawn(
    words: list[str], data: st.DataObject
) -> None:
    spans, x = [], 40.0
    for n, word in enumerate(words):
        spans.append(span(word, x, 500, x + 5 * len(word), 510, n))
        x += 5 * len(word) + 3
    drawn = data.draw(st.permutations(spans))
    assert page_text(drawn) == " ".join(words)
