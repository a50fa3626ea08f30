"""Find the gutter of a page, and tell columns from tables and from text with holes in it.

Gutters are valleys of the projection profile. The order in which the file draws its text decides
where geometry alone cannot: a table and two columns look alike, but are drawn row by row and
column by column.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from operator import attrgetter
from statistics import median
from typing import TypeAlias

from tutor.ingest.reading.spans import TextSpan

Part: TypeAlias = "list[list[TextSpan]]"
"""One list of spans over the full width, or two: the left and the right column."""


_FEWEST_LABELS = 2
"""Rows beside text: fewer can be the number of a formula or a remark."""


def cut_columns(spans: Sequence[TextSpan]) -> list[Part] | None:
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
    return merged(best) if best else None


def merged(parts: list[Part]) -> list[Part]:
    """Neighbouring full-width parts are one region: their lines may share a row."""
    joined: list[Part] = []
    for part in parts:
        if len(part) == 1 and joined and len(joined[-1]) == 1:
            joined[-1][0].extend(part[0])
        else:
            joined.append([list(side) for side in part])
    return joined


def _gutters(spans: Sequence[TextSpan]) -> list[float]:
    """The middles of white bands, the most promising first: valleys of the projection profile.

    The profile of a position is the summed height of the spans over it. A valley is worth the
    drop to the lower of the highest points at its two sides.
    """
    if len(spans) < 4:
        return []
    profile, origin = _profile(spans)
    height = median(span.height for span in spans)
    valleys = sorted(_valleys(profile, 1.5 * height), reverse=True)[:6]
    return [
        origin + (start + stop) / 2 for _, start, stop in valleys if stop - start >= 0.6 * height
    ]


def _profile(spans: Sequence[TextSpan]) -> tuple[list[float], float]:
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


def _stripes(spans: Sequence[TextSpan], gutter: float) -> list[Part]:
    """From top to bottom: [spanning] for rows that cross the gutter, [left, right] otherwise."""
    stripes: list[Part] = []
    for row in rows_of(spans):
        if any(span.left < gutter < span.right for span in row):
            if not stripes or len(stripes[-1]) == 2:
                stripes.append([[]])
            stripes[-1][0] += row
            continue
        if not stripes or len(stripes[-1]) == 1:
            stripes.append([[], []])
        for span in row:
            stripes[-1][span.left >= gutter].append(span)
    return stripes


def _cut(stripe: Part) -> list[Part]:
    """Decide whether the two sides are columns, a table's rows, or one text with holes in it."""
    left, right = stripe
    whole = [[*left, *right]]
    runs = _drawn_runs(left, right)
    if len(runs) > 1 and (main := _main_run(runs)):
        return [
            part
            for run in sorted(runs, key=lambda run: -top_of([*run[0], *run[1]]))
            for part in (_cut(run) if run is main else [[[*run[0], *run[1]]]])
        ]
    beside_drawing = _is_prose(left, 4, 15) and len(rows_of(right)) > _FEWEST_LABELS
    if len(runs) == 1 and (beside_drawing or (_is_prose(left, 2, 8) and _is_prose(right, 2, 8))):
        return [stripe]
    for labels, prose in ((left, right), (right, left)):
        if len(runs) <= 2 and _is_prose(prose, 3, 20) and _are_labels(labels, prose):
            return _beside(labels, stripe)
    if len(rows_of([*left, *right])) >= 2 * len(runs):
        return [whole]
    is_code = all(span.mono for span in whole[0])  # a table that is printed row by row
    if _is_prose(left, 4, 25) and _is_prose(right, 4, 25) and not is_code:
        return [stripe]
    return [whole]


def _drawn_runs(left: Sequence[TextSpan], right: Sequence[TextSpan]) -> list[Part]:
    """Cut where the file, having drawn on the right, goes back to the left."""
    sided = [(span.order, 0, span) for span in left] + [(span.order, 1, span) for span in right]
    runs: list[Part] = []
    before = 1
    for _, side, span in sorted(sided, key=lambda item: item[0]):
        if not runs or (before == 1 and side == 0):
            runs.append([[], []])
        runs[-1][side].append(span)
        before = side
    return runs


def _main_run(runs: Sequence[Part]) -> Part | None:
    """The run that has the columns, if the others are fewer lines above or below it, each of them
    of one side or a single line: a running header, what goes on below.
    """
    rows = [rows_of([*left, *right]) for left, right in runs]
    most = max(range(len(runs)), key=lambda place: len(rows[place]))
    top, bottom = top_of(rows[most][0]), bottom_of(rows[most][-1])
    others = [place for place in range(len(runs)) if place != most]
    apart = all(
        (len(rows[place]) == 1 or not all(runs[place]))
        and (bottom_of(rows[place][-1]) >= top or top_of(rows[place][0]) <= bottom)
        for place in others
    )
    fewer = sum(len(rows[place]) for place in others) < len(rows[most])
    return runs[most] if apart and fewer and all(runs[most]) else None


def _is_prose(side: Sequence[TextSpan], least_rows: int, least_characters: int) -> bool:
    """Enough rows, long enough on average, that fill half of the side's width."""
    rows = rows_of(side)
    if len(rows) < least_rows:
        return False
    characters = sum(len(span.text) for span in side) / len(rows)
    width = max(span.right for span in side) - min(span.left for span in side)
    filled = sum(max(s.right for s in row) - min(s.left for s in row) for row in rows) / len(rows)
    return characters >= least_characters and filled >= 0.4 * width


def _are_labels(side: Sequence[TextSpan], prose: Sequence[TextSpan]) -> bool:
    """Whether what stands beside the lines of prose stands mostly between them: a drawing's labels,
    while bullets, cells and comments stand on its lines.
    """
    tallest = attrgetter("height")
    lines = [max(row, key=tallest) for row in reversed(rows_of(prose))]
    middles = [line.middle for line in lines]
    on_lines = between = 0
    for row in rows_of(side):
        label = max(row, key=tallest)
        place = bisect_left(middles, label.middle)
        line = min(
            lines[max(0, place - 1) : place + 1], key=lambda near: abs(near.middle - label.middle)
        )
        apart = abs(line.middle - label.middle)
        on_lines += apart < 0.25 * line.height
        between += 0.25 * line.height <= apart < (line.height + label.height) / 2
    return between >= 2 and between > on_lines


def _beside(labels: Sequence[TextSpan], stripe: Part) -> list[Part]:
    """Two columns, but for what stands above and below the prose on the side of the labels."""
    left, right = stripe
    prose = right if labels is left else left
    above = [span for span in labels if span.bottom >= top_of(prose)]
    below = [span for span in labels if span.top <= bottom_of(prose)]
    apart = {id(span) for span in (*above, *below)}
    columns = [[span for span in side if id(span) not in apart] for side in stripe]
    return [part for part in ([above], columns, [below]) if any(part)]


# --- Rows --------------------------------------------------------------------------------------


def rows_of(spans: Sequence[TextSpan]) -> list[list[TextSpan]]:
    """Spans side by side, from top to bottom; raised and lowered letters belong to their row."""
    rows: list[list[TextSpan]] = []
    tallest: TextSpan | None = None
    for span in sorted(spans, key=lambda span: -span.middle):
        if tallest is None or overlap(tallest, span) < 0.4:
            rows.append([])
            tallest = span
        rows[-1].append(span)
        if span.height > tallest.height:
            tallest = span
    return rows


def overlap(one: TextSpan, other: TextSpan) -> float:
    """Shared height, as a share of the lower of the two; negative where they are apart."""
    shared = min(one.top, other.top) - max(one.bottom, other.bottom)
    return shared / max(min(one.height, other.height), 0.1)


def top_of(spans: Sequence[TextSpan]) -> float:
    """Of the highest."""
    return max(span.top for span in spans)


def bottom_of(spans: Sequence[TextSpan]) -> float:
    """Of the lowest."""
    return min(span.bottom for span in spans)
