"""Lines -> units: a paragraph, a heading, an item, a row; words divided at line ends made whole."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from tutor.ingest.cleaning.hyphenation import WordCounts, divided_in_cells, joined_words
from tutor.model import PageLine
from tutor.text.paragraphs import (
    BULLETS,
    ITEM,
    ROUND_BULLETS,
    breaks_off,
    ends_sentence,
    goes_on,
    is_formula,
    is_names,
    kind_of,
    runs_on,
    starts_anew,
)

_INDENT = 0.8
"""A first line is set in by this many times the type's size."""
_FULL = 3.0
"""A full line ends within this many times the type's size of the column's edge."""
_INDENT_MOST = 3.0
_WIDE = 40
"""Characters of a line in a column of text, not one of an index or a label in a drawing."""
_SPACE = 0.75
"""The width of a space and what a word may be wider than others, as a share of the type's size."""
_SAME_SIZE, _SAME_IN_SENTENCE = 0.08, 0.1
"""Shares of the size by which type may differ, or that of a label ("Definición 1.") which opens a
sentence.
"""
_LARGE = 1.15
"""Type of more than this many times the body's is a title's."""
_LONGEST_TITLE = 120
_SHORT = 20
"""Characters of a line that may be a line by itself, whatever follows."""
_OPENING = '¿¡(“«"'
"""What may stand before the first word of a sentence."""
_Edges: TypeAlias = "Mapping[int, Mapping[float, float]]"


@dataclass(slots=True)
class Unit:
    """Lines that are one text: a paragraph, a heading, an item, a row.

    `starts` are the pages that begin in it, each with the offset in `text` at which it does.
    `last` is its last line, `edge` how far left it reaches, `page` counts from 0.
    """

    text: str
    style: PageLine
    last: PageLine
    page: int
    edge: float
    lines: int = 1
    starts: list[tuple[int, int]] = field(default_factory=list)


def units_of(pages: Sequence[Sequence[PageLine]]) -> list[Unit]:
    """The units of all pages in order; words divided at line ends are made whole."""
    builder = _UnitBuilder(pages)
    for number, page in enumerate(pages):
        builder.add_page(number, page)
    return builder.units


class _UnitBuilder:
    """Joins lines to units, page by page."""

    def __init__(self, pages: Sequence[Sequence[PageLine]]) -> None:
        texts = ["\n".join(divided_in_cells(line.text) for line in page) for page in pages]
        self.units: list[Unit] = []
        self._vocabulary = WordCounts("\n\n".join(texts))
        self._body = body_size(line for page in pages for line in page)
        self._edges: _Edges = {}

    def add_page(self, number: int, page: Sequence[PageLine]) -> None:
        """Take in a page's lines."""
        before = self._edges
        self._edges = _edges(page)
        for place, line in enumerate(page):
            last = self.units[-1] if self.units else None
            first = place == 0
            if last and (self._runs_on(last, line, before) if first else self._follows(last, line)):
                start = _append(last, line, self._vocabulary)
            else:
                start = 0
                text = joined_words(divided_in_cells(line.text), self._vocabulary)
                last = Unit(text.rstrip(), line, line, number, line.left)
                self.units.append(last)
            if first:
                last.starts.append((number, start))

    def _follows(self, unit: Unit, line: PageLine) -> bool:
        """Whether a line of the same page belongs to the unit before it."""
        before, here = unit.text, line.text
        if _keeps_its_line(unit.last, line):
            return False
        if before in ROUND_BULLETS and not ITEM.match(here):
            return True
        if before.endswith("-") and self._is_divided(before, here):
            return True
        if line.parted or "\t" in unit.last.text:
            return False
        if not unit.style.size or not line.size:
            return goes_on(unit.last.text, here)
        return self._is_set_alike(unit, line) and self._goes_on(unit, line)

    def _is_set_alike(self, unit: Unit, line: PageLine) -> bool:
        style = unit.last
        slack = _SAME_IN_SENTENCE if style.label or self._is_open(unit, line) else _SAME_SIZE
        if abs(style.size - line.size) > slack * line.size:
            return False
        full = not style.bold or self._is_full(style, line, self._edges)
        alike = style.bold == line.bold or (full and line.text[:1].islower()) or unit.lines > 1
        return alike or self._is_in_item(unit, line)

    def _is_in_item(self, unit: Unit, line: PageLine) -> bool:
        """Whether a full line of an item ends in mid-sentence, and the next is set in below it."""
        stops = not ITEM.match(unit.text) or ends_sentence(unit.text)
        inside = line.left > unit.style.left + 0.3 * line.size
        return inside and not stops and self._is_full(unit.last, line, self._edges)

    def _is_open(self, unit: Unit, line: PageLine) -> bool:
        """Whether a full line ends in mid-sentence."""
        before, here = unit.text, line.text
        stops = ends_sentence(before) or here[:1].isupper() or len(before) < _SHORT
        return not stops and self._is_full(unit.last, line, self._edges)

    def _goes_on(self, unit: Unit, line: PageLine) -> bool:
        """By what the lines say, and by where they begin and end."""
        before, here, size = unit.text, line.text, line.size
        if (unit.style.bold and line.bold) or size > _LARGE * self._body:
            return not starts_anew(here) and len(before) < _LONGEST_TITLE
        ended = ends_sentence(before)
        full = self._is_full(unit.last, line, self._edges)
        full = full or not (ended or self._would_fit(unit.last, line))
        if starts_anew(here):
            item = ITEM.match(before) is not None
            level = abs(line.left - (unit.last.left if item else unit.edge)) < 0.3 * size
            inside = level and (not item or unit.lines > 1)
            inside |= item and before.endswith(",") and line.left > unit.style.left + 0.3 * size
            return full and not ended and inside and here[0] not in BULLETS
        apart = _are_formulas(unit, line) or (is_names(unit.last.text) and is_names(here))
        explained = unit.style.label and not (apart or ended)
        if (ITEM.match(before) or explained) and line.left > unit.style.left + 0.3 * size:
            return full or here[:1].islower()
        if apart or (_is_shifted(unit, line) and (ended or not full)):
            return False
        if kind_of(before) not in ("prose", "words", "mixed") or len(before) < _SHORT:
            return full and (here[:1].islower() or before.endswith(",") or breaks_off(before))
        return full or (not ended and not here[:1].isupper())

    def _runs_on(self, unit: Unit, line: PageLine, edges: _Edges) -> bool:
        """Whether a sentence goes on from the page before."""
        before, here = unit.text[-400:], line.text
        if _keeps_its_line(unit.last, line) or not _is_as_large(unit.last, line):
            return False
        if before.endswith("-") and runs_on(before[:-1], here):
            return True
        if "\t" in unit.last.text:
            return False
        full = bool(line.size) and self._is_full(unit.last, line, edges)
        begins = here.lstrip(_OPENING)[:1].isupper() and not breaks_off(before)
        open_end = full and not ends_sentence(before) and not begins
        prose = kind_of(before) in ("prose", "mixed") and here[0] not in BULLETS
        return runs_on(before, here) or (open_end and prose)

    def _is_full(self, last: PageLine, line: PageLine, edges: _Edges) -> bool:
        return last.right > _edge(last, edges) - _FULL * line.size

    def _would_fit(self, last: PageLine, line: PageLine) -> bool:
        """Whether a line's first word has room in the one before: its author wanted a new line."""
        if len(last.text) < _WIDE:
            return True
        word = len(line.text.split(maxsplit=1)[0]) / len(line.text) * (line.right - line.left)
        return last.right + word + _SPACE * line.size <= _edge(last, self._edges)

    def _is_divided(self, before: str, here: str) -> bool:
        return "\n" not in joined_words(f"{before[-80:]}\n{here[:80]}", self._vocabulary)


def body_size(lines: Iterable[PageLine]) -> float:
    """The size that most of a text is set in; 0 where it is not known."""
    sizes: Counter[float] = Counter()
    for line in lines:
        sizes[round(line.size, 1)] += len(line.text)
    return sizes.most_common(1)[0][0] if sizes else 0.0


def _are_formulas(unit: Unit, line: PageLine) -> bool:
    """Whether one of them is a formula that is displayed."""
    centred = line.left > unit.last.left + 2 * line.size
    return is_formula(unit.text) or (centred and is_formula(line.text))


def _is_shifted(unit: Unit, line: PageLine) -> bool:
    """Whether a line begins elsewhere than the one before, which is no indented first line."""
    shift = line.left - unit.last.left
    first_line = unit.lines == 1 and -_INDENT_MOST * line.size < shift < 0
    return not first_line and abs(shift) > _INDENT * line.size


def _is_as_large(last: PageLine, line: PageLine) -> bool:
    """Whether type is of one size, as far as that is known: a sentence runs on in no title."""
    known = last.size > 0 and line.size > 0
    return not known or abs(last.size - line.size) <= _SAME_IN_SENTENCE * line.size


def _keeps_its_line(last: PageLine, line: PageLine) -> bool:
    """Rows, labels of figures and code do; the last cell of a row can go on below it."""
    if last.kind or line.kind or "\t" in line.text:
        return True
    return last.size > 0 and line.size > 0 and (last.mono or line.mono)


def _edges(page: Sequence[PageLine]) -> _Edges:
    """How far the lines reach that begin where a line does, by its left edge in steps, and their
    size.
    """
    edges: defaultdict[int, dict[float, float]] = defaultdict(dict)
    for line in page:
        for step in range(_step(line) - 3, _step(line) + 4):
            edges[step][line.size] = max(edges[step].get(line.size, 0.0), line.right)
    return edges


def _edge(last: PageLine, edges: _Edges) -> float:
    """How far the lines of a line's column reach: a title above two columns is in none."""
    reaches = edges.get(_step(last), {}).items()
    return max((right for size, right in reaches if size <= _LARGE * last.size), default=0.0)


def _step(line: PageLine) -> int:
    return round(line.left / 12)


def _append(unit: Unit, line: PageLine, vocabulary: WordCounts) -> int:
    """Add a line to a unit; returns the offset at which it begins there."""
    text, here = unit.text.rstrip(), line.text.strip()
    start = len(text) + 1
    if text.endswith("-"):
        tail, head = text[-80:], here[:80]
        whole = joined_words(f"{tail}\n{head}", vocabulary).replace("\n", " ")
        start = len(text) - len(tail) + len(whole) - len(head)
        unit.text = text[: len(text) - len(tail)] + whole + here[80:]
    else:
        unit.text = f"{text} {here}"
    unit.last, unit.lines, unit.edge = line, unit.lines + 1, min(unit.edge, line.left)
    return start


def plain_lines(text: str) -> Iterator[PageLine]:
    """The lines of a text without layout; a blank line is a gap."""
    parted = True
    for line in text.split("\n"):
        if line.strip():
            yield PageLine(line, parted)
        parted = not line.strip()
