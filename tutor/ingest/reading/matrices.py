"""Matrices and cases, put into one line: `(1, 0; 0, 1)`, `{1 if x > 0; 0 if not`, whose rows end
at a semicolon.

A file draws them as brackets with nothing between them in their own line, and rows over and under
that. A span takes the place of the spans that it is made of, as in formulas.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from tutor.ingest.reading.spans import ACCENTS_ONLY, TextSpan, extent, line_text

_OPENING, _CLOSING = "([", ")]"
_BRACKETS = tuple(_OPENING + _CLOSING)
_SMALL = 0.87
"""What is smaller than this share of the brackets is raised or lowered."""
_WHITE = 0.55
"""White between columns, in sizes."""
_NEXT_ROW, _UNEVEN = 2.4, 1.5
"""How far the next row is at most, in sizes and in times the nearest two."""
_UNDOTTED = 0.85
"""Of a gap with dots in it, how far the next row is at most where there are none."""
_LEVEL, _SAME_ROW = 0.1, 0.3
"""How far what is at one height is apart, and letters of a row from its height, in sizes."""
_LOWERED_BY, _RAISED_BY = 0.45, 0.85
"""How far what is lowered or raised in it is."""
_SAME_COLUMN = 1.0
"""How far the left ends, the right ends or the middles of rows are from each other, in sizes."""
_TALL = 1.5
"""How high the bar of a determinant is at least, in sizes."""
_APART = 4.0
"""How wide the gap is that ends a case, in sizes, if no condition stands behind it."""
_CONDITION = re.compile(
    r"\W*(?:si|if|en|para|cuando|otherwise|else|for|when|caso)\b", re.IGNORECASE
)
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
_OPERATOR = re.compile(r"[-+−=≤≥<>±·⋅*/,;.:]+")


def with_matrices(spans: list[TextSpan]) -> list[TextSpan]:
    """The spans with each matrix in one, at the height of the line that it stands in."""
    spans = _with_bars(spans)
    openers = [span for span in spans if _opens(span, _OPENING + "{") or _is_bar(span)]
    if len(openers) > _MOST_OPENERS:
        return spans
    openers.sort(key=lambda span: (span.text.strip()[-1] != "{", -span.left))
    while openers:
        opener = openers.pop()
        near = [s for s in spans if abs(s.base - opener.base) < _MOST_ROWS * opener.size]
        made = None if _opens(opener, "{") else _matrix(opener, near)
        if made is None and _opens(opener, "{("):
            made = _cases(opener, near)
        if made is None:
            continue
        parts, whole = made
        gone = {id(part) for part in parts}
        spans = [span for span in spans if id(span) not in gone]
        openers = [span for span in openers if id(span) not in gone]
        if _opens(whole):  # one stands right behind it
            openers.append(whole)
        spans.append(whole)
    return _in_their_lines(spans)


def _opens(span: TextSpan, brackets: str = _OPENING) -> bool:
    return span.text.strip()[-1:] in tuple(brackets)


def _closes(span: TextSpan) -> bool:
    return "}" in span.text or ")" in span.text


def _matrix(opener: TextSpan, spans: Sequence[TextSpan]) -> tuple[list[TextSpan], TextSpan] | None:
    """What a matrix is made of, and its span, at the height of its brackets."""
    size = opener.size
    closers = [
        span
        for span in spans
        if (_is_bar(span) if _is_bar(opener) else span.text.strip()[:1] in tuple(_CLOSING))
        and span.left > opener.right
        and abs(span.base - opener.base) < _LEVEL * size
    ]
    if not closers:
        return None
    closer = min(closers, key=lambda span: span.left)
    rows = _Rows.between(opener, closer, spans)
    told = rows.told() if rows else ""
    if not rows or not told:
        return None
    parts, whole = _made(opener, [*rows.inside, closer], f"{told}{closer.text.lstrip()}")
    bare = {opener.text.strip(), closer.text.strip()} <= {*_BRACKETS}
    return parts, replace(whole, size=rows.size) if bare else whole


def _made(
    opener: TextSpan, others: Sequence[TextSpan], told: str
) -> tuple[list[TextSpan], TextSpan]:
    """A bracket and what follows it, and the span in their place."""
    parts = [opener, *others]
    left, bottom, right, top = extent(parts)
    text = f"{opener.text.rstrip()}{told}"
    box = replace(opener, left=left, bottom=bottom, right=right, top=top)
    return parts, replace(box, text=text, bold_end=parts[-1].bold_end, matrix=True)


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
        gone = {id(piece) for piece in bar}
        left, bottom, right, top = extent(bar)
        base = (bottom + top) / 2 - 0.25 * bar[0].size
        whole = replace(bar[0], left=left, bottom=bottom, right=right, top=top, base=base)
        spans = [span for span in spans if id(span) not in gone] + [whole]
    return spans


def _is_bar(span: TextSpan) -> bool:
    return span.text.strip() == "|" and span.height > _TALL * span.size


def _cases(brace: TextSpan, spans: Sequence[TextSpan]) -> tuple[list[TextSpan], TextSpan] | None:
    """What a brace and the rows behind it are made of, and their span.

    A round bracket that nothing closes is one, too: TeX's font has a brace at its place.
    """
    size, begin = brace.size, brace.right
    behind = [span for span in spans if span.left > begin - 0.2 * size]
    if any(_closes(s) and abs(s.base - brace.base) < _LEVEL * size for s in behind):
        return None
    first = [s for s in behind if s.left < begin + size and s.size >= _SMALL * size]
    if not 2 <= len(first) <= _MOST_LETTERS:
        return None
    dots = [span for span in first if span.text.strip() == "."]
    others = [s for s in spans if s.left < begin - 0.2 * size < s.right and s is not brace]
    heights = {
        span.base
        for span in first
        if span not in dots
        and all(abs(span.base - other.base) > _SAME_ROW * size for other in others)
    }
    together = _together(sorted(heights, reverse=True), brace.base, dots, size)
    if not 2 <= len(together) <= _MOST_ROWS:
        return None
    rows = [_along(height, [s for s in behind if s not in dots], size) for height in together]
    dots = [dot for dot in dots if together[-1] < dot.base < together[0]]
    lines = [line_text(row).strip(" ,;") for row in rows[:-1]] + [line_text(rows[-1])]
    parts = [*dots, *(span for row in rows for span in row)]
    parts, whole = _made(brace, parts, _joined(lines, together, dots, size))
    opening = len(brace.text.rstrip())
    return parts, replace(whole, text=f"{whole.text[: opening - 1]}{{{whole.text[opening:]}")


def _along(height: float, spans: Sequence[TextSpan], size: float) -> list[TextSpan]:
    """What stands at a height, up to a wide gap that no condition follows, or to what follows from
    all rows.
    """
    row: list[TextSpan] = []
    level = (s for s in spans if -_LOWERED_BY * size < s.base - height < _RAISED_BY * size)
    for span in sorted(level, key=lambda span: span.left):
        apart = row and span.left - max(s.right for s in row) > _APART * size
        if (apart and not _CONDITION.match(span.text)) or _FOLLOWS.match(span.text):
            break
        row.append(span)
    return row


def _joined(
    lines: Sequence[str], heights: Sequence[float], dots: Sequence[TextSpan], size: float
) -> str:
    """Rows in one line, with a sign where dots stand between them."""
    told, level = [lines[0]], _LEVEL * size
    for (above, below), line in zip(pairwise(heights), lines[1:], strict=True):
        dotted = any(below + level < dot.base < above - level for dot in dots)
        told += ["⋮", line] if dotted else [line]
    return "; ".join(told)


@dataclass(frozen=True, slots=True)
class _Rows:
    """What stands between two brackets: the heights of its rows from the highest down, the spans
    of all, the dots between them, and the sizes of letters and brackets.
    """

    heights: Sequence[float]
    inside: Sequence[TextSpan]
    dots: Sequence[TextSpan]
    size: float
    brackets: float

    @classmethod
    def between(cls, opener: TextSpan, closer: TextSpan, spans: Sequence[TextSpan]) -> _Rows | None:
        """The rows about the height of the brackets, as far as they follow each other closely and
        no other text reaches into them.
        """
        size = opener.size
        inside = [
            span
            for span in spans
            if opener.right - 0.2 * size < span.left
            and span.right < closer.left + 0.2 * size
            and span is not opener
            and span is not closer
        ]
        dots = [span for span in inside if span.text.strip() == "."]
        letters = [
            span
            for span in inside
            if span.text.strip() != "." and not ACCENTS_ONLY.fullmatch(span.text.strip())
        ]
        # TeX's large brackets are of a font of their own, and have the size of that.
        close = (s.size for s in letters if abs(s.base - opener.base) < _NEXT_ROW * size)
        size = min(size, max(close, default=size))
        letters = [span for span in letters if span.size >= _SMALL * size]
        if not 2 <= len(letters) <= _MOST_LETTERS:
            return None
        left, right = opener.right - _BRACKET * size, closer.left + _BRACKET * size
        own = set(map(id, (opener, closer, *inside)))
        others = [s for s in spans if s.left < right and s.right > left and id(s) not in own]
        heights: list[float] = []
        for base in sorted((span.base for span in letters), reverse=True):
            free = all(abs(span.base - base) > _SAME_ROW * size for span in others)
            if free and (not heights or heights[-1] - base > _SAME_ROW * size):
                heights.append(base)
        heights = _together(heights, opener.base, dots, size)
        if not 2 <= len(heights) <= _MOST_ROWS:
            return None
        if len(heights) == 2 and min(abs(h - opener.base) for h in heights) < _LEVEL * size:
            return None  # a line, and one below it
        low, high = heights[-1] - _LOWERED_BY * size, heights[0] + _RAISED_BY * size
        inside = [span for span in inside if low < span.base < high]
        return cls(
            heights, inside, [dot for dot in dots if low < dot.base < high], size, opener.size
        )

    def told(self) -> str:
        """The rows in one line; empty where they have not the same columns, as along a diagonal."""
        spans = [self._row(height) for height in self.heights]
        boxes = [extent(row) for row in spans if row]
        ends = [[box[0] for box in boxes], [box[2] for box in boxes]]
        ends.append([(box[0] + box[2]) / 2 for box in boxes])
        if all(max(end) - min(end) > _SAME_COLUMN * self.size for end in ends):
            return ""
        rows = [line_text(row, _WHITE) for row in spans]
        cells = [[cell.strip() for cell in row.split("\t")] for row in rows]
        words = [row.split() for row in rows]
        plain = not any(_OPERATOR.fullmatch(word) for row in words for word in row)
        if plain and len({len(row) for row in words}) == 1:
            cells = words
        if len({len(row) for row in cells}) != 1:
            return ""
        if len(cells) == 2 and len(cells[0]) == 1 and self.size < _OVER * self.brackets:
            return ""  # n over k
        text = _joined([", ".join(row) for row in cells], self.heights, self.dots, self.size)
        pairs = all(text.count(a) == text.count(b) for a, b in zip(_OPENING, _CLOSING, strict=True))
        return text if pairs else ""

    def _row(self, height: float) -> list[TextSpan]:
        """What stands at one height, and is raised and lowered there."""
        return [
            span
            for span in self.inside
            if self._height_of(span) == height
            and (span not in self.dots or abs(span.base - height) < _LEVEL * self.size)
        ]

    def _height_of(self, span: TextSpan) -> float:
        if span.size >= _SMALL * self.size:
            return min(self.heights, key=lambda height: abs(height - span.base))
        under = [h for h in self.heights if span.base - h < _RAISED_BY * self.size]
        return min(
            (h for h in under if span.base - h > -_LOWERED_BY * self.size),
            default=self.heights[-1],
        )


def _together(
    heights: Sequence[float], middle: float, dots: Sequence[TextSpan], size: float
) -> list[float]:
    """Those of the heights that belong to the brackets at a height: they follow each other closely,
    but for dots between them.
    """
    nearest = min(heights, key=lambda height: abs(height - middle), default=None)
    among = [abs(height - middle) for height in (*heights, *(dot.base for dot in dots))]
    if nearest is None or min(among) > size:
        return []

    def dotted(above: float, below: float) -> bool:
        return any(below < dot.base < above for dot in dots)

    near = [(one, other) for one, other in pairwise(heights) if nearest in (one, other)]
    most = min([_NEXT_ROW * size, *(_UNEVEN * (one - other) for one, other in near)])
    # A row of dots makes the gap wide: without one the next row is nearer.
    most = min([most, *(_UNDOTTED * (one - other) for one, other in near if dotted(one, other))])
    start = end = heights.index(nearest)

    def follow(above: float, below: float) -> bool:
        return above - below < (2 * _NEXT_ROW * size if dotted(above, below) else most)

    while start and follow(heights[start - 1], heights[start]):
        start -= 1
    while end + 1 < len(heights) and follow(heights[end], heights[end + 1]):
        end += 1
    return list(heights[start : end + 1])


def _in_their_lines(spans: Sequence[TextSpan]) -> list[TextSpan]:
    """The spans with each matrix, and the large brackets about it, at the height of its line."""
    heights: dict[int, float] = {}
    for matrix in (span for span in spans if span.matrix):
        line = heights[id(matrix)] = _line_beside(matrix, spans)
        large = [s for s in spans if _is_bracket_beside(matrix, s)]
        before = [s for s in large if _opens(s) and s.right < matrix.left + 0.2 * matrix.size]
        behind = [s for s in large if not _opens(s) and s.left > matrix.right]
        if any(_white(matrix, bracket) < _BESIDE * matrix.size for bracket in before) and behind:
            outer = max(before, key=lambda s: s.right), min(behind, key=lambda s: s.left)
            heights |= dict.fromkeys(map(id, outer), line)
    return [replace(s, base=heights[id(s)]) if id(s) in heights else s for s in spans]


def _is_bracket_beside(matrix: TextSpan, span: TextSpan) -> bool:
    """Whether a span is nothing but a bracket at the height of a matrix's own, and large."""
    level = abs(span.base - matrix.base) < _LEVEL * matrix.size
    return span.text.strip() in _BRACKETS and span.size >= matrix.size and level


def _line_beside(matrix: TextSpan, spans: Sequence[TextSpan]) -> float:
    """How high the line is that a matrix stands in: that of what is before or behind it."""
    beside = [
        span
        for span in spans
        if span is not matrix
        and not span.matrix
        and not _is_bracket_beside(matrix, span)
        and matrix.bottom < span.base < matrix.top
        and span.size >= _SMALL * matrix.size
        and -0.2 * matrix.size < _white(matrix, span) < _BESIDE * matrix.size
    ]
    if beside:
        return min(beside, key=lambda span: _white(matrix, span)).base
    return matrix.middle - 0.25 * matrix.size


def _white(one: TextSpan, other: TextSpan) -> float:
    return max(one.left - other.right, other.left - one.right)
