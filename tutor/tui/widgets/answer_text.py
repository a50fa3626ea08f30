"""An answer as it is shown: Markdown that grows, formulas readable, links inert, and each
sentence's mark a thing to press.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.texmath import texmath_plugin
from textual.app import ComposeResult
from textual.content import Content, Span
from textual.style import Style
from textual.widgets import Markdown, Static
from textual.widgets._markdown import (
    MarkdownTable,
    MarkdownTableContent,
)
from textual.widgets.markdown import MarkdownBlock, MarkdownStream

from tutor.model import Answer
from tutor.text.tex import readable_formula
from tutor.tui.marks import (
    BEST_CLOSES,
    BEST_OPENS,
    CLOSES,
    OPENS,
    Mark,
    marked,
    marks_of,
    written,
)

_BEST = re.compile(f"([{BEST_OPENS}{BEST_CLOSES}])")
_MARK = re.compile(f"{OPENS}(\\d+){CLOSES}")
_BEHIND_ROW = re.compile(f"(\\|[ \\t]*)((?:[ \\t]*{OPENS}\\d+{CLOSES})+)[ \\t]*$", re.MULTILINE)
_BULLET = re.compile(r"^([ \t]*)•(?=[ \t])", re.MULTILINE)
"""What begins an item of a list in notes, but not in Markdown."""
_STARRED = re.compile(r"(?<!\w)(?:(?<!\*)|(?<=\*\*))\w\*(?:(?![\w*])|(?=\*\*(?!\*)))")
"""A letter with a star that is part of its name, as in A*."""
_GOES_ON = tuple(f" {sign}" for sign in "=≈≔<>≤≥+−⋅×")
_CLICK = re.compile(r"link\('mark-(\d+)'\)")
_INERT = "link image autolink linkify html_inline html_block reference entity".split()
"""What a model's text must not do: lead anywhere, or smuggle characters in."""
_REST = 3.0
"""Time left to the app after an addition, in times of what the addition took."""
_LONGEST_PAUSE_S = 1.5
_CURRENT = "bold reverse"
_AIR = 3
"""What a column of a table has beside its words: a line, and a blank on both sides."""


class _Table(MarkdownTable):
    """A table that is drawn anew with each row: cells that the library adds know no marks."""

    def compose(self) -> ComposeResult:
        for _content in super().compose():
            yield _TableContent(self._headers, self._rows)

    async def _update_from_block(self, block: MarkdownBlock) -> None:
        await MarkdownBlock._update_from_block(self, block)  # noqa: SLF001 - see above


class _TableContent(MarkdownTableContent):
    """The cells of a table. They have no tooltips, in which the library would read markup."""

    def on_resize(self) -> None:
        """Air beside the words is left out where it would cost the longest of them a letter."""
        columns = zip(self.headers, *self.rows, strict=False)
        least = sum(max(cell.get_minimal_width({}) for cell in cells) for cells in columns)
        air = _AIR * len(self.headers) + 1
        self.set_class(least + air > self.size.width, "-tight")

    def compose(self) -> ComposeResult:
        for cell in super().compose():
            yield cell.with_tooltip(None)


class AnswerText(Markdown):
    """An answer's text with its marks; both may be added to while it is written."""

    BLOCKS = {**Markdown.BLOCKS, "table_open": _Table}  # noqa: RUF012 - as the library has it

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
        """Lay out what is left to be laid out; what comes later is written on."""
        if self._stream:
            await self._stream.stop()
            self._stream = None

    async def show(self, answer: Answer) -> None:
        """Draw this answer instead of what was written."""
        self.current = None
        self.marks[:] = marks_of(answer)
        await self.update(marked(answer.text, self.marks))

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


def _nested(block: MarkdownBlock) -> Iterator[MarkdownBlock]:
    """A block and all blocks in it."""
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


# --- the parser ---


def answer_parser(label: Callable[[int], str]) -> MarkdownIt:
    r"""A parser for answers; `label` gives the mark of a place its text.

    It knows formulas as `$…$`, `$$…$$`, `\(…\)` and `\[…\]`, which come out as text.
    """
    parser = MarkdownIt("gfm-like", {"linkify": False}).disable(_INERT, ignoreInvalid=True)

    def as_markdown(state: StateCore) -> None:
        state.src = _BULLET.sub(r"\1-", _BEHIND_ROW.sub(r"\2 \1", state.src))

    def with_marks(state: StateCore) -> None:
        for token in state.tokens:
            if token.type in {"fence", "code_block"}:
                token.content = _BEST.sub("", _MARK.sub("", token.content))
            token.children = [
                piece
                for child in _emphasised(_going_on(token.children or []))
                for piece in _split(child, label)
            ] or token.children

    parser.core.ruler.before("block", "as_markdown", as_markdown)
    parser.inline.ruler.before("emphasis", "starred", _starred)
    texmath_plugin(parser, delimiters="brackets")
    dollarmath_plugin(parser, allow_space=False, allow_digits=False, double_inline=True)
    parser.core.ruler.push("readable_formulas", _with_readable_formulas)
    parser.core.ruler.push("marks", with_marks)
    return parser


def _starred(state: StateInline, silent: bool) -> bool:
    """Take the star of a name like A* for a letter: it neither begins nor ends an emphasis."""
    if state.src[state.pos] != "*" or not _STARRED.match(state.src, max(state.pos - 1, 0)):
        return False
    if not silent:
        state.pending += "*"
    state.pos += 1
    return True


def _with_readable_formulas(state: StateCore) -> None:
    tokens: list[Token] = []
    for token in state.tokens:
        if token.type.startswith("math_block"):
            text = Token("text", "", 0, content=readable_formula(token.content))
            tokens += [
                Token("paragraph_open", "p", 1, map=token.map, level=token.level),
                Token("inline", "", 0, children=[text], content=text.content),
                Token("paragraph_close", "p", -1, level=token.level),
            ]
            continue
        for child in token.children or []:
            if child.type.startswith("math_inline"):
                child.type, child.content = "text", readable_formula(child.content)
        tokens.append(token)
    state.tokens = tokens


def _going_on(tokens: Sequence[Token]) -> Sequence[Token]:
    """Tokens of a paragraph, in which a line that ends with a sign of a formula goes on."""
    for before, token in pairwise(tokens):
        if token.type == "softbreak" and before.content.endswith(_GOES_ON):
            token.type, token.content = "text", " "
    return tokens


def _emphasised(tokens: Sequence[Token]) -> Iterator[Token]:
    """Tokens of a line, with what stands between the signs in bold as far as the line goes."""
    strong = {True: Token("strong_open", "strong", 1), False: Token("strong_close", "strong", -1)}
    is_open = False
    for token in tokens:
        if token.type != "text":
            token.content = _BEST.sub("", token.content)
            yield token
            continue
        for piece in _BEST.split(token.content):
            if piece in {BEST_OPENS, BEST_CLOSES}:
                if is_open != (piece == BEST_OPENS):
                    is_open = not is_open
                    yield strong[is_open]
            elif piece:
                yield Token("text", "", 0, content=piece)
    if is_open:
        yield strong[False]


def _split(token: Token, label: Callable[[int], str]) -> Iterator[Token]:
    """A text as text and marks, a line break as one; anything else as it is."""
    if token.type == "softbreak":
        token.type = "hardbreak"
    if token.type not in {"text", "code_inline"} or OPENS not in token.content:
        yield token
        return
    if token.type != "text":  # code has no marks within, but behind it
        marks = _MARK.findall(token.content)
        token.content = _MARK.sub("", token.content).rstrip()
        yield token
        token = Token("text", "", 0, content="".join(f" {OPENS}{mark}{CLOSES}" for mark in marks))
    for part, piece in enumerate(_MARK.split(token.content)):
        if part % 2:
            yield Token("link_open", "a", 1, attrs={"href": f"mark-{piece}"})
            yield Token("text", "", 0, content=label(int(piece)))
            yield Token("link_close", "a", -1)
        elif piece:
            yield Token("text", "", 0, content=piece)
