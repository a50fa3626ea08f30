"""Blocks of a document that belong together, under the heading above them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from tutor.model import Block, BlockKind, CleanText

LONGEST_HEADING = 100
ENDS = (".", "!", "…", "»", '"', "”", ";", ".)")
_TOLD = (BlockKind.PARAGRAPH, BlockKind.DEFINITION)


def runs(document: CleanText) -> Iterator[tuple[str, tuple[Block, ...]]]:
    """A document's blocks that belong together, and the heading above them; drawings left out."""
    run: list[Block] = []
    title = ""
    for block, following in zip_longest(document.blocks, document.blocks[1:]):
        heads, drawn = _heads(document, block), is_drawn(document, block, following)
        if run and (heads or drawn or not _goes_on(document, run, block)):
            yield title, tuple(run)
            run = []
        if heads:
            title = document.text[block.start : block.end]
        elif not drawn:
            run.append(block)
    if run:
        yield title, tuple(run)


def is_drawn(document: CleanText, block: Block, following: Block | None) -> bool:
    """Whether a block is a drawing, or labels of one: a line that is no sentence, and a caption."""
    if block.kind is not BlockKind.PARAGRAPH:
        return block.kind is BlockKind.FIGURE
    text = document.text[block.start : block.end]
    is_line = len(text) <= LONGEST_HEADING and not text.endswith((*ENDS, ":", ",", "?"))
    return is_line and following is not None and following.kind is BlockKind.CAPTION


def _heads(document: CleanText, block: Block) -> bool:
    """A heading, or what is used as one: a question by itself."""
    if block.kind is not BlockKind.PARAGRAPH:
        return block.kind is BlockKind.HEADING
    text = document.text[block.start : block.end]
    return text.endswith("?") and len(text) <= LONGEST_HEADING


def _goes_on(document: CleanText, run: Sequence[Block], block: Block) -> bool:
    """Whether a block is opened by the one before it, or goes on with a sentence of it."""
    if block.lead < block.start:
        return True
    if run[-1].kind is BlockKind.CAPTION:
        return block.kind not in (*_TOLD, BlockKind.CAPTION)
    if run[-1].kind in _TOLD and block.kind is BlockKind.FORMULA:
        return True
    before = document.text[run[-1].start : run[-1].end]
    if run[-1].kind is BlockKind.FORMULA and block.kind is BlockKind.PARAGRAPH:
        return document.text[block.start].islower()
    goes_on = run[-1].kind in _TOLD and not before.endswith(ENDS)
    return goes_on and (
        block.kind is not BlockKind.PARAGRAPH or document.text[block.start].islower()
    )
