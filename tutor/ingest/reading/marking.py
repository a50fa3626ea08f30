"""Where on a page the words of a quote stand. Pure: no PDF library here.

A quote is cleaned text and a page is glyphs: accents, ligatures, hyphens and spaces differ, and
a formula or a header may stand between two words. So only letters and digits are compared, in
their simplest form, and the quote need not be found in one piece.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from typing import TypeAlias

from tutor.text.folding import letters, letters_with_offsets

Box: TypeAlias = tuple[float, float, float, float]
"""Left, top, right, bottom in any unit, y growing downwards, as in a picture."""

_Extent: TypeAlias = tuple[float, ...]
"""Where a box begins and ends, along one of its sides."""

PlacedCharacter: TypeAlias = tuple[str, Box]
"""A character, and where it stands."""

_LEAST_SHARE = 0.8
"""Share of the quote's letters that have to be found for any of them to be marked."""
_LEAST_SURE = 0.5
"""The same for the letters in pieces of `_LEAST_PIECE` and more."""
_LEAST_PIECE = 4
"""Letters: shorter agreements between a quote and a page come about by chance."""
_STRETCH = 1.3
_SLACK = 40
"""A quote takes this many times its letters, and so many more, where others stand between them."""
_LEAST_LETTERS = 3
_MOST_LETTERS = 20_000
"""Of a page; beyond it only a quote that stands there word for word is looked for."""


def quote_boxes(glyphs: Sequence[PlacedCharacter], quote: str, before: str = "") -> list[Box]:
    """A box for each line, or part of a line, of the quote; none where it is not surely found.

    `before` is the page's text in front of the quote: words that stand on the page several
    times are told apart by how often they came before.
    """
    wanted = letters(quote)
    page, places = letters_with_offsets("".join(character for character, _box in glyphs))
    if len(wanted) < _LEAST_LETTERS:
        return []
    spans = _verbatim(page, wanted, letters(before)) or _in_pieces(page, wanted)
    found = {places[at] for start, end in spans for at in range(start, end)}
    return _lines([glyphs[place][1] for place in sorted(found)])


def _verbatim(page: str, wanted: str, before: str) -> list[tuple[int, int]]:
    """The quote in one piece; nothing if it stands there several times and none can be chosen."""
    places = [match.start() for match in re.finditer(f"(?={re.escape(wanted)})", page)]
    if not places:
        return []
    earlier = before.count(wanted)
    if len(places) > 1 and earlier >= len(places):
        return []
    # The order of the file need not be that of reading; what leads up to the quote decides first.
    tail = before[-24:]
    led_up_to = [at for at in places if tail and page[:at].endswith(tail)]
    place = led_up_to[0] if len(led_up_to) == 1 else places[min(earlier, len(places) - 1)]
    return [(place, place + len(wanted))]


def _in_pieces(page: str, wanted: str) -> list[tuple[int, int]]:
    """The quote with gaps; nothing unless most of it is there, close together."""
    if len(page) > _MOST_LETTERS or len(wanted) < 4 * _LEAST_PIECE:
        return []
    whole = SequenceMatcher(None, page, wanted, autojunk=False)
    anchor = whole.find_longest_match()
    start = max(0, anchor.a - round(_STRETCH * anchor.b) - _SLACK)
    stop = anchor.a + round(_STRETCH * (len(wanted) - anchor.b)) + _SLACK
    near = SequenceMatcher(None, page[start:stop], wanted, autojunk=False)
    blocks = [block for block in near.get_matching_blocks() if block.size]
    sure = [place for place, block in enumerate(blocks) if block.size >= _LEAST_PIECE]
    if sum(blocks[place].size for place in sure) < _LEAST_SURE * len(wanted):
        return []
    # Between sure pieces, the single letters of a formula are no chance.
    blocks = blocks[sure[0] : sure[-1] + 1]
    found = sum(block.size for block in blocks)
    if found < _LEAST_SHARE * len(wanted):
        return []
    return [(start + block.a, start + block.a + block.size) for block in blocks]


def _lines(boxes: Sequence[Box]) -> list[Box]:
    """Boxes around those that follow one another on a line."""
    lines: list[list[Box]] = []
    for box in boxes:
        if lines and _on_one_line(lines[-1][-1], box):
            lines[-1].append(box)
        else:
            lines.append([box])
    return list(map(_around, lines))


def _on_one_line(one: Box, other: Box) -> bool:
    """Side by side and not a column apart, or above one another where a text is turned."""
    return _follows(one[::2], other[::2], one[1::2], other[1::2]) or _follows(
        one[1::2], other[1::2], one[::2], other[::2]
    )


def _follows(one: _Extent, other: _Extent, high: _Extent, other_high: _Extent) -> bool:
    """Whether two glyphs are near one another along a line, and level across it."""
    height = max(high[1] - high[0], other_high[1] - other_high[0])
    lower = min(high[1] - high[0], other_high[1] - other_high[0])
    shared = min(high[1], other_high[1]) - max(high[0], other_high[0])
    gap = max(other[0] - one[1], one[0] - other[1])
    return shared > 0.3 * lower and gap < 3 * height


def _around(boxes: Iterable[Box]) -> Box:
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)
