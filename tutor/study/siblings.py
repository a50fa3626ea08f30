"""Cards that stand on one fact of the notes, or ask the same: one gives the other's answer away."""

from __future__ import annotations

from bisect import bisect
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from tutor.model import SourceId
from tutor.study.card import Card, bare
from tutor.study.saved import SavedCard
from tutor.text.folding import folded


def are_siblings(one: Card, other: Card) -> bool:
    """Whether the answer to one card gives away the other: a question asked in two ways, too."""
    if _question(one) == _question(other):
        return True
    place, elsewhere = one.origin, other.origin
    return place is not None and elsewhere is not None and place.overlaps(elsewhere)


@dataclass(slots=True)
class Facts:
    """What cards stand on and ask; no two of its places overlap."""

    _questions: set[str] = field(default_factory=set)
    _places: dict[SourceId, list[tuple[int, int]]] = field(
        default_factory=lambda: defaultdict(list)
    )

    def take(self, card: Card) -> bool:
        """Take in what a card stands on and asks; False where it is a sibling of one before."""
        question, origin = _question(card), card.origin
        if question in self._questions:
            return False
        if origin:
            places = self._places[origin.source_id]
            at = bisect(places, (origin.start, origin.end))
            if any(
                origin.start < end and start < origin.end
                for start, end in places[max(0, at - 1) : at + 1]
            ):
                return False
            places.insert(at, (origin.start, origin.end))
        self._questions.add(question)
        return True


def _question(card: Card) -> str:
    return folded(bare(card.question))


def spread(cards: Iterable[SavedCard], asked: Iterable[SavedCard] = ()) -> list[list[SavedCard]]:
    """The cards in rounds, each with one of every fact that is left, in their order.

    A fact on which a card stands that was `asked` is no part of the first round.
    """
    rounds: list[list[SavedCard]] = []
    rest, facts = list(cards), Facts()
    for saved in asked:
        facts.take(saved.card)
    while rest:
        taken, later = [], []
        for saved in rest:
            (taken if facts.take(saved.card) else later).append(saved)
        rounds.append(taken)
        rest, facts = later, Facts()
    return rounds


def siblings_last(cards: Iterable[SavedCard], asked: Iterable[SavedCard] = ()) -> list[SavedCard]:
    """The cards, those of one fact as far from each other as can be."""
    return [saved for cards_of_round in spread(cards, asked) for saved in cards_of_round]
