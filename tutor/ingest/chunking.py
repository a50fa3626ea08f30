"""The two chunking strategies. Sizes are characters (code points) of the display text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tutor.model import Chunk, CleanText, Strategy, chunk_id
from tutor.text.sentences import split_sentences

CHUNKING_VERSION = 1
"""Goes into the manifest: a store made by another version is not mixed with ours."""

MAX_CHARS = 800
OVERLAP = 100

_Span = tuple[int, int]


def chunks_of(clean: CleanText, strategy: Strategy, chars: int = MAX_CHARS) -> list[Chunk]:
    """The chunks of a document by `strategy`, of at most `chars` characters, in reading order.

    For `chars` other than `MAX_CHARS`, windows overlap by the same share.
    """
    cut = chunk_fixed if strategy is Strategy.FIXED else chunk_semantic
    return cut(clean, chars)


def chunk_fixed(clean: CleanText, chars: int = MAX_CHARS) -> list[Chunk]:
    """Overlapping windows of `chars` characters; blank windows are left out."""
    return make_chunks(clean, Strategy.FIXED, _windows(0, len(clean.text.rstrip()), chars))


def chunk_semantic(clean: CleanText, chars: int = MAX_CHARS) -> list[Chunk]:
    """Whole sentences gathered up to `chars` characters, the white space between included.

    A longer sentence is cut into overlapping windows; what is left of it at its end may be
    followed by the next sentences.
    """
    sentences = split_sentences(clean.text)
    pieces = (piece for start, end in sentences for piece in _windows(start, end, chars))
    return make_chunks(clean, Strategy.SEMANTIC, _gathered(pieces, chars))


def _windows(start: int, end: int, chars: int) -> Iterator[_Span]:
    """Windows over `start:end`, the last one the first to reach `end`."""
    step = chars - OVERLAP * chars // MAX_CHARS
    while start + chars < end:
        yield start, start + chars
        start += step
    if start < end:
        yield start, end


def _gathered(pieces: Iterable[_Span], chars: int) -> Iterator[_Span]:
    """Runs of pieces whose span stays within `chars`."""
    start = end = 0
    for piece_start, piece_end in pieces:
        if start < end and piece_end - start > chars:
            yield start, end
            start = end
        if start == end:
            start = piece_start
        end = piece_end
    if start < end:
        yield start, end


def make_chunks(
    clean: CleanText, strategy: Strategy, spans: Iterable[tuple[int, int]]
) -> list[Chunk]:
    """The chunks of these spans of a document, in their order; blank spans are left out."""
    chunks: list[Chunk] = []
    for start, end in spans:
        text = clean.text[start:end]
        blank_before = len(text) - len(text.lstrip())
        if blank_before == len(text):
            continue
        section = clean.section_at((start + end) // 2)
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
                section=section.title if section else "",
            )
        )
    return chunks
