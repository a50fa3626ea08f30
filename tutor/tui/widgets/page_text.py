"""The text of a page with a quote set off; drawn line by line, however long."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator
from itertools import pairwise
from typing import ClassVar

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.geometry import Region, Size
from textual.scroll_view import ScrollView
from textual.selection import Selection
from textual.strip import Strip

from tutor.tui.keys import keys_of
from tutor.tui.workspace.cited_page import Span
from tutor.tui.wrapping import with_formulas_whole

_MARGIN = 2
_WIDEST = 96
"""Columns: longer lines are hard to read."""
_NOWHERE: Span = (0, 0)
_UNSURE = re.compile("[^\n -~¡-¬®-ɏ]")
"""All but letters and signs of Latin scripts, which are one column wide and do nothing."""
_WORDS = re.compile(r"\S+\s*|\s+")


class PageText(ScrollView, can_focus=True, inherit_bindings=False):
    """A text to be read, with a mark in the margin beside its quote."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"page-text--quote", "page-text--mark"}
    BINDINGS = keys_of("page_text")

    def __init__(self) -> None:
        super().__init__()
        self._text = ""
        self._quote = _NOWHERE
        self._rows: list[Span] = []
        self._wrapped_at = 0

    def show(self, text: str, quote: Span | None) -> None:
        """Show a text; its quote, a span of offsets, is scrolled into view."""
        self._text, self._quote = displayable(text), quote or _NOWHERE
        self._wrap()
        self.scroll_to(y=0, animate=False, immediate=True, force=True)
        if quote:
            self.call_after_refresh(self._bring_into_view, quote)

    def point_at(self, span: Span) -> None:
        """Set off other words of the same text, and bring them into view."""
        self._quote = span
        self.refresh()
        self._bring_into_view(span)

    @property
    def row_of_quote(self) -> int | None:
        """The line, counted from 0, on which the quote begins; None without a quote."""
        return self._row_at(self._quote[0]) if self._quote != _NOWHERE else None

    def _wrap(self) -> None:
        self._wrapped_at = min(self.scrollable_content_region.width - _MARGIN, _WIDEST)
        self._rows = list(wrapped(self._text, max(self._wrapped_at, 1)))
        self.virtual_size = Size(self._wrapped_at + _MARGIN, len(self._rows))
        self.refresh()

    def _bring_into_view(self, span: Span) -> None:
        first, last = self._row_at(span[0]), self._row_at(max(span[0], span[1] - 1))
        height = self.scrollable_content_region.height
        rows = min(last - first + 1, max(height, 1))
        self.scroll_to_region(
            Region(0, first, 1, rows), animate=False, center=True, force=True, immediate=True
        )

    def _row_at(self, offset: int) -> int:
        return max(0, bisect_right(self._rows, offset, key=lambda row: row[0]) - 1)

    def on_resize(self) -> None:
        """Wrap anew; what stood at the top stays in view."""
        if min(self.scrollable_content_region.width - _MARGIN, _WIDEST) == self._wrapped_at:
            return
        quote_was_seen = self._sees(self.row_of_quote)
        top = self._rows[min(self.scroll_offset.y, len(self._rows) - 1)][0] if self._rows else 0
        self._wrap()
        if quote_was_seen:
            self.call_after_refresh(self._bring_into_view, self._quote)
        else:
            self.scroll_to(y=self._row_at(top), animate=False, immediate=True, force=True)

    def _sees(self, row: int | None) -> bool:
        return row is not None and 0 <= row - self.scroll_offset.y < max(1, self.size.height)

    async def action_screenful(self, step: int) -> None:
        """Scroll by what fits; at the end, go to the next page where the screen has one."""
        at_end = (
            self.scroll_offset.y >= self.max_scroll_y if step > 0 else self.scroll_offset.y <= 0
        )
        if at_end:
            await self.run_action(f"screen.page({step})")
        else:
            self.scroll_relative(y=step * max(1, self.size.height - 2), animate=False)

    # --- drawing ---

    def render_line(self, y: int) -> Strip:
        """A line of the text with its margin."""
        row = self.scroll_offset.y + y
        width = self.size.width
        if row >= len(self._rows):
            return Strip.blank(width, self.rich_style)
        strip = Strip([self._margin(row), *self._pieces(row)])
        return strip.adjust_cell_length(width, self.rich_style).apply_offsets(0, row)

    def _margin(self, row: int) -> Segment:
        span = self._rows[row]
        sign = "▶ " if span[0] <= self._quote[0] < span[1] else "┃ "
        sign = sign if overlaps(span, self._quote) else "  "
        return Segment(sign, self.get_component_rich_style("page-text--mark"))

    def _pieces(self, row: int) -> Iterator[Segment]:
        start, end = self._rows[row]
        cuts = {start, end, *self._selected(row)}
        cuts.update(cut for cut in self._quote if start < cut < end)
        edges = sorted(cuts)
        selected = self._selected(row)
        for left, right in pairwise(edges):
            style = self._style_at(left)
            if selected and selected[0] <= left < selected[1]:
                style += self.screen.get_component_rich_style("screen--selection")
            yield Segment(self._text[left:right], style)

    def _style_at(self, offset: int) -> Style:
        if self._quote[0] <= offset < self._quote[1]:
            return self.get_component_rich_style("page-text--quote")
        return self.rich_style

    # --- selecting with the mouse ---

    @property
    def allow_select(self) -> bool:
        """The text can be selected."""
        return True

    def _selected(self, row: int) -> Span | tuple[()]:
        selection = self.text_selection
        span = selection.get_span(row) if selection else None
        if span is None:
            return ()
        start, end = self._rows[row]
        first = min(end, start + max(0, span[0] - _MARGIN))
        last = end if span[1] == -1 else min(end, start + max(0, span[1] - _MARGIN))
        return (first, last) if first < last else ()

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        """What was selected, without the margin."""
        lines = (self._text[start:end] for start, end in self._rows)
        extracted = selection.extract("\n".join(" " * _MARGIN + line for line in lines))
        return re.sub(rf"(?m)^ {{1,{_MARGIN}}}", "", extracted), "\n"

    def selection_updated(self, selection: Selection | None) -> None:  # noqa: ARG002
        """Show what is selected now."""
        self.refresh()


def displayable(text: str) -> str:
    """The text at the same offsets, with nothing that a terminal would do more than show."""
    return _UNSURE.sub(_shown, text)


def _shown(match: re.Match[str]) -> str:
    return " " if unicodedata.category(match.group())[0] in "CZ" else match.group()


def overlaps(line: Span, other: Span) -> bool:
    """Whether a line, which may be empty, and a span share a place."""
    return max(line[0], other[0]) < min(max(line[1], line[0] + 1), other[1])


def wrapped(text: str, width: int) -> Iterator[Span]:
    """The spans of the lines that the text takes in so many columns, without their ends."""
    start = 0
    for line in text.split("\n"):
        if len(line) > width or _UNSURE.search(line):
            yield from _wrapped_line(line, start, width)
        else:
            yield start, start + len(line)
        start += len(line) + 1


def _wrapped_line(line: str, offset: int, width: int) -> Iterator[Span]:
    start = used = 0
    for match in _WORDS.finditer(with_formulas_whole(line, width)):
        word = match.group()
        cells = cell_len(word.rstrip())
        if used and used + cells > width:
            yield offset + start, offset + match.start()
            start, used = match.start(), 0
        if cells > width:
            for at in range(match.start(), match.end()):
                cell = cell_len(line[at])
                if used + cell > width and at > start:
                    yield offset + start, offset + at
                    start, used = at, 0
                used += cell
        else:
            used += cell_len(word)
    yield offset + start, offset + len(line)
