"""Whether what a saved answer quoted still stands in the notes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from tutor.model.marks import CitedPlace, cited_places

if TYPE_CHECKING:
    from tutor.history.sessions import SavedTurn
    from tutor.index.store import StoreReader


def looked_up(turns: Iterable[SavedTurn], store: StoreReader) -> list[SavedTurn]:
    """The turns, with the marks whose quotes the index of their course no longer has (`gone`).

    Raises `StoreError`.
    """
    return [
        replace(
            turn,
            gone=tuple(
                place.number
                for place in (cited_places(turn.answer) if turn.answer else ())
                if not _stands(place, store)
            ),
        )
        for turn in turns
    ]


def _stands(place: CitedPlace, store: StoreReader) -> bool:
    """Whether its document has all that was quoted; spaces and line breaks do not matter."""
    if place.source.id not in store.sources:
        return False
    text = " ".join(store.text(place.source.id).text.split())
    return all(" ".join(quote.split()) in text for quote in place.quotes)
