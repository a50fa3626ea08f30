"""The document behind a citation, as the index has it now. Nothing here knows of Textual."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from tutor.model import Chunk, Citation, CleanText, Source, SourceId, Strategy

if TYPE_CHECKING:
    from tutor.index.store import StoreReader

Span: TypeAlias = tuple[int, int]
"""Offsets of a text, the second one past its end."""


@dataclass(frozen=True, slots=True)
class CitedDocument:
    """A document, its passages, and where the cited words stand in it.

    `quote` is None where the words are not there any more, `passage` is the number of the
    passage that holds them, and `changed` says whether the file is another one than was cited.
    """

    source: Source
    text: CleanText
    passages: tuple[Chunk, ...]
    quote: Span | None
    passage: int | None
    changed: bool

    def page_span(self, page: int) -> Span:
        """The part of the text that is a page's, numbered from 1."""
        starts = self.text.page_starts
        end = starts[page] if page < len(starts) else len(self.text.text)
        return starts[page - 1], end

    @property
    def pages(self) -> int:
        """How many pages it has."""
        return max(1, len(self.text.page_starts))


def cited_document(store: StoreReader, asked: Strategy, citation: Citation) -> CitedDocument | None:
    """What the index has of a cited document; None if it is not in there.

    `asked` is the strategy that is looked through first for the cited passage. Reads files, and
    raises `StoreError` where they are damaged.
    """
    source = store.sources.get(citation.source.id)
    if source is None:
        return None
    text = store.text(source.id)
    quote = located(text.text, citation)
    passages, passage = _passages(store, source.id, asked, citation, quote)
    changed = bool(citation.source.sha256) and citation.source.sha256 != source.sha256
    return CitedDocument(source, text, passages, quote, passage, changed)


def located(text: str, citation: Citation) -> Span | None:
    """Where the cited words stand: at their place, or else anywhere if only once."""
    start, end = citation.quote_span
    if not citation.quote.strip():
        return None
    if text[start:end] == citation.quote:
        return start, end
    start = text.find(citation.quote)
    if start < 0 or text.find(citation.quote, start + 1) >= 0:
        return None
    return start, start + len(citation.quote)


def _passages(
    store: StoreReader,
    source: SourceId,
    asked: Strategy,
    citation: Citation,
    quote: Span | None,
) -> tuple[tuple[Chunk, ...], int | None]:
    """The passages among which the cited one is, or those of the strategy asked."""
    of_strategy = []
    for strategy in (asked, *(other for other in Strategy if other is not asked)):
        if not store.manifest.chunk_count(strategy):
            continue
        chunks = _chunks_of(store, source, strategy)
        for place, chunk in enumerate(chunks):
            if chunk.id == citation.hit.chunk.id:
                return chunks, place
        of_strategy.append(chunks)
    chunks = of_strategy[0] if of_strategy else ()
    return chunks, _holding(chunks, quote)


def _chunks_of(store: StoreReader, source: SourceId, strategy: Strategy) -> tuple[Chunk, ...]:
    rows = [int(row) for row in store.rows_in(strategy, frozenset([source]))]
    return tuple(store.fetch(strategy, rows))


def _holding(chunks: Sequence[Chunk], quote: Span | None) -> int | None:
    if quote is None:
        return None
    shared = [min(chunk.end, quote[1]) - max(chunk.start, quote[0]) for chunk in chunks]
    best = max(range(len(chunks)), key=shared.__getitem__, default=None)
    return best if best is not None and shared[best] > 0 else None
