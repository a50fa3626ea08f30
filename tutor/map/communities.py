"""Concepts that belong together, in a hierarchy (Louvain)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

from tutor.map.concepts import CourseConcepts
from tutor.map.louvain import Graph, communities_in, degree, graph_of
from tutor.map.model import Concept, Kind
from tutor.map.relations import Relation

_SEED = 20250804
_LEVELS = 3
_SPLIT = 14
"""Concepts of a community from which it is parted again."""
_SMALLEST = 3
"""Fewer concepts are no community."""
_SAME = 0.5
"""Share of concepts (Jaccard index) from which a community is a former one."""


@dataclass(frozen=True, slots=True)
class CommunityPart:
    """A community: its concepts by number, the most central first, and the one that holds it."""

    id: str
    name: str
    level: int
    parent: str
    members: tuple[int, ...]


def communities_of(
    found: CourseConcepts, relations: Sequence[Relation], former: Mapping[str, Collection[str]]
) -> list[CommunityPart]:
    """The communities of all levels, the largest first.

    `former` gives the concepts of the communities of the map before, by their ids: one that has
    kept most of its concepts keeps its id.
    """
    graph = graph_of(
        (number for number, one in enumerate(found.concepts) if one.kind is not Kind.PERSON),
        sorted((one.one, one.other, one.weight) for one in relations),
    )
    made: list[CommunityPart] = []
    taken: set[str] = set()
    waiting: list[tuple[Graph, int, str]] = [(graph, 0, "")]
    while waiting:
        part, level, parent = waiting.pop(0)
        for members in _parted(part):
            if len(members) < _SMALLEST or (parent and len(members) == len(part)):
                continue
            within = _within(part, members)
            ranked = _ranked(within, graph, found.concepts)
            identity = _identity([found.concepts[number].id for number in ranked], former, taken)
            name = " · ".join(found.concepts[number].name for number in ranked[:2])
            made.append(CommunityPart(identity, name, level, parent, tuple(ranked)))
            if len(members) >= _SPLIT and level + 1 < _LEVELS:
                waiting.append((within, level + 1, identity))
    return made


def _parted(graph: Graph) -> list[list[int]]:
    parts = communities_in(graph, _SEED)
    return sorted((sorted(part) for part in parts), key=lambda part: (-len(part), part))


def _within(graph: Graph, members: Collection[int]) -> Graph:
    """The graph of these nodes alone."""
    own = set(members)
    return {
        one: {other: weight for other, weight in graph[one].items() if other in own}
        for one in members
    }


def _ranked(within: Graph, around: Graph, concepts: Sequence[Concept]) -> list[int]:
    """The concepts of a community from the most central one down.

    Central is what hangs together with the others of it and with little else, and surely a term.
    """
    centrality = {
        number: degree(within, number) ** 2
        / (degree(around, number) or 1)
        * sqrt(concepts[number].score)
        for number in within
    }
    return sorted(within, key=lambda number: (-centrality[number], number))


def _identity(ranked: Sequence[str], former: Mapping[str, Collection[str]], taken: set[str]) -> str:
    mine = set(ranked)
    shared = [
        (len(mine & set(theirs)) / len(mine | set(theirs)), name)
        for name, theirs in former.items()
        if name not in taken
    ]
    best = max(shared, default=(0.0, ""))
    base = f"c-{ranked[0]}"
    identity = best[1] if best[0] >= _SAME else _free(base, {*taken, *former})
    taken.add(identity)
    return identity


def _free(base: str, taken: Iterable[str]) -> str:
    known = set(taken)
    number, name = 2, base
    while name in known:
        name, number = f"{base}-{number}", number + 1
    return name
