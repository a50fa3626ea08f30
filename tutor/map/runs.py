"""Blocks of a document that belong together, under the heading above them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tutor.model import Block, BlockKind, CleanText

LONGEST_HEADING = 100
ENDS = (".", "!", "…", "»", '"', "”", ";", ".)")
_TOLD = (BlockKind.PARAGRAPH, BlockKind.DEFINITION)
_APART = (BlockKind.HEADING, BlockKind.FIGURE)


def runs(document: CleanText) -> Iterator[tuple[str, tuple[Block, ...]]]:
    """A document's blocks that belong together, and the heading above them; drawings left out."""
    run: list[Block] = []
    title = ""
    for block in document.blocks:
        heads = _heads(document, block)
        if run and (heads or block.kind in _APART or not _goes_on(document, run, block)):
            yield title, tuple(run)
            run = []
        if heads:
            title = document.text[block.start : block.end]
        elif block.kind is not BlockKind.FIGURE:
            run.append(block)
    if run:
        yield title, tuple(run)


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
        return block.kind not in _TOLD
    if run[-1].kind in _TOLD and block.kind is BlockKind.FORMULA:
        return True
    before = document.text[run[-1].start : run[-1].end]
    if run[-1].kind is BlockKind.FORMULA and block.kind is BlockKind.PARAGRAPH:
        return document.text[block.start].islower()
    goes_on = run[-1].kind in _TOLD and not before.endswith(ENDS)
    return goes_on and (
        block.kind is not BlockKind.PARAGRAPH or document.text[block.start].islower()
    )
