"""The two chunking strategies. Sizes are characters (code points) of the reading form."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tutor.chunking.sentences import split_sentences
from tutor.types import Chunk, Strategy, chunk_id

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tutor.types import CleanText

CHUNKING_VERSION = 1
"""Goes into the manifest: a store made by another version is not mixed with ours."""

MAX_CHARS = 800
OVERLAP = 100

_Span = tuple[int, int]


def chunks_of(clean: CleanText, strategy: Strategy) -> list[Chunk]:
    """The chunks of a document by `strategy`, in reading order."""
    return chunk_fixed(clean) if strategy is Strategy.FIXED else chunk_semantic(clean)


def chunk_fixed(clean: CleanText) -> list[Chunk]:
    """Windows of `MAX_CHARS` characters that overlap by `OVERLAP`; blank windows are left out."""
    return _chunks(clean, Strategy.FIXED, _windows(0, len(clean.text.rstrip())))


def chunk_semantic(clean: CleanText) -> list[Chunk]:
    """Whole sentences gathered up to `MAX_CHARS` characters, the white space between included.

    A longer sentence is cut into overlapping windows; what is left of it at its end may be
    followed by the next sentences.
    """
    return _chunks(clean, Strategy.SEMANTIC, _gathered(_pieces(split_sentences(clean.text))))


def _windows(start: int, end: int) -> Iterator[_Span]:
    """Windows over `start:end`, the last one the first to reach `end`."""
    while start + MAX_CHARS < end:
        yield start, start + MAX_CHARS
        start += MAX_CHARS - OVERLAP
    if start < end:
        yield start, end


def _pieces(sentences: Iterable[_Span]) -> Iterator[_Span]:
    for start, end in sentences:
        yield from _windows(start, end)


def _gathered(pieces: Iterable[_Span]) -> Iterator[_Span]:
    """Runs of pieces whose span stays within `MAX_CHARS`."""
    start = end = 0
    for piece_start, piece_end in pieces:
        if start < end and piece_end - start > MAX_CHARS:
            yield start, end
            start = end
        if start == end:
            start = piece_start
        end = piece_end
    if start < end:
        yield start, end


def _chunks(clean: CleanText, strategy: Strategy, spans: Iterable[_Span]) -> list[Chunk]:
    chunks: list[Chunk] = []
    for start, end in spans:
        text = clean.text[start:end]
        blank_before = len(text) - len(text.lstrip())
        if blank_before == len(text):
            continue
        chunks.append(
            Chunk(
                id=chunk_id(clean.source_id, strategy, start, end, text),
                source_id=clean.source_id,
                strategy=strategy,
                text=text,
                start=start,
                end=end,
                first_page=clean.page_at(start + blank_before),
                last_page=clean.page_at(start + len(text.rstrip()) - 1),
                ordinal=len(chunks),
            )
        )
    return chunks
