"""Concepts that belong together, in a hierarchy (Louvain, by NetworkX)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from math import sqrt
from typing import TYPE_CHECKING

from tutor.map.concepts import CourseConcepts, free_id
from tutor.map.model import Community, Concept, Kind
from tutor.map.relations import Relation

if TYPE_CHECKING:
    import networkx as nx

_SEED = 20250804
_LEVELS = 3
_SPLIT = 14
"""Concepts of a community from which it is parted again."""
_SMALLEST = 3
"""Fewer concepts are no community."""
_SAME = 0.5
"""Share of concepts (Jaccard index) from which a community is a former one."""


def communities_of(
    found: CourseConcepts, relations: Sequence[Relation], former: Mapping[str, Collection[str]]
) -> list[Community]:
    """The communities of all levels, the largest first.

    `former` gives the concepts of the communities of the map before, by their ids: one that has
    kept most of its concepts keeps its id.
    """
    import networkx as nx  # noqa: PLC0415 - 0.25 s, needed to build a map only

    graph = nx.Graph()
    graph.add_nodes_from(
        number for number, one in enumerate(found.concepts) if one.kind is not Kind.PERSON
    )
    graph.add_weighted_edges_from((one.one, one.other, one.weight) for one in relations)
    made: list[Community] = []
    taken: set[str] = set()
    waiting: list[tuple[nx.Graph, int, str]] = [(graph, 0, "")]
    while waiting:
        part, level, parent = waiting.pop(0)
        for members in _parted(part):
            if len(members) < _SMALLEST or (parent and len(members) == len(part)):
                continue
            within = part.subgraph(members)
            ranked = [found.concepts[number] for number in _ranked(within, graph, found.concepts)]
            identity = _identity([one.id for one in ranked], former, taken)
            name = " · ".join(one.name for one in ranked[:2])
            made.append(Community(identity, name, level, parent, tuple(ranked)))
            if len(members) >= _SPLIT and level + 1 < _LEVELS:
                waiting.append((within, level + 1, identity))
    return made


def _parted(graph: nx.Graph) -> list[list[int]]:
    import networkx as nx  # noqa: PLC0415 - as above

    ordered = nx.Graph()  # a part of a graph has its nodes in the order of a set
    ordered.add_nodes_from(sorted(graph))
    ordered.add_weighted_edges_from(
        sorted((min(a, b), max(a, b), data["weight"]) for a, b, data in graph.edges(data=True))
    )
    parts = nx.community.louvain_communities(ordered, seed=_SEED)
    return sorted((sorted(part) for part in parts), key=lambda part: (-len(part), part))


def _ranked(within: nx.Graph, around: nx.Graph, concepts: Sequence[Concept]) -> list[int]:
    """The concepts of a community from the most central one down.

    Central is what hangs together with the others of it and with little else, and surely a term.
    """
    inside, all_around = within.degree(weight="weight"), around.degree(weight="weight")
    centrality = {
        number: inside[number] ** 2 / (all_around[number] or 1) * sqrt(concepts[number].score)
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
    identity = best[1] if best[0] >= _SAME else free_id(base, {*taken, *former})
    taken.add(identity)
    return identity
