"""Tables that are drawn with rules: their cells gathered into rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from tutor.ingest.reading.lines import gather_lines
from tutor.ingest.reading.spans import Rule, TextSpan, extent, in_place_of

_FEWEST = 3
"""Rules of a table: it has two rows."""
_SLACK = 3.0
"""Points by which rules of one table differ in where they begin and end."""
_LEAST_WIDTH = 40.0
_PROSE = 0.7
"""A line of text as wide as this share of the rules is no cell."""
_HEAD = 40.0
"""Points: the height of a head."""
_FULL = 0.6
"""An upright rule parts columns where it runs along this share of the table's height."""


def with_tables(spans: list[TextSpan], rules: Sequence[Rule]) -> list[TextSpan]:
    """The spans with each ruled table as one span: a row per line, a tab between its cells."""
    level = _merged([rule for rule in rules if rule.level])
    upright = _merged_upright([rule for rule in rules if not rule.level])
    wide = [rule for rule in level if rule.right - rule.left > _LEAST_WIDTH]
    for group in _stacks(wide, upright, spans):
        spans = _with_table(group, wide, upright, spans)
    return spans


def _merged(rules: Sequence[Rule]) -> list[Rule]:
    """Rules at one height that touch are one."""
    made: list[Rule] = []
    for rule in sorted(rules, key=lambda r: (round(r.middle), r.left)):
        last = made[-1] if made else None
        if last and abs(last.middle - rule.middle) < 1.0 and _touch(last, rule):
            ends = min(last.left, rule.left), max(last.right, rule.right)
            made[-1] = Rule(ends[0], last.bottom, ends[1], last.top)
        else:
            made.append(rule)
    return made


def _touch(one: Rule, other: Rule) -> bool:
    return max(one.left, other.left) - min(one.right, other.right) < _SLACK


def _merged_upright(rules: Sequence[Rule]) -> list[Rule]:
    turned = [Rule(r.bottom, r.left, r.top, r.right) for r in rules]
    return [Rule(r.bottom, r.left, r.top, r.right) for r in _merged(turned)]


def _stacks(
    rules: Sequence[Rule], upright: Sequence[Rule], spans: Sequence[TextSpan]
) -> Iterator[list[Rule]]:
    """Groups of three and more rules of one table, from top to bottom."""
    left = sorted(rules, key=lambda r: -r.middle)
    while left:
        group = left[:1]
        for rule in left[1:]:
            same = (
                abs(rule.left - left[0].left) < _SLACK and abs(rule.right - left[0].right) < _SLACK
            )
            if same and not _is_between(group[-1], rule, upright, spans):
                group.append(rule)
            elif same:
                break
        group = _of_one_grid(group, upright, spans)
        if len(group) >= _FEWEST:
            yield [*_head(group[0], rules, upright), *group]
        left = [rule for rule in left if not any(rule is other for other in group)]


def _of_one_grid(
    group: list[Rule], upright: Sequence[Rule], spans: Sequence[TextSpan]
) -> list[Rule]:
    """Without the rules of another grid below, and without those at both ends that no upright rule
    ties to the grid and that are far away, or of which the lowest has only a heading above it.

    The rule under a page's header, or under a heading, is often as wide as a table.
    """
    tied = [[rule.middle for rule in part] for part in _tied_together(group, upright)]
    grids = [part[0] for part in tied if len(part) >= _FEWEST]
    if len(grids) > 1:
        group = [rule for rule in group if rule.middle > grids[1]]
    if any(_tied(pair, upright) for pair in pairwise(group)):
        while _apart(group[:2], upright):
            group = group[1:]
        while _apart(group[-2:], upright) or _is_under_heading(group, upright, spans):
            group = group[:-1]
    return group


def _is_under_heading(
    group: Sequence[Rule], upright: Sequence[Rule], spans: Sequence[TextSpan]
) -> bool:
    """Whether the last rule is outside of the grid, and one text, that begins where it does, stands
    on it.
    """
    upper, lower = group[-2:]
    between = [
        span
        for span in spans
        if lower.middle < span.middle < upper.middle and upper.left < span.centre < upper.right
    ]
    alone = len(gather_lines(between)) == 1 and extent(between)[0] < lower.left + _SLACK
    return alone and not _tied(group[-2:], upright)


def _tied_together(group: Sequence[Rule], upright: Sequence[Rule]) -> list[list[Rule]]:
    parts = [[group[0]]]
    for pair in pairwise(group):
        if _tied(pair, upright):
            parts[-1].append(pair[1])
        else:
            parts.append([pair[1]])
    return parts


def _apart(pair: Sequence[Rule], upright: Sequence[Rule]) -> bool:
    upper, lower = pair
    return upper.middle - lower.middle > _HEAD and not _tied(pair, upright)


def _tied(pair: Sequence[Rule], upright: Sequence[Rule]) -> bool:
    """Whether an upright rule leads from one level rule to the other."""
    upper, lower = pair
    return any(
        rule.bottom < lower.middle + _SLACK
        and upper.middle - _SLACK < rule.top
        and upper.left - _SLACK < rule.left < upper.right + _SLACK
        for rule in upright
    )


def _is_between(
    upper: Rule, lower: Rule, upright: Sequence[Rule], spans: Sequence[TextSpan]
) -> bool:
    """Whether text stands between two rules, in their column, that is no row of a table."""
    middle = (upper.middle + lower.middle) / 2
    if any(
        rule.bottom < middle < rule.top and upper.left - _SLACK < rule.left < upper.right + _SLACK
        for rule in upright
    ):
        return False
    prose = _PROSE * (upper.right - upper.left)
    return any(
        s.width > prose
        and lower.middle < s.middle < upper.middle
        and upper.left < s.centre < upper.right
        for s in spans
    )


def _head(first: Rule, rules: Sequence[Rule], upright: Sequence[Rule]) -> list[Rule]:
    """The rule over a head whose first cell is open to the left."""
    return [
        rule._replace(left=first.left)
        for rule in rules
        if abs(rule.right - first.right) < _SLACK
        and first.left + _SLACK < rule.left
        and 0 < rule.middle - first.middle < _HEAD
        and any(abs(r.left - rule.left) < _SLACK and r.top > rule.middle - _SLACK for r in upright)
    ][-1:]


def _with_table(
    group: Sequence[Rule], level: Sequence[Rule], upright: Sequence[Rule], spans: list[TextSpan]
) -> list[TextSpan]:
    """The spans with those between these rules as one, if they are a table."""
    edges = [rule.middle for rule in group]
    left, right = group[0].left - _SLACK, group[0].right + _SLACK
    inside = [
        s for s in spans if left < s.left and s.right < right and edges[-1] < s.middle < edges[0]
    ]
    if not inside or (any(span.mono for span in inside[:1]) and not upright):
        return spans
    height = edges[0] - edges[-1]
    columns = sorted(
        (rule.left + rule.right) / 2
        for rule in upright
        if left < rule.left < right
        and min(rule.top, edges[0]) - max(rule.bottom, edges[-1]) > _FULL * height
    )
    inner = [x for x in columns if left + 2 * _SLACK < x < right - 2 * _SLACK]
    is_grid = bool(columns) or len(group) > 4
    inner = inner or _gutters(inside)
    ends = [group[0].left, *inner, group[0].right]
    partial = [rule for rule in level if rule not in group and _spans_columns(rule, ends)]
    rows: list[str] = []
    for top, bottom in pairwise(edges):
        row = [span for span in inside if bottom < span.middle < top]
        is_head = top == edges[0]  # of two levels it is one
        cuts = [rule for rule in partial if bottom < rule.middle < top and not is_head]
        parts = _parted(row, cuts) if is_grid else [line.spans for line in gather_lines(row)]
        rows += [text for part in parts if (text := _row(part, inner)).strip()]
    if len(rows) < 2 or not inner:
        return spans
    first = max(inside, key=lambda span: span.top)
    _, low, _, high = extent(inside)
    middle = (low + high) / 2
    return in_place_of(inside, spans, first, "\n".join(rows), base=middle, table=True)


def _spans_columns(rule: Rule, ends: Sequence[float]) -> bool:
    """Whether a rule leads from where a column of a table begins to where one ends."""
    return all(any(abs(x - end) < _SLACK for end in ends) for x in (rule.left, rule.right))


def _parted(row: list[TextSpan], cuts: Sequence[Rule]) -> list[list[TextSpan]]:
    """A row as the rows into which rules part some of its columns: a cell is of each of them that
    it is as tall as.
    """
    heights = sorted({rule.middle for rule in cuts}, reverse=True)
    parts: list[list[TextSpan]] = [[] for _ in range(len(heights) + 1)]
    of_all: list[TextSpan] = []
    for span in row:
        own = [rule.middle for rule in cuts if rule.left < span.centre < rule.right]
        above = [height for height in own if height > span.middle]
        below = [height for height in own if height <= span.middle]
        first = heights.index(min(above)) + 1 if above else 0
        last = heights.index(max(below)) if below else len(heights)
        for part in parts[first : last + 1]:
            part.append(span)
        of_all += [span] if not own else []
    return [part for part in parts if len(part) > len(of_all)] or [row]


def _row(spans: Sequence[TextSpan], columns: Sequence[float]) -> str:
    cells: list[list[TextSpan]] = [[] for _ in range(len(columns) + 1)]
    for span in spans:
        cells[sum(span.centre > x for x in columns)].append(span)
    return "\t".join(
        " ".join(line.text.replace("\t", " ") for line in gather_lines(cell)) for cell in cells
    )


def _gutters(spans: Sequence[TextSpan]) -> list[float]:
    """The middles of the white bands that all rows leave."""
    size = sorted(span.size for span in spans)[len(spans) // 2]
    gutters: list[float] = []
    reach = float("-inf")
    for span in sorted(spans, key=lambda s: s.left):
        if reach > float("-inf") and span.left - reach > 0.6 * size:
            gutters.append((reach + span.left) / 2)
        reach = max(reach, span.right)
    return gutters
