"""The lines that spans form within one column."""

from __future__ import annotations

import re
from bisect import bisect_left, insort
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from operator import attrgetter

from tutor.ingest.reading.spans import ACCENTS_ONLY, TextSpan, core_of, extent, line_text
from tutor.model import BlockKind, PageLine

_MARKERS = frozenset("•◦▪‣●○■□▸▹►➢➤❒❑–-")
_NUMBER = re.compile(r"\(?(?:\d{1,2}|[a-zA-Z]|[ivx]{1,4})[.)]")
"""What stands before the items of a list."""
_CELL_GAP = 1.3
"""White of this many times the type's size parts the cells of a row."""
TERM_GAP = 0.45
"""White of more than this many times the size parts a term from what explains it."""
_HANGS = (0.5, 5.0)
"""How far, in sizes, the lines below the first of an explanation are set in."""
_NO_EXPLANATION = re.compile(r"\[|(?:es|son|fue(?:ron)?|se|is|are|was|were)\b", re.IGNORECASE)
"""How a sentence goes on of which the bold words are the subject, or a remark on a heading."""
_TERM = re.compile(r"[^\W\d_].{1,59}[^\s.:;,–—-]")
_WORD = re.compile(r"(?<!\S)[^\W\d_]{2,}(?=[.,;:]?(?:\s|\Z))")
_SURELY_CODE = 0.75
"""More of a line in a font of fixed width is code, whatever else it has."""
_SENTENCE = 3
"""Words in another font that make a line with code in it one of text."""
_FULL = 0.85
"""A line that reaches so far across its column is full: what it says goes on below."""
_LISTING = 3
"""So many numbers one over another, with code beside them, number its lines."""
_LEVEL = 0.16
"""Spans of one line differ by less than this share of their size in their baselines."""
_REACH = (-0.75, 1.1)
"""How far under and over a baseline smaller spans are taken for its scripts, in sizes."""


class SpanLine:
    """Spans on one baseline. Its widest span of the largest type gives the line's own."""

    __slots__ = ("base", "size", "spans")

    def __init__(self, span: TextSpan) -> None:
        self.spans = [span]
        self.base, self.size = span.base, span.size

    def fit(self, span: TextSpan) -> float | None:
        """How well a span goes into the line, less is better; None if it does not.

        On the baseline itself, or smaller and beside one of the line's spans.
        """
        if span.table or self.spans[0].table:
            return None
        size = max(self.size, span.size)
        shift = span.base - self.base
        if ACCENTS_ONLY.fullmatch(span.text.strip()):
            under = any(s.left - 1 < span.centre < s.right + 1 for s in self.spans)
            return abs(shift) / size if under and -0.3 * size < shift < 1.3 * size else None
        if abs(shift) < _LEVEL * size:
            return abs(shift) / size
        if not _REACH[0] * size < shift < _REACH[1] * size and not self._raises(span):
            return None
        white = min(max(span.left - s.right, s.left - span.right) for s in self.spans)
        if span.size > 0.95 * self.size and (abs(shift) > 0.3 * size or white > 0):
            return None
        limit = 0.4 if span.size < 0.87 * self.size else 0.1
        return 1 + abs(shift) / size if white < limit * size else None

    def _raises(self, span: TextSpan) -> bool:
        """Whether a span is the exponent of a bracket about a fraction, which is a tall span."""
        near = 0.4 * self.size
        return span.size < 0.87 * self.size and any(
            bracket.text.strip() == ")"
            and -1 <= span.left - bracket.right < near
            and tall.bottom < self.base < span.base < tall.top
            and -1 <= bracket.left - tall.right < near
            for bracket in self.spans
            for tall in self.spans
        )

    @property
    def text(self) -> str:
        """From left to right, with a tab between cells."""
        return line_text(self.spans, _CELL_GAP)


def gather_lines(spans: Sequence[TextSpan]) -> list[SpanLine]:
    """The lines of one column, from top to bottom; raised and lowered pieces join their line.

    Large and wide pieces make the lines, so that an exponent cannot draw its neighbours into a
    line of its own.
    """
    lines: list[SpanLine] = []
    for span in sorted(spans, key=_eminence):
        reach = 1.2 * max(span.size, 12.0)
        low = bisect_left(lines, span.base - reach, key=lambda line: line.base)
        best: tuple[float, SpanLine] | None = None
        for line in lines[low:]:
            if line.base > span.base + reach:
                break
            fit = line.fit(span)
            if fit is not None and (best is None or fit < best[0]):
                best = fit, line
        if best:
            best[1].spans.append(span)
        else:
            insort(lines, SpanLine(span), key=lambda line: line.base)
    return _with_long_scripts(lines)[::-1]


def _with_long_scripts(lines: list[SpanLine]) -> list[SpanLine]:
    """The lines, with long scripts in the one that they hang on: e^(−αyh(x)) is of many spans."""
    kept = list(lines)
    for number, small in enumerate(lines):
        left, _, right, _ = extent(small.spans)
        for line in (*lines[max(0, number - 2) : number], *lines[number + 1 : number + 3]):
            shift, size = small.base - line.base, line.size
            if small.size >= 0.87 * size or not _REACH[0] * size < shift < _REACH[1] * size:
                continue
            passed = (span for span in line.spans if span.right < right)
            before = max(passed, key=attrgetter("right"), default=None)
            beside = all(s.right <= left + 1 or s.left >= right - 1 for s in line.spans)
            if before and beside and left - before.right < 0.4 * size and line in kept:
                line.spans += small.spans
                kept.remove(small)
                break
    return kept


def _eminence(span: TextSpan) -> tuple[bool, int, float]:
    """Large and wide pieces first, accents that are drawn by themselves last."""
    is_accent = ACCENTS_ONLY.fullmatch(span.text.strip()) is not None
    return is_accent, -round(span.size), -span.width


def text_lines(spans: Sequence[TextSpan]) -> list[PageLine]:
    """The lines of a single column as text, gaps between them noted."""
    lines = gather_lines(spans)
    usual = _usual_gap(lines)
    made: list[PageLine] = []
    edge = min((span.left for line in lines if _is_mono(line) for span in line.spans), default=0.0)
    lines = _without_line_numbers(lines)
    terms = _terms(lines)
    parted = [n == 0 or _parted(lines[n - 1], line, usual) for n, line in enumerate(lines)]
    mono = [_is_mono(line) for line in lines]
    ended = _ended_in_code(lines, mono, parted)
    for number, line in enumerate(lines):
        is_code = mono[number] and number not in ended
        made += _as_text(line, edge, terms.get(number, 0), parted=parted[number], mono=is_code)
    return made


def _ended_in_code(
    lines: Sequence[SpanLine], mono: Sequence[bool], parted: Sequence[bool]
) -> set[int]:
    """The lines of nothing but code with which a sentence of the line above ends."""
    candidates = [
        number
        for number in range(1, len(lines))
        if mono[number]
        and not (mono[number - 1] or parted[number])
        and (number + 1 == len(lines) or parted[number + 1] or not mono[number + 1])
    ]
    boxes = [extent(line.spans) for line in lines] if candidates else []
    reach = max((right for _left, _low, right, _high in boxes), default=0.0)
    return {
        number
        for number in candidates
        if lines[number - 1].text[-1:] not in ".:;!?"
        and 0 <= boxes[number][0] - boxes[number - 1][0] + 1 < 3 * lines[number].size
        and boxes[number - 1][2] - boxes[number - 1][0] > _FULL * (reach - boxes[number - 1][0])
    }


def _terms(lines: Sequence[SpanLine]) -> dict[int, int]:
    """The lines that begin with a term in bold, set apart by white alone from what explains it, and
    how many spans the term has. What follows hangs below, or the line above or below begins so.
    """
    begun = {number: spans for number, line in enumerate(lines) if (spans := _term_spans(line))}
    lefts = [min(span.left for span in line.spans) for line in lines] if begun else []

    def is_one_of_several(number: int) -> bool:
        around = {number - 1, number + 1} & begun.keys()
        size = max(lines[number].size, 0.1)
        below = [(left - lefts[number]) / size for left in lefts[number + 1 : number + 2]]
        hangs = any(_HANGS[0] < inset < _HANGS[1] for inset in below)
        return hangs or any(abs(lefts[number] - lefts[other]) < 1 for other in around)

    return {number: spans for number, spans in begun.items() if is_one_of_several(number)}


def _term_spans(line: SpanLine) -> int:
    """How many spans of a line are in bold before others behind a white band; 0 where none are."""
    spans = sorted(line.spans, key=attrgetter("left"))
    bold = next((n for n, span in enumerate(spans) if not (span.bold and span.bold_end)), 0)
    if not bold or spans[0].table or spans[bold].bold:
        return 0
    term = line_text(spans[:bold])
    white = (spans[bold].left - spans[bold - 1].right) / max(line.size, 0.1)
    is_cell = "\t" in line.text or _NO_EXPLANATION.match(spans[bold].text.strip())
    is_term = _TERM.fullmatch(term) and term[0].isupper() and not (is_cell or spans[0].mono)
    return bold if is_term and TERM_GAP < white < _CELL_GAP else 0


def _as_text(line: SpanLine, edge: float, term: int, *, parted: bool, mono: bool) -> list[PageLine]:
    """A line's text; a colon behind its `term`, if it begins with one of so many spans."""
    core = core_of(line.spans)
    left, _, right, _ = extent(line.spans)
    if core.table:
        rows = core.text.split("\n")
        return [
            PageLine(row, number == 0, core.size, left, right, core.bold, kind=BlockKind.TABLE)
            for number, row in enumerate(rows)
        ]
    ordered = sorted(line.spans, key=lambda span: span.left)
    begins = ordered[0].bold or (len(ordered) > 1 and ordered[1].bold and len(ordered[0].text) < 3)
    wide = [span for span in ordered if span.size > 0.87 * core.size and span.text.strip()]
    bold = bool(wide) and all(span.bold and span.bold_end for span in wide)
    text = line.text
    if term:
        text = f"{line_text(ordered[:term])}: {line_text(ordered[term:], _CELL_GAP)}"
    if ordered[0].text.strip() in _MARKERS or _NUMBER.fullmatch(ordered[0].text.strip()):
        text = text.replace("\t", " ", 1)
    if mono:
        plain = core.text.strip()
        text = " " * round((left - edge) * len(plain) / max(core.width, 0.1)) + text
    return [PageLine(text, parted, core.size, left, right, bold, begins and not bold, mono)]


def _without_line_numbers(lines: Sequence[SpanLine]) -> list[SpanLine]:
    """Listings keep their text; the numbers before their lines go, and lines of nothing else."""
    for line in lines:
        line.spans.sort(key=lambda span: span.left)
    numbers = {
        id(line): round(first.right / 2)
        for line in lines
        if (first := line.spans[0]).text.strip().isdecimal() and not first.mono
    }
    edges = Counter(numbers.values())
    listed = {
        numbers[id(line)]
        for line in lines
        if id(line) in numbers
        and edges[numbers[id(line)]] >= _LISTING
        and len(line.spans) > 1
        and all(span.mono for span in line.spans[1:])
    }
    kept = []
    for line in lines:
        if numbers.get(id(line)) in listed:
            line.spans = line.spans[1:]
        if line.spans:
            kept.append(line)
    return kept


def _is_mono(line: SpanLine) -> bool:
    """Whether a line is code, and no sentence that names some."""
    letters = sum(len(span.text.strip()) for span in line.spans)
    mono = sum(len(span.text.strip()) for span in line.spans if span.mono)
    words = _WORD.findall(" ".join(span.text for span in line.spans if not span.mono))
    is_text = mono < _SURELY_CODE * letters and len(words) >= _SENTENCE and "\t" not in line.text
    return 2 * mono > letters and not is_text


def _usual_gap(lines: Sequence[SpanLine]) -> float:
    gaps = sorted(
        above.base - below.base
        for above, below in pairwise(lines)
        if above.base - below.base < 1.8 * max(above.size, below.size)
    )
    return gaps[len(gaps) // 2] if gaps else 0.0


def _parted(above: SpanLine, below: SpanLine, usual: float) -> bool:
    """Whether the page sets two lines apart; formulas push the lines of a sentence apart, too."""
    smaller, larger = sorted((above.size, below.size))
    bottom = min(span.bottom for span in above.spans)
    top = max(span.top for span in below.spans)
    gap = min(above.base - below.base, bottom - top + larger)
    if line_continues(above.text, below.text) and gap < usual + smaller:
        return False
    if larger > 1.15 * smaller and min(len(above.text), len(below.text)) > 3:
        return True
    return gap > max(usual, larger) + 0.35 * smaller


def line_continues(above: str, below: str) -> bool:
    """Whether `below` continues the sentence of `above`."""
    return above[-1:] == "-" or (below[:1].islower() and above[-1:] not in ".:;!?")
