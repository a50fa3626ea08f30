r"""Formulas in Markdown, as a terminal can show them: `\\frac{1}{1+e^{-z}}` as `1/(1+e⁻ᶻ)`.

TeX is turned into Unicode by pylatexenc; fractions get the parentheses that a line needs, and
exponents and indices are raised and lowered where Unicode has the characters. What cannot be
shown without changing its meaning stays TeX.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from markdown_it.token import Token
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.texmath import texmath_plugin

from tutor.tui.tex import as_text

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_core import StateCore

_RAISED = dict(
    zip(
        "0123456789+-=()abcdefghijklmnoprstuvwxyzABDEGHIJKLMNOPRTUVWαβγδθ⊤∗*′",
        "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻᴬᴮᴰᴱᴳᴴᴵᴶᴷᴸᴹᴺᴼᴾᴿᵀᵁⱽᵂᵅᵝᵞᵟᶿᵀ**′",
        strict=True,
    )
)
_LOWERED = dict(
    zip(
        "0123456789+-=()aehijklmnoprstuvxβγρφχ",
        "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓᵦᵧᵨᵩᵪ",
        strict=True,
    )
)
_SCRIPT = re.compile(r" *([\^_]) *(?:\{([^{}]*)\}|([^\s{}]))")
_KEPT = {"^": "\ue002", "_": "\ue003"}
"""What stands for a script that cannot be raised or lowered, until all others are."""
_DEPTH = 6
"""Scripts within scripts that are followed."""
_LONGEST = 2000
"""Characters of TeX that are read; longer ones are shown as they are."""


def formulas(parser: MarkdownIt) -> None:
    r"""Teach a parser `$…$`, `$$…$$`, `\\(…\\)` and `\\[…\\]`; they come out as readable text."""
    texmath_plugin(parser, delimiters="brackets")
    dollarmath_plugin(parser, allow_space=False, allow_digits=False, double_inline=True)
    parser.core.ruler.push("readable_formulas", _as_text)


def readable_formula(tex: str) -> str:
    """A formula in one line of Unicode; the TeX itself where it cannot be read."""
    text = as_text(tex) if len(tex) <= _LONGEST else None
    if text is None:
        return tex
    for _depth in range(_DEPTH):
        text, found = _SCRIPT.subn(_script, text)
        if not found:
            break
    for sign, kept in _KEPT.items():
        text = text.replace(kept, sign)
    return text or tex


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


def _script(match: re.Match[str]) -> str:
    kind, group, single = match.groups()
    text = (group if group is not None else single).strip()
    table = _RAISED if kind == "^" else _LOWERED
    if text and all(c in table for c in text.replace(" ", "")):
        return "".join(table[c] for c in text.replace(" ", ""))
    return f"{_KEPT[kind]}({text})" if len(text) > 1 else f"{_KEPT[kind]}{text}"
