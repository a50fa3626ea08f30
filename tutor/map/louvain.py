"""The Louvain method (Blondel and others 2008, "Fast unfolding of communities in large networks").

Step for step that of NetworkX, whose import takes as long as all else that a map's communities do.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import TypeAlias

Graph: TypeAlias = Mapping[int, Mapping[int, float]]
"""The neighbours of each node and the weights of the edges to them: each edge at both ends."""
_LEAST_GAIN = 1e-7
"""Modularity that another level has to bring."""


def graph_of(nodes: Iterable[int], edges: Iterable[tuple[int, int, float]]) -> Graph:
    """The graph of these edges, each given once."""
    graph: dict[int, dict[int, float]] = {node: {} for node in nodes}
    for one, other, weight in edges:
        graph[one][other] = graph[other][one] = weight
    return graph


def degree(graph: Graph, node: int) -> float:
    """The sum of the weights of a node's edges, in which that to itself counts twice."""
    return sum(graph[node].values()) + graph[node].get(node, 0.0)


def communities_in(graph: Graph, seed: int) -> list[set[int]]:
    """The nodes in the communities that they form."""
    chosen = Random(seed)  # noqa: S311 - no secret
    members = {node: {node} for node in graph}
    total = sum(degree(graph, node) for node in graph) / 2
    quality = _modularity(graph, [[node] for node in graph], total) if total else 0.0
    moved = bool(total)
    while moved:
        parts, moved = _moved(graph, total, chosen)
        better = _modularity(graph, parts, total)
        members = {
            place: set().union(*(members[node] for node in part))
            for place, part in enumerate(parts)
        }
        if better - quality <= _LEAST_GAIN:
            break
        quality, graph = better, _merged(graph, parts)
    return list(members.values())


def _moved(graph: Graph, total: float, chosen: Random) -> tuple[list[list[int]], bool]:
    """The nodes of a graph in parts, each node where it brings most, and whether any has moved."""
    part_of = {node: place for place, node in enumerate(graph)}
    degrees = {node: degree(graph, node) for node in graph}
    sums = list(degrees.values())
    order = list(graph)
    chosen.shuffle(order)
    moves, moved = 1, False
    while moves:
        moves = 0
        for node in order:
            here, own = part_of[node], degrees[node]
            weights: defaultdict[int, float] = defaultdict(float)
            for other, weight in graph[node].items():
                if other != node:
                    weights[part_of[other]] += weight
            sums[here] -= own
            best = _best_for(own, here, weights, sums, total)
            sums[best] += own
            if best != here:
                part_of[node] = best
                moves += 1
        moved = moved or moves > 0
    parts: dict[int, list[int]] = {place: [] for place in range(len(graph))}
    for node, place in part_of.items():
        parts[place].append(node)
    return [part for part in parts.values() if part], moved


def _best_for(
    own: float, here: int, weights: dict[int, float], sums: Sequence[float], total: float
) -> int:
    """The part to which a node of degree `own` brings most modularity, if it leaves its own.

    `weights` are those of its edges to each part, `sums` the degrees of all other nodes of it.
    """
    leaving = -weights[here] / total + sums[here] * own / (2 * total**2)
    best, most = here, 0.0
    for there, weight in weights.items():
        gain = leaving + weight / total - sums[there] * own / (2 * total**2)
        if gain > most:
            best, most = there, gain
    return best


def _merged(graph: Graph, parts: Sequence[Sequence[int]]) -> Graph:
    """The graph whose nodes are the parts of this one, by their places."""
    part_of = {node: place for place, part in enumerate(parts) for node in part}
    merged: dict[int, dict[int, float]] = {place: {} for place in range(len(parts))}
    seen: set[int] = set()
    for node, neighbours in graph.items():
        for other, weight in neighbours.items():
            if other not in seen:
                one, two = part_of[node], part_of[other]
                both = weight + merged[one].get(two, 0.0)
                merged[one][two] = merged[two][one] = both
        seen.add(node)
    return merged


def _modularity(graph: Graph, parts: Sequence[Sequence[int]], total: float) -> float:
    part_of = {node: place for place, part in enumerate(parts) for node in part}
    quality = 0.0
    for place, part in enumerate(parts):
        inside = sum(
            weight * (2.0 if other == node else 1.0)
            for node in part
            for other, weight in graph[node].items()
            if part_of[other] == place
        )
        around = sum(degree(graph, node) for node in part)
        quality += inside / (2 * total) - (around / (2 * total)) ** 2
    return quality
