"""What an opened index offers to those who ask it, as a protocol."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from tutor.model import Chunk, CleanText, Source, SourceId, Strategy, Vectors


class PassageStore(Protocol):
    """An index of a course, opened for asking."""

    @property
    def sources(self) -> Mapping[SourceId, Source]:
        """The documents by their identity."""
        ...

    def search(
        self,
        strategy: Strategy,
        vector: Vectors,
        k: int,
        only: frozenset[SourceId] | None = None,
    ) -> list[tuple[Chunk, float]]:
        """The `k` chunks nearest to a vector of shape (dim,), with their cosine, best first.

        `only` names the documents that are searched; None searches all.
        """
        ...

    def page_at(self, source: SourceId, offset: int) -> int:
        """The page that holds the character at `offset` of a document's display text."""
        ...

    def text(self, source: SourceId) -> CleanText:
        """A document's display text with its blocks and sections."""
        ...
