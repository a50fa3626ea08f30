"""Questions that no passage answers by itself, and sections whose concepts were marked by hand.

Both were written from the notes alone. `docs/evaluation.md` says how, and how they are counted.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import field
from importlib.resources import files
from typing import Annotated, Literal

from pydantic import ConfigDict, Field, StringConstraints, TypeAdapter
from pydantic.dataclasses import dataclass

from tutor.evaluation.cases import CasePlace

MapKind = Literal["fact", "overview", "relation", "broad"]
"""What a question asks: facts about the course, a summary, how concepts stand to each other, or
something broad that is spread over the course."""
RelationForm = Literal["", "relation", "prerequisite", "path"]
ConceptKind = Literal[
    "concept", "method", "person", "organisation", "place", "event", "date", "formula"
]
Split = Literal["dev", "test"]
Language = Literal["es", "en"]

_Text = Annotated[str, StringConstraints(pattern=r"\S")]
_Number = Annotated[int, Field(gt=0)]
_Names = Annotated[tuple[_Text, ...], Field(min_length=1)]
_STRICT = ConfigDict(strict=True, extra="forbid")


@dataclass(frozen=True, slots=True, config=_STRICT)
class Heading:
    """A section: the page on which it begins, and its title as it is read there.

    `file` is relative to the course folder, pages count from 1.
    """

    file: _Text
    page: _Number
    title: _Text


@dataclass(frozen=True, slots=True, config=_STRICT)
class Contents:
    """What an answer may state or stand on, each kind for itself.

    A concept is a tuple of its names, the first one as in the notes.
    """

    weeks: tuple[_Number, ...] = ()
    documents: tuple[_Text, ...] = ()
    authors: tuple[_Text, ...] = ()
    dates: tuple[dt.date, ...] = ()
    numbers: tuple[_Number, ...] = ()
    places: tuple[CasePlace, ...] = ()
    sections: tuple[Heading, ...] = ()
    concepts: tuple[_Names, ...] = ()

    @property
    def pages(self) -> tuple[tuple[str, int], ...]:
        """The places and the beginnings of the sections as pairs of file and page."""
        places = [(place.file, place.page) for place in self.places]
        return (*places, *((section.file, section.page) for section in self.sections))


@dataclass(frozen=True, slots=True, config=_STRICT)
class MapCase:
    """A question for the map of a course.

    `expected` is what is asked for: all of its weeks, documents, authors, dates and numbers, and
    as much as can be of its sections and concepts; of its places any one is enough. What is in
    `accepted` is not asked for and not wrong; a concept in `wrong` is. `also` are further kinds
    that the question may be taken for without harm.
    """

    id: _Text
    kind: MapKind
    lang: Language
    question: _Text
    expected: Contents
    split: Split
    form: RelationForm = ""
    accepted: Contents = field(default_factory=Contents)
    wrong: Contents = field(default_factory=Contents)
    also: tuple[MapKind, ...] = ()


@dataclass(frozen=True, slots=True, config=_STRICT)
class MarkedConcept:
    """A concept that a teacher would mark: its name as in the text, and other names of it.

    An `optional` one is neither asked for nor wrong.
    """

    name: _Text
    kind: ConceptKind
    variants: tuple[_Text, ...] = ()
    optional: bool = False


@dataclass(frozen=True, slots=True, config=_STRICT)
class MarkedRelation:
    """What the section says of two of its concepts, which are called by their `name`."""

    subject: _Text
    relation: _Text
    object: _Text


@dataclass(frozen=True, slots=True, config=_STRICT)
class MarkedSection:
    """A section with its concepts and relations, marked by hand.

    `begins` are the first six words under the heading. A section of a public course, whose text
    is not distributed here, is recognised by `sha256` instead: the hash of its display text, with
    its heading and with single spaces between words.
    """

    id: _Text
    course: Literal["sample", "public"]
    file: _Text
    page: _Number
    heading: _Text
    concepts: tuple[MarkedConcept, ...]
    relations: tuple[MarkedRelation, ...]
    split: Split
    begins: str = ""
    sha256: str = ""


def map_questions(course: Literal["sample", "public"]) -> list[MapCase]:
    """The questions over the sample course, or over the public courses; both splits.

    Raises `pydantic.ValidationError` where a line is not a case.
    """
    adapter = TypeAdapter(MapCase)
    return [adapter.validate_json(line) for line in _lines(f"map_{course}.jsonl")]


def marked_sections() -> list[MarkedSection]:
    """The sections that were marked by hand, of both courses and both splits.

    Raises `pydantic.ValidationError` where a line is not a section.
    """
    adapter = TypeAdapter(MarkedSection)
    return [adapter.validate_json(line) for line in _lines("map_sections.jsonl")]


def _lines(name: str) -> Iterator[bytes]:
    yield from (files("tutor.evaluation") / "data" / name).read_bytes().splitlines()
