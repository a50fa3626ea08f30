"""An answer as it is shown: Markdown that grows, and each sentence's mark a thing to press."""

from __future__ import annotations

import ast
import asyncio
import re
import time
import warnings
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token
from textual.app import ComposeResult
from textual.await_complete import AwaitComplete
from textual.content import Content, Span
from textual.style import Style
from textual.widgets import Label, Markdown, Static
from textual.widgets._markdown import MarkdownFence, MarkdownTable, MarkdownTableContent
from textual.widgets.markdown import MarkdownBlock, MarkdownStream

from tutor.model import Answer
from tutor.tui.answer_markdown import Mark, answer_parser, marked, marks_of, written
from tutor.tui.wrapping import shared

_CLICK = re.compile(r"link\('mark-(\d+)'\)")
_REST = 3.0
"""Time left to the app after an addition, in times of what the addition took."""
_LONGEST_PAUSE_S = 1.5
_CURRENT = "bold reverse"
_NO_PYTHON = (SyntaxError, ValueError, RecursionError, MemoryError)
_AIR = 3
"""What a column of a table has beside its words: a line, and a blank on both sides."""


class _AnswerTable(MarkdownTable):
    """A table that is drawn anew with each row: cells that the library adds know no marks."""

    def compose(self) -> ComposeResult:
        for _content in super().compose():
            yield _TableContent(self._headers, self._rows)

    async def _update_from_block(self, block: MarkdownBlock) -> None:
        await MarkdownBlock._update_from_block(self, block)  # noqa: SLF001 - see above


class _TableContent(MarkdownTableContent):
    """The cells of a table. They have no tooltips, in which the library would read markup."""

    def on_resize(self) -> None:
        """Give long columns equal parts of the room, where the library gives the last one all.

        Air beside the words is left out where it would cost the longest of them a letter.
        """
        columns = [*zip(self.headers, *self.rows, strict=False)]
        least = [max(cell.get_minimal_width({}) for cell in cells) for cells in columns]
        wanted = [max(cell.get_optimal_width({}, 0) for cell in cells) for cells in columns]
        room = self.size.width - _AIR * len(columns) - 1
        self.set_class(sum(least) > room, "-tight")
        is_long = sum(least) <= room < sum(wanted)
        widths = shared(wanted, least, room) if is_long else []
        self.styles.grid_columns = [width + 2 for width in widths] or "auto"

    def compose(self) -> ComposeResult:
        for cell in super().compose():
            yield cell.with_tooltip(None)


class _Fence(MarkdownFence):
    """Code whose long lines go on below, further in: the library leaves them to the mouse."""

    _columns = 0

    @classmethod
    def highlight(cls, code: str, language: str, ansi: bool = False, dark: bool = False) -> Content:
        """Code in colours: that of an unnamed language if it is Python's.

        The library tries all 250 languages that it knows, for half a second, and takes Python for
        the macros of a terminal.
        """
        return super().highlight(code, language or _language_of(code), ansi, dark)

    def set_content(self, content: Content) -> None:
        super().set_content(_hanging(content, self._columns) if self._columns else content)

    def on_resize(self) -> None:
        columns = self.query_one(Label).content_size.width
        if columns != self._columns:
            self._columns = columns
            # What becomes higher while it is laid out would be cut.
            self.call_after_refresh(lambda: self.set_content(self._highlighted_code))


def _language_of(code: str) -> str:
    """Python where it is that, else none that has colours."""
    with warnings.catch_warnings(action="ignore"), suppress(*_NO_PYTHON):
        ast.parse(code)
        return "python"
    return "text"


class AnswerText(Markdown):
    """An answer's text with its marks; both may be added to while it is written."""

    BLOCKS = {  # noqa: RUF012 - as the library has it
        **Markdown.BLOCKS,
        "table_open": _AnswerTable,
        "fence": _Fence,
        "code_block": _Fence,
    }

    def __init__(self, marks: list[Mark], text: str = "") -> None:
        """`text` with the marks in their places."""
        super().__init__(text, parser_factory=self.parser, open_links=False)
        self.marks = marks
        self.current: int | None = None
        self._stream: SteadyStream | None = None

    def parser(self) -> MarkdownIt:
        return answer_parser(
            lambda place: self.marks[place].label if place < len(self.marks) else ""
        )

    async def write(self, text: str) -> None:
        if self._stream is None:
            self._stream = SteadyStream(self)
            self._stream.start()
        await self._stream.write(text)

    async def write_mark(self, mark: Mark, after: str) -> None:
        self.marks.append(mark)
        await self.write(written(len(self.marks) - 1, after))

    async def end_writing(self) -> None:
        """Lay out what is left to be laid out; what comes later is written on."""
        if self._stream:
            await self._stream.stop()
            self._stream = None

    async def show(self, answer: Answer) -> None:
        self.current = None
        self.marks[:] = marks_of(answer)
        await self.update(marked(answer.text, self.marks, answer.quoted_end))

    def point_at(self, place: int | None) -> None:
        """Show which mark is the current one, and bring it into view."""
        touched, self.current = {self.current, place}, place
        for widget in self.query(Static):
            if isinstance(widget.content, Content):
                places = {mark for mark, _start, _end in _marks_in(widget.content)}
                if touched & places:
                    widget.update(self._pointing(widget.content), layout=False)
                if place in places:
                    widget.scroll_visible(animate=False)

    # --- how its marks are drawn ---

    def _parse_markdown(self, tokens: Iterable[Token]) -> Iterator[MarkdownBlock]:
        """The library's blocks, with their marks drawn before they are laid out."""
        for block in super()._parse_markdown(tokens):
            for one in _nested(block):
                if _marks_in(one._content):  # noqa: SLF001 - what the library will show
                    one.set_content(self._pointing(self._warned(one._content)))  # noqa: SLF001
            yield block

    def _warned(self, content: Content) -> Content:
        """Marks that stand for no support stand out, and the sentence before each is underlined."""
        for place, start, end in _marks_in(content):
            if self.marks[place].citation is None:
                (inline,) = self.parser().parseInline(self.marks[place].sentence.strip())
                shown = MarkdownBlock(self, inline)._token_to_content(inline)  # noqa: SLF001 - as it was drawn
                sentence = max(0, start - 1 - len(shown.plain))
                content = content.stylize("bold $text-warning", start, end)
                content = content.stylize("underline", sentence, max(0, start - 1))
        return content

    def _pointing(self, content: Content) -> Content:
        """A text whose current mark, and no other, is drawn so."""
        spans = [span for span in content.spans if span.style != _CURRENT]
        spans += [
            Span(start, end, _CURRENT)
            for place, start, end in _marks_in(content)
            if place == self.current
        ]
        return Content(content.plain, spans)


class SteadyStream(MarkdownStream):
    """Writes an answer as it comes, and leaves the app most of its time.

    Each addition lays out the last block anew, so that a long list or program costs more and
    more; what comes meanwhile is written in fewer, larger pieces.
    """

    async def _run(self) -> None:
        added = AwaitComplete.nothing()
        try:
            while await self._new_markup.wait():
                pieces = "".join(self._pending)
                self._pending.clear()
                self._new_markup.clear()
                begun = time.monotonic()
                added = self.markdown_widget.append(pieces)
                await asyncio.shield(added)
                await asyncio.sleep(min(_LONGEST_PAUSE_S, _REST * (time.monotonic() - begun)))
        except asyncio.CancelledError:
            # It is stopped; what is left is written at once. An addition begins where the one
            # before it has ended.
            await added
        if self._pending:
            await self.markdown_widget.append("".join(self._pending))


def _hanging(code: Content, width: int) -> Content:
    """Code in so many columns: what does not fit in a line stands below, two columns further in."""
    lines = []
    for line in code.expand_tabs(4).split(allow_blank=True):
        if line.cell_length <= width:
            lines.append(line)
            continue
        indent = len(line.plain) - len(line.plain.lstrip())
        first, hang = line.wrap(width)[0], min(indent + 2, width // 2)
        rest = line[len(first) :]
        rest = rest[len(rest.plain) - len(rest.plain.lstrip()) :]
        lines += [first, *(piece.pad_left(hang) for piece in rest.wrap(max(1, width - hang)))]
    return Content("\n").join(lines)


def _nested(block: MarkdownBlock) -> Iterator[MarkdownBlock]:
    yield block
    for inner in block._blocks:  # noqa: SLF001 - they are not laid out yet
        yield from _nested(inner)


def _marks_in(content: Content) -> list[tuple[int, int, int]]:
    """The marks of a text: which, and where they begin and end."""
    found = []
    for span in content.spans:
        click: Any = span.style.meta.get("@click") if isinstance(span.style, Style) else None
        if isinstance(click, str) and (match := _CLICK.fullmatch(click)):
            found.append((int(match[1]), span.start, span.end))
    return found
