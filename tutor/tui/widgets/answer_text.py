"""An answer as it is shown: Markdown that grows, each sentence's mark a thing to press."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Sequence
from functools import cache
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token
from textual.app import ComposeResult
from textual.content import Content
from textual.dom import DOMNode
from textual.style import Style
from textual.widgets import Markdown
from textual.widgets._markdown import (
    MarkdownTable,
    MarkdownTableCellContents,
    MarkdownTableContent,
    MarkdownTD,
    MarkdownTH,
)
from textual.widgets.markdown import MarkdownBlock, MarkdownStream

from tutor.model import Answer
from tutor.tui.marks import Mark, marked, marks_of, written
from tutor.tui.widgets.answer_parser import answer_parser

_CLICK = re.compile(r"link\('mark-(\d+)'\)")
_REST = 3.0
"""Time left to the app after an addition, in times of what the addition took."""
_LONGEST_PAUSE_S = 1.5
_CURRENT = "bold reverse"
_ROOMY = 5
"""Columns of a table that have room for air beside their words."""
_TEXT_BLOCKS = frozenset({"paragraph_open", "th_open", "td_open", *(f"h{n}" for n in range(1, 7))})


class AnswerText(Markdown):
    """An answer's text with its marks; both may be added to while it is written."""

    def __init__(self, marks: list[Mark], text: str = "") -> None:
        """`text` with the marks in their places."""
        super().__init__(text, parser_factory=self.parser, open_links=False)
        self.marks = marks
        self.current: int | None = None
        self._stream: SteadyStream | None = None

    def parser(self) -> MarkdownIt:
        """The parser of this answer."""
        return answer_parser(
            lambda place: self.marks[place].label if place < len(self.marks) else ""
        )

    def get_block_class(self, block_name: str) -> type[MarkdownBlock]:
        """Blocks that know marks, where they hold text."""
        kind = super().get_block_class(block_name)
        if block_name in _TEXT_BLOCKS:
            return _marked(kind)
        return _Table if block_name == "table_open" else kind

    async def write(self, text: str) -> None:
        """Go on with this text."""
        if self._stream is None:
            self._stream = SteadyStream(self)
            self._stream.start()
        await self._stream.write(text)

    async def write_mark(self, mark: Mark, after: str) -> None:
        """Go on with a mark behind the text so far."""
        self.marks.append(mark)
        await self.write(written(len(self.marks) - 1, after))

    async def end_writing(self) -> None:
        """Lay out what is left to be laid out."""
        if self._stream:
            await self._stream.stop()

    async def show(self, answer: Answer) -> None:
        """Draw this answer instead of what was written."""
        self.current = None
        self.marks[:] = marks_of(answer)
        await self.update(marked(answer.text, self.marks))

    def beside(self, step: int) -> int:
        """The place of the mark so many behind the current one, around the end."""
        start = -1 if self.current is None and step > 0 else self.current or 0
        return (start + step) % len(self.marks)

    def point_at(self, place: int | None) -> None:
        """Show which mark is the current one, and bring it into view."""
        touched = {self.current, place} - {None}
        self.current = place
        for block in self.query(MarkdownBlock):
            if isinstance(block, MarkedBlock | _Table) and touched & block.places():
                block.draw_again()
                if place in block.places():
                    block.scroll_visible(animate=False)


class SteadyStream(MarkdownStream):
    """Writes an answer as it comes, and leaves the app most of its time.

    Each addition lays out the last block anew, so that a long list or program costs more and
    more; what comes meanwhile is written in fewer, larger pieces.
    """

    async def _run(self) -> None:
        try:
            while await self._new_markup.wait():
                pieces = "".join(self._pending)
                self._pending.clear()
                self._new_markup.clear()
                begun = time.monotonic()
                await asyncio.shield(self.markdown_widget.append(pieces))
                await asyncio.sleep(min(_LONGEST_PAUSE_S, _REST * (time.monotonic() - begun)))
        except asyncio.CancelledError:
            pass  # it is stopped; what is left is written at once
        if self._pending:
            await self.markdown_widget.append("".join(self._pending))


class MarkedBlock(MarkdownBlock):
    """A block of text that draws its marks; mixed into a kind of block, it looks like that kind."""

    @classmethod
    def _css_bases(  # type: ignore[override]
        cls, base: type[DOMNode]
    ) -> Sequence[type[DOMNode]]:
        """Style comes down one line of bases only: that of the kind, not of this class."""
        kinds = [one for one in base.__bases__ if issubclass(one, MarkdownBlock)]
        return [base, *super()._css_bases(kinds[-1])]

    def places(self) -> set[int]:
        """The marks that it holds."""
        return {place for place, _start, _end in _marks_in(self._content)}

    def draw_again(self) -> None:
        """Draw the marks as they are now."""
        if self._inline_token is not None:
            self.build_from_token(self._inline_token)

    def _copy_context(self, block: MarkdownBlock) -> None:
        super()._copy_context(block)
        self._inline_token = block._inline_token  # noqa: SLF001 - it takes the other one's place

    def _token_to_content(self, token: Token) -> Content:
        content = super()._token_to_content(token)
        answer = self._markdown
        if not isinstance(answer, AnswerText):
            return content
        for place, start, end in _marks_in(content):
            mark = answer.marks[place]
            if place == answer.current and not isinstance(self, MarkdownTD | MarkdownTH):
                content = content.stylize(_CURRENT, start, end)
            elif mark.citation is None:
                content = content.stylize("bold $text-warning", start, end)
            if mark.citation is None:
                sentence = start - 1 - self._width_of(mark.sentence, answer)
                content = content.stylize("underline", max(0, sentence), max(0, start - 1))
        return content

    def _width_of(self, sentence: str, answer: AnswerText) -> int:
        """Characters that a sentence has once it is shown."""
        (inline,) = answer.parser().parseInline(sentence.strip())
        return len(super()._token_to_content(inline).plain)


class _Table(MarkdownTable):
    """A table whose cells show their text as text, in their tooltips too."""

    def compose(self) -> ComposeResult:
        for content in super().compose():
            if isinstance(content, MarkdownTableContent):
                yield _TableContent(content.headers, content.rows)

    def on_mount(self) -> None:
        self.call_after_refresh(self.draw_again)

    def places(self) -> set[int]:
        """The marks that its cells hold."""
        return {place for cell in self._cells() for place, _start, _end in _marks_in(cell)}

    def draw_again(self) -> None:
        """Show which mark is the current one."""
        answer = self._markdown
        current = answer.current if isinstance(answer, AnswerText) else None
        for widget, cell in zip(self.query(MarkdownTableCellContents), self._cells(), strict=False):
            marks = _marks_in(cell)
            for place, start, end in marks:
                if place == current:
                    cell = cell.stylize(_CURRENT, start, end)  # noqa: PLW2901 - as it is shown
            if marks:
                widget.update(cell, layout=False)

    def _cells(self) -> list[Content]:
        return [*self._headers, *(cell for row in self._rows for cell in row)]


class _TableContent(MarkdownTableContent):
    def on_mount(self) -> None:
        self.set_class(len(self.headers) > _ROOMY, "-tight")

    def compose(self) -> ComposeResult:
        for cell in super().compose():
            if isinstance(cell, MarkdownTableCellContents):
                cell.tooltip = None  # the library would read markup in it
            yield cell

    async def _update_rows(self, updated_rows: list[list[Content]]) -> None:
        """The last row has grown, and others follow; the library's own cells know no marks."""
        self.styles.grid_size_columns = len(self.headers)
        await self.query_children(f".cell.row{self.last_row}").remove()
        await self.mount_all(
            MarkdownTableCellContents(cell, classes=f"row{number} cell")
            for number, row in enumerate(updated_rows, self.last_row)
            for cell in row
        )
        self.last_row += max(0, len(updated_rows) - 1)


def _marks_in(content: Content) -> list[tuple[int, int, int]]:
    """The marks of a text: which, and where they begin and end."""
    found = []
    for span in content.spans:
        click: Any = span.style.meta.get("@click") if isinstance(span.style, Style) else None
        if isinstance(click, str) and (match := _CLICK.fullmatch(click)):
            found.append((int(match[1]), span.start, span.end))
    return found


@cache
def _marked(kind: type[MarkdownBlock]) -> type[MarkdownBlock]:
    """That kind of block, with marks. Its style stays that of the kind."""
    return type(f"Marked{kind.__name__}", (MarkedBlock, kind), {})
