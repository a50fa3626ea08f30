"""Cards that stand on one fact of the notes, or ask the same: one gives the other's answer away."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import count

from tutor.model import SourceId
from tutor.study.card import Card, Origin, bare
from tutor.study.saved import SavedCard
from tutor.text.folding import folded

_KEPT = 1 << 15
"""Questions of which is kept how they compare: more than a course has cards."""
_STRETCH = 1000
"""Characters."""


def are_siblings(one: Card, other: Card) -> bool:
    """Whether the answer to one card gives away the other: a question asked in two ways, too."""
    if _question(one.question) == _question(other.question):
        return True
    place, elsewhere = one.origin, other.origin
    return place is not None and elsewhere is not None and place.overlaps(elsewhere)


@lru_cache(maxsize=_KEPT)
def _question(question: str) -> str:
    return folded(bare(question))


def _dealt(
    cards: Iterable[SavedCard], asked: Iterable[SavedCard]
) -> Iterator[tuple[int, SavedCard]]:
    """Each card, in their order, with the first round in which it has no sibling."""
    asking: defaultdict[str, set[int]] = defaultdict(set)
    standing: defaultdict[tuple[SourceId, int], list[tuple[Origin, int]]] = defaultdict(list)
    full: Counter[str] = Counter()

    def take(card: Card, number: int) -> None:
        asking[_question(card.question)].add(number)
        if place := card.origin:
            for stretch in _stretches(place):
                standing[stretch].append((place, number))

    for saved in asked:
        take(saved.card, 0)
    for saved in cards:
        question, place = _question(saved.card.question), saved.card.origin
        taken = asking[question]
        near = set[int]()
        if place:
            near = {
                number
                for stretch in _stretches(place)
                for other, number in standing[stretch]
                if other.overlaps(place)
            }
        while full[question] in taken:  # so that of many cards that ask the same none waits long
            full[question] += 1
        free = (n for n in count(full[question]) if n not in taken and n not in near)
        number = next(free)
        take(saved.card, number)
        yield number, saved


def _stretches(place: Origin) -> Iterator[tuple[SourceId, int]]:
    """The parts of a document that a place lies in, by which those that overlap it are found."""
    for number in range(place.start // _STRETCH, place.end // _STRETCH + 1):
        yield place.source_id, number


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
