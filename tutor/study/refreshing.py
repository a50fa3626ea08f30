"""The cards of a course made of its index, anew when that has changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tutor.index.store import Manifest, StoreReader
from tutor.model import CleanText, Source
from tutor.study.changes import Notes
from tutor.study.making.course import course_cards
from tutor.study.store import Merged, StudyStore

RULES = 14
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
    return store.merge(course, course_cards(read), Notes(read), _state(reader.manifest))


def is_outdated(store: StudyStore, course: str, manifest: Manifest) -> bool:
    """Whether the index has changed since cards were made of it, or they never were."""
    return store.made_of(course) != _state(manifest)


def _state(manifest: Manifest) -> str:
    return f"{RULES} {manifest.generation} {manifest.created}"
