"""Ways from one concept to another: what leads to what, and the shortest of them."""

from __future__ import annotations

import heapq
from collections import Counter, defaultdict, deque
from collections.abc import Mapping, Sequence
from math import log2
from typing import TypeAlias

from tutor.map.model import Step

Ways: TypeAlias = Mapping[str, Sequence[tuple[Step, float]]]
"""The steps that lead away from each concept, by its id, and their lengths."""
_SHORTEST = 0.1
_BEFORE_COUNTS = 0.4
_HUB = 0.3
"""The length of a step is `1 / (_SHORTEST + weight)`, an order of two concepts counting less;
and longer, the more hangs together with what it leads to: that says little of any two."""


def ways_between(steps: Sequence[tuple[Step, float]]) -> Ways:
    """The ways that edges with these weights make, in both directions."""
    found: defaultdict[str, list[tuple[Step, float]]] = defaultdict(list)
    ends = Counter(one.id for step, _weight in steps for one in (step.source, step.target))
    for step, weight in steps:
        before = step.relation == "BEFORE"
        length = 1 / (_SHORTEST + weight * (_BEFORE_COUNTS if before else 1.0))
        back = Step(step.target, step.source, "AFTER" if before else "RELATED", step.place)
        for way in (step, back):
            found[way.source.id].append((way, length + _HUB * log2(ends[way.target.id])))
    return found


def shortest_way(ways: Ways, first: str, last: str) -> list[Step]:
    """The shortest way between two concepts (Dijkstra's algorithm); empty if there is none."""
    best = {first: 0.0}
    came: dict[str, Step] = {}
    queue = [(0.0, first)]
    while queue:
        length, here = heapq.heappop(queue)
        if here == last:
            break
        if length > best[here]:
            continue
        for step, cost in ways.get(here, ()):
            total = length + cost
            if total < best.get(step.target.id, float("inf")):
                best[step.target.id] = total
                came[step.target.id] = step
                heapq.heappush(queue, (total, step.target.id))
    steps: list[Step] = []
    here = last
    while here != first:
        if here not in came:
            return []
        steps.append(came[here])
        here = came[here].source.id
    return steps[::-1]


def chain_of(
    concept: str, depth: int, steps_of: Mapping[str, Sequence[Step]], *, backwards: bool
) -> list[Step]:
    """What comes before a concept, or after it, step by step; each other concept once."""
    seen = {concept}
    made: list[Step] = []
    waiting = deque([(concept, 0)])
    while waiting:
        here, far = waiting.popleft()
        for step in steps_of.get(here, ()) if far < depth else ():
            there = step.source.id if backwards else step.target.id
            if there not in seen:
                seen.add(there)
                made.append(step)
                waiting.append((there, far + 1))
    return made
