"""Formulas, in LaTeX or as a PDF's text has them, compared operation by operation.

A PDF loses fraction bars, exponents and the order of stacked lines, so formulas are never
compared as a whole: what counts is that an operation of the claim is not another one in the
passage (`g(n) - h(n)` where the passage has `g(n) + h(n)`), and that its symbols are known.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from tutor.text.folding import fold, unaccented

MATHS = re.compile(r"\$\$.+?\$\$|\$(?=\S)[^$\n]+?(?<=\S)\$|\\\(.+?\\\)|\\\[.+?\\\]", re.DOTALL)
"""A formula that is marked as one."""
MIN_KNOWN_SYMBOLS = 0.6
"""The share of a claim's symbols that the passage must have."""

_LATEX = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "Delta": "Δ", "epsilon": "ε",
    "varepsilon": "ε", "eta": "η", "theta": "θ", "lambda": "λ", "mu": "μ", "pi": "π", "rho": "ρ",
    "sigma": "σ", "Sigma": "Σ", "tau": "τ", "phi": "φ", "varphi": "φ", "Phi": "Φ", "omega": "ω",
    "sum": "∑", "prod": "∏", "int": "∫", "sqrt": "√", "partial": "∂", "nabla": "∇",
    "infty": "∞", "cdot": "⋅", "times": "⋅", "leq": "≤", "le": "≤", "geq": "≥", "ge": "≥",
    "neq": "≠", "approx": "≈", "in": "∈", "to": "→", "rightarrow": "→", "div": "/",
    "top": "", "left": "", "right": "", "quad": " ", "hat": "", "bar": "", "overline": "",
    "mathbf": "", "mathrm": "", "text": "", "operatorname": "", "mathbb": "", "vec": "",
}  # fmt: skip
_COMMAND = re.compile(r"\\([A-Za-z]+)")
_FRACTION = re.compile(r"\\[dt]?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}")
_SAME = str.maketrans("−–‐*×·∗µ|", "---⋅⋅⋅⋅μ ", "^_{}$\\⊤ᵀ")
_STARRED = re.compile(r"\b([A-Za-z]{1,3})\*(?=[\s.,;:)]|$)")
"""A name such as A*, which multiplies nothing."""
_APPLIED = re.compile(r"([^\W\d_]{1,3}\d*)\s?\(\s?([^\W_]{1,3})\s?\)")
"""A function of one variable, which is one operand."""
_TOKEN = re.compile(
    r"[^\W\d_]{1,3}\d*\([^\W_]{1,3}\)|[^\W\d_]+\d*|\d+(?:[.,]\d+)*|[-+/⋅=<>≤≥≠∑∏√∂∇∫∞]"
)
_OPERATOR = frozenset("-+/⋅=<>≤≥≠")
_RIVALS = (frozenset("+-⋅/"), frozenset("<>≤≥=≠"))
_COMMUTES = frozenset("+⋅=")
_LONG_WORD = 4
"""Letters from which a lower-case token is a word, not a symbol."""
_FUNCTIONS = frozenset("log ln exp max min tanh sin cos arg argmax argmin".split())


class _Operation(NamedTuple):
    """`left operator right`; brackets do not count, so the operands are the nearest symbols."""

    left: str
    operator: str
    right: str


def agree(claimed: str, passage: str) -> bool:
    """Whether no operation of the claim is contradicted and most of its symbols are known."""
    ours = _operations(claimed)
    if not ours and not MATHS.search(claimed):
        return True
    theirs = _operations(passage)
    if any(_contradicted(operation, theirs) for operation in ours):
        return False
    symbols = {operand for operation in ours for operand in (operation.left, operation.right)}
    symbols.update(token for marked in MATHS.findall(claimed) for token in _tokens(marked))
    symbols = {symbol for symbol in symbols if symbol[0].isalpha() and not _is_word(symbol)}
    known = symbols.intersection(_tokens(passage))
    if symbols & _FUNCTIONS - known:
        return False
    return len(known) >= MIN_KNOWN_SYMBOLS * len(symbols)


def is_formula(text: str) -> bool:
    """Whether the text is a formula and nothing else but a few connecting words."""
    rest = MATHS.sub(" ", text)
    words = [word for word in re.findall(r"[^\W\d_]+", rest) if len(word) >= _LONG_WORD]
    return not words and (rest != text or len(_operations(text)) > 0)


def _contradicted(operation: _Operation, others: set[_Operation]) -> bool:
    operands = {operation.left, operation.right}
    same = [other for other in others if {other.left, other.right} == operands]
    exact = any(_equal(operation, other) for other in same)
    return not exact and any(_rivals(operation, other) for other in same)


def _equal(one: _Operation, other: _Operation) -> bool:
    same = one.operator == other.operator
    return same and (one.left == other.left or one.operator in _COMMUTES)


def _rivals(one: _Operation, other: _Operation) -> bool:
    """Different operators of one kind on the same operands, or a sign that only one has."""
    a, b = one.operator, other.operator
    if a == b:
        return one.left != other.left
    if a[-1] == b[-1] == "-" or a[0] == b[0]:
        return len(a) != len(b)
    return one.left == other.left and any(a in kind and b in kind for kind in _RIVALS)


def _operations(text: str) -> set[_Operation]:
    tokens = _tokens(text)
    found = set[_Operation]()
    for index, token in enumerate(tokens):
        if token not in _OPERATOR or index == 0 or tokens[index - 1] in _OPERATOR:
            continue
        end = index
        while end < len(tokens) and tokens[end] in _OPERATOR:
            end += 1
        left = tokens[index - 1]
        if end < len(tokens) and not (_is_word(left) or _is_word(tokens[end])):
            found.add(_Operation(left, "".join(tokens[index:end]), tokens[end]))
    return found


def _tokens(text: str) -> list[str]:
    text = _FRACTION.sub(r"(\1)/(\2)", _STARRED.sub(r"\1", text))
    text = _COMMAND.sub(lambda match: _LATEX.get(match[1], match[1]), text)
    plain = _APPLIED.sub(r"\1(\2)", unaccented(text.translate(_SAME)))
    return [token.replace(",", ".") for token in _TOKEN.findall(plain)]


def _is_word(token: str) -> bool:
    letters = fold(token)
    return len(letters) >= _LONG_WORD and letters.isalpha() and letters not in _FUNCTIONS
