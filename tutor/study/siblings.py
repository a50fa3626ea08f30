"""Cards that stand on one fact of the notes, or ask the same: one gives the other's answer away."""

from __future__ import annotations

from bisect import bisect
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from tutor.model import SourceId
from tutor.study.card import Card, Origin, bare
from tutor.study.saved import SavedCard
from tutor.text.folding import folded

_KEPT = 1 << 15
"""Questions of which is kept how they compare: more than a course has cards."""


def are_siblings(one: Card, other: Card) -> bool:
    """Whether the answer to one card gives away the other: a question asked in two ways, too."""
    if _question(one.question) == _question(other.question):
        return True
    place, elsewhere = one.origin, other.origin
    return place is not None and elsewhere is not None and place.overlaps(elsewhere)


@lru_cache(maxsize=_KEPT)
def _question(question: str) -> str:
    return folded(bare(question))


_Place = tuple[SourceId, int, int]


@dataclass(slots=True)
class Facts:
    """What cards stand on and ask; no two of its places overlap."""

    _questions: set[str] = field(default_factory=set)
    _places: dict[SourceId, list[tuple[int, int]]] = field(
        default_factory=lambda: defaultdict(list)
    )

    def asks(self, question: str) -> bool:
        """Whether one of the cards asks this."""
        return question in self._questions

    def stands_on(self, place: _Place) -> bool:
        """Whether one of the cards stands on a part of a place."""
        first, last = self._overlapping(place)
        return first < last

    def take(self, question: str, place: _Place | None) -> None:
        """Take in what a card asks and stands on."""
        self._questions.add(question)
        if place:
            source, start, end = place
            first, last = self._overlapping(place)
            places = self._places[source]
            ends = [(start, end), *places[first:last]]
            places[first:last] = [(min(ends)[0], max(end for _start, end in ends))]

    def _overlapping(self, place: _Place) -> tuple[int, int]:
        """The first of the places that overlap one, and the one after the last."""
        source, start, end = place
        places = self._places[source]
        first = last = bisect(places, (start, end))
        while first and start < places[first - 1][1]:
            first -= 1
        while last < len(places) and places[last][0] < end:
            last += 1
        return first, last


def _dealt(
    cards: Iterable[SavedCard], asked: Iterable[SavedCard]
) -> Iterator[tuple[int, SavedCard]]:
    """Each card, in their order, with the first round in which it has no sibling.

    A round in which a question or a place was before is not looked at again for it.
    """
    rounds = [Facts()]
    for saved in asked:
        rounds[0].take(_question(saved.card.question), _place(saved.card.origin))
    full: dict[str | _Place, int] = defaultdict(int)
    for saved in cards:
        question, place = _question(saved.card.question), _place(saved.card.origin)
        while full[question] < len(rounds) and rounds[full[question]].asks(question):
            full[question] += 1
        number = full[question]
        if place:
            while full[place] < len(rounds) and rounds[full[place]].stands_on(place):
                full[place] += 1
            number = max(number, full[place])
            while number < len(rounds) and (
                rounds[number].asks(question) or rounds[number].stands_on(place)
            ):
                number += 1
        if number == len(rounds):
            rounds.append(Facts())
        rounds[number].take(question, place)
        yield number, saved


def _place(origin: Origin | None) -> _Place | None:
    return (origin.source_id, origin.start, origin.end) if origin else None


def spread(cards: Iterable[SavedCard], asked: Iterable[SavedCard] = ()) -> list[list[SavedCard]]:
    """The cards in rounds, each with one of every fact that is left, in their order.

    A fact on which a card stands that was `asked` is no part of the first round.
    """
    rounds: list[list[SavedCard]] = []
    for number, saved in _dealt(cards, asked):
        rounds.extend([] for _round in range(len(rounds), number + 1))
        rounds[number].append(saved)
    return rounds


def siblings_last(
    cards: Iterable[SavedCard], asked: Iterable[SavedCard] = ()
) -> Iterator[SavedCard]:
    """The cards, those of one fact as far from each other as can be.

    No more are looked at than are needed for those that are taken.
    """
    later: dict[int, list[SavedCard]] = defaultdict(list)
    for number, saved in _dealt(cards, asked):
        if number:
            later[number].append(saved)
        else:
            yield saved
    for _number, cards_of_round in sorted(later.items()):
        yield from cards_of_round
