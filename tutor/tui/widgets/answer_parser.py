"""Markdown of answers: formulas readable, links inert, each mark of a sentence a thing to press."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.texmath import texmath_plugin

from tutor.text.tex import readable_formula
from tutor.tui.marks import BEST_CLOSES, BEST_OPENS, CLOSES, OPENS

_BEST = re.compile(f"([{BEST_OPENS}{BEST_CLOSES}])")
_MARK = re.compile(f"{OPENS}(\\d+){CLOSES}")
_BEHIND_ROW = re.compile(f"(\\|[ \\t]*)((?:[ \\t]*{OPENS}\\d+{CLOSES})+)[ \\t]*$", re.MULTILINE)
_INERT = "link image autolink linkify html_inline html_block reference entity".split()
"""What a model's text must not do: lead anywhere, or smuggle characters in."""
_STRONG = {True: Token("strong_open", "strong", 1), False: Token("strong_close", "strong", -1)}
_CODE = frozenset({"fence", "code_block"})
_SAID = frozenset({"text", "code_inline"})


def formulas(parser: MarkdownIt) -> None:
    r"""Teach a parser `$…$`, `$$…$$`, `\\(…\\)` and `\\[…\\]`; they come out as readable text."""
    texmath_plugin(parser, delimiters="brackets")
    dollarmath_plugin(parser, allow_space=False, allow_digits=False, double_inline=True)
    parser.core.ruler.push("readable_formulas", _as_text)


def _as_text(state: StateCore) -> None:
    tokens: list[Token] = []
    for token in state.tokens:
        if token.type.startswith("math_block"):
            tokens += _paragraph(token)
            continue
        for child in token.children or []:
            if child.type.startswith("math_inline"):
                child.type, child.content = "text", readable_formula(child.content)
        tokens.append(token)
    state.tokens = tokens


def _paragraph(formula: Token) -> list[Token]:
    text = readable_formula(formula.content)
    content = Token("inline", "", 0, children=[Token("text", "", 0, content=text)], content=text)
    opening = Token("paragraph_open", "p", 1, map=formula.map, level=formula.level)
    return [opening, content, Token("paragraph_close", "p", -1, level=formula.level)]


def answer_parser(label: Callable[[int], str]) -> MarkdownIt:
    """A parser for answers; `label` gives the mark of a place its text."""
    parser = MarkdownIt("gfm-like", {"linkify": False}).disable(_INERT, ignoreInvalid=True)

    def into_cells(state: StateCore) -> None:
        state.src = _BEHIND_ROW.sub(r"\2 \1", state.src)

    def with_marks(state: StateCore) -> None:
        for token in state.tokens:
            if token.type in _CODE:
                token.content = _BEST.sub("", _MARK.sub("", token.content))
            token.children = [
                piece
                for child in _emphasised(token.children or [])
                for piece in _split(child, label)
            ] or token.children

    parser.core.ruler.before("block", "marks_of_rows", into_cells)
    formulas(parser)
    parser.core.ruler.push("marks", with_marks)
    return parser


def _emphasised(tokens: Sequence[Token]) -> Iterator[Token]:
    """Tokens of a line, with what stands between the signs in bold as far as the line goes."""
    is_open = False
    for token in tokens:
        if token.type != "text" or not _BEST.search(token.content):
            token.content = _BEST.sub("", token.content)
            yield token
            continue
        for piece in _BEST.split(token.content):
            if piece in (BEST_OPENS, BEST_CLOSES):
                if is_open != (piece == BEST_OPENS):
                    is_open = piece == BEST_OPENS
                    yield _STRONG[is_open]
            elif piece:
                yield Token("text", "", 0, content=piece)
    if is_open:
        yield _STRONG[False]


def _split(token: Token, label: Callable[[int], str]) -> Iterator[Token]:
    """A text as text and marks, a line break as one; anything else as it is."""
    if token.type == "softbreak":
        token.type = "hardbreak"
    if token.type not in _SAID or OPENS not in token.content:
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
