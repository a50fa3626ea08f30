"""From spans of text with boxes to a page's text in reading order. Pure: no PDF library here.

The reading order follows the family of XY-cut (Nagy and Seth 1984, "Hierarchical representation
of optically scanned documents"), with gutters found in the projection profile, as Breuel (2002,
"Two geometric algorithms for layout analysis") argues for whitespace. The order in which the file
draws its text decides where geometry alone cannot: a table and two columns look alike, but are
drawn row by row and column by column.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import TYPE_CHECKING

from tutor.reading.lines import Line, gather_lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tutor.reading.lines import Span

MAX_SPANS = 20_000
"""Pages with more pieces than this (drawings, not prose) keep the order of the file."""

_MAX_DEPTH = 4
_MARGIN_SHARE = 0.12
"""Running headers and footers are looked for in this share of the text's height, at each end."""


@dataclass(frozen=True, slots=True)
class _Gutter:
    left: float
    right: float

    @property
    def middle(self) -> float:
        return (self.left + self.right) / 2


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
    rows = _rows(spans)
    if len(rows) < 4:
        return (), spans, ()
    zone = _MARGIN_SHARE * (_top(rows[0]) - _bottom(rows[-1]))
    typical = median(span.height for span in spans)
    head = rows[0] if _stands_apart(rows[0], rows[1], typical, zone) else []
    foot = rows[-1] if _stands_apart(rows[-2], rows[-1], typical, zone) else []
    apart = {id(span) for span in (*head, *foot)}
    return head, [span for span in spans if id(span) not in apart], foot


def _stands_apart(
    upper: Sequence[Span], lower: Sequence[Span], typical: float, zone: float
) -> bool:
    return typical < _bottom(upper) - _top(lower) < zone


def _regions(spans: Sequence[Span], depth: int) -> Iterator[Sequence[Span]]:
    """Yield groups of spans, each set in a single column, in reading order."""
    found = (_columns(spans) or _banded(spans)) if depth < _MAX_DEPTH else None
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


def _columns(spans: Sequence[Span]) -> list[list[list[Span]]] | None:
    """The page cut at its best gutter: full-width parts of one list, column parts of two.

    The best gutter is the one with the most text in columns at its two sides.
    """
    best, most = None, 0
    for gutter in _gutters(spans):
        parts = [
            part
            for stripe in _stripes(spans, gutter)
            for part in (_cut(stripe) if len(stripe) > 1 else [stripe])
        ]
        characters = sum(
            len(span.text) for part in parts if len(part) == 2 for side in part for span in side
        )
        if characters > most:
            best, most = parts, characters
    return _merged(best) if best else None


def _banded(spans: Sequence[Span]) -> list[list[list[Span]]] | None:
    """Cut at horizontal white bands first: a short pair of columns hides in a page of wide text."""
    bands: list[list[Span]] = []
    floor = 0.0
    for row in _rows(spans):
        if not bands or floor - _top(row) > 0.5 * max(span.height for span in row):
            bands.append([])
            floor = _bottom(row)
        bands[-1] += row
        floor = min(floor, _bottom(row))
    if len(bands) < 2:
        return None
    parts: list[list[list[Span]]] = []
    for band in bands:
        parts += _columns(band) or [[band]]
    return _merged(parts) if any(len(part) == 2 for part in parts) else None


def _merged(parts: list[list[list[Span]]]) -> list[list[list[Span]]]:
    """Neighbouring full-width parts are one region: their lines may share a row."""
    merged: list[list[list[Span]]] = []
    for part in parts:
        if len(part) == 1 and merged and len(merged[-1]) == 1:
            merged[-1][0].extend(part[0])
        else:
            merged.append([list(side) for side in part])
    return merged


def _gutters(spans: Sequence[Span]) -> list[_Gutter]:
    """Vertical white bands, the most promising first: valleys of the projection profile.

    The profile of a position is the summed height of the spans over it. A valley is worth the
    drop to the lower of the highest points at its two sides.
    """
    if len(spans) < 4:
        return []
    profile, origin = _profile(spans)
    height = median(span.height for span in spans)
    valleys = sorted(_valleys(profile, 1.5 * height), reverse=True)[:6]
    return [
        _Gutter(origin + start, origin + stop)
        for _, start, stop in valleys
        if stop - start >= 0.6 * height
    ]


def _profile(spans: Sequence[Span]) -> tuple[list[float], float]:
    origin = min(span.left for span in spans)
    width = min(int(max(span.right for span in spans) - origin) + 2, 20_000)
    steps = [0.0] * (width + 1)
    for span in spans:
        steps[min(max(int(span.left - origin), 0), width)] += span.height
        steps[min(max(int(span.right - origin) + 1, 0), width)] -= span.height
    profile, level = [], 0.0
    for step in steps[:width]:
        level += step
        profile.append(level)
    return profile, origin


def _valleys(profile: Sequence[float], least: float) -> Iterator[tuple[float, int, int]]:
    """Yield (depth, start, stop) of the plateaus that are lower than both their surroundings."""
    size = len(profile)
    highest_after = [0.0] * (size + 1)
    for x in range(size - 1, -1, -1):
        highest_after[x] = max(highest_after[x + 1], profile[x])
    highest, x = 0.0, 0
    while x < size:
        stop = x + 1
        while stop < size and abs(profile[stop] - profile[x]) < 0.5 * least:
            stop += 1
        depth = min(highest, highest_after[stop]) - min(profile[x:stop])
        if depth >= least:
            yield depth, x, stop
        highest = max(highest, *profile[x:stop])
        x = stop


def _stripes(spans: Sequence[Span], gutter: _Gutter) -> list[list[list[Span]]]:
    """From top to bottom: [spanning] for rows that cross the gutter, [left, right] otherwise."""
    stripes: list[list[list[Span]]] = []
    for row in _rows(spans):
        if any(span.left < gutter.middle < span.right for span in row):
            if not stripes or len(stripes[-1]) == 2:
                stripes.append([[]])
            stripes[-1][0] += row
            continue
        if not stripes or len(stripes[-1]) == 1:
            stripes.append([[], []])
        for span in row:
            stripes[-1][span.left >= gutter.middle].append(span)
    return stripes


def _cut(stripe: list[list[Span]]) -> list[list[list[Span]]]:
    """Decide whether the two sides are columns, a table's rows, or one text with holes in it."""
    left, right = stripe
    whole = [[*left, *right]]
    if not left or not right:
        return [whole]
    runs = _drawn_runs(left, right)
    if len(runs) == 1 and _is_prose(left, 2, 8) and _is_prose(right, 2, 8):
        return [stripe]
    if _descending(runs) and len(_rows([*left, *right])) >= 2 * len(runs):
        return [[run[0], run[1]] if _is_cell_row(run) else [[*run[0], *run[1]]] for run in runs]
    if _is_prose(left, 4, 25) and _is_prose(right, 4, 25):
        return [stripe]
    return [whole]


def _drawn_runs(left: Sequence[Span], right: Sequence[Span]) -> list[list[list[Span]]]:
    """Cut where the file, having drawn on the right, goes back to the left."""
    sided = [(span.order, 0, span) for span in left] + [(span.order, 1, span) for span in right]
    runs: list[list[list[Span]]] = []
    before = 1
    for _, side, span in sorted(sided, key=lambda item: item[0]):
        if not runs or (before == 1 and side == 0):
            runs.append([[], []])
        runs[-1][side].append(span)
        before = side
    return runs


def _descending(runs: Sequence[list[list[Span]]]) -> bool:
    """Each run lies wholly below the one before it, as the rows of a table do."""
    extents = [(_top([*run[0], *run[1]]), _bottom([*run[0], *run[1]])) for run in runs]
    return all(
        below[0] <= above[1] + 0.3 * (above[0] - above[1]) for above, below in pairwise(extents)
    )


def _is_cell_row(run: list[list[Span]]) -> bool:
    """A cell of several lines stands beside another: each is read to its end."""
    return bool(run[0] and run[1]) and any(_is_prose(side, 2, 12) for side in run)


def _is_prose(side: Sequence[Span], least_rows: int, least_characters: int) -> bool:
    """Enough rows, long enough on average, that fill half of the side's width."""
    rows = _rows(side)
    if len(rows) < least_rows:
        return False
    characters = sum(len(span.text) for span in side) / len(rows)
    width = max(span.right for span in side) - min(span.left for span in side)
    filled = sum(max(s.right for s in row) - min(s.left for s in row) for row in rows) / len(rows)
    return characters >= least_characters and filled >= 0.4 * width


def _rows(spans: Sequence[Span]) -> list[list[Span]]:
    """Spans side by side, from top to bottom; raised and lowered letters belong to their row."""
    rows: list[list[Span]] = []
    tallest: Span | None = None
    for span in sorted(spans, key=lambda span: -span.middle):
        if tallest is None or _overlap(tallest, span) < 0.4:
            rows.append([])
            tallest = span
        rows[-1].append(span)
        if span.height > tallest.height:
            tallest = span
    return rows


def _overlap(one: Span, other: Span) -> float:
    shared = min(one.top, other.top) - max(one.bottom, other.bottom)
    return shared / max(min(one.height, other.height), 0.1)


def _top(spans: Sequence[Span]) -> float:
    return max(span.top for span in spans)


def _bottom(spans: Sequence[Span]) -> float:
    return min(span.bottom for span in spans)


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
