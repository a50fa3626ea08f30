"""A course's map opened for asking: concepts, what they hang together with, where they stand."""

from __future__ import annotations

import difflib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cached_property
from itertools import pairwise
from math import log2
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Any

from tutor.index.store import StoreReader
from tutor.map.cypher import QueryLimits, QueryTable, run_query
from tutor.map.files import broken, make_map, opened, rows_of
from tutor.map.graph import EDGES, NODES
from tutor.map.model import (
    Community,
    Concept,
    DocumentNode,
    Kind,
    MapState,
    Place,
    Related,
    SectionNode,
    Step,
)
from tutor.map.words import key_of, looked_up
from tutor.model import SourceId
from tutor.text.other_names import called_otherwise

if TYPE_CHECKING:
    import ladybug
    import networkx as nx

_PLACE = "r.document, r.page, r.start, r.stop"
_SHORTEST = 0.1
_BEFORE_COUNTS = 0.4
_HUB = 0.3
"""The length of a step is `1 / (_SHORTEST + weight)`, where an order of two concepts counts less;
it grows with the number of relations of the concept that the step leads to, since those of a
concept with many say little."""
_ALIKE = 0.72
"""Likeness (difflib's ratio) from which a name may be meant by another."""
_MOST_SUGGESTED = 5


class CourseMap:
    """One generation's map, read-only. Several threads may use it, one at a time.

    All that raises raises `MapError` where the file is broken.
    """

    def __init__(self, path: Path, connection: ladybug.Connection) -> None:
        self.file = path
        self._connection = connection
        self._lock = RLock()

    def rows(self, query: str, **values: Any) -> list[list[Any]]:
        """What one of our own queries gives."""
        with self._lock:
            try:
                return rows_of(self._connection, query, values)
            except RuntimeError as error:
                raise broken(self.file, error) from error

    def query(self, cypher: str, limits: QueryLimits | None = None, **values: Any) -> QueryTable:
        """What somebody else's query gives: read-only, bounded in time and rows.

        Raises `MapQueryError`, which says what is wrong with it.
        """
        with self._lock:
            return run_query(self._connection, cypher, values, limits or QueryLimits())

    @cached_property
    def concepts(self) -> dict[str, Concept]:
        """All concepts by id, the surest first."""
        made = self.rows(
            "MATCH (r:Concept) RETURN r.id, r.name, r.names, r.acronym, r.english, r.kind, r.score,"
            f" r.defined, {_PLACE} ORDER BY r.score DESC, r.id"
        )
        return {
            name: Concept(
                name, shown, tuple(names), acronym, english, Kind(kind), score, defined, _place(at)
            )
            for name, shown, names, acronym, english, kind, score, defined, *at in made
        }

    @cached_property
    def _by_name(self) -> dict[str, str]:
        """The surest concept of each name, as names are looked up, and of each key."""
        found: dict[str, str] = {}
        for concept in self.concepts.values():
            for name in (concept.id.replace("-", " "), concept.name, *concept.names):
                found.setdefault(looked_up(name), concept.id)
        for concept in self.concepts.values():
            for name in (concept.name, *concept.names):
                found.setdefault(" ".join(key_of(name)), concept.id)
        return found

    def concept(self, name: str) -> Concept | None:
        """The concept of a name or id, whatever its accents, case and number, else that of what
        other books call so; None if unknown.
        """
        if name in self.concepts:
            return self.concepts[name]
        for called in (name, *called_otherwise(name)):
            for form in (looked_up(called), " ".join(key_of(called))):
                if form and form in self._by_name:
                    return self.concepts[self._by_name[form]]
        return None

    def suggestions(self, name: str) -> list[Concept]:
        """Concepts that may be meant by a name that no concept has, the most alike first."""
        wanted = looked_up(name)
        alike = difflib.get_close_matches(wanted, self._by_name, 2 * _MOST_SUGGESTED, _ALIKE)
        words = set(wanted.split())
        holding = [form for form in self._by_name if words and words <= set(form.split())]
        ids = dict.fromkeys(self._by_name[form] for form in [*alike, *sorted(holding, key=len)])
        return [self.concepts[one] for one in ids][:_MOST_SUGGESTED]

    def definitions(self, concept: Concept) -> list[Place]:
        """All places that define it, in the order of the course."""
        made = self.rows(
            "MATCH (:Section)-[r:DEFINES]->(:Concept {id: $id}), (d:Document {id: r.document})"
            f" RETURN {_PLACE} ORDER BY d.week, d.date, d.path, r.start",
            id=concept.id,
        )
        return list(map(_place, made))

    def neighbours(self, concept: Concept, most: int = 10) -> list[Related]:
        """What it hangs together with, the strongest first."""
        made = self.rows(
            "MATCH (:Concept {id: $id})-[r:RELATED]-(o:Concept) RETURN o.id, r.weight, r.sections,"
            " r.spans ORDER BY r.weight DESC, o.id LIMIT $most",
            id=concept.id,
            most=most,
        )
        return [
            Related(
                self.concepts[other],
                weight,
                sections,
                tuple(_place(span.values()) for span in spans),
            )
            for other, weight, sections, spans in made
        ]

    def before(self, concept: Concept, depth: int = 1) -> list[Step]:
        """What is needed for it, and for that, up to `depth` steps; circles end where they close.

        Each step leads from what comes first to what uses it, the nearest ones first.
        """
        return self._chain(concept, depth, backwards=True)

    def after(self, concept: Concept, depth: int = 1) -> list[Step]:
        """What uses it, and what uses that, up to `depth` steps."""
        return self._chain(concept, depth, backwards=False)

    def path(self, one: Concept, other: Concept) -> list[Step]:
        """The shortest way between two concepts, heavy relations being short; empty if none."""
        import networkx as nx  # noqa: PLC0415 - as below

        try:
            found = nx.dijkstra_path(self._ways, one.id, other.id, "cost")
        except (nx.NetworkXNoPath, nx.NodeNotFound):
            return []
        return [self._ways.edges[ends]["step"] for ends in pairwise(found)]

    def documents_of(self, concept: Concept) -> list[tuple[DocumentNode, int]]:
        """The documents that name it, in the order of the course, and how often each does."""
        made = self.rows(
            "MATCH (:Concept {id: $id})<-[m:MENTIONS]-(:Section) RETURN m.document, sum(m.times)",
            id=concept.id,
        )
        times = {SourceId(document): int(count) for document, count in made}
        return [(node, times[key]) for key, node in self.documents.items() if key in times]

    def weeks_of(self, concept: Concept) -> list[int]:
        """The weeks whose notes name it."""
        found = {node.week for node, _times in self.documents_of(concept)}
        return sorted(week for week in found if week is not None)

    @cached_property
    def documents(self) -> dict[SourceId, DocumentNode]:
        """All documents by id, in the order of the course; superseded versions, too."""
        wrote: defaultdict[str, list[str]] = defaultdict(list)
        for document, name in self.rows(
            "MATCH (a:Author)-[w:WROTE]->(d:Document) RETURN d.id, a.name ORDER BY w.start, a.name"
        ):
            wrote[document].append(name)
        made = self.rows(
            "MATCH (d:Document) RETURN d.id, d.title, d.path, d.week, d.date, d.version, d.pages,"
            " d.superseded"
        )
        ordered = sorted(made, key=lambda r: (r[3] is None, r[3] or 0, r[4] or "~", r[5], r[2]))
        return {
            SourceId(row[0]): DocumentNode(*row, authors=tuple(wrote[row[0]])) for row in ordered
        }

    def sections(self, document: SourceId) -> list[SectionNode]:
        """A document's sections, in order; none of a superseded one."""
        made = self.rows(
            "MATCH (r:Section {document: $id}) RETURN r.id, r.title, r.level,"
            f" {_PLACE} ORDER BY r.start, r.level",
            id=document,
        )
        return [SectionNode(row[0], row[1], row[2], _place(row[3:])) for row in made]

    def sections_naming(self, concept: Concept) -> list[tuple[str, int, Place]]:
        """The titles of the sections that name it, in the order of the course, how often each does,
        and where first.
        """
        made = self.rows(
            "MATCH (s:Section)-[r:MENTIONS]->(:Concept {id: $id})"
            f" RETURN s.title, r.times, {_PLACE} ORDER BY r.start",
            id=concept.id,
        )
        order = list(self.documents)
        found = [(title, int(times), _place(place)) for title, times, *place in made]
        return sorted(found, key=lambda one: order.index(one[2].document))

    def named_in(self, part: str) -> list[tuple[Concept, int, Place]]:
        """The concepts that a section or document (its id) names, the most telling first, how often
        it does, and where first.
        """
        made = self.rows(
            "MATCH (s:Section)-[r:MENTIONS]->(c:Concept) WHERE s.id = $id OR s.document = $id"
            f" RETURN c.id, r.times, {_PLACE} ORDER BY r.start",
            id=part,
        )
        times: Counter[str] = Counter()
        places: dict[str, Place] = {}
        for name, n, *place in made:
            times[name] += int(n)
            places.setdefault(name, _place(place))
        found = [(self.concepts[name], times[name], place) for name, place in places.items()]
        return sorted(found, key=lambda one: -one[1] * one[0].score)

    @cached_property
    def _communities(self) -> dict[str, Community]:
        members: defaultdict[str, list[Concept]] = defaultdict(list)
        for community, concept in self.rows(
            "MATCH (c:Concept)-[r:IN_COMMUNITY]->(p:Community) RETURN p.id, c.id ORDER BY r.rank"
        ):
            members[community].append(self.concepts[concept])
        parents = dict(self.rows("MATCH (p:Community)-[:PART_OF]->(q:Community) RETURN p.id, q.id"))
        made = self.rows(
            "MATCH (p:Community) RETURN p.id, p.name, p.level ORDER BY p.level, p.size DESC, p.id"
        )
        return {
            name: Community(name, title, level, parents.get(name, ""), tuple(members[name]))
            for name, title, level in made
        }

    def communities(self, level: int | None = 0, parent: str = "") -> list[Community]:
        """The communities of a level (all of them for None), of one that holds them if given."""
        return [
            one
            for one in self._communities.values()
            if level in (None, one.level) and parent in ("", one.parent)
        ]

    def community_of(self, concept: Concept, level: int | None = None) -> Community | None:
        """The community of a concept on a level, or the smallest one that it is in."""
        found = [
            one
            for one in self._communities.values()
            if concept in one.central and level in (None, one.level)
        ]
        return max(found, key=lambda one: one.level, default=None)

    @cached_property
    def state(self) -> MapState:
        """What the map holds and what it was made from."""
        version, generation, seconds = self.rows(
            "MATCH (b:Build) RETURN b.version, b.generation, b.seconds"
        )[0]
        nodes = {table: self._count(f"(r:{table})") for table in NODES if table != "Build"}
        edges = {table: self._count(f"()-[r:{table}]->()") for table in EDGES}
        return MapState(generation, version, nodes, edges, seconds)

    def _count(self, pattern: str) -> int:
        return int(self.rows(f"MATCH {pattern} RETURN count(r)")[0][0])

    @cached_property
    def _orders(self) -> list[tuple[Step, float]]:
        return self._steps("BEFORE", "r.weight DESC, a.id, b.id")

    def steps(self) -> list[tuple[Step, float]]:
        """All edges between concepts, each once, with their weights."""
        return [*self._orders, *self._steps("RELATED", "a.id, b.id")]

    def _steps(self, table: str, order: str) -> list[tuple[Step, float]]:
        made = self.rows(
            f"MATCH (a:Concept)-[r:{table}]->(b:Concept) RETURN a.id, b.id, r.weight, {_PLACE}"
            f" ORDER BY {order}"
        )
        return [
            (Step(self.concepts[a], self.concepts[b], table, _place(place)), weight)
            for a, b, weight, *place in made
        ]

    def _chain(self, concept: Concept, depth: int, *, backwards: bool) -> list[Step]:
        """What comes before a concept, or after it, step by step; each other concept once."""
        leading: defaultdict[str, list[tuple[str, Step]]] = defaultdict(list)
        for step, _weight in self._orders:
            start, end = step.source.id, step.target.id
            if backwards:
                start, end = end, start
            leading[start].append((end, step))
        seen = {concept.id}
        made: list[Step] = []
        layer = [concept.id]
        for _step in range(depth):
            following: list[str] = []
            for here in layer:
                for end, step in leading[here]:
                    if end not in seen:
                        seen.add(end)
                        made.append(step)
                        following.append(end)
            layer = following
        return made

    @cached_property
    def _ways(self) -> nx.DiGraph:
        """The shortest edge from each concept to each that it hangs together with."""
        import networkx as nx  # noqa: PLC0415 - 0.1 s, needed for paths only

        steps = self.steps()
        degree = Counter(one.id for step, _weight in steps for one in (step.source, step.target))
        graph = nx.DiGraph()
        for step, weight in steps:
            before = step.relation == "BEFORE"
            length = 1 / (_SHORTEST + weight * (_BEFORE_COUNTS if before else 1.0))
            back = Step(step.target, step.source, "AFTER" if before else "RELATED", step.place)
            for way in (step, back):
                ends = way.source.id, way.target.id
                cost = length + _HUB * log2(degree[ends[1]])
                if not graph.has_edge(*ends) or cost < graph.edges[ends]["cost"]:
                    graph.add_edge(*ends, cost=cost, step=way)
        return graph


@contextmanager
def open_map(
    reader: StoreReader,
    building: Callable[[], None] = lambda: None,
    stopped: Callable[[], bool] = lambda: False,
) -> Iterator[CourseMap]:
    """The map of an open index, made first where there is none that fits, after `building()`.

    Raises `MapError` where it cannot be made or read, or was `stopped()` before; `StoreError` where
    the index cannot be read.
    """
    path = make_map(reader.store_folder, reader.manifest, reader.text, building, stopped)
    with opened(path) as connection:
        yield CourseMap(path, connection)


def _place(row: Iterable[Any]) -> Place:
    document, page, start, stop = row
    return Place(SourceId(document), page, start, stop)
