"""Cutting along a document's structure: a third strategy, which the product does not have.

It is there to be compared with the two that the product has.
"""

from __future__ import annotations

from collections.abc import Iterator

from tutor.ingest.chunking import MAX_CHARS, chunk_semantic, make_chunks
from tutor.model import Block, BlockKind, Chunk, CleanText, Strategy


def chunk_structure(clean: CleanText, strategy: Strategy, chars: int = MAX_CHARS) -> list[Chunk]:
    """Whole blocks of one section, gathered up to `chars` characters, in reading order.

    A heading begins a new chunk, together with what follows it. Only a block that is longer than
    a chunk is cut, between its sentences. `strategy` is the one in whose place they are indexed.
    """
    return make_chunks(clean, strategy, _gathered(clean, chars))


def _gathered(clean: CleanText, chars: int) -> Iterator[tuple[int, int]]:
    start = end = 0
    has_body = False
    for block in clean.blocks:
        is_heading = block.kind is BlockKind.HEADING
        for piece_start, piece_end in _pieces(clean, block, chars):
            if start < end and (piece_end - start > chars or (is_heading and has_body)):
                yield start, end
                start, has_body = piece_start, False
            elif start == end:
                start = piece_start
            end, has_body = piece_end, has_body or not is_heading
    if start < end:
        yield start, end


def _pieces(clean: CleanText, block: Block, chars: int) -> list[tuple[int, int]]:
    """The block, or the runs of its sentences where it is longer than a chunk."""
    if block.end - block.start <= chars:
        return [(block.start, block.end)]
    own = CleanText(clean.source_id, clean.text[block.start : block.end], (0,))
    return [
        (block.start + part.start, block.start + part.end) for part in chunk_semantic(own, chars)
    ]
