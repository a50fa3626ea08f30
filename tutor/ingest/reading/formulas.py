"""What stands over and under a line in formulas, put into it: limits, roots, fractions.

A span takes the place of the spans that it is made of, so that the line is found as any other.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import accumulate

from tutor.ingest.cleaning.characters import plain_alphabets
from tutor.ingest.reading.spans import (
    Rule,
    TextSpan,
    core_of,
    extent,
    in_place_of,
    line_text,
    lowered,
    raised,
)
from tutor.text.paragraphs import CAPTION

OPERATORS = re.compile(r"[∑∏∫⋃⋂⋁⋀⨁√]|(?<![^\W_])(?:lim|max|m[aá]x|min|m[ií]n|sup|inf)(?![^\W_])")
"""What limits stand over and under; and roots."""
_SCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ᵀ′*ⁿᵐᵏⁱʲ₀₁₂₃₄₅₆₇₈₉₊₋ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ"
_ATOM = re.compile(
    rf"-?(?:\d+(?:[.,]\d+)*|[^\W\d_]|[A-Za-zÁÉÍÓÚÑáéíóúñ]{{2,}}|∂\w)(?:[{_SCRIPTS}]|[_^](?:\([^()]*\)|\[[^\[\]]*\]))*|\([^()]*\)"
)
_PRODUCT = re.compile(r"[^\s+−=<>≤≥/-]+|[^\s/]+\([^()]*\)")
_DEGREE = re.compile(r"\d{1,2}|[A-Za-z]")
_INDEX = 0.6
"""The degree of a root is so much smaller than its sign; an exponent is larger."""
_ENDS = (",", ".", ";")
_MOST_CHARS = 60
"""Of a numerator or denominator."""


def with_formulas(spans: list[TextSpan], rules: Sequence[Rule]) -> list[TextSpan]:
    """The spans with limits, roots and fractions in one line each."""
    operators = [s for s in spans if OPERATORS.fullmatch(s.text.strip()) and "√" not in s.text]
    for operator in operators:
        level = [s for s in operators if abs(s.base - operator.base) < 0.1 * operator.size]
        spans = _with_limits(operator, level, spans)
    bars = sorted((rule for rule in rules if rule.level), key=lambda r: r.right - r.left)
    for bar in bars:
        near = [s for s in spans if s.left < bar.right and s.right > bar.left]
        spans = _root(bar, bars, spans) or _fraction(bar, near, spans) or spans
    return spans


def _with_limits(
    operator: TextSpan, level: Sequence[TextSpan], spans: list[TextSpan]
) -> list[TextSpan]:
    """The spans with the limits of one of the operators on a level in its line."""
    size = operator.size
    small = [
        s
        for s in spans
        if s.size < 0.87 * size
        and s is not operator
        and operator is min(level, key=lambda other: abs(other.centre - s.centre))
    ]

    def limit(lowest: float, highest: float) -> list[TextSpan]:
        rows = [s for s in small if lowest < (s.base - operator.base) / size < highest]
        beside = 0.5 * size if operator.text.strip() == "∫" else 0.0
        words = 1.3 * size if operator.text.strip()[-1:] in "xn" else 0.0  # "arg" before it
        reach = operator.left - words, operator.right + beside
        seeds = [s for s in rows if s.left < reach[1] and s.right > reach[0]]
        nearest = min((abs(s.base - operator.base) for s in seeds), default=0.0)
        found = [s for s in seeds if abs(s.base - operator.base) - nearest < 0.35 * size]
        grown = True
        while grown and seeds:
            left, _, right, _ = extent(found)
            near = [
                s
                for s in rows
                if not any(s is f for f in found)
                and -0.3 * size < max(s.left - right, left - s.right) < 0.3 * size
                and abs(s.base - found[0].base) < 0.5 * size
            ]
            found += near
            grown = bool(near)
        if not found:
            return []
        left, _, right, _ = extent(found)
        centred = abs((left + right) / 2 - operator.centre) < max(0.6 * size, 2 * beside, words)
        return found if centred else []

    is_word = operator.text.strip().isalpha()  # "max": nothing stands over it
    below, above = limit(-2.4, -0.55), [] if is_word else limit(0.6, 2.6)
    text = operator.text.strip()
    text += lowered(line_text(below)) if below else ""
    text += raised(line_text(above)) if above else ""
    box = {"left": operator.left, "right": operator.right}
    return in_place_of([operator, *below, *above], spans, operator, text, **box)


def _root(bar: Rule, bars: Sequence[Rule], spans: Sequence[TextSpan]) -> list[TextSpan] | None:
    """The spans with a root sign at the left end of the bar, and what is under it, as one.

    Of several bars that begin there the highest is the root's, the others are of fractions in it.
    """
    signs = (span for span in spans if span.text.strip().endswith("√"))
    sign = next((span for span in signs if _is_roof(bar, span)), None)
    if sign is None or any(b.middle > bar.middle and _is_roof(b, sign) for b in bars):
        return None
    under = [
        s
        for s in spans
        if s is not sign
        and bar.left - 0.3 * s.size < s.left
        and s.right < bar.right + 0.1 * s.size
        and sign.bottom - 0.5 * s.size < s.base < bar.middle
    ]
    if not under:
        return None
    index = [s for s in spans if _is_index(s, sign)]
    parts = [sign, *under, *index]
    degree = raised(line_text(index)) if index else ""
    text = f"{degree}{sign.text.strip()}{_wrapped(line_text(under), _ATOM)}"
    top = max(bar.top, *(part.top for part in parts))
    return in_place_of(parts, spans, core_of(under), text, top=top)


def _is_index(span: TextSpan, sign: TextSpan) -> bool:
    """Whether a span is the small number in the crook of a root's sign, and no exponent before."""
    return (
        span.size < _INDEX * sign.size
        and sign.left - 0.2 * sign.size < span.centre < sign.right
        and (sign.bottom + sign.top) / 2 < span.middle < sign.top + 0.2 * sign.size
        and _DEGREE.fullmatch(plain_alphabets(span.text.strip())) is not None
    )


def _is_roof(bar: Rule, sign: TextSpan) -> bool:
    return (
        abs(sign.right - bar.left) < 0.35 * sign.size
        and sign.bottom < bar.middle < sign.top + 0.4 * sign.size
    )


def _fraction(
    bar: Rule, near: Sequence[TextSpan], spans: Sequence[TextSpan]
) -> list[TextSpan] | None:
    """The spans with a numerator and a denominator as one; the bar is as wide as the wider."""
    above = _side(near, lambda span: span.bottom - bar.middle)
    below = _side(near, lambda span: bar.middle - span.top)
    if not above or not below:
        return None
    size = max(s.size for s in (*above, *below))
    for side in (above, below):
        left, _, right, _ = extent(side)
        if left < bar.left - 0.3 * size or right > bar.right + 0.3 * size:
            return None
        if abs((left + right) / 2 - (bar.left + bar.right) / 2) > 0.35 * size:
            return None
    widths = [extent(side)[2] - extent(side)[0] for side in (above, below)]
    if bar.right - bar.left - max(widths) > 0.6 * size:
        return None
    top, bottom = line_text(above), line_text(below)
    if max(len(top), len(bottom)) > _MOST_CHARS or "\n" in top + bottom or CAPTION.match(top):
        return None
    text = f"{_wrapped(top, _PRODUCT)}/{_wrapped(bottom, _ATOM)}"
    parts = [*above, *below]
    if _is_factor(bar, spans, parts):
        text = f"({text})"
    base, size = _line_beside(bar, spans, parts)
    changes = {"left": bar.left, "right": bar.right, "base": base, "size": size}
    return in_place_of(parts, spans, above[0], text, **changes)


def _is_factor(bar: Rule, spans: Sequence[TextSpan], parts: Sequence[TextSpan]) -> bool:
    """Whether a letter or digit stands close beside a fraction: `1/ax` would be another one."""
    others = [s for s in spans if not any(s is part for part in parts)]
    return any(
        s.bottom < bar.middle < s.top
        and (
            (-0.1 * s.size < s.left - bar.right < 0.15 * s.size and s.text[:1].isalnum())
            or (-0.1 * s.size < bar.left - s.right < 0.15 * s.size and s.text[-1:].isalnum())
        )
        for s in others
    )


def _side(near: Sequence[TextSpan], distance: Callable[[TextSpan], float]) -> list[TextSpan]:
    """The row that is nearest to the bar on one side, with what is raised and lowered in it."""
    row = [s for s in near if -0.35 * s.size < distance(s) < 0.85 * s.size]
    if not row:
        return []
    first = min(row, key=distance)
    row = [s for s in row if distance(s) - distance(first) < 0.6 * first.size]
    _, low, _, high = extent(row)
    if high - low > 1.6 * max(s.size for s in row):  # a fraction, and what is beside its middle
        beside = [s for s in near if low < s.base < high and s.text.strip() not in _ENDS]
        row += [s for s in beside if not any(s is r for r in row)]
    size, base = max(s.size for s in row), max(row, key=lambda s: s.size).base
    small = [s for s in near if s.size < 0.87 * size]
    indices = [s for s in small if -0.6 * size < s.base - base < 0]

    def reach(script: TextSpan) -> float:  # over an index an exponent stands higher
        over = any(abs(index.left - script.left) < 0.2 * size for index in indices)
        return (0.75 if over else 0.6) * size

    scripts = [
        s
        for s in small
        if abs(s.base - base) < reach(s)
        and distance(s) > -0.35 * s.size
        and not any(s is r for r in row)
    ]
    return [*row, *scripts]


def _line_beside(
    bar: Rule, spans: Sequence[TextSpan], parts: Sequence[TextSpan]
) -> tuple[float, float]:
    """The baseline and size of the line that the fraction stands in."""
    size = max(part.size for part in parts)
    beside = [
        s
        for s in spans
        if not any(s is part for part in parts)
        and max(s.left - bar.right, bar.left - s.right) < 2 * s.size
        and 0.1 * s.size < bar.middle - s.base < 0.45 * s.size
        and s.size >= 0.95 * size
    ]
    if beside:
        nearest = min(beside, key=lambda s: max(s.left - bar.right, bar.left - s.right))
        return nearest.base, nearest.size
    return bar.middle - 0.25 * size, size


def _wrapped(text: str, whole: re.Pattern[str]) -> str:
    kept = whole.fullmatch(plain_alphabets(text)) or _is_enclosed(text)
    return text if kept else f"({text})"


def _is_enclosed(text: str) -> bool:
    """Whether the bracket that begins a text is closed by its last character."""
    depths = list(accumulate((char == "(") - (char == ")") for char in text))
    return text.startswith("(") and depths[-1] == 0 and 0 not in depths[:-1]
