"""The page behind a citation, as the index has it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from tutor.model import Chunk, ChunkId, Citation, CleanText, Hit, Source, Strategy

if TYPE_CHECKING:
    from tutor.index.store import StoreReader

Span: TypeAlias = tuple[int, int]
"""Offsets of a text, the second one past its end."""


@dataclass(frozen=True, slots=True)
class CitedDocument:
    """A document, and where the cited words stand in it.

    `quote` is None where the words are not there any more; `changed` says whether the file is
    another one than was cited.
    """

    text: CleanText
    quote: Span | None
    changed: bool

    def page_span(self, page: int) -> Span:
        """The part of the text that is a page's, numbered from 1."""
        starts = self.text.page_starts
        end = starts[page] if page < len(starts) else len(self.text.text)
        return starts[page - 1], end

    @property
    def pages(self) -> int:
        return max(1, len(self.text.page_starts))


def cited_document(store: StoreReader, citation: Citation) -> CitedDocument | None:
    """What the index has of a cited document; None if it is not in there.

    Reads files, and raises `StoreError` where they are damaged.
    """
    source = store.sources.get(citation.source.id)
    if source is None:
        return None
    text = store.text(source.id)
    changed = bool(citation.source.sha256) and citation.source.sha256 != source.sha256
    return CitedDocument(text, located(text.text, citation), changed)


def place_cited(
    source: Source, strategy: Strategy, text: str, start: int, pages: tuple[int, int]
) -> Citation:
    """A place of the notes, whose words are `text`, as what an answer cites."""
    place = (start, start + len(text), *pages)
    chunk = Chunk(ChunkId(""), source.id, strategy, text, *place, 0)
    return passage_cited(Hit(chunk, source, 1.0, 1))


def passage_cited(hit: Hit) -> Citation:
    """A whole passage as what an answer cites."""
    chunk = hit.chunk
    return Citation(0, 0, hit, 0, len(chunk.text), chunk.first_page, chunk.last_page, 1.0)


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
