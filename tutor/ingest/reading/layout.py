"""From spans of text with boxes to a page's lines in reading order. Pure: no PDF library here.

The reading order follows the family of XY-cut (Nagy and Seth 1984, "Hierarchical representation
of optically scanned documents"), with gutters found in the projection profile, as Breuel (2002,
"Two geometric algorithms for layout analysis") argues for whitespace.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from statistics import median

from tutor.ingest.reading.columns import Part, bottom_of, cut_columns, merged, rows_of, top_of
from tutor.ingest.reading.formulas import with_formulas
from tutor.ingest.reading.lines import line_continues, text_lines
from tutor.ingest.reading.matrices import with_matrices
from tutor.ingest.reading.spans import Rule, TextSpan
from tutor.ingest.reading.tables import with_tables
from tutor.model import PageLine

MAX_SPANS = 20_000
"""Pages with more pieces than this (drawings, not prose) keep the order of the file."""

_MAX_DEPTH = 4
_LONGEST_NUMBER = 7
"""Characters: "12 / 120"."""
_MARGIN_SHARE = 0.12
"""Running headers and footers are looked for in this share of the text's height, at each end."""


def page_lines(spans: Sequence[TextSpan], rules: Sequence[Rule] = ()) -> list[PageLine]:
    """The page's lines in reading order; those set apart by a gap are `parted`.

    `spans` come in the order in which the file draws them, all upright; `rules` are the lines
    drawn between them. Nothing is lost but the second drawing of a shadowed text. A page header
    comes first and a footer last.
    """
    spans = _without_shadows(span for span in spans if span.text.strip())
    if len(spans) > MAX_SPANS:
        return [PageLine(span.text.strip()) for span in spans]
    placed = [span for span in spans if _is_placed(span)]
    placed = with_tables(with_matrices(with_formulas(placed, rules)), rules)
    head, body, foot = _peel_margins(placed)
    lines: list[PageLine] = []
    for part in (head, *_regions(body, 0), foot):
        lines += _joined(lines, text_lines(part)) if part else []
    return lines + [PageLine(span.text.strip(), True) for span in spans if not _is_placed(span)]


def _joined(lines: Sequence[PageLine], more: list[PageLine]) -> list[PageLine]:
    """Regions are blocks, except where a sentence runs on from one column into the next."""
    if lines and more and line_continues(lines[-1].text, more[0].text):
        return [replace(more[0], parted=False), *more[1:]]
    return more


def _is_placed(span: TextSpan) -> bool:
    """Broken matrices put glyphs at infinity or nowhere; a page measures 14,400 points at most."""
    return all(abs(edge) < 1e5 for edge in (span.left, span.bottom, span.right, span.top))


def _without_shadows(spans: Iterable[TextSpan]) -> list[TextSpan]:
    """Leave out a text that is drawn again almost in the same place, as a shadow or to be bold."""
    kept: list[TextSpan] = []
    drawn: dict[str, list[TextSpan]] = {}
    for span in spans:
        earlier = drawn.setdefault(span.text.strip(), [])
        if not any(_shadows(span, other) for other in earlier[-8:]):
            kept.append(span)
            earlier.append(span)
    return kept


def _shadows(span: TextSpan, other: TextSpan) -> bool:
    slack = 0.3 * span.height
    return abs(span.left - other.left) < slack and abs(span.bottom - other.bottom) < slack


# --- Regions -----------------------------------------------------------------------------------


def _peel_margins(
    spans: Sequence[TextSpan],
) -> tuple[Sequence[TextSpan], Sequence[TextSpan], Sequence[TextSpan]]:
    """Set apart the first and the last row where a gap divides them from the body.

    Left to the columns, the two ends of a running header would land on top of each of them.
    """
    rows = rows_of(spans)
    if len(rows) < 4:
        return (), spans, ()
    zone = _MARGIN_SHARE * (top_of(rows[0]) - bottom_of(rows[-1]))
    typical = median(span.height for span in spans)
    head = rows[0] if _stands_apart(rows[0], rows[1], typical, zone) else []
    zone = float("inf") if _is_number(rows[-1]) else zone
    foot = rows[-1] if _stands_apart(rows[-2], rows[-1], typical, zone) else []
    apart = {id(span) for span in (*head, *foot)}
    return head, [span for span in spans if id(span) not in apart], foot


def _stands_apart(
    upper: Sequence[TextSpan], lower: Sequence[TextSpan], typical: float, zone: float
) -> bool:
    return typical < bottom_of(upper) - top_of(lower) < zone


def _is_number(row: Sequence[TextSpan]) -> bool:
    """Whether a row is no longer than a page's number, however far below the text that stands."""
    return sum(len(span.text.strip()) for span in row) <= _LONGEST_NUMBER


def _regions(spans: Sequence[TextSpan], depth: int) -> Iterator[Sequence[TextSpan]]:
    """Yield groups of spans, each set in a single column, in reading order."""
    found = (cut_columns(spans) or _banded(spans)) if depth < _MAX_DEPTH else None
    if found is None:
        if spans:
            yield spans
        return
    for part in found:
        if len(part) == 1:
            yield part[0]
        else:
            for side in part:
                yield from _regions(side, depth + 1)


def _banded(spans: Sequence[TextSpan]) -> list[Part] | None:
    """Cut at horizontal white bands first: a short pair of columns hides in a page of wide text."""
    bands: list[list[TextSpan]] = []
    floor = 0.0
    for row in rows_of(spans):
        if not bands or floor - top_of(row) > 0.5 * max(span.height for span in row):
            bands.append([])
            floor = bottom_of(row)
        bands[-1] += row
        floor = min(floor, bottom_of(row))
    parts: list[Part] = []
    for band in bands:
        parts += cut_columns(band) or [[band]]
    return merged(parts) if any(len(part) == 2 for part in parts) else None
