"""How concepts hang together: what stands beside what, and what comes before what."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, combinations
from math import sqrt

from tutor.map.concepts import CourseConcepts
from tutor.map.facts import Facts
from tutor.map.model import Kind, Place, SectionNode, place_of
from tutor.map.words import Mention

_MOST_IN_BLOCK = 12
"""A block that names more concepts is a list of them, and says little of any two."""
_TITLED = 0.5
"""What a section says for its title's concept and another one in it, against a block for two."""
_TITLED_OFTEN = 3
"""Times from which what a section names is all that its title is about."""
_DOUBT = 0.5
"""Strength of which a pair has lost half of its weight, since it may be chance."""
_NEIGHBOURS = 16
"""The strongest relations of a concept; the others are left out of the map."""
_LEAST_WEIGHT = 0.04
_SHOWN = 5
"""Places that are kept of a relation."""
_IN_SECTION = 0.5
_LEAST_IN_SECTION = 2
"""Times that a section names what its own concept needs, where its definition does not."""


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A mention with the section and the place that it has."""

    concept: int
    section: str
    block: int
    place: Place


@dataclass(slots=True)
class Pair:
    """Two concepts that stand together: the strength of that, the sections, and places."""

    strength: float = 0.0
    sections: set[str] = field(default_factory=set)
    places: list[Place] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Relation:
    """A pair of concepts, by their numbers, with a weight from 0 to 1."""

    one: int
    other: int
    weight: float
    sections: int
    places: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class Before:
    """`first` is defined before `second`, which uses it at `place`."""

    first: int
    second: int
    weight: float
    place: Place


def sections_of(facts: Facts) -> list[SectionNode]:
    """A document's sections in order; what no heading is over belongs to the document itself."""
    text, source = facts.text, facts.source
    made = [
        SectionNode(
            f"{source.id}:{part.start}",
            part.title,
            part.level,
            place_of(text, part.start, part.end),
        )
        for part in text.sections
    ]
    first = text.blocks[0].start if text.blocks else 0
    if not made or made[0].place.start > first:
        end = made[0].place.start if made else len(text.text)
        place = place_of(text, first, max(first, end))
        made.insert(0, SectionNode(f"{source.id}:", source.title, 0, place))
    return made


def spots(
    found: CourseConcepts, sections: Sequence[tuple[Facts, Sequence[SectionNode]]]
) -> list[Occurrence]:
    """All mentions of concepts in the order of the course."""
    by_document: defaultdict[str, list[tuple[int, Mention]]] = defaultdict(list)
    for number, mentions in found.mentions.items():
        for facts, mention in mentions:
            by_document[facts.source.id].append((number, mention))
    made = []
    for facts, nodes in sections:
        starts = [node.place.start for node in nodes]
        for number, mention in sorted(by_document[facts.source.id], key=lambda pair: pair[1].start):
            node = nodes[max(0, bisect_right(starts, mention.start) - 1)]
            place = place_of(facts.text, mention.start, mention.end)
            made.append(Occurrence(number, node.id, mention.block, place))
    return made


def related(found: CourseConcepts, mentioned: Sequence[Occurrence]) -> list[Relation]:
    """Concepts that stand in the same blocks, or under a title that names one of them.

    The weight is the pair's strength against that of both alone (cosine).
    """
    pairs: defaultdict[tuple[int, int], Pair] = defaultdict(Pair)
    for spots_together, strength in _contexts(found, mentioned):
        for one, other in combinations(spots_together, 2):
            if one.concept != other.concept:
                _note(pairs, one, other, strength)
    alone: defaultdict[int, float] = defaultdict(float)
    for ends, pair in pairs.items():
        for end in ends:
            alone[end] += pair.strength**2
    relations = [
        Relation(
            *ends,
            round(_weight(pair, alone[ends[0]], alone[ends[1]]), 4),
            len(pair.sections),
            tuple(pair.places),
        )
        for ends, pair in pairs.items()
    ]
    return _strongest(relations)


def _weight(pair: Pair, one: float, other: float) -> float:
    alike = pair.strength / sqrt(sqrt(one * other))
    return alike * pair.strength / (pair.strength + _DOUBT)


def _note(
    pairs: dict[tuple[int, int], Pair], one: Occurrence, other: Occurrence, strength: float
) -> None:
    concepts = one.concept, other.concept
    pair = pairs[min(concepts), max(concepts)]
    pair.strength += strength
    pair.sections.add(other.section)
    if len(pair.places) < _SHOWN:
        start = min(one.place.start, other.place.start)
        end = max(one.place.end, other.place.end)
        pair.places.append(
            Place(one.place.document, min(one.place.page, other.place.page), start, end)
        )


def _contexts(
    found: CourseConcepts, mentioned: Sequence[Occurrence]
) -> Iterator[tuple[list[Occurrence], float]]:
    """Concepts that stand together, each once, and how much that says of any two of them."""
    told = [spot for spot in mentioned if found.concepts[spot.concept].kind is not Kind.PERSON]
    blocks: defaultdict[tuple[str, int], dict[int, Occurrence]] = defaultdict(dict)
    for spot in told:
        blocks[spot.place.document, spot.block].setdefault(spot.concept, spot)
    for together in blocks.values():
        if 2 <= len(together) <= _MOST_IN_BLOCK:
            yield list(together.values()), 1 / (len(together) - 1)
    for heads, within in _under_titles(told):
        for head in heads:
            for spots_of in within.values():
                often = min(len(spots_of), _TITLED_OFTEN) / _TITLED_OFTEN
                yield [head, spots_of[0]], _TITLED * often / len(heads)


def _under_titles(
    mentioned: Sequence[Occurrence],
) -> Iterator[tuple[list[Occurrence], dict[int, list[Occurrence]]]]:
    """What each section's title names, and what the section itself does, by concept."""
    titles: defaultdict[str, list[Occurrence]] = defaultdict(list)
    within: defaultdict[str, dict[int, list[Occurrence]]] = defaultdict(dict)
    for spot in mentioned:
        if spot.section == f"{spot.place.document}:{spot.block}":
            titles[spot.section].append(spot)
        else:
            within[spot.section].setdefault(spot.concept, []).append(spot)
    for section, heads in titles.items():
        yield heads, within[section]


def _strongest(relations: Sequence[Relation]) -> list[Relation]:
    """Those that are among the strongest of one of their ends."""
    of: defaultdict[int, int] = defaultdict(int)
    kept = []
    for relation in sorted(relations, key=lambda one: (-one.weight, one.one, one.other)):
        if relation.weight < _LEAST_WEIGHT:
            break
        if min(of[relation.one], of[relation.other]) < _NEIGHBOURS:
            of[relation.one] += 1
            of[relation.other] += 1
            kept.append(relation)
    return kept


def before(
    found: CourseConcepts, mentioned: Sequence[Occurrence], order: Sequence[str]
) -> list[Before]:
    """What has to be known before what: a definition, or a concept's own section, uses another.

    The other one is introduced earlier in the course, so that no circle comes of it.
    """
    places = {document: number for number, document in enumerate(order)}
    introduced = {
        number: (places[place.document], place.start)
        for number, place in enumerate(found.introduced)
        if found.concepts[number].kind is not Kind.PERSON
    }
    made: dict[tuple[int, int], Before] = {}
    for second, weight, spot in chain(
        _used_in_definitions(found, mentioned), _used_in_sections(mentioned)
    ):
        first = spot.concept
        both = first in introduced and second in introduced
        if both and introduced[first] < introduced[second]:
            made.setdefault((first, second), Before(first, second, weight, spot.place))
    return list(made.values())


def _used_in_definitions(
    found: CourseConcepts, mentioned: Sequence[Occurrence]
) -> Iterator[tuple[int, float, Occurrence]]:
    by_document: defaultdict[str, list[Occurrence]] = defaultdict(list)
    for spot in mentioned:
        by_document[spot.place.document].append(spot)
    for number, concept in enumerate(found.concepts):
        if concept.defined:
            near, place = by_document[concept.place.document], concept.place
            ends = (bisect_left(near, at, key=_start) for at in (place.start, place.end))
            for spot in near[slice(*ends)]:
                yield number, 1.0, spot


def _start(spot: Occurrence) -> int:
    return spot.place.start


def _used_in_sections(mentioned: Sequence[Occurrence]) -> Iterator[tuple[int, float, Occurrence]]:
    """What a section names again and again is needed for what its title names."""
    for heads, within in _under_titles(mentioned):
        for head in heads:
            for together in within.values():
                if len(together) >= _LEAST_IN_SECTION:
                    yield head.concept, _IN_SECTION, together[0]
