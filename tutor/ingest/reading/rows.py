"""Spans side by side, and what they measure together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tutor.ingest.reading.spans import TextSpan


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
