"""What a map is made of. Everything in it stands on a place of the notes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from tutor.model import CleanText, Source, SourceId


class Kind(StrEnum):
    """What a concept is."""

    CONCEPT = "concept"
    METHOD = "method"
    PERSON = "person"
    FORMULA = "formula"


@dataclass(frozen=True, slots=True)
class Place:
    """`text[start:end]` of a document's display text, which begins on that page."""

    document: SourceId
    page: int
    start: int
    end: int


def place_of(text: CleanText, start: int, end: int) -> Place:
    """A span of a document as a place."""
    return Place(text.source_id, text.page_at(start), start, end)


@dataclass(frozen=True, slots=True)
class Concept:
    """Something that the notes speak of.

    `names` are all that it is called, as the notes write them, `name` the one to show; `acronym`
    and `english` are empty where the notes give none. `score` says how sure it is that this is a
    term of the course, from 0. `place` is its definition where it is `defined`, else where it is
    named first.
    """

    id: str
    name: str
    names: tuple[str, ...]
    acronym: str
    english: str
    kind: Kind
    score: float
    defined: bool
    place: Place


@dataclass(frozen=True, slots=True)
class SectionNode:
    """A section of a document. `level` 0 is the document itself, where no heading is above."""

    id: str
    title: str
    level: int
    place: Place


@dataclass(frozen=True, slots=True)
class DocumentNode:
    """A document of the course. `superseded` says that a newer version of it counts instead."""

    id: SourceId
    title: str
    path: str
    week: int | None
    date: str
    version: str
    pages: int
    superseded: bool
    authors: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Related:
    """A concept that stands in the same sections as another one.

    `weight` is from 0 to 1; `sections` counts them, `places` are some of them.
    """

    concept: Concept
    weight: float
    sections: int
    places: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a path, from a concept to the next, and the place that shows it.

    `relation` is `RELATED`; or `BEFORE` where the explanation of the target uses the source, and
    `AFTER` where it is the other way round.
    """

    source: Concept
    target: Concept
    relation: str
    place: Place


@dataclass(frozen=True, slots=True)
class Community:
    """Concepts that belong together. `level` 0 holds the largest ones; `parent` is empty there.

    `central` are its concepts, from the most central one down.
    """

    id: str
    name: str
    level: int
    parent: str
    central: tuple[Concept, ...]

    @property
    def summary(self) -> tuple[Concept, ...]:
        """Its most central concepts that the notes define: what it is about, each with a page."""
        return tuple(one for one in self.central if one.defined)[:SUMMARISED]


SUMMARISED = 3
"""Definitions that make the summary of a community."""


@dataclass(frozen=True, slots=True)
class MapState:
    """What a map holds, and what it was made from: counts by the names of nodes and edges."""

    generation: int
    version: int
    nodes: dict[str, int]
    edges: dict[str, int]
    seconds: float


def newest_first(sources: Iterable[Source]) -> list[list[Source]]:
    """The documents by lesson, the versions of each from the newest to the oldest.

    Documents of one week and day are versions of a lesson; what bears no version is none.
    """
    lessons: defaultdict[tuple[object, ...], list[Source]] = defaultdict(list)
    for source in sorted(sources, key=age, reverse=True):
        versioned = source.version and source.date
        lessons[(source.week, source.date) if versioned else (source.path,)].append(source)
    return list(lessons.values())


def newest_versions(sources: Iterable[Source]) -> set[SourceId]:
    """The last version of the notes of each lesson."""
    return {versions[0].id for versions in newest_first(sources)}


def age(source: Source) -> tuple[str, tuple[int, ...], str]:
    """Sorts documents from the oldest version to the newest."""
    day = source.date.isoformat() if source.date else ""
    return day, source.version_number, source.path


def in_course_order(sources: Iterable[Source]) -> list[Source]:
    """The documents as a student meets them: by week and day, those without them by path last."""
    return sorted(
        sources,
        key=lambda source: (
            source.week is None,
            source.week or 0,
            source.date.isoformat() if source.date else "~",
            source.version_number,
            source.path,
        ),
    )
