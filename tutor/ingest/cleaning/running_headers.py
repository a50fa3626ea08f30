"""Running headers, footers and page numbers, recognised by what pages have in common.

Only the outermost lines of a page are looked at, from the edge inwards, and each page keeps
everything from the first line on that is no running header. A line is one if its page number
counts with the pages, or if the same line (or its last words, under a changing section title)
stands at the same edge of many pages.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from statistics import median

from tutor.text.paragraphs import CODE, ROUND_BULLETS

_DEPTH = 3
"""Lines at each edge that are looked at."""
_LONGEST = 160
_SLIDE_CHARACTERS = 900
"""Pages of fewer characters are slides, whose titles may repeat and are no running headers."""

_NUMBER = re.compile(r"(?<![\d.,])\d{1,4}(?![\d,]|\.\d)")
_FIRST_NUMBER = re.compile(r"(\d{1,4})(?= +[^\W\d_])")
_LAST_NUMBER = re.compile(r"[^\W\d_]\S{0,40} +(\d{1,4})\Z")
_ONES = ("", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix")
_ROMAN = {
    f"{tens}{one}": 10 * ten + digit
    for ten, tens in enumerate(("", "x", "xx", "xxx", "xl"))
    for digit, one in enumerate(_ONES)
}
_PAGE_NUMBER = re.compile(
    r"(?:p[aá]g(?:ina|\.)?|page|p\.|diapositiva|slide|hoja|folio)? *(\d{1,4})"
    r"(?: *(?:/|de|of) *\d{1,4})?",
    re.IGNORECASE,
)
_COUNTED_CONTENT = re.compile(
    r"(?:actividad|apartado|cap[ií]tulo|caso|clase|cuadro|cuesti[oó]n|ejemplo|ejercicio|etapa|fase"
    r"|figura|gr[aá]fico|lecci[oó]n|m[oó]dulo|paso|pr[aá]ctica|pregunta|problema|secci[oó]n"
    r"|semana|sesi[oó]n|tabla|taller|tarea|tema|teorema|unidad|chapter|example|exercise|figure"
    r"|lecture|problem|question|section|session|step|table|unit|week)\b",
    re.IGNORECASE,
)
_NUMBERED_HEADING = re.compile(r"\d{1,3}(?:\.\d{1,3})*[.)] ")


@dataclass(frozen=True, slots=True)
class _Line:
    page: int
    index: int
    depth: int
    text: str

    @property
    def key(self) -> str:
        return " ".join(self.text.lower().split())


def body_lines(pages: Sequence[Sequence[str]]) -> list[list[int]]:
    """Of each page's lines those that are no running headers, footers or page numbers.

    A page never loses its last line of text.
    """
    dropped: dict[int, set[int]] = defaultdict(set)
    lengths = [sum(len(line) + 1 for line in page) for page in pages]
    is_slides = median([length for length in lengths if length] or [0]) < _SLIDE_CHARACTERS
    for backwards in (False, True):
        edges = [_edge_lines(number, page, backwards) for number, page in enumerate(pages)]
        evidence = _Evidence(edges, is_slides=is_slides)
        for number, page in enumerate(pages):
            dropped[number] |= {line.index for line in evidence.peeled(edges[number])}
            dropped[number] |= evidence.strayed(number, page, dropped[number])
    return [_kept(page, dropped[number]) for number, page in enumerate(pages)]


def _kept(lines: Sequence[str], dropped: set[int]) -> list[int]:
    if all(index in dropped for index, line in enumerate(lines) if line.strip()):
        # A title alone on its page looks like a running header.
        dropped = {index for index in dropped if not _has_letters(lines[index])}
    return [index for index in range(len(lines)) if index not in dropped]


def _edge_lines(number: int, lines: Sequence[str], backwards: bool) -> list[_Line]:
    """The outermost lines with text, the outermost first."""
    written = [(index, line.strip()) for index, line in enumerate(lines) if line.strip()]
    outermost = written[: -_DEPTH - 1 : -1] if backwards else written[:_DEPTH]
    return [_Line(number, index, depth, text) for depth, (index, text) in enumerate(outermost)]


class _Evidence:
    """What the lines at one edge of the pages have in common."""

    def __init__(self, edges: Sequence[Sequence[_Line]], *, is_slides: bool) -> None:
        short = [line for page in edges for line in page if len(line.text) <= _LONGEST]
        outer = [line for line in short if line.depth == 0]
        written = sum(1 for page in edges if page)
        self._total = len(edges)
        self._is_slides = is_slides
        self._pages_of: dict[str, list[int]] = defaultdict(list)
        for line in short:
            self._pages_of[line.key].append(line.page)
        self._most = max(4.0, 0.5 * written)
        self._least = max(3.0, (0.5 if is_slides else 0.3) * written)
        self._roman_shift = _common_shift(outer, _roman_numbers, 2)
        least = max(3, 0.4 * written)
        if self._total == 2:  # a number alone at the edge of both
            outer, least = [line for line in outer if _PAGE_NUMBER.fullmatch(line.text)], 2
        self._shift = _common_shift(outer, _numbers, least)
        self._counted = _counted_texts(short, 2 if self._total == 2 else max(3, 0.3 * written))
        tails = Counter(tail for line in outer if (tail := _tail(line)))
        self._tails = set() if is_slides else {t for t, n in tails.items() if n >= self._most}
        heads = sum(1 for line in outer if self._is_running_line(line))
        self._has_running_heads = not is_slides and heads > 0.6 * written and written > 5

    def peeled(self, candidates: Sequence[_Line]) -> list[_Line]:
        """The running headers among one page's lines: from the edge inwards, each text once."""
        peeled: list[_Line] = []
        for line in candidates:
            known = self._is_running_line(line) or self._is_section_head(line)
            if not known or any(line.key == other.key for other in peeled):
                break
            peeled.append(line)
        return peeled

    def strayed(self, number: int, page: Sequence[str], dropped: set[int]) -> set[int]:
        """Running headers beyond doubt that stand further in: a drawing at the edge can do that."""
        found: dict[str, int] = {}
        gone = {_Line(number, index, 0, page[index]).key for index in dropped}
        for index, text in enumerate(page):
            if not 8 < len(text) <= _LONGEST or index in dropped:
                continue
            line = _Line(number, index, _DEPTH, text.strip())
            is_most = (
                number > 0
                and text[0] not in ROUND_BULLETS
                and len(line.key.split()) > 2
                and _has_letters(text)
                and len(self._pages_of[line.key]) >= self._most
            )
            if line.key not in gone and (is_most or self._is_counted_text(line)):
                found.setdefault(line.key, index)
        return set(found.values())

    def _is_running_line(self, line: _Line) -> bool:
        if len(line.text) > _LONGEST or line.text[0] in ROUND_BULLETS:
            return False
        return (
            self._is_counted_text(line)
            or (len(self._pages_of[line.key]) >= self._least and _has_letters(line.text))
            or (line.depth == 0 and (_tail(line) in self._tails or self._is_counted(line)))
        )

    def _is_counted(self, line: _Line) -> bool:
        """Whether the line has the number that its page must have at its beginning or end."""
        if line.key in (f"página {line.page + 1}", f"page {line.page + 1}"):
            return True
        return self._shift in _shifts(line, _numbers) or self._roman_shift in _shifts(
            line, _roman_numbers
        )

    def _is_counted_text(self, line: _Line) -> bool:
        """A known text with the number that this page must have."""
        place, shift = self._counted.get(_masked(line), (0, None))
        is_heading = _COUNTED_CONTENT.match(line.text) or _NUMBERED_HEADING.match(line.text)
        if shift is None or (is_heading and place == 0):
            return False
        number = list(_NUMBER.finditer(line.key))[place]
        begins_sentence = line.key.startswith(". ", number.end())
        return not begins_sentence and int(number[0]) - line.page == shift

    def _is_section_head(self, line: _Line) -> bool:
        """The title of a section over its pages, in a document that has running heads."""
        is_title = _has_letters(line.text) and not CODE.match(line.text)
        if self._is_slides or not is_title or len(line.text) > _LONGEST:
            return False
        pages = self._pages_of[line.key]
        if line.depth == 0 and 1 < len(set(pages)) >= self._total - 1 and len(line.key.split()) > 2:
            return True
        near = sum(1 for page in pages if 0 < abs(page - line.page) <= 2)
        return near >= (1 if self._has_running_heads and line.depth == 0 else 2)


def _shifts(line: _Line, numbers: Callable[[str], list[int]]) -> list[int | None]:
    """How far the numbers that a line may begin or end with run ahead of its page."""
    return [number - line.page for number in numbers(line.text)]


def _common_shift(
    lines: Iterable[_Line], numbers: Callable[[str], list[int]], least: float
) -> int | None:
    """How far page numbers run ahead of the pages, if at least `least` of them agree."""
    found = Counter(shift for line in lines for shift in _shifts(line, numbers)).most_common(1)
    return found[0][0] if found and found[0][1] >= least else None


def _numbers(text: str) -> list[int]:
    """The page numbers that a line may begin or end with; what "Tabla 2" counts is its own."""
    if _COUNTED_CONTENT.match(text):
        own = _NUMBER.search(text)
        text = text[own.end() :] if own else ""
    if match := _PAGE_NUMBER.fullmatch(text.strip("-–—·.|[]() ")):
        return [int(match[1])]
    found = _FIRST_NUMBER.match(text), _LAST_NUMBER.search(text)
    return [int(match[1]) for match in found if match]


def _roman_numbers(text: str) -> list[int]:
    words = [] if _COUNTED_CONTENT.match(text) else text.split()
    return [_ROMAN[word] for word in {*words[:1], *words[-1:]} if word in _ROMAN]


def _masked(line: _Line) -> str:
    return _NUMBER.sub("#", line.key)


def _counted_texts(lines: Iterable[_Line], least: float) -> dict[str, tuple[int, int]]:
    """Masked texts of which one number counts with the pages: its place and its shift."""
    seen: dict[str, Counter[tuple[int, int]]] = defaultdict(Counter)
    pages: dict[str, set[int]] = defaultdict(set)
    for line in lines:
        key = _masked(line)
        numbers = [int(number) for number in _NUMBER.findall(line.key)]
        if numbers and _has_letters(line.text):
            pages[key].add(line.page)
            seen[key].update({(place, n - line.page) for place, n in enumerate(numbers)})
    best = {key: shifts.most_common(1)[0] for key, shifts in seen.items()}
    return {
        key: place_and_shift
        for key, (place_and_shift, count) in best.items()
        if count >= least
        and count > 0.7 * len(pages[key])
        and (len(key.split()) > 2 or "#/#" in key)
    }


def _tail(line: _Line) -> tuple[str, ...]:
    """The last words, which lines of different beginnings can share."""
    words = [word for word in line.key.split() if not word.isdecimal()]
    return tuple(words[-3:]) if len(words) > 3 else ()


def _has_letters(text: str) -> bool:
    return sum(1 for char in text[:_LONGEST] if char.isalpha()) >= 3
