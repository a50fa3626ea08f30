"""A course's map for a command: opened, and what it says put into lines and records."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import Any

from tutor.app import find_course, read_course
from tutor.cli import diagnostics
from tutor.config import Config
from tutor.errors import FilterError
from tutor.errors import command as typed
from tutor.i18n import _
from tutor.index.store import StoreReader
from tutor.map.course_map import CourseMap, open_map
from tutor.map.model import Community, Concept, Place, Step
from tutor.presentation.amounts import pages
from tutor.text.terminal import one_line


@dataclass(frozen=True, slots=True)
class MappedCourse:
    """A course's map and the notes that it stands on."""

    name: str
    map: CourseMap
    reader: StoreReader

    def concept(self, name: str) -> Concept:
        """The concept of that name. Raises `FilterError`, which suggests others."""
        found = self.map.concept(name)
        if found is None:
            alike = ", ".join(f"«{one_line(one.name)}»" for one in self.map.suggestions(name))
            raise FilterError(
                _("The map has no concept «%(name)s».") % {"name": one_line(name)},
                _("Do you mean %(names)s?") % {"names": alike}
                if alike
                else _("These are in it: %(command)s") % {"command": typed("map communities")},
            )
        return found

    def quote(self, place: Place) -> str:
        """What the notes say at a place, as it stands there."""
        return self.reader.text(place.document).text[place.start : place.end]

    def where(self, place: Place) -> str:
        """A place in words: document and page."""
        source = self.reader.sources[place.document]
        return (
            f"{one_line(source.title)} — {one_line(source.path)}, {pages(place.page, place.page)}"
        )

    def place_record(self, place: Place) -> dict[str, Any]:
        """A place for JSON."""
        source = self.reader.sources[place.document]
        where = {"page": place.page, "start": place.start, "end": place.end}
        return {"file": source.path, "title": source.title, "week": source.week, **where}

    def concept_record(self, concept: Concept) -> dict[str, Any]:
        """A concept for JSON, with its definition if it has one."""
        record = asdict(concept)
        del record["place"]
        text = self.quote(concept.place) if concept.defined else ""
        return {**record, "text": text, **self.place_record(concept.place)}

    def community_record(self, community: Community) -> dict[str, Any]:
        """A community for JSON, with the definitions that sum it up."""
        return {
            "id": community.id,
            "name": community.name,
            "level": community.level,
            "parent": community.parent,
            "concepts": [one.name for one in community.central],
            "summary": [self.concept_record(one) for one in community.summary],
        }

    def step_record(self, step: Step) -> dict[str, Any]:
        """A step of a path for JSON."""
        return {
            "from": step.source.name,
            "to": step.target.name,
            "relation": step.relation,
            **self.place_record(step.place),
        }


@contextmanager
def opened_map(config: Config) -> Iterator[MappedCourse]:
    """The configured course's map, made first where there is none. Raises `StoreError`."""
    course = find_course(config)
    with (
        read_course(config, course) as reader,
        open_map(reader, _say_building) as course_map,
    ):
        yield MappedCourse(course.name, course_map, reader)


def _say_building() -> None:
    diagnostics.line(_("Making the map of the course from its index ..."))


def names(concepts: Iterable[Concept]) -> str:
    """Concepts in a line."""
    return ", ".join(one_line(concept.name) for concept in concepts)
