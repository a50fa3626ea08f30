"""The Markdown of answers: formulas readable, links inert, and marks as what can be pressed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.texmath import texmath_plugin

from tutor.text.tex import readable_formula
from tutor.tui.marks import BEST_CLOSES, BEST_OPENS, CLOSES, OPENS

_BEST = re.compile(f"([{BEST_OPENS}{BEST_CLOSES}])")
_MARK = re.compile(f"{OPENS}(\\d+){CLOSES}")
_BEHIND_ROW = re.compile(f"(\\|[ \\t]*)((?:[ \\t]*{OPENS}\\d+{CLOSES})+)[ \\t]*$", re.MULTILINE)
_BULLET = re.compile(r"^([ \t]*)•(?=[ \t])", re.MULTILINE)
"""What begins an item of a list in notes, but not in Markdown."""
_STARRED = re.compile(r"(?<!\w)(?:(?<!\*)|(?<=\*\*))\w\*(?:(?![\w*])|(?=\*\*(?!\*)))")
"""A letter with a star that is part of its name, as in A*."""
_GOES_ON = tuple(f" {sign}" for sign in "=≈≔<>≤≥+−⋅×")
_INERT = "link image autolink linkify html_inline html_block reference entity".split()
"""What a model's text must not do: lead anywhere, or smuggle characters in."""


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
