"""The cards of a course made of its index, anew when that has changed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from tutor.index.store import Manifest, StoreReader
from tutor.model import CleanText, Source
from tutor.study.card import Card
from tutor.study.changes import Notes
from tutor.study.making.course import course_cards
from tutor.study.making.material import newest_materials
from tutor.study.store import Merged, StudyStore

RULES = 6
"""Raised when the rules make other cards of the same notes, or know more of them."""


def documents(
    reader: StoreReader, each: Callable[[int, int], object] = lambda _n, _all: None
) -> Iterator[tuple[Source, CleanText]]:
    """A course's documents in the order of their weeks; `each` is told the number of the one that
    is read, from 1, and how many there are. Raises `StoreError`.
    """
    sources = sorted(
        reader.sources.values(), key=lambda one: (one.week is None, one.week, one.path)
    )
    for number, source in enumerate(sources, 1):
        each(number, len(sources))
        yield source, reader.text(source.id)


def make(
    store: StudyStore,
    course: str,
    reader: StoreReader,
    each: Callable[[int, int], object] = lambda _n, _all: None,
) -> Merged:
    """Make a course's cards anew. Raises `StoreError` and `StudyError`."""
    read = list(documents(reader, each))
    written = [saved.made for saved in store.cards(course) if saved.made.model]
    made = [*course_cards(read), *still_said(written, read)]
    return store.merge(course, made, Notes(read), _state(reader.manifest))


def still_said(cards: Iterable[Card], documents: Iterable[tuple[Source, CleanText]]) -> list[Card]:
    """The cards written by a model whose words the documents still have, each at its place now.

    The document that it stood in comes first, then the others in their order.
    """
    materials = newest_materials(documents)
    moved = []
    for card in cards:
        assert card.origin is not None  # noqa: S101 - a model writes on sentences of the notes
        path, words = card.origin.path, card.origin.text
        for material in sorted(materials, key=lambda one: one.source.path != path):
            start = material.text.text.find(words)
            if start >= 0:
                moved.append(replace(card, origin=material.origin(start, start + len(words))))
                break
    return moved


def is_outdated(store: StudyStore, course: str, manifest: Manifest) -> bool:
    """Whether the index has changed since cards were made of it, or they never were."""
    return store.made_of(course) != _state(manifest)


def _state(manifest: Manifest) -> str:
    return f"{RULES} {manifest.generation} {manifest.created}"
