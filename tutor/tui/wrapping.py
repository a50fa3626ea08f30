"""Where lines may be broken: not within a short formula, "(1, 2)", "51 %" or "p. 3"."""

from __future__ import annotations

import re

from rich._wrap import divide_line
from rich.cells import cell_len
from textual import content

_SIGNS = "=≠≈≔≡<>≤≥∈∉⊂⊆∼∝→←↦+−±×∧∨‖"
_TERM = r"(?:[^\s()]*\([^()]{1,30}\)\S*|\S+)"
_TUPLE = r"\((?:[^\s(),]+, )+[^\s(),]+\)"
_FORMULA = re.compile(rf"(?<!\S){_TERM}(?: (?:[{_SIGNS}] )+{_TERM})+|{_TUPLE}|\d %|(?<!\S)pp?\. \d")


def with_formulas_whole(text: str, width: int) -> str:
    """A text of the same length, whose formulas of up to half of `width` are one word each."""
    return _FORMULA.sub(
        lambda found: found[0].replace(" ", "_") if cell_len(found[0]) <= width // 2 else found[0],
        text,
    )


def divided(text: str, width: int, fold: bool = True) -> list[int]:
    """Offsets at which a text is broken into lines of `width` columns, as the library does it."""
    return divide_line(with_formulas_whole(text, width), width, fold)


def keep_formulas_whole() -> None:
    """Let the library break all lines of the app so."""
    content.divide_line = divided  # type: ignore[attr-defined]
