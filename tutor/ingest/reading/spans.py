"""Spans: pieces of text on one baseline, and what joins them into one line of plain text."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from tutor.text.tex import LOWERED, RAISED


class Rule(NamedTuple):
    """A thin line that is drawn on the page, as its box in points."""

    left: float
    bottom: float
    right: float
    top: float

    @property
    def level(self) -> bool:
        """Whether it lies, rather than stands."""
        return self.right - self.left > self.top - self.bottom

    @property
    def middle(self) -> float:
        """How high it lies."""
        return (self.bottom + self.top) / 2


@dataclass(frozen=True, slots=True)
class TextSpan:
    """A piece of text on one baseline, with its box in points (y grows upwards).

    `order` is its place in the order in which the file draws the page. `size` is the type's, in
    points, `base` how high its baseline is; `bold` and `bold_end` tell of its two ends. A table,
    gathered from its cells, is a span of many lines; a `matrix` is one of a single line.
    """

    text: str
    left: float
    bottom: float
    right: float
    top: float
    order: int
    size: float
    base: float
    bold: bool = False
    bold_end: bool = False
    mono: bool = False
    table: bool = False
    matrix: bool = False

    @property
    def height(self) -> float:
        """From descender to ascender."""
        return self.top - self.bottom

    @property
    def middle(self) -> float:
        """Half-way up."""
        return (self.top + self.bottom) / 2

    @property
    def width(self) -> float:
        """From left to right."""
        return self.right - self.left

    @property
    def centre(self) -> float:
        """Half-way along."""
        return (self.left + self.right) / 2


# --- Raised and lowered letters ----------------------------------------------------------------

_SMALL = 0.87
"""Raised and lowered letters are smaller than this share of their neighbours."""
_RAISED_BY, _LOWERED_BY = 0.14, -0.07
"""How far from the baseline they begin, as a share of the neighbours' size."""
OPERATORS = "∑∏∫⋃⋂⋁⋀⨁√"
_BRACKETED = re.compile(r"\[[^\[\]]*\]")
_KERNED = 0.2
"""Letters that reach into their neighbour by this share of the size are no script."""
ACCENTS_ONLY = re.compile(r"[´`~˜¨ˆ¯˘˙ˇ˝¸^\u0300-\u036f]+")


def script_level(span: TextSpan, base: float, size: float) -> int:
    """1 for a span that is raised above the line of that baseline and size, -1 lowered, else 0."""
    shift = (span.base - base) / max(size, 0.1)
    if span.size >= _SMALL * size:
        return 0
    return 1 if shift > _RAISED_BY else -1 if shift < _LOWERED_BY else 0


def raised(text: str) -> str:
    """An exponent in one line: Unicode's letters where it has all of them, else `^(…)`, `^[…]`."""
    return _script(text, RAISED, "^")


def lowered(text: str) -> str:
    """An index in one line: Unicode's letters where it has all of them, else `_(…)`."""
    return _script(text, LOWERED, "_")


def _script(text: str, letters: dict[str, str], mark: str) -> str:
    text = text.strip()
    plain = [unicodedata.normalize("NFKC", char) for char in text.replace(" ", "")]
    if all(char in letters for char in plain):
        return "".join(letters[char] for char in plain)
    return f"{mark}{text}" if _BRACKETED.fullmatch(text) else f"{mark}({text})"


# --- Lines -------------------------------------------------------------------------------------


def line_text(spans: Sequence[TextSpan], gap: float = 0.0) -> str:
    """Spans of one line as text, from left to right; raised and lowered ones marked as such.

    With `gap`, white of that many times the size stands as a tab.
    """
    ordered = sorted(spans, key=lambda span: (round(span.left), -span.base))
    core = core_of(ordered)
    parts: list[str] = []
    scripts: list[tuple[int, TextSpan]] = []
    last: TextSpan | None = None
    for span in ordered:
        level = script_level(span, core.base, core.size)
        if level > 0 and _is_logo(span, last):
            level = 0
        if level and parts:
            scripts.append((level, span))
            continue
        parts.append(_scripts_text(scripts))
        before = max((s for _, s in scripts), key=lambda s: s.right, default=last)
        if last is not None and before is not None:
            parts.append(_between(before, last, span, gap))
        parts.append(
            raised(span.text) if level > 0 else span.text.strip() if not span.table else span.text
        )
        scripts, last = [], span
    parts.append(_scripts_text(scripts))
    return "".join(parts)


def _is_logo(span: TextSpan, last: TextSpan | None) -> bool:
    """The raised A of TeX's own logo reaches into the letter before it."""
    reach = last.right - span.left if last else 0.0
    return reach > _KERNED * span.size and span.text.strip().isupper()


def core_of(spans: Sequence[TextSpan]) -> TextSpan:
    """The span that gives a line its baseline and size: the widest of the largest letters."""
    lettered = [
        span
        for span in spans
        if any(map(str.isalnum, span.text)) and span.text.lstrip()[0] not in OPERATORS
    ] or spans
    largest = max(span.size for span in lettered)
    return max((s for s in lettered if s.size >= _SMALL * largest), key=lambda s: s.width)


def _scripts_text(scripts: Sequence[tuple[int, TextSpan]]) -> str:
    """What hangs on one letter: the index first, then the exponent, each with its own scripts."""
    if not scripts:
        return ""
    low = [span for level, span in scripts if level < 0]
    high = [span for level, span in scripts if level > 0]
    return (lowered(line_text(low)) if low else "") + (raised(line_text(high)) if high else "")


def _between(before: TextSpan, last: TextSpan, span: TextSpan, gap: float) -> str:
    """What stands between two neighbours of a line, of which `before` reaches furthest."""
    white = span.left - before.right
    if ACCENTS_ONLY.fullmatch(span.text.strip()):
        return ""
    if gap and white > gap * span.size and not (last.mono and span.mono):
        return "\t"
    if last.mono and span.mono:
        widths = [s.width / len(s.text.strip()) for s in (last, span) if s.text.strip()]
        return " " * max(round(white / max(min(widths), 0.1)), before.text.endswith(" "))
    if before.text[-1:].isspace() or span.text[:1].isspace() or white > 0.15 * span.size:
        return " "
    return ""


def extent(spans: Iterable[TextSpan]) -> tuple[float, float, float, float]:
    """Left, bottom, right and top of all."""
    boxes = [(span.left, span.bottom, span.right, span.top) for span in spans]
    lefts, bottoms, rights, tops = zip(*boxes, strict=True)
    return min(lefts), min(bottoms), max(rights), max(tops)


def in_place_of(
    parts: Sequence[TextSpan], spans: Iterable[TextSpan], like: TextSpan, text: str, **changes: Any
) -> list[TextSpan]:
    """The spans with one in the place of `parts`: as large as all of them, else as `like`."""
    left, bottom, right, top = extent(parts)
    box: dict[str, Any] = {"left": left, "bottom": bottom, "right": right, "top": top}
    gone = {id(part) for part in parts}
    whole = replace(like, text=text, **(box | changes))
    return [*(span for span in spans if id(span) not in gone), whole]
