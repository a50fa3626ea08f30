"""Where a quote ends: behind what it announces, and where a list goes on that it does not hold."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from tutor.map.lesson import ENDS, drawings, items_of
from tutor.model import Block, BlockKind, CleanText

_FARTHEST = 3000
"""Characters within which a numbered list may go on."""
_NUMBER = re.compile(r"\(?(\d{1,2})(?:\.(\d{1,2})\.?|[.)])(?=\s)")
_LISTED = (BlockKind.LIST, BlockKind.DEFINITION)
_SHOWN = (BlockKind.FORMULA, BlockKind.CODE, BlockKind.TABLE)


@dataclass(frozen=True, slots=True)
class Rest:
    """What belongs to a quote and stands below it: from `start` to `end`."""

    start: int
    end: int


def announced(document: CleanText, start: int, end: int, room: int) -> int:
    """Where a quote of `text[start:end]` should end if that announces something with a colon.

    Behind what is announced, if that has at most `room` characters; else before the sentence that
    announces it, which is `start` if it is all that is quoted.
    """
    last = end
    while document.text[last - 1] == ":":
        following = _following(document, last, end + room)
        if following is None:
            return _before(document, start, end)
        last = following
    return last


def _following(document: CleanText, end: int, farthest: int) -> int | None:
    """Where what stands right below ends, a list if need be behind the last item that fits.

    None at a heading, a drawing, and what is too long.
    """
    for block, drawn in zip(document.blocks, drawings(document), strict=True):
        if block.end <= end:
            continue
        if block.kind is BlockKind.HEADING or drawn == block.start:
            return None
        text = document.text[max(end, block.start) : drawn]
        scraps = block.kind not in _SHOWN and not any(map(str.isalpha, text))
        if block.kind is BlockKind.CAPTION or scraps:
            continue
        if drawn <= farthest:
            return drawn
        items = items_of(document, block) if block.kind is BlockKind.LIST else ()
        return max((item.end for item in items if end < item.end <= farthest), default=None)
    return None


def _before(document: CleanText, start: int, end: int) -> int:
    """Where the sentence before the last one of a span ends."""
    said = (
        statement.end
        for block in document.blocks_in(start, end)
        for statement in document.statements(block)
        if start <= statement.start and statement.end < end
    )
    return max(said, default=start)


def rest_of_numbered(document: CleanText, start: int, end: int) -> Rest | None:
    """What a numbered list, of which a quote holds the first items, goes on with below it."""
    told = [
        number
        for block in document.blocks_in(start, end)
        for at, number in _numbers(document, block)
        if start <= at < end
    ]
    if not told or told[0] > (1, 1):
        return None
    last, first, reached = told[-1], 0, end
    below = [
        block for block in document.blocks if end < block.end and block.start < end + _FARTHEST
    ]
    for block, after in pairwise((*below, None)):
        if block is None or block.kind is BlockKind.HEADING:
            break
        for at, number in _numbers(document, block):
            if at >= end and not _follows(number, last):
                return Rest(first, reached) if first else None
            if at >= end:
                first, last, reached = first or at, number, block.end
        opens = reached == block.end and not document.text[:reached].endswith(ENDS)
        if opens and after and after.kind in _SHOWN:
            reached = after.end
    return Rest(first, reached) if first else None


def _numbers(document: CleanText, block: Block) -> Iterator[tuple[int, tuple[int, int]]]:
    """Where the numbered items of a block begin, and their numbers: of "3.1" 3 and 1."""
    starts: list[int] = []
    if block.kind is BlockKind.LIST:
        starts = [item.start for item in items_of(document, block)]
    elif block.kind is BlockKind.PARAGRAPH:
        starts = [block.start]
    for start in starts:
        if match := _NUMBER.match(document.text, start, block.end):
            yield start, (int(match[1]), int(match[2] or 0))


def _follows(number: tuple[int, int], last: tuple[int, int]) -> bool:
    """Whether an item comes after the `last` one, as 3.1 and 4 do after 3."""
    nested = number[0] == last[0] and number[1] == last[1] + 1
    return nested or number == (last[0] + 1, 0)


def rest_of_list(document: CleanText, end: int) -> Rest | None:
    """The items of a list of which a quote holds only the first ones."""
    block = document.block_at(end - 1)
    cut = block is not None and block.kind is BlockKind.LIST and end < block.end
    return Rest(_next(document, end), block.end) if block and cut else None


def rest_of_section(document: CleanText, end: int) -> Rest | None:
    """The rest of the section in which a quote stands, if more is listed or defined there."""
    listed = []
    for block, drawn in zip(document.blocks, drawings(document), strict=True):
        if block.end > end:
            if block.kind is BlockKind.HEADING:
                break
            if block.kind in _LISTED and drawn > block.start:
                listed.append(drawn)
    return Rest(_next(document, end), listed[-1]) if listed else None


def _next(document: CleanText, end: int) -> int:
    """Where the next words begin."""
    below = document.text[end:]
    return end + len(below) - len(below.lstrip())
