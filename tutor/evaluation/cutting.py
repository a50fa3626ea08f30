"""Chunks of other sizes than the product's, cut by the same two strategies."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tutor.chunking import MAX_CHARS, OVERLAP, split_sentences
from tutor.types import Chunk, Strategy, chunk_id

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tutor.types import CleanText

    _Span = tuple[int, int]


def chunks_of_size(clean: CleanText, strategy: Strategy, chars: int) -> list[Chunk]:
    """The chunks of a document of at most `chars` characters, in reading order.

    Windows overlap by the same share as the product's; of its size these are the product's chunks.
    """
    overlap = OVERLAP * chars // MAX_CHARS
    if strategy is Strategy.FIXED:
        spans = _windows((0, len(clean.text.rstrip())), chars, overlap)
    else:
        spans = _gathered(split_sentences(clean.text), chars, overlap)
    return [_chunk(clean, strategy, span, n) for n, span in enumerate(_with_text(clean, spans))]


def _windows(span: _Span, chars: int, overlap: int) -> Iterator[_Span]:
    start, end = span
    while start + chars < end:
        yield start, start + chars
        start += chars - overlap
    if start < end:
        yield start, end


def _gathered(sentences: Iterable[_Span], chars: int, overlap: int) -> Iterator[_Span]:
    """Runs of sentences whose span stays within `chars`; longer sentences are cut."""
    start = end = 0
    for sentence in sentences:
        for piece_start, piece_end in _windows(sentence, chars, overlap):
            if start < end and piece_end - start > chars:
                yield start, end
                start = end
            if start == end:
                start = piece_start
            end = piece_end
    if start < end:
        yield start, end


def _with_text(clean: CleanText, spans: Iterable[_Span]) -> Iterator[_Span]:
    return (span for span in spans if clean.text[slice(*span)].strip())


def _chunk(clean: CleanText, strategy: Strategy, span: _Span, ordinal: int) -> Chunk:
    start, end = span
    text = clean.text[start:end]
    return Chunk(
        id=chunk_id(clean.source_id, strategy, start, end, text),
        source_id=clean.source_id,
        strategy=strategy,
        text=text,
        start=start,
        end=end,
        first_page=clean.page_at(start + len(text) - len(text.lstrip())),
        last_page=clean.page_at(start + len(text.rstrip()) - 1),
        ordinal=ordinal,
    )
