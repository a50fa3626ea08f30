"""Whether two formulas say the same, by their values at some points.

What is typed is never run: it is read by Python's grammar into a tree, of which only numbers,
names, calls and the five operations are accepted, and computed in floating point here. Two
formulas that agree at every point of a few drawn ones are equal (the test of Schwartz and Zippel,
for polynomials; for the functions here as well in practice). A computer algebra system decides no
more of what a student types, parses by `eval`, and may take minutes over a simplification.
"""

from __future__ import annotations

import ast
import cmath
import operator
import re
import unicodedata
from collections.abc import Callable
from hashlib import sha256

_LONGEST = 200
_POINTS = 6
_FEWEST_POINTS = 3
_TOLERANCE = 1e-7
_SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻᵀ"
_RAISED = re.compile(f"[{_SUPERSCRIPTS}]+")
_SIGNS = str.maketrans({
    "·": "*", "×": "*", "∗": "*", "⋅": "*", "÷": "/", "∕": "/", "⁄": "/", "−": "-", "–": "-",
    "[": "(", "]": ")", "{": "(", "}": ")", "′": "_p", "'": "_p", "∞": "inf", "$": " ",
})  # fmt: skip
_MARK = re.compile(r"[=+*/^√÷×·⁰¹²³⁴⁵⁶⁷⁸⁹]|\s[-−]\s|[\d)]\s*[-−]|[-−]\s*[\d(]|\w\(|\d[^\W\d_]")
"""What a text has that may be a formula."""
_SURE = re.compile("[=^√⁰¹²³⁴⁵⁶⁷⁸⁹]")
_LONG_WORD = re.compile(r"[^\W\d_]{5,}")
"""A word, as in "entrada/salida", where no surer sign says that it is a name in a formula."""
_OUT_OF_REACH = re.compile("[∑Σ∏∫∂∇|≤≥≠≈∈]")
"""Signs that bind in ways of their own."""
_NUMBER = r"\d+(?:\.\d+)?"
_JUXTAPOSED = re.compile(
    rf"(?P<number>{_NUMBER})\s*(?=[^\W\d]|\()|(?P<close>\))\s*(?=[\w(])|(?P<word>\w)\s+(?=[\w(])"
)
_GREEK = {
    name: unicodedata.lookup(f"GREEK SMALL LETTER {name.replace('lambda', 'lamda').upper()}")
    for name in "alpha beta gamma delta epsilon eta theta lambda mu rho sigma tau phi omega".split()
}
_NAMED_GREEK = re.compile(rf"\b(?:{'|'.join(_GREEK)})(?![^\W\d])")
"""Letters as they are typed; one behind which a Latin one stands is multiplied by it."""
_GREEK_BEFORE = re.compile(r"(?<=[α-ω])(?=[A-Za-z])")
_POWER_BEFORE = re.compile(r"\^([a-eh-zα-ω])\s*(?=\()")
"""What is raised is a variable there, and no function of what stands in the parentheses."""
_OPERATIONS: dict[type[ast.operator], Callable[[complex, complex], complex]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}
_FUNCTIONS: dict[str, Callable[[complex], complex]] = {
    "sqrt": cmath.sqrt,
    "raiz": cmath.sqrt,
    "exp": cmath.exp,
    "log": cmath.log,
    "ln": cmath.log,
    "sin": cmath.sin,
    "sen": cmath.sin,
    "cos": cmath.cos,
    "tan": cmath.tan,
    "tanh": cmath.tanh,
    "abs": abs,
}
_CONSTANTS = {"e": cmath.e, "pi": cmath.pi, "π": cmath.pi}


class _NoFormulaError(Exception):
    pass


def same_formula(typed: str, answer: str) -> bool | None:
    """Whether both say the same; None where one is no formula that can be read.

    Of an equation its right side alone will do. Texts of more than 200 characters are not read.
    """
    if max(len(typed), len(answer)) > _LONGEST or _OUT_OF_REACH.search(typed + answer):
        return None
    if not _MARK.search(answer) or (_LONG_WORD.search(answer) and not _SURE.search(answer)):
        return None
    try:
        given, wanted = (list(map(_values, text.split("="))) for text in (typed, answer))
        if len(given) == 1:
            same = _equal(given[0], wanted[-1])
            return same if same or _MARK.search(typed) else None
        if len(given) != len(wanted):
            return None
        pairs = (zip(given, wanted, strict=True), zip(given, reversed(wanted), strict=True))
        return any(all(_equal(one, other) for one, other in pair) for pair in pairs)
    except (_NoFormulaError, SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _values(text: str) -> list[complex]:
    """The values of a formula at the drawn points, NaN where it has none."""
    tree = ast.parse(_as_python(text), mode="eval").body
    values = []
    for point in range(_POINTS):
        try:
            values.append(_value(tree, point))
        except (ZeroDivisionError, OverflowError, ValueError):
            values.append(complex("nan"))
    return values


def _as_python(text: str) -> str:
    """The text in Python's spelling, with the products that stand without a sign."""
    raised = _RAISED.sub(lambda run: f"^({unicodedata.normalize('NFKC', run[0])})", text)
    raised = re.sub(r"√\s*(\w+)", r"sqrt(\1)", raised).replace("√", "sqrt")
    line = unicodedata.normalize("NFKC", raised.translate(_SIGNS)).translate(_SIGNS)
    line = re.sub(r"(?<=\d),(?=\d)", ".", line.replace("\\", ""))
    line = re.sub(r"(?<![\w.])0+(?=\d)", "", line)
    line = _NAMED_GREEK.sub(lambda found: _GREEK[found[0]], line)
    line = _POWER_BEFORE.sub(r"^\1*", _GREEK_BEFORE.sub("*", line))
    line = _JUXTAPOSED.sub(lambda found: f"{found[0].strip()}*", " ".join(line.split()))
    return line.replace("^", "**").strip()


def _equal(one: list[complex], other: list[complex]) -> bool:
    pairs = zip(one, other, strict=True)
    defined = [(a, b) for a, b in pairs if cmath.isfinite(a) and cmath.isfinite(b)]
    if any(abs(a - b) > _TOLERANCE * (1 + abs(a)) for a, b in defined):
        return False
    if len(defined) < _FEWEST_POINTS:
        raise _NoFormulaError
    return True


def _value(node: ast.expr, point: int) -> complex:
    """The value at a point of a tree that holds nothing but arithmetic; another one is refused."""
    match node:
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATIONS:
            return _OPERATIONS[type(op)](_value(left, point), _value(right, point))
        case ast.UnaryOp(op=ast.USub() | ast.UAdd() as sign, operand=operand):
            return _value(operand, point) * (-1 if isinstance(sign, ast.USub) else 1)
        case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
            return complex(number)
        case ast.Name(id=name):
            return _CONSTANTS.get(name) or _drawn(name, point)
        case ast.Call(func=ast.Name(id=name), args=[_, *_] as arguments, keywords=[]):
            values = [_value(argument, point) for argument in arguments]
            if name in _FUNCTIONS and len(values) == 1:
                return _FUNCTIONS[name](values[0])
            # Of another function all that is known is that equal arguments have equal values.
            total = sum(_drawn(name, place) * value for place, value in enumerate(values))
            return cmath.sin(total + _drawn(name, -1)) + 2
    raise _NoFormulaError


def _drawn(name: str, point: int) -> complex:
    """A number between 0.3 and 2.3 that belongs to a name and a point."""
    digest = sha256(f"{name}\0{point}".encode()).digest()
    return complex(0.3 + 2 * int.from_bytes(digest[:6]) / 2**48)
