"""Parts of a document as Markdown: what a terminal and the app draw as tables, code and lists."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tutor.map.lesson import Item, drawings, items_of
from tutor.model import Block, BlockKind, CleanText
from tutor.text.paragraphs import cells_of
from tutor.text.sentences import split_sentences


def table(lines: Sequence[str]) -> str:
    """A table as Markdown, given its head and rows."""
    # A bar within a cell would end it: the sign for "divides" looks the same.
    cells = [[cell.replace("|", "∣") for cell in cells_of(line)] for line in lines]
    cells.insert(1, ["---"] * len(cells[0]))
    return "\n".join(f"| {' | '.join(row)} |" for row in cells)


def listing(document: CleanText, blocks: Iterable[Block]) -> str:
    """A list with the first sentence of each of its items, and what stands around it."""
    lines = []
    for block in blocks:
        if block.kind is BlockKind.LIST:
            lines.append("\n".join(map(_beginning, items_of(document, block))))
        else:
            lines.append(readable(document, block.start, block.end))
    return "\n\n".join(lines)


def _beginning(item: Item) -> str:
    """Its first sentence; its last one, too, if that opens what follows."""
    (start, end), *others = split_sentences(item.text)
    text = f"{item.mark} {item.text[start:end]}"
    if others and item.text.endswith(":"):
        return f"{text} … {item.text[slice(*others[-1])]}"
    return f"{text} …" if others else text


def fenced(code: str) -> str:
    """Code, between fences."""
    return f"```\n{code}\n```"


def readable(document: CleanText, start: int, end: int) -> str:
    """A part of a document, its tables and code as Markdown, its drawings left out."""
    told, read = [], start
    for block, drawn in zip(document.blocks, drawings(document), strict=True):
        if start <= drawn < block.end <= end:
            told.append(document.text[read:drawn].strip())
            read = block.end
        elif start <= block.start < block.end <= end:
            text = document.text[block.start : block.end]
            if block.kind is BlockKind.TABLE and any(document.rows(block)):
                text = table(text.split("\n"))
            elif block.kind is BlockKind.CODE:
                text = fenced(text)
            else:
                continue
            told += [document.text[read : block.start].strip(), text]
            read = block.end
    told.append(document.text[read:end].strip())
    return "\n\n".join(filter(None, told))
