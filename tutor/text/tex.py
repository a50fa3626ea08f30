r"""TeX -> one line of Unicode, with the parentheses that a line needs.

Exponents and indices are raised and lowered where Unicode has the characters; what cannot be
said without changing its meaning stays TeX.

pylatexenc knows the symbols; what a line would say wrongly is said here: fractions, roots, norms,
cases, names of functions. A macro that nobody knows makes the whole formula unreadable, since
leaving it out would change what the formula says.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pylatexenc.latex2text import LatexNodes2Text
    from pylatexenc.latexwalker import LatexWalker

_OPENS, _CLOSES = "\ue004", "\ue005"
"""Around a fraction, until it is known what stands beside it."""
_FRACTION = re.compile(f" *{_OPENS}([^{_OPENS}{_CLOSES}]*){_CLOSES} *")
_BEFORE = frozenset("=+-−±([{,;:<>≤≥≈≠∈→⇒∝~|·×&≡")
_AFTER = frozenset("=+-−±)]},;:<>≤≥≈≠∈→⇒∝~·×&≡.")
"""What may stand before or after a fraction that has no parentheses."""
_ATOM = re.compile(
    r"""(?: \d+(?:[.,]\d+)? | [∂d]?\w[\u0300-\u036f]* | √\w )  # a number, a letter, dx
        (?: [\^_](?:\{[^{}]*\}|[^{}\s]) | ['′!] )*           # and what hangs on it
    """,
    re.VERBOSE,
)
RAISED: dict[str, str] = dict(
    zip(
        "0123456789+-−=()abcdefghijklmnoprstuvwxyzABDEGHIJKLMNOPRTUVWβγδθφχ⊤*∗⋆′'\"″°†",
        "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻᴬᴮᴰᴱᴳᴴᴵᴶᴷᴸᴹᴺᴼᴾᴿᵀᵁⱽᵂᵝᵞᵟᶿᵠᵡᵀ***′'\"″°†",
        strict=True,
    )
)
LOWERED: dict[str, str] = dict(
    zip(
        "0123456789+-−=()aehijklmnoprstuvxβγρφχ",
        "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓᵦᵧᵨᵩᵪ",
        strict=True,
    )
)
"""Letters that Unicode has as exponents, and as indices; ᵅ is taken for ᵃ."""
_SCRIPT = re.compile(r" *([\^_]) *(?:\{([^{}]*)\}|([^\s{}]))")
_KEPT = {"^": "\ue002", "_": "\ue003"}
"""What stands for a script that cannot be raised or lowered, until all others are."""
_DEPTH = 6
"""Scripts within scripts that are followed."""
_LONGEST = 2000
"""Characters of TeX that are read; longer ones are shown as they are."""
_BRACKETS = {"(": ")", "[": "]", "{": "}", "‖": "‖"}
_BARE_SCRIPT = re.compile(r"([\^_])\s*(\\[A-Za-z]+)\s*((?:\{[^{}]*\})*)")
_FRACTIONS = re.compile(r"\\[dtc]frac(?![A-Za-z])")
_STYLE = re.compile(
    r"\\(?:displaystyle|textstyle|scriptstyle|limits|nolimits|nonumber|bigl?|bigr|Bigl?|Bigr"
    r"|biggl?|biggr|Biggl?|Biggr|middle)(?![A-Za-z])"
)
_PAIRED = re.compile(r"\\(?:left|right)(?![A-Za-z])\s*\.?")
_CASES = re.compile(r"\\begin\{cases\}.*?\\end\{cases\}", re.DOTALL)
_NAMES = (
    "log ln lg exp sin cos tan cot sec csc sinh cosh tanh arcsin arccos arctan max min sup inf"
    " lim limsup liminf det dim ker gcd deg arg Pr"
).split()
_NAME = re.compile(rf"\\({'|'.join(_NAMES)})(?![A-Za-z])")
_ROWS = ("align", "align*", "aligned", "equation", "equation*", "gathered", "split")
_ROOTS = {"": "√", "2": "√", "3": "∛", "4": "∜"}


def readable_formula(tex: str) -> str:
    """A formula in one line of Unicode; the TeX itself where it cannot be read."""
    text = _line(tex) if len(tex) <= _LONGEST else None
    if text is None:
        return tex
    for _depth in range(_DEPTH):
        text, found = _SCRIPT.subn(_script, text)
        if not found:
            break
    for sign, kept in _KEPT.items():
        text = text.replace(kept, sign)
    return text or tex


def _line(tex: str) -> str | None:
    """A formula whose scripts are `^{…}`, `_{…}`; None if no line can say it, or it is no TeX."""
    tex = _STYLE.sub("", _FRACTIONS.sub(r"\\frac", tex))
    tex = _PAIRED.sub("", tex)
    tex = _CASES.sub(lambda cases: cases[0].replace("&", ",\\ "), tex)
    tex = _NAME.sub(lambda name: rf"\mathop{{ {name[1]} }}", tex)
    tex = _BARE_SCRIPT.sub(r"\1{\2\3}", tex)
    try:
        converter, walker = _converter()
        nodes = walker(tex).get_latex_nodes()[0]
        text = converter.nodelist_to_text(nodes)
    except _failures():
        return None
    return _inner(_tidy(text))


def _tidy(text: str) -> str:
    """Without the spaces that names of functions leave where they need none."""
    text = re.sub(r" +(?=[\^_)\]},;])", "", " ".join(text.split()))
    text = re.sub(r" ([←→↔⇒⇔∈∩∪≤≥≈≠∧∨·×∝])(?=[^ )])", r" \1 ", text)
    return re.sub(r"(?<=\w) +(?=\()", "", text)


@cache
def _failures() -> tuple[type[Exception], ...]:
    """What pylatexenc raises on what is no TeX: its own errors, and whatever comes up."""
    from pylatexenc.latexwalker import LatexWalkerError  # noqa: PLC0415 - at the first formula

    return (LatexWalkerError, ValueError, IndexError, AttributeError, TypeError, RecursionError)


def _placed(fraction: re.Match[str]) -> str:
    """A fraction as it can stand between its neighbours."""
    text, before, after = fraction.string, fraction.start(), fraction.end()
    apart = (before == 0 or text[before - 1] in _BEFORE) and (
        after == len(text) or text[after] in _AFTER
    )
    blank = [" " if fraction[0][end] == " " else "" for end in (0, -1)]
    inner = fraction[1] if apart else f"({fraction[1]})"
    return f"{blank[0]}{inner}{blank[1]}"


def _over(text: str) -> str:
    """Parentheses around a numerator that is more than a product."""
    depth, whole = 0, True
    for position, sign in enumerate(text):
        depth += (sign in "([{") - (sign in ")]}")
        if depth == 0 and (sign in "+-−±=<>≤≥≈,|/ ∑∏∫" or sign == _OPENS):
            whole = whole and position == len(text)
    return text if whole else f"({text})"


def _under(text: str) -> str:
    """Parentheses around a denominator that is more than one thing."""
    if _ATOM.fullmatch(text):
        return text
    start = 1 if len(text) > 1 and (text[0] == "√" or text[0].isalpha()) else 0
    return text if _is_bracketed(text[start:]) else f"({text})"


def _is_bracketed(text: str) -> bool:
    """Whether one pair of brackets holds the whole text."""
    closing = _BRACKETS.get(text[:1])
    if closing is None or text[-1] != closing:
        return False
    if text[0] == closing:
        return text.count(closing) == 2
    depth = 0
    for position, sign in enumerate(text):
        depth += (sign == text[0]) - (sign == closing)
        if depth == 0:
            return position == len(text) - 1
    return False


@cache
def _converter() -> tuple[LatexNodes2Text, Callable[[str], LatexWalker]]:
    from pylatexenc import latexwalker  # noqa: PLC0415 - as above
    from pylatexenc.latex2text import (  # noqa: PLC0415 - at the first formula only
        EnvironmentTextSpec,
        LatexNodes2Text,
        MacroTextSpec,
        get_default_latex_context_db,
    )
    from pylatexenc.macrospec import MacroSpec  # noqa: PLC0415 - as above

    known = get_default_latex_context_db()
    known.add_context_category(
        "line",
        prepend=True,
        macros=[
            MacroTextSpec("frac", _fraction),
            MacroTextSpec("sqrt", _root),
            MacroTextSpec("binom", _binomial),
            MacroTextSpec("overline", _overline),
            MacroTextSpec("mathop", _name),
            MacroTextSpec("operatorname", _name),
            MacroTextSpec("underbrace", _unreadable),
            MacroTextSpec("overbrace", _unreadable),
            MacroTextSpec("|", "‖"),
            MacroTextSpec("lVert", "‖"),
            MacroTextSpec("rVert", "‖"),
            MacroTextSpec("Vert", "‖"),
            MacroTextSpec("lvert", "|"),
            MacroTextSpec("rvert", "|"),
            MacroTextSpec("land", "∧"),
            MacroTextSpec("lor", "∨"),
            MacroTextSpec("lnot", "¬"),
            MacroTextSpec("neg", "¬"),
            MacroTextSpec("ne", "≠"),
            MacroTextSpec("iff", "⇔"),
            MacroTextSpec("implies", "⇒"),
            *(MacroTextSpec(name, "%(1)s") for name in ("boldsymbol", "bm")),
            MacroTextSpec("coloneqq", "≔"),
        ],
        environments=[
            EnvironmentTextSpec("cases", _cases),
            *(EnvironmentTextSpec(name, _rows) for name in _ROWS),
        ],
    )
    known.set_unknown_macro_spec(MacroTextSpec("", _unreadable))
    known.set_unknown_environment_spec(EnvironmentTextSpec("", _unreadable))
    grammar = latexwalker.get_default_latex_context_db()
    grammar.add_context_category(
        "line",
        prepend=True,
        macros=[
            MacroSpec("binom", "{{"),
            MacroSpec("mathop", "{"),
            MacroSpec("operatorname", "*{"),
        ],
    )
    text = LatexNodes2Text(latex_context=known, math_mode="text", keep_braced_groups=True)
    return text, lambda tex: latexwalker.LatexWalker(
        tex, latex_context=grammar, tolerant_parsing=False
    )


def _part(node: Any, place: int, l2tobj: LatexNodes2Text) -> str:
    """An argument of a macro as text, without its braces."""
    from pylatexenc.latexwalker import LatexGroupNode  # noqa: PLC0415 - as above

    part = node.nodeargd.argnlist[place]
    if part is None:
        return ""
    text = " ".join(l2tobj.nodelist_to_text([part]).split())
    if part.isNodeType(LatexGroupNode) and text.startswith("{") and text.endswith("}"):
        text = text[1:-1]
    return _tidy(text)


def _fraction(node: Any, l2tobj: LatexNodes2Text) -> str:
    over, under = (_part(node, place, l2tobj) for place in (-2, -1))
    over, under = (_inner(over), _inner(under))
    return f"{_OPENS}{_over(over)}/{_under(under)}{_CLOSES}"


def _inner(text: str) -> str:
    """A text with its fractions in parentheses, unless they are alone."""
    while fraction := _FRACTION.search(text):
        text = text[: fraction.start()] + _placed(fraction) + text[fraction.end() :]
    return text.strip()


def _root(node: Any, l2tobj: LatexNodes2Text) -> str:
    index, under = _inner(_part(node, 0, l2tobj)), _inner(_part(node, 1, l2tobj))
    index = index.removeprefix("[").removesuffix("]").strip()
    if index in _ROOTS:
        return f"{_ROOTS[index]}({under})"
    return f"({under})^{{1/{_under(index)}}}"


def _binomial(node: Any, l2tobj: LatexNodes2Text) -> str:
    return f"C({_inner(_part(node, 0, l2tobj))}, {_inner(_part(node, 1, l2tobj))})"


def _overline(node: Any, l2tobj: LatexNodes2Text) -> str:
    return "".join(f"{c}\u0305" for c in _inner(_part(node, 0, l2tobj)))


def _name(node: Any, l2tobj: LatexNodes2Text) -> str:
    return f" {_part(node, -1, l2tobj)} "


def _cases(node: Any, l2tobj: LatexNodes2Text) -> str:
    body = l2tobj.nodelist_to_text(node.nodelist)
    rows = [" ".join(row.split()) for row in body.split("\n") if row.strip()]
    return " { " + "; ".join(_inner(row) for row in rows) + " } "


def _rows(node: Any, l2tobj: LatexNodes2Text) -> str:
    rows = l2tobj.nodelist_to_text(node.nodelist).split("\n")
    return "; ".join(" ".join(row.split()) for row in rows if row.strip())


def _unreadable(node: Any, l2tobj: LatexNodes2Text) -> str:  # noqa: ARG001 - the library's signature
    raise ValueError(node)


def _script(match: re.Match[str]) -> str:
    kind, group, single = match.groups()
    text = (group if group is not None else single).strip()
    table = RAISED if kind == "^" else LOWERED
    if text and all(c in table for c in text.replace(" ", "")):
        return "".join(table[c] for c in text.replace(" ", ""))
    return f"{_KEPT[kind]}({text})" if len(text) > 1 else f"{_KEPT[kind]}{text}"
