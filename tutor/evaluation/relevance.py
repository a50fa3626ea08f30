"""Which chunks of an index answer a case: those on its page, and those that hold its snippet."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Protocol

from tutor.i18n import _

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tutor.evaluation.cases import Case, Place
    from tutor.types import Chunk, CleanText, Source, SourceId

HELD = 0.5
"""The share of a snippet that a chunk must hold: windows cut through the middle of things."""


class Documents(Protocol):
    """The documents of an index and their reading form, whatever their chunks are."""

    @property
    def sources(self) -> Mapping[SourceId, Source]:
        """The documents by their identity."""
        ...

    def text(self, source: SourceId) -> CleanText:
        """A document's reading form."""
        ...


class MissingPlace(Exception):
    """A case names a file or a page that the index does not have, or a snippet that is not there.

    The message says which, in the reader's language.
    """


class Relevance:
    """What is relevant to one case, in any index of the same documents. Raises `MissingPlace`.

    The snippet is looked for on every page of the case, since several versions of the notes may
    hold it; it has to be on the first. White space may differ.
    """

    def __init__(self, case: Case, documents: Documents) -> None:
        by_path = {source.path: source for source in documents.sources.values()}
        self._pages: dict[SourceId, set[int]] = {}
        self._spans: list[tuple[SourceId, int, int]] = []
        for place in case.places:
            source = by_path.get(place.file)
            if source is None:
                raise MissingPlace(_("%(file)s is not in the index") % {"file": place.file})
            if not 1 <= place.page <= source.pages:
                raise MissingPlace(
                    _("%(file)s has no page %(page)d") % {"file": place.file, "page": place.page}
                )
            self._pages.setdefault(source.id, set()).add(place.page)
            if case.snippet:
                self._look_for(case, place, source.id, documents)

    @property
    def has_snippet(self) -> bool:
        """Whether the case says which words hold the answer."""
        return bool(self._spans)

    def on_page(self, chunk: Chunk) -> bool:
        """Whether the chunk stands, at least in part, on a page that answers the case."""
        pages = self._pages.get(chunk.source_id, set())
        return any(chunk.first_page <= page <= chunk.last_page for page in pages)

    def holds_snippet(self, chunk: Chunk) -> bool:
        """Whether the chunk holds the case's snippet, or most of it."""
        return any(
            source == chunk.source_id
            and min(chunk.end, end) - max(chunk.start, start) >= HELD * (end - start)
            for source, start, end in self._spans
        )

    def snippet_start(self, chunk: Chunk) -> int:
        """Where in the chunk's text the snippet that it holds begins; 0 where it holds none."""
        if not self.holds_snippet(chunk):
            return 0
        own = (start for source, start, _end in self._spans if source == chunk.source_id)
        return max(0, next((s - chunk.start for s in own if s < chunk.end), 0))

    def snippet_read(self, chunks: Iterable[Chunk], chars: int) -> float:
        """The share of the snippet that the first `chars` characters of these chunks hold.

        Whatever cut them: overlapping windows and longer chunks gain nothing by being what they
        are. Of several versions' snippets the one that is read most counts.
        """
        read: list[set[int]] = [set() for _span in self._spans]
        for chunk in chunks:
            end = min(chunk.end, chunk.start + chars)
            for (source, first, last), offsets in zip(self._spans, read, strict=True):
                if source == chunk.source_id:
                    offsets.update(range(max(chunk.start, first), min(end, last)))
            chars -= end - chunk.start
        shares = zip(self._spans, read, strict=True)
        return max((len(n) / (last - first) for (_s, first, last), n in shares), default=0.0)

    def is_place(self, source: SourceId, page: int) -> bool:
        """Whether that page answers the case."""
        return page in self._pages.get(source, set())

    def totals(self, chunks: Iterable[Chunk]) -> tuple[int, int]:
        """How many of all chunks are relevant: by page, by snippet."""
        on_page = holding = 0
        for chunk in chunks:
            if chunk.source_id in self._pages:
                on_page += self.on_page(chunk)
                holding += self.holds_snippet(chunk)
        return on_page, holding

    def _look_for(self, case: Case, place: Place, source: SourceId, documents: Documents) -> None:
        span = _span(case.snippet, place.page, documents.text(source))
        if span:
            self._spans.append((source, *span))
        elif not self._spans:
            raise MissingPlace(
                _("the snippet is not on page %(page)d of %(file)s")
                % {"page": place.page, "file": place.file}
            )


def _span(snippet: str, page: int, text: CleanText) -> tuple[int, int] | None:
    """Where the snippet begins on that page, whatever the white space in it."""
    words = re.compile(r"\s+".join(map(re.escape, snippet.split())))
    for found in words.finditer(text.text):
        if text.page_at(found.start()) == page:
            return found.span()
    return None


def relevant_chunks(hits: Sequence[Chunk], relevance: Relevance) -> tuple[list[bool], list[bool]]:
    """For each chunk of a ranking, whether it is relevant: by page, by snippet."""
    return [relevance.on_page(c) for c in hits], [relevance.holds_snippet(c) for c in hits]
