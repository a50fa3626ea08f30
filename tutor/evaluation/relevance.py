"""Which chunks of an index answer a case: those on its page, and those that hold its snippet."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tutor.evaluation.cases import Case
    from tutor.store import StoreReader
    from tutor.types import Chunk, SourceId

HELD = 0.5
"""The share of a snippet that a chunk must hold: windows cut through the middle of things."""


class MissingPlace(Exception):
    """A case names a file or a page that the index does not have, or a snippet that is not there.

    The message says which, for whoever keeps the cases.
    """


class Relevance:
    """What is relevant to one case in one index. Raises `MissingPlace`."""

    def __init__(self, case: Case, store: StoreReader) -> None:
        by_path = {source.path: source for source in store.sources.values()}
        self._pages: dict[SourceId, set[int]] = {}
        for place in case.places:
            source = by_path.get(place.file)
            if source is None:
                message = f"{case.id}: {place.file} is not in the index"
                raise MissingPlace(message)
            if not 1 <= place.page <= source.pages:
                message = f"{case.id}: {place.file} has no page {place.page}"
                raise MissingPlace(message)
            self._pages.setdefault(source.id, set()).add(place.page)
        self._span: tuple[SourceId, int, int] | None = None
        if case.snippet and case.places:
            self._span = _span(case, by_path[case.places[0].file].id, store)

    def on_page(self, chunk: Chunk) -> bool:
        """Whether the chunk stands, at least in part, on a page that answers the case."""
        pages = self._pages.get(chunk.source_id, set())
        return any(chunk.first_page <= page <= chunk.last_page for page in pages)

    def holds_snippet(self, chunk: Chunk) -> bool:
        """Whether the chunk holds the case's snippet, or most of it."""
        if self._span is None or chunk.source_id != self._span[0]:
            return False
        _source, start, end = self._span
        shared = min(chunk.end, end) - max(chunk.start, start)
        return shared >= HELD * (end - start)

    def totals(self, chunks: Iterable[Chunk]) -> tuple[int, int]:
        """How many of all chunks are relevant: by page, by snippet."""
        on_page = holding = 0
        for chunk in chunks:
            on_page += self.on_page(chunk)
            holding += self.holds_snippet(chunk)
        return on_page, holding


def _span(case: Case, source: SourceId, store: StoreReader) -> tuple[SourceId, int, int]:
    """Where the snippet stands, on the case's page where it stands more than once."""
    text, page = store.text(source), case.places[0].page
    start = text.text.find(case.snippet)
    while start >= 0 and text.page_at(start) != page:
        start = text.text.find(case.snippet, start + 1)
    if start < 0:
        message = f"{case.id}: the snippet is not on page {page} of {case.places[0].file}"
        raise MissingPlace(message)
    return source, start, start + len(case.snippet)


def relevant_chunks(hits: Sequence[Chunk], relevance: Relevance) -> tuple[list[bool], list[bool]]:
    """For each chunk of a ranking, whether it is relevant: by page, by snippet."""
    return [relevance.on_page(c) for c in hits], [relevance.holds_snippet(c) for c in hits]
