"""What has to be known before a concept, or before a lesson."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tutor.map.model import Kind, Place, SectionNode
from tutor.model import SourceId

if TYPE_CHECKING:
    from tutor.answer.ways.subjects import Subject
    from tutor.map.course_map import CourseMap
    from tutor.map.model import Concept

MOST_STEPS = 8
"""Things that are to be known before."""
MOST_INTRODUCING = 3
"""Sections that introduce a concept."""
NO_LESSON = (Kind.PERSON, Kind.EVENT)
"""What is no thing to be learnt first."""


def known_before(subject: Subject, course: CourseMap) -> list[Concept]:
    """What is named where the subject is introduced and comes before it in the course.

    Of lessons it is what the concepts that they define need.
    """
    concept = subject.concept
    if concept is None and not subject.titled:
        return []
    order = list(course.documents)
    concepts = [concept] if concept else _defined_in(subject.titled, course)
    weight: defaultdict[str, float] = defaultdict(float)
    for one in concepts:
        for name in dict.fromkeys(step.source.id for step in course.before(one)):
            weight[name] += 1.0
    start = (min(map(order.index, subject.titled), default=0), 0)
    if concept:
        sections = _introducing(concept, subject, course)
        for section in sections:
            for other, times in course.concepts_of_section(section.id):
                weight[other.id] += times * len(course.documents_of(other)) ** -0.5
        start = _position(sections[0].place if sections else concept.place, order)
    dated = any(node.week or node.date for node in course.documents.values())
    earlier = [
        one
        for name in sorted(weight, key=lambda name: -weight[name])
        if not (concept and name == concept.id)
        and (one := course.concepts[name]).kind not in NO_LESSON
        and (_position(one.place, order) < start if dated else one.defined)
    ]
    return sorted(earlier[:MOST_STEPS], key=lambda one: _position(one.place, order))


def _defined_in(lessons: Sequence[SourceId], course: CourseMap) -> list[Concept]:
    known = course.concepts.values()
    return [one for one in known if one.defined and one.place.document in lessons]


def _introducing(concept: Concept, subject: Subject, course: CourseMap) -> list[SectionNode]:
    """The sections that define a concept or bear its name; else the one that names it most."""
    rows = course.rows(
        "MATCH (s:Section)-[m:MENTIONS]->(c:Concept {id: $id})"
        " OPTIONAL MATCH (s)-[d:DEFINES]->(c)"
        " RETURN s.id, s.title, s.level, s.document, s.page, s.start, s.stop, count(d),"
        " sum(m.times) ORDER BY sum(m.times) DESC, s.id",
        id=concept.id,
    )
    home = [row for row in rows if row[7] or subject.is_named(row[1])]
    return [
        SectionNode(row[0], row[1], row[2], Place(SourceId(row[3]), *row[4:7]))
        for row in home[:MOST_INTRODUCING] or rows[:1]
    ]


def _position(place: Place, order: Sequence[SourceId]) -> tuple[int, int]:
    return order.index(place.document), place.start
