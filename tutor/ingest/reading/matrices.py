"""Matrices and cases, put into one line: `(1, 0; 0, 1)`, `{1 if x > 0; 0 if not`, whose rows end
at a semicolon.

A file draws them as brackets with nothing between them in their own line, and rows over and under
that. A span takes the place of the spans that it is made of, as in formulas.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise, takewhile

from tutor.ingest.reading.spans import TextSpan, extent, in_place_of, line_text

_OPENING, _CLOSING = "([", ")]"
_BRACKETS = tuple(_OPENING + _CLOSING)
_SMALL = 0.87
"""What is smaller than this share of the brackets is raised or lowered."""
_WHITE = 0.55
"""White between columns, in sizes."""
_NEXT_ROW, _UNEVEN = 2.4, 1.5
"""How far the next row is at most, in sizes (twice as far behind dots) and in times the nearest."""
_LEVEL, _SAME_ROW = 0.1, 0.3
"""How far what is at one height is apart, and letters of a row from its height, in sizes."""
_LOWERED_BY, _RAISED_BY = 0.45, 0.85
"""How far what is lowered or raised in it is."""
_SAME_COLUMN = 1.0
"""How far the left ends, the right ends or the middles of rows are from each other, in sizes."""
_TALL = 1.5
"""How high the bar of a determinant is at least, in sizes."""
_FOLLOWS = re.compile(r"\s*(?:=⇒|⇒|⟹|⇔|⇐⇒|⟺)")
_BRACKET = 0.4
"""How wide a bracket is, in sizes."""
_BESIDE = 1.5
"""How far what stands before or behind a matrix is, in sizes."""
_OVER = 0.75
"""What is smaller than this share of its brackets, one over the other, is a binomial."""
_MOST_ROWS, _MOST_LETTERS = 12, 200
_MOST_OPENERS = 300
"""Where a page has more, each by itself, they are no formulas."""
_NUMBER = re.compile(r"\s*\(\d+(?:\.\d+)*\)\s*")
"""That of an equation, at the height of its brace."""
_OPERATOR = re.compile(r"[-+−=≤≥<>±·⋅*/,;.:]+")


def with_matrices(spans: list[TextSpan]) -> list[TextSpan]:
    """The spans with each matrix in one, at the height of the line that it stands in."""
    spans = _with_bars(spans)
    openers = [span for span in spans if _opens(span, _OPENING + "{") or _is_bar(span)]
    if len(openers) > _MOST_OPENERS:
        return spans
    openers.sort(key=lambda span: (not _opens(span, "{"), -span.left))
    while openers:
        opener = openers.pop()
        made = None if _opens(opener, "{") else _with_matrix(opener, spans)
        if made is None and _opens(opener, "{("):
            made = _with_cases(opener, spans)
        if made:
            left = set(map(id, spans := made))
            openers = [span for span in openers if id(span) in left]
            if _opens(spans[-1]):  # one stands right behind it
                openers.append(spans[-1])
    return _in_their_lines(spans)


def _opens(span: TextSpan, brackets: str = _OPENING) -> bool:
    return span.text.strip()[-1:] in tuple(brackets)


def _with_matrix(opener: TextSpan, spans: Sequence[TextSpan]) -> list[TextSpan] | None:
    """The spans with the matrix of an opening bracket as one, at the height of its brackets."""
    size = opener.size
    closers = [
        span
        for span in spans
        if (_is_bar(span) if _is_bar(opener) else span.text.strip()[:1] in tuple(_CLOSING))
        and span.left > opener.right
        and abs(span.base - opener.base) < _LEVEL * size
    ]
    closer = min(closers, key=lambda span: span.left, default=None)
    if closer is None:
        return None
    inside = [
        span
        for span in spans
        if opener.right - 0.2 * size < span.left
        and span.right < closer.left + 0.2 * size
        and span not in (opener, closer)
        and abs(span.base - opener.base) < _MOST_ROWS * size
    ]
    # TeX's large brackets are of a font of their own, and have the size of that.
    close = (
        s.size for s in inside if not _is_dot(s) and abs(s.base - opener.base) < _NEXT_ROW * size
    )
    size = min(size, max(close, default=size))
    letters = [span for span in inside if not _is_dot(span) and span.size >= _SMALL * size]
    if not 2 <= len(letters) <= _MOST_LETTERS:
        return None
    left, right = opener.right - _BRACKET * size, closer.left + _BRACKET * size
    own = set(map(id, (opener, closer, *inside)))
    others = [s for s in spans if s.left < right and s.right > left and id(s) not in own]
    heights = _heights(letters, others, _SAME_ROW * size)
    heights = _together(heights, opener.base, list(filter(_is_dot, inside)), size)
    if len(heights) < 2:
        return None
    if len(heights) == 2 and min(abs(h - opener.base) for h in heights) < _LEVEL * size:
        return None  # a line, and one below it
    low, high = heights[-1] - _LOWERED_BY * size, heights[0] + _RAISED_BY * size
    inside = [span for span in inside if low < span.base < high]
    told = _told(heights, inside, size, opener.size)
    if not told:
        return None
    text = f"{opener.text.rstrip()}{told}{closer.text.lstrip()}"
    bare = {opener.text.strip(), closer.text.strip()} <= {*_BRACKETS}
    return _made([opener, *inside, closer], spans, text, size if bare else opener.size)


def _with_bars(spans: list[TextSpan]) -> list[TextSpan]:
    """The spans with the pieces of each bar of a determinant, one under another, in one."""
    pieces = sorted((s for s in spans if s.text.strip() == "|"), key=lambda s: (s.left, -s.top))
    bars: list[list[TextSpan]] = []
    for piece in pieces:
        last = bars[-1][-1] if bars else None
        step = last.base - piece.base if last and abs(piece.left - last.left) < 1 else 0.0
        if 0 < step < 1.1 * piece.size:
            bars[-1].append(piece)
        else:
            bars.append([piece])
    for bar in (bar for bar in bars if len(bar) > 1):
        _, bottom, _, top = extent(bar)
        base = (bottom + top) / 2 - 0.25 * bar[0].size
        spans = in_place_of(bar, spans, bar[0], "|", base=base)
    return spans


def _is_bar(span: TextSpan) -> bool:
    return span.text.strip() == "|" and span.height > _TALL * span.size


def _made(
    parts: Sequence[TextSpan], spans: Sequence[TextSpan], text: str, size: float
) -> list[TextSpan]:
    """The spans with a bracket and what follows it as one."""
    end = parts[-1].bold_end
    return in_place_of(parts, spans, parts[0], text, size=size, bold_end=end, matrix=True)


def _is_dot(span: TextSpan) -> bool:
    return span.text.strip() == "."


def _with_cases(brace: TextSpan, spans: Sequence[TextSpan]) -> list[TextSpan] | None:
    """The spans with a brace and the rows behind it as one.

    A round bracket that nothing closes is one, too: TeX's font has a brace at its place.
    """
    size, begin = brace.size, brace.right
    behind = [
        span
        for span in spans
        if span.left > begin - 0.2 * size
        and not (span.size >= _SMALL * size and _NUMBER.fullmatch(span.text))
    ]
    closing = (s for s in behind if "}" in s.text or ")" in s.text)
    if any(abs(span.base - brace.base) < _LEVEL * size for span in closing):
        return None
    first = [
        span
        for span in behind
        if span.left < begin + size
        and span.size >= _SMALL * size
        and abs(span.base - brace.base) < _MOST_ROWS * size
    ]
    if len(first) > _MOST_LETTERS:
        return None
    dots = list(filter(_is_dot, first))
    others = [s for s in spans if s.left < begin - 0.2 * size < s.right and s is not brace]
    heights = _heights([s for s in first if not _is_dot(s)], others, _SAME_ROW * size)
    heights = _together(heights, brace.base, dots, size)
    if len(heights) < 2:
        return None
    behind = sorted((span for span in behind if span not in dots), key=lambda span: span.left)
    rows = [
        list(takewhile(lambda s: s in first or not _FOLLOWS.match(s.text), level))
        for height in heights
        if (level := [s for s in behind if -_LOWERED_BY < (s.base - height) / size < _RAISED_BY])
    ]
    dots = [dot for dot in dots if heights[-1] < dot.base < heights[0]]
    lines = [line_text(row).strip(" ,;") for row in rows[:-1]] + [line_text(rows[-1])]
    text = _joined(lines, heights, dots, size)
    parts = [brace, *dots, *(span for row in rows for span in row)]
    return _made(parts, spans, f"{brace.text.rstrip()[:-1]}{{{text}", size)


def _heights(letters: Sequence[TextSpan], others: Sequence[TextSpan], apart: float) -> list[float]:
    """The heights of rows from the highest down, where no other text reaches into them."""
    heights: list[float] = []
    for base in sorted((span.base for span in letters), reverse=True):
        free = all(abs(other.base - base) > apart for other in others)
        if free and (not heights or heights[-1] - base > apart):
            heights.append(base)
    return heights


def _joined(
    lines: Sequence[str], heights: Sequence[float], dots: Sequence[TextSpan], size: float
) -> str:
    """Rows in one line, with a sign where dots stand between them."""
    told, level = [lines[0]], _LEVEL * size
    for (above, below), line in zip(pairwise(heights), lines[1:], strict=True):
        dotted = any(below + level < dot.base < above - level for dot in dots)
        told += ["⋮", line] if dotted else [line]
    return "; ".join(told)


def _told(
    heights: Sequence[float], inside: Sequence[TextSpan], size: float, brackets: float
) -> str:
    """The rows at these heights in one line; empty where they have not the same columns, as along
    a diagonal.
    """
    rows: list[list[TextSpan]] = [[] for _height in heights]
    for span in inside:
        row = min(range(len(heights)), key=lambda n: abs(heights[n] - span.base))
        if not _is_dot(span) or abs(span.base - heights[row]) < _LEVEL * size:
            rows[row].append(span)
    boxes = [extent(row) for row in rows if row]
    ends = [[box[0] for box in boxes], [box[2] for box in boxes]]
    ends.append([(box[0] + box[2]) / 2 for box in boxes])
    if all(max(end) - min(end) > _SAME_COLUMN * size for end in ends):
        return ""
    lines = [line_text(row, _WHITE) for row in rows]
    cells = [[cell.strip() for cell in line.split("\t")] for line in lines]
    words = [line.split() for line in lines]
    plain = not any(_OPERATOR.fullmatch(word) for row in words for word in row)
    if plain and len({len(row) for row in words}) == 1:
        cells = words
    if len({len(row) for row in cells}) != 1:
        return ""
    if len(cells) == 2 and len(cells[0]) == 1 and size < _OVER * brackets:
        return ""  # n over k
    dots = list(filter(_is_dot, inside))
    return _joined([", ".join(row) for row in cells], heights, dots, size)


def _together(
    heights: Sequence[float], middle: float, dots: Sequence[TextSpan], size: float
) -> list[float]:
    """Those of the heights that belong to the brackets at a height: they follow each other closely,
    but for dots between them. None if these are too many.
    """
    among = [abs(height - middle) for height in (*heights, *(dot.base for dot in dots))]
    if not heights or min(among) > size:
        return []

    start = end = min(range(len(heights)), key=lambda n: abs(heights[n] - middle))
    near = heights[max(0, start - 1) : start + 2]
    most = min([_NEXT_ROW * size, *(_UNEVEN * (one - other) for one, other in pairwise(near))])

    def follow(above: float, below: float) -> bool:
        dotted = any(below < dot.base < above for dot in dots)
        return above - below < (2 * _NEXT_ROW * size if dotted else most)

    while start and follow(heights[start - 1], heights[start]):
        start -= 1
    while end + 1 < len(heights) and follow(heights[end], heights[end + 1]):
        end += 1
    return list(heights[start : end + 1]) if end - start < _MOST_ROWS else []


def _in_their_lines(spans: Sequence[TextSpan]) -> list[TextSpan]:
    """The spans with each matrix at the height of its line."""
    return [replace(s, base=_line_beside(s, spans)) if s.matrix else s for s in spans]


def _line_beside(matrix: TextSpan, spans: Sequence[TextSpan]) -> float:
    """How high the line is that a matrix stands in: that of what is before or behind it."""
    size = matrix.size

    def white(span: TextSpan) -> float:
        return max(matrix.left - span.right, span.left - matrix.right)

    beside = [
        span
        for span in spans
        if span is not matrix
        and not span.matrix
        and not (span.text.strip() in _BRACKETS and span.size >= size)
        and matrix.bottom < span.base < matrix.top
        and span.size >= _SMALL * size
        and -0.2 * size < white(span) < _BESIDE * size
    ]
    return min(beside, key=white).base if beside else matrix.middle - 0.25 * size
