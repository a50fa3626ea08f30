"""Spans of text and the lines that they form within one column."""

from __future__ import annotations

from bisect import bisect
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_SAME_LINE = 0.5
"""Least vertical overlap of two spans of a line, as a share of the lower one's height."""

_SHORT = 24
"""Most characters of a numerator or denominator."""


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of text on one baseline, with its box in points (y grows upwards).

    `order` is its place in the order in which the file draws the page.
    """

    text: str
    left: float
    bottom: float
    right: float
    top: float
    order: int

    @property
    def height(self) -> float:
        """From descender to ascender."""
        return self.top - self.bottom

    @property
    def middle(self) -> float:
        """Half-way up."""
        return (self.top + self.bottom) / 2


class Line:
    """Spans side by side. Its widest span gives the line's own height and place."""

    __slots__ = ("bottom", "core", "spans", "top")

    def __init__(self, span: Span) -> None:
        self.spans = [span]
        self.core = span
        self.bottom, self.top = span.bottom, span.top

    def add(self, span: Span) -> None:
        """Take the span in."""
        self.spans.append(span)
        self._prefer(span)

    def _prefer(self, span: Span) -> None:
        if span.right - span.left > self.core.right - self.core.left:
            self.core = span
            self.bottom, self.top = span.bottom, span.top

    @property
    def width(self) -> float:
        """Of its widest span."""
        return self.core.right - self.core.left

    @property
    def height(self) -> float:
        """Of its widest span."""
        return self.top - self.bottom

    @property
    def text(self) -> str:
        """From left to right; a numerator before the denominator under it."""
        return _text(self.spans)

    def overlap(self, span: Span) -> float:
        """Shared height with the line's core, as a share of the lower of the two."""
        shared = min(self.top, span.top) - max(self.bottom, span.bottom)
        return shared / max(min(self.height, span.height), 0.1)


def gather_lines(spans: Sequence[Span]) -> list[Line]:
    """The lines of one column, from top to bottom; raised and lowered pieces join their line.

    Long pieces make the lines first: a root sign or a denominator between two lines must not
    draw its neighbours into a line of their own.
    """
    lines: list[Line] = []
    short: list[Span] = []
    for span in _downwards(spans):
        if span.right - span.left < 2 * span.height:
            short.append(span)
        else:
            _place(span, lines[-3:], lines)
    lines.sort(key=_depth)
    depths = [_depth(line) for line in lines]
    rest: list[Line] = []
    for span in short:
        at = bisect(depths, -span.middle)
        _place(span, [*lines[max(0, at - 2) : at + 2], *rest[-3:]], rest)
    return _with_fractions(sorted([*lines, *rest], key=_depth))


def _downwards(spans: Sequence[Span]) -> list[Span]:
    return sorted(spans, key=lambda span: -span.middle)


def _depth(line: Line) -> float:
    return -(line.top + line.bottom) / 2


def _place(span: Span, candidates: Sequence[Line], lines: list[Line]) -> None:
    """Add the span to the line that it overlaps most, or begin a new one in `lines`."""
    best = max(candidates, key=lambda line: line.overlap(span), default=None)
    if best is not None and best.overlap(span) >= _SAME_LINE:
        best.add(span)
    else:
        lines.append(Line(span))


def _text(spans: Sequence[Span]) -> str:
    parts: list[str] = []
    last: Span | None = None
    for span in sorted(spans, key=lambda span: (round(span.left), -span.middle)):
        if last is not None and _spaced(last, span):
            parts.append(" ")
        parts.append(span.text.strip())
        last = span
    return "".join(parts)


def _with_fractions(lines: list[Line]) -> list[Line]:
    """Put numerators, denominators and limits into the line in whose holes they stand."""
    kept: list[Line] = []
    for line in lines:
        for other in kept[-2:]:
            _move(other, line)
        if kept and kept[-1].spans:
            _move(line, kept[-1])
        kept[-2:] = [other for other in kept[-2:] if other.spans]
        if line.spans:
            kept.append(line)
    return kept


def _move(source: Line, target: Line) -> None:
    """Move what fits: each piece of `source` that no gap divides goes as a whole."""
    if source.width > target.width or not target.spans:
        return
    for cluster in _clusters(source.spans):
        piece = _fused(cluster)
        if _fits(piece, target):
            source.spans = [span for span in source.spans if span not in cluster]
            target.spans.append(piece)


def _clusters(spans: Sequence[Span]) -> list[list[Span]]:
    clusters: list[list[Span]] = []
    for span in sorted(spans, key=lambda span: span.left):
        if not clusters or span.left - clusters[-1][-1].right > 0.5 * span.height:
            clusters.append([])
        clusters[-1].append(span)
    return clusters


def _fused(spans: Sequence[Span]) -> Span:
    return Span(
        _text(spans),
        min(span.left for span in spans),
        min(span.bottom for span in spans),
        max(span.right for span in spans),
        max(span.top for span in spans),
        spans[0].order,
    )


def _fits(span: Span, line: Line) -> bool:
    """A short piece that overlaps the line in height, in a hole of it or under a raised piece."""
    if len(span.text) > _SHORT or any(_collide(span, other) for other in line.spans):
        return False
    if any(_under(span, other, line) for other in line.spans):
        return True
    if line.overlap(span) <= 0.12:
        return False
    slack, reach = 0.1 * span.height, line.height
    before = any(span.left - reach < other.right <= span.left + slack for other in line.spans)
    after = any(span.right - slack <= other.left < span.right + reach for other in line.spans)
    return before or after


def _under(span: Span, other: Span, line: Line) -> bool:
    """A denominator under a numerator that the line has taken in."""
    raised = other.middle - (line.top + line.bottom) / 2 > 0.25 * line.height
    near = -0.3 * span.height < other.bottom - span.top < 0.5 * span.height
    centred = other.left < (span.left + span.right) / 2 < other.right
    return raised and near and centred and len(other.text) <= _SHORT


def _collide(span: Span, other: Span) -> bool:
    slack = 0.1 * span.height
    beside = other.right <= span.left + slack or span.right - slack <= other.left
    shared = min(span.top, other.top) - max(span.bottom, other.bottom)
    return not beside and shared > 0.1 * min(span.height, other.height)


def _spaced(last: Span, span: Span) -> bool:
    """Whether a space belongs between two neighbours of a line; one over the other counts."""
    if last.text[-1:].isspace() or span.text[:1].isspace():
        return True
    gap = span.left - last.right
    stacked = gap < 0 and (span.bottom > last.middle or span.top < last.middle)
    if stacked or gap > 0.15 * span.height or gap < -span.height:
        return True
    # On one baseline the file itself would have drawn them together, were they one word.
    level = abs(span.bottom - last.bottom) + abs(span.top - last.top) < 0.1 * span.height
    return level and last.text[-1:].isalnum() and span.text[:1].isalnum()
