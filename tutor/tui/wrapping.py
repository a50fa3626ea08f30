"""Where lines may be broken: not within a short formula, "(1, 2)", "51 %" or "p. 3"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rich._wrap import divide_line
from rich.cells import cell_len
from textual import content

_RELATIONS = "=≠≈≔≡<>≤≥∈∉⊂⊆∼∝→←↦"
_SIGNS = f"{_RELATIONS}+−±×⋅∧∨‖"
_GROUP = r"\((?:[^()]|\([^()]*\)){1,60}\)"
_TERM = rf"(?:{_GROUP}|\S)+"
_TUPLE = r"[^\s()]*\((?:(?:[^\s(),]|\([^\s()]*\))+, )+(?:[^\s(),]|\([^\s()]*\))+\)"
_WHOLE = re.compile(
    rf"(?<!\S)(?:{_TERM}(?: (?:[{_SIGNS}] )+{_TERM})+|[^\s()]*\((?=[^()]* [{_SIGNS}|] ){_TERM})"
    rf"|{_TUPLE}|\d %|(?<!\S)pp?\. \d"
)


def with_formulas_whole(text: str, width: int) -> str:
    """A text of the same length, in which what is not to be broken is one word.

    That is a formula of up to half of `width`; of a longer one what stands between the signs that
    relate its parts, else between those of a sum, else what stands in parentheses.
    """
    return _WHOLE.sub(lambda found: _joined(found[0], width // 2), text)


def _short(formula: str, room: int) -> str:
    return formula.replace(" ", "_") if cell_len(formula) <= room else formula


def _joined(formula: str, room: int) -> str:
    if cell_len(formula) <= room:
        return _short(formula, room)
    for signs in (_RELATIONS, _SIGNS):
        parts = list(_parts(formula, signs))
        if len(parts) > 1:
            return " ".join(_joined(part, room) for part in parts)
    sign, space, rest = formula.partition(" ") if formula[1:2] == " " else ("", "", formula)
    return sign + space.replace(" ", "_") + re.sub(_GROUP, lambda one: _short(one[0], room), rest)


def _parts(formula: str, signs: str) -> Iterator[str]:
    """What stands between these signs outside of parentheses; each but the first has its sign."""
    depth = start = 0
    for at, letter in enumerate(formula):
        depth += (letter == "(") - (letter == ")")
        begins = letter == " " and formula[at + 1] in signs and formula[at - 1] not in _SIGNS
        if begins and not depth:
            yield formula[start:at]
            start = at + 1
    yield formula[start:]


def divided(text: str, width: int, fold: bool = True) -> list[int]:
    """Offsets at which a text is broken into lines of `width` columns, as the library does it."""
    return divide_line(with_formulas_whole(text, width), width, fold)


def keep_formulas_whole() -> None:
    """Let the library break all lines of the app so."""
    content.divide_line = divided


def shared(wanted: Sequence[int], least: Sequence[int], room: int) -> list[int]:
    """Widths that fill the room: what each wants, none more than the others that want more."""
    level = max(wanted)
    while True:
        widths = [max(m, min(w, level)) for w, m in zip(wanted, least, strict=True)]
        if sum(widths) <= room or level == 0:
            widths[widths.index(max(widths))] += room - sum(widths)
            return widths
        level -= 1
