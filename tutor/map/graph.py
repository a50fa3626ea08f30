"""All that a map holds, made from the documents of a course."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import Any, TypeAlias

from tutor.map.communities import communities_of
from tutor.map.concepts import CourseConcepts, concepts_of
from tutor.map.facts import Facts, facts_of
from tutor.map.model import (
    Community,
    Concept,
    Place,
    SectionNode,
    in_course_order,
    newest_first,
    place_of,
)
from tutor.map.parentheses import Cited
from tutor.map.relations import (
    Before,
    Occurrence,
    Relation,
    before,
    related,
    sections_of,
    spots,
)
from tutor.map.words import looked_up
from tutor.model import CleanText, Source, SourceId

Row: TypeAlias = dict[str, Any]
MAP_VERSION = 7
"""Goes up when tables or what is put into them change; a map of another version is made anew."""

_PLACE = "document STRING, page INT64, start INT64, stop INT64"
SPAN = f"STRUCT({_PLACE})"

NODES: dict[str, str] = {
    "Document": "id STRING PRIMARY KEY, title STRING, path STRING, week INT64, date STRING,"
    " version STRING, pages INT64, superseded BOOLEAN, page INT64",
    "Author": f"name STRING PRIMARY KEY, {_PLACE}",
    "Week": f"number INT64 PRIMARY KEY, {_PLACE}",
    "Section": f"id STRING PRIMARY KEY, title STRING, level INT64, {_PLACE}",
    "Concept": "id STRING PRIMARY KEY, name STRING, names STRING[], keys STRING[], acronym STRING,"
    f" english STRING, kind STRING, score DOUBLE, defined BOOLEAN, {_PLACE}",
    "Community": f"id STRING PRIMARY KEY, name STRING, level INT64, size INT64, {_PLACE}",
    "Reference": f"id STRING PRIMARY KEY, title STRING, year INT64, url STRING, {_PLACE}",
    "Build": "version INT64 PRIMARY KEY, generation INT64, contents STRING, seconds DOUBLE",
}
"""Columns of the nodes by table. `keys` are a concept's names, folded, to be looked up by."""

EDGES: dict[str, str] = {
    "WROTE": f"FROM Author TO Document, {_PLACE}",
    "IN_WEEK": f"FROM Document TO Week, {_PLACE}",
    "HAS_SECTION": f"FROM Document TO Section, FROM Section TO Section, {_PLACE}",
    "DEFINES": f"FROM Section TO Concept, {_PLACE}, form STRING",
    "MENTIONS": f"FROM Section TO Concept, {_PLACE}, times INT64, spans {SPAN}[]",
    "RELATED": f"FROM Concept TO Concept, {_PLACE}, weight DOUBLE, sections INT64, spans {SPAN}[]",
    "BEFORE": f"FROM Concept TO Concept, {_PLACE}, weight DOUBLE",
    "SUPERSEDES": f"FROM Document TO Document, {_PLACE}",
    "CITES": f"FROM Document TO Reference, {_PLACE}",
    "IN_COMMUNITY": f"FROM Concept TO Community, {_PLACE}, rank INT64",
    "PART_OF": f"FROM Community TO Community, {_PLACE}",
}
"""Ends and columns of the edges by table.

`RELATED` has no direction: each pair stands once. `BEFORE` leads from what comes first to what
uses it, and its place is where it is used. A concept is `IN_COMMUNITY` of one community a level.
"""

_SPANS = 8
"""Places that are kept of a section's mentions of a concept; all are counted."""


@dataclass(frozen=True, slots=True)
class Graph:
    """A map before it is written."""

    lessons: Sequence[Sequence[Source]]
    """The documents by lesson, the version that counts first."""
    sections: Sequence[tuple[Facts, Sequence[SectionNode]]]
    found: CourseConcepts
    mentioned: Sequence[Occurrence]
    relations: Sequence[Relation]
    order: Sequence[Before]
    communities: Sequence[Community]


def graph_of(
    texts: Mapping[SourceId, CleanText],
    sources: Collection[Source],
    former: Mapping[str, Collection[str]],
    going_on: Callable[[], None] = lambda: None,
) -> Graph:
    """The graph of a course. Of several versions of a lesson the newest one speaks.

    `going_on()` is called now and then, and may raise.
    """
    lessons = newest_first(sources)
    counted = in_course_order(lesson[0] for lesson in lessons)
    course = []
    for source in counted:
        going_on()
        course.append(facts_of(source, texts[source.id]))
    found = concepts_of(course)
    going_on()
    sections = [(facts, sections_of(facts)) for facts in course]
    mentioned = spots(found, sections)
    relations = related(found, mentioned)
    going_on()
    order = before(found, mentioned, [source.id for source in counted])
    return Graph(
        lessons,
        sections,
        found,
        mentioned,
        relations,
        order,
        communities_of(found, relations, former),
    )


def node_rows(graph: Graph) -> Iterator[tuple[str, list[Row]]]:
    """The rows of the nodes, by table."""
    concepts = graph.found.concepts
    yield (
        "Document",
        [
            _document(source, superseded=bool(version))
            for lesson in graph.lessons
            for version, source in enumerate(lesson)
        ],
    )
    yield "Author", _ends(_wrote(graph), "from", "name")
    yield "Week", _ends(_in_week(graph), "to", "number")
    yield (
        "Section",
        [
            {"id": node.id, "title": node.title, "level": node.level, **_place(node.place)}
            for _facts, nodes in graph.sections
            for node in nodes
        ],
    )
    yield "Concept", [_concept(concept) for concept in concepts]
    yield (
        "Community",
        [
            {"id": part.id, "name": part.name, "level": part.level, "size": len(part.central)}
            | _place(part.central[0].place)
            for part in graph.communities
        ],
    )
    references = {
        one.title: {"id": one.title, "title": one.title, "year": one.year, "url": one.url}
        | _place(place)
        for one, place in _cited(graph)
    }
    yield "Reference", list(references.values())


def edge_rows(graph: Graph) -> Iterator[tuple[str, tuple[str, str], list[Row]]]:
    """The rows of the edges, by table, with the tables of their ends."""
    concepts = graph.found.concepts
    yield "WROTE", ("Author", "Document"), _wrote(graph)
    yield "IN_WEEK", ("Document", "Week"), _in_week(graph)
    own, inner = _has_section(graph)
    yield "HAS_SECTION", ("Document", "Section"), own
    yield "HAS_SECTION", ("Section", "Section"), inner
    yield "DEFINES", ("Section", "Concept"), list(_defines(graph))
    yield "MENTIONS", ("Section", "Concept"), list(_mentions(graph))
    yield (
        "RELATED",
        ("Concept", "Concept"),
        [
            _edge(concepts[one.one].id, concepts[one.other].id, one.places[0])
            | {"weight": one.weight, "sections": one.sections}
            | {"spans": [_place(place) for place in one.places]}
            for one in graph.relations
        ],
    )
    yield (
        "BEFORE",
        ("Concept", "Concept"),
        [
            _edge(concepts[one.first].id, concepts[one.second].id, one.place)
            | {"weight": one.weight}
            for one in graph.order
        ],
    )
    yield (
        "SUPERSEDES",
        ("Document", "Document"),
        [
            _edge(newer.id, older.id, _first_page(newer))
            for lesson in graph.lessons
            for newer, older in pairwise(lesson)
        ],
    )
    yield (
        "CITES",
        ("Document", "Reference"),
        [_edge(place.document, one.title, place) for one, place in _cited(graph)],
    )
    yield (
        "IN_COMMUNITY",
        ("Concept", "Community"),
        [
            _edge(concept.id, part.id, concept.place) | {"rank": rank}
            for part in graph.communities
            for rank, concept in enumerate(part.central)
        ],
    )
    yield (
        "PART_OF",
        ("Community", "Community"),
        [
            _edge(part.id, part.parent, part.central[0].place)
            for part in graph.communities
            if part.parent
        ],
    )


def _edge(start: Any, end: Any, place: Place) -> Row:
    return {"from": start, "to": end, **_place(place)}


def _ends(edges: Sequence[Row], side: str, key: str) -> list[Row]:
    """The nodes at one side of these edges, in order, each with the place of its first edge."""
    first = {edge[side]: edge for edge in reversed(edges)}
    places = {name: list(first[name].items())[2:] for name in sorted(first)}
    return [{key: name, **dict(place)} for name, place in places.items()]


def _document(source: Source, *, superseded: bool) -> Row:
    return {
        "id": source.id,
        "title": source.title,
        "path": source.path,
        "week": source.week,
        "date": source.date.isoformat() if source.date else "",
        "version": source.version or "",
        "pages": source.pages,
        "superseded": superseded,
        "page": 1,
    }


def _concept(concept: Concept) -> Row:
    keys = dict.fromkeys(filter(None, map(looked_up, (concept.name, *concept.names))))
    return {
        "id": concept.id,
        "name": concept.name,
        "names": list(concept.names),
        "keys": list(keys),
        "acronym": concept.acronym,
        "english": concept.english,
        "kind": concept.kind.value,
        "score": concept.score,
        "defined": concept.defined,
        **_place(concept.place),
    }


def _place(place: Place) -> Row:
    return {
        "document": place.document,
        "page": place.page,
        "start": place.start,
        "stop": place.end,
    }


def _first_page(source: Source) -> Place:
    return Place(source.id, 1, 0, 0)


def _wrote(graph: Graph) -> list[Row]:
    """Authors with the place that names them, which a document's first page has."""
    texts = {facts.source.id: facts.text for facts, _nodes in graph.sections}
    made = []
    for source in chain.from_iterable(graph.lessons):
        text = texts.get(source.id)
        for name in source.authors:
            start = text.text.find(name) if text else -1
            place = _first_page(source)
            if text and start >= 0:
                place = place_of(text, start, start + len(name))
            made.append(_edge(name, source.id, place))
    return made


def _in_week(graph: Graph) -> list[Row]:
    return [
        _edge(source.id, source.week, _first_page(source))
        for source in chain.from_iterable(graph.lessons)
        if source.week is not None
    ]


def _has_section(graph: Graph) -> tuple[list[Row], list[Row]]:
    """The edges from documents to their sections, and from sections to those inside them."""
    own: list[Row] = []
    inner: list[Row] = []
    for facts, nodes in graph.sections:
        above: list[SectionNode] = []
        for node in nodes:
            while above and above[-1].level >= node.level:
                above.pop()
            parent = above[-1].id if above else facts.source.id
            (inner if above else own).append(_edge(parent, node.id, node.place))
            above.append(node)
    return own, inner


def _defines(graph: Graph) -> Iterator[Row]:
    sections = {facts.source.id: nodes for facts, nodes in graph.sections}
    for number, definitions in graph.found.definitions.items():
        for facts, one in definitions:
            nodes = sections[facts.source.id]
            over = (node for node in reversed(nodes) if node.place.start <= one.start)
            place = place_of(facts.text, one.start, one.end)
            edge = _edge(next(over, nodes[0]).id, graph.found.concepts[number].id, place)
            yield edge | {"form": one.form.value}


def _mentions(graph: Graph) -> Iterator[Row]:
    together: defaultdict[tuple[str, int], list[Place]] = defaultdict(list)
    for spot in graph.mentioned:
        together[spot.section, spot.concept].append(spot.place)
    for (section, number), places in together.items():
        edge = _edge(section, graph.found.concepts[number].id, places[0])
        spans = [_place(place) for place in places[:_SPANS]]
        yield edge | {"times": len(places), "spans": spans}


def _cited(graph: Graph) -> Iterator[tuple[Cited, Place]]:
    for facts, _nodes in graph.sections:
        for one in facts.citations:
            yield one, place_of(facts.text, one.start, one.end)
