"""Blocks of a document that belong together, under the heading above them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tutor.model import Block, BlockKind, CleanText

LONGEST_HEADING = 100
LONGEST_LABEL = 40
"""Characters."""
ENDS = (".", "!", "…", "»", '"', "”", ";", ".)")
_TOLD = (BlockKind.PARAGRAPH, BlockKind.DEFINITION)


def runs(document: CleanText) -> Iterator[tuple[str, tuple[Block, ...]]]:
    """A document's blocks that belong together, and the heading above them; drawings left out."""
    run: list[Block] = []
    title = ""
    for block, drawn in zip(document.blocks, drawings(document, document.blocks), strict=True):
        heads = _heads(document, block)
        if run and (heads or drawn or not _goes_on(document, run, block)):
            yield title, tuple(run)
            run = []
        if heads:
            title = document.text[block.start : block.end]
        elif not drawn:
            run.append(block)
    if run:
        yield title, tuple(run)


def drawings(document: CleanText, blocks: Sequence[Block]) -> list[bool]:
    """Whether each of these blocks, one after another, is a drawing or labels of one.

    Labels stand above a caption: a line that is no sentence, short ones over it, and what stands
    between those.
    """
    drawn = [block.kind is BlockKind.FIGURE for block in blocks]
    for caption, block in enumerate(blocks):
        place = caption - 1
        if block.kind is BlockKind.CAPTION:
            while place >= 0 and _is_label(document, blocks[: place + 1], caption - place):
                drawn[place] = True
                place -= 1
    return drawn


def _is_label(document: CleanText, blocks: Sequence[Block], above: int) -> bool:
    """Whether the last block, so many `above` the caption, belongs to the drawing over it."""
    if blocks[-1].kind is BlockKind.FIGURE:
        return True
    longest = LONGEST_HEADING if above == 1 else LONGEST_LABEL
    if blocks[-1].kind in (BlockKind.FORMULA, BlockKind.LIST):
        blocks, longest = blocks[-2:], LONGEST_LABEL
    elif blocks[-1].kind is BlockKind.PARAGRAPH:
        blocks = blocks[-1:]
    else:
        return False
    return all(_is_line(document, block, longest) for block in blocks) and (
        blocks[0].kind is BlockKind.PARAGRAPH
    )


def _is_line(document: CleanText, block: Block, longest: int) -> bool:
    """Whether a block is a line that is no sentence."""
    text = document.text[block.start : block.end]
    unfinished = not text.endswith((*ENDS, ":", ",", "?"))
    return len(text) <= longest and unfinished and "\n" not in text


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
