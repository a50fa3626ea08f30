r"""Formulas in Markdown, as a terminal can show them: `\\frac{1}{1+e^{-z}}` as `1/(1+e⁻ᶻ)`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from markdown_it.token import Token
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.texmath import texmath_plugin

from tutor.text.tex import readable_formula

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_core import StateCore


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
