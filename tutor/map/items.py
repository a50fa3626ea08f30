"""The items of a list, with what goes on below their first lines."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tutor.model import Block, CleanText
from tutor.text.paragraphs import ITEM, joined_lines


@dataclass(frozen=True, slots=True)
class Item:
    """An item of a list at `text[start:end]`: its mark, and its words in a line."""

    mark: str
    text: str
    start: int
    end: int


def items_of(document: CleanText, block: Block) -> Iterator[Item]:
    """The items of a list; lines that bear no mark go on with the item before them."""
    lines: list[tuple[str, str, int, int]] = []
    start = block.start
    for line in document.text[block.start : block.end].split("\n"):
        marked = ITEM.match(line)
        if marked or not lines:
            mark = marked[0].strip() if marked else ""
            lines.append((mark, line[len(marked[0]) if marked else 0 :], start, start + len(line)))
        else:
            before = lines[-1]
            lines[-1] = (before[0], f"{before[1]}\n{line}", before[2], start + len(line))
        start += len(line) + 1
    for mark, text, first, last in lines:
        yield Item(mark, joined_lines(text), first, last)
