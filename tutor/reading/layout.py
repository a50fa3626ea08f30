"""From spans of text with boxes to a page's text in reading order. Pure: no PDF library here.

The reading order follows the family of XY-cut (Nagy and Seth 1984, "Hierarchical representation
of optically scanned documents"), with gutters found in the projection profile, as Breuel (2002,
"Two geometric algorithms for layout analysis") argues for whitespace.
"""

from __future__ import annotations

from itertools import pairwise
from statistics import median
from typing import TYPE_CHECKING

from tutor.reading.columns import cut_columns, merged
from tutor.reading.lines import Line, gather_lines
from tutor.reading.rows import bottom_of, rows_of, top_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tutor.reading.columns import Part
    from tutor.reading.lines import Span

MAX_SPANS = 20_000
"""Pages with more pieces than this (drawings, not prose) keep the order of the file."""

_MAX_DEPTH = 4
_MARGIN_SHARE = 0.12
"""Running headers and footers are looked for in this share of the text's height, at each end."""


def page_text(spans: Sequence[Span]) -> str:
    """The page's text: lines end in a newline, blocks set apart by a gap in a blank line.

    `spans` come in the order in which the file draws them, all upright. Nothing is
    lost but the second drawing of a shadowed text. A page header comes first and a footer last.
    """
    spans = _without_shadows(span for span in spans if span.text.strip())
    if len(spans) > MAX_SPANS:
        return "\n".join(span.text.strip() for span in spans)
    placed = [span for span in spans if _is_placed(span)]
    head, body, foot = _peel_margins(placed)
    parts = [_region_text(part) for part in (head, *_regions(body, 0), foot) if part]
    adrift = [span.text.strip() for span in spans if not _is_placed(span)]
    return _join([*parts, *adrift])


def _is_placed(span: Span) -> bool:
    """Broken matrices put glyphs at infinity or nowhere; a page measures 14,400 points at most."""
    return all(abs(edge) < 1e5 for edge in (span.left, span.bottom, span.right, span.top))


def _without_shadows(spans: Iterable[Span]) -> list[Span]:
    """Leave out a text that is drawn again almost in the same place, as a shadow or to be bold."""
    kept: list[Span] = []
    drawn: dict[str, list[Span]] = {}
    for span in spans:
        earlier = drawn.setdefault(span.text.strip(), [])
        if not any(_shadows(span, other) for other in earlier[-8:]):
            kept.append(span)
            earlier.append(span)
    return kept


def _shadows(span: Span, other: Span) -> bool:
    slack = 0.3 * span.height
    return abs(span.left - other.left) < slack and abs(span.bottom - other.bottom) < slack


# --- Regions -----------------------------------------------------------------------------------


def _peel_margins(
    spans: Sequence[Span],
) -> tuple[Sequence[Span], Sequence[Span], Sequence[Span]]:
    """Set apart the first and the last row where a gap divides them from the body.

    Left to the columns, the two ends of a running header would land on top of each of them.
    """
    rows = rows_of(spans)
    if len(rows) < 4:
        return (), spans, ()
    zone = _MARGIN_SHARE * (top_of(rows[0]) - bottom_of(rows[-1]))
    typical = median(span.height for span in spans)
    head = rows[0] if _stands_apart(rows[0], rows[1], typical, zone) else []
    foot = rows[-1] if _stands_apart(rows[-2], rows[-1], typical, zone) else []
    apart = {id(span) for span in (*head, *foot)}
    return head, [span for span in spans if id(span) not in apart], foot


def _stands_apart(
    upper: Sequence[Span], lower: Sequence[Span], typical: float, zone: float
) -> bool:
    return typical < bottom_of(upper) - top_of(lower) < zone


def _regions(spans: Sequence[Span], depth: int) -> Iterator[Sequence[Span]]:
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


def _banded(spans: Sequence[Span]) -> list[Part] | None:
    """Cut at horizontal white bands first: a short pair of columns hides in a page of wide text."""
    bands: list[list[Span]] = []
    floor = 0.0
    for row in rows_of(spans):
        if not bands or floor - top_of(row) > 0.5 * max(span.height for span in row):
            bands.append([])
            floor = bottom_of(row)
        bands[-1] += row
        floor = min(floor, bottom_of(row))
    if len(bands) < 2:
        return None
    parts: list[Part] = []
    for band in bands:
        parts += cut_columns(band) or [[band]]
    return merged(parts) if any(len(part) == 2 for part in parts) else None


# --- Text --------------------------------------------------------------------------------------


def _region_text(spans: Sequence[Span]) -> str:
    """The lines of a single column, with a blank line where the page leaves a gap."""
    lines = gather_lines(spans)
    if not lines:
        return ""
    usual = _usual_gap(lines)
    parts = [lines[0].text]
    for above, below in pairwise(lines):
        parts += ["\n\n" if _parted(above, below, usual) else "\n", below.text]
    return "".join(parts)


def _usual_gap(lines: Sequence[Line]) -> float:
    gaps = [above.bottom - below.top for above, below in pairwise(lines)]
    close = [gap for line, gap in zip(lines, gaps, strict=False) if gap < 0.8 * line.height]
    return median(close) if close else 0.0


def _parted(above: Line, below: Line, usual: float) -> bool:
    smaller, larger = sorted((above.height, below.height))
    gap = above.bottom - below.top
    if _runs_on(above.text, below.text) and gap < usual + smaller:
        return False
    if larger > 1.3 * smaller and min(len(above.text), len(below.text)) > 3:
        return True
    return gap > usual + 0.4 * smaller


def _runs_on(above: str, below: str) -> bool:
    """A sentence goes on: only formulas push such lines apart."""
    return above[-1:] == "-" or (below[:1].islower() and above[-1:] not in ".:;!?")


def _join(regions: Sequence[str]) -> str:
    """Regions are blocks, except where a sentence runs on from one column into the next."""
    parts: list[str] = []
    for region in regions:
        if parts:
            parts.append("\n" if _runs_on(parts[-1], region) else "\n\n")
        parts.append(region)
    return "".join(parts)
