"""An answer as Markdown: formulas readable, links inert, each sentence's mark a thing to press."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any

from markdown_it import MarkdownIt
from markdown_it.token import Token
from textual.message import Message
from textual.style import Style
from textual.widgets import Markdown
from textual.widgets._markdown import (
    MarkdownBlock,
    MarkdownTable,
    MarkdownTableCellContents,
    MarkdownTableContent,
)

from tutor.tui.formulas import formulas
from tutor.tui.marks import CLOSES, OPENS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from markdown_it.rules_core import StateCore
    from textual.app import ComposeResult
    from textual.content import Content

    from tutor.tui.marks import Mark

_MARK = re.compile(f"{OPENS}(\\d+){CLOSES}")
_CLICK = re.compile(r"link\('mark-(\d+)'\)")
_INERT = (
    "link",
    "image",
    "autolink",
    "linkify",
    "html_inline",
    "html_block",
    "reference",
    "entity",
)
"""What a model's text must not do: lead anywhere, or smuggle characters in."""
_TEXT_BLOCKS = frozenset({"paragraph_open", "th_open", "td_open", *(f"h{n}" for n in range(1, 7))})


def answer_parser(label: Callable[[int], str]) -> MarkdownIt:
    """A parser for answers; `label` gives the mark of a place its text."""
    parser = MarkdownIt("gfm-like", {"linkify": False}).disable(list(_INERT), ignoreInvalid=True)

    def with_marks(state: StateCore) -> None:
        for token in state.tokens:
            token.children = [
                piece for child in token.children or [] for piece in _split(child, label)
            ] or token.children

    parser.core.ruler.push("marks", with_marks)
    formulas(parser)
    return parser


def _split(token: Token, label: Callable[[int], str]) -> Iterator[Token]:
    """A text as text and marks; anything else as it is."""
    if token.type != "text" or OPENS not in token.content:
        yield token
        return
    for part, piece in enumerate(_MARK.split(token.content)):
        if part % 2:
            yield Token("link_open", "a", 1, attrs={"href": f"mark-{piece}"})
            yield Token("text", "", 0, content=label(int(piece)))
            yield Token("link_close", "a", -1)
        elif piece:
            yield Token("text", "", 0, content=piece)


class AnswerText(Markdown):
    """An answer's text with its marks. Marks may be added while the text is written."""

    class MarkPressed(Message):
        """A mark was clicked."""

        def __init__(self, text: AnswerText, place: int) -> None:
            super().__init__()
            self.text = text
            self.place = place

    def __init__(self, marks: Sequence[Mark], markdown: str = "") -> None:
        super().__init__(markdown, parser_factory=self.parser, open_links=False)
        self.marks = marks
        self.current: int | None = None

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

    def on_markdown_link_clicked(self, event: Markdown.LinkClicked) -> None:
        """Marks are the only links there are."""
        event.stop()
        kind, _dash, number = event.href.partition("-")
        if kind == "mark" and number.isdecimal() and int(number) < len(self.marks):
            self.post_message(self.MarkPressed(self, int(number)))

    def point_at(self, place: int | None) -> None:
        """Show which mark is the current one, and bring it into view."""
        touched = {self.current, place} - {None}
        self.current = place
        for block in self.query(MarkdownBlock):
            if isinstance(block, MarkedBlock) and touched & block.places():
                block.draw_again()
                if place in block.places():
                    block.scroll_visible(animate=False)


class MarkedBlock(MarkdownBlock):
    """A block of text that draws its marks."""

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
            if place == answer.current:
                content = content.stylize("bold reverse", start, end)
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


class _TableContent(MarkdownTableContent):
    def compose(self) -> ComposeResult:
        for cell in super().compose():
            if isinstance(cell, MarkdownTableCellContents):
                cell.tooltip = None  # the library would read markup in it
            yield cell


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
