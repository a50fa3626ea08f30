"""What a course has beside a card: its terms, and what the same section says of other ones."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from tutor.study.card import Card, CardKind
from tutor.study.saved import SavedCard
from tutor.text.folding import folded


@dataclass(frozen=True, slots=True)
class Beside:
    """`terms` are folded; `definitions` are those of other terms in the section of a card."""

    terms: frozenset[str] = frozenset()
    definitions: tuple[str, ...] = ()


NOTHING = Beside()


class Neighbours:
    """The definitions of a course, by sections, and its terms."""

    def __init__(self, cards: Iterable[SavedCard]) -> None:
        self._terms: set[str] = set()
        self._defined: dict[tuple[str, str], list[Card]] = defaultdict(list)
        for saved in cards:
            card = saved.made
            if card.kind is CardKind.TERM:
                self._terms |= {folded(name) for name in (card.answer, *card.also)}
            elif card.kind is CardKind.DEFINITION and card.origin:
                self._terms.add(folded(card.subject))
                self._defined[_section(card)].append(card)

    def beside(self, card: Card) -> Beside:
        """What stands beside a card."""
        if card.kind is not CardKind.DEFINITION:
            return Beside(frozenset(self._terms))
        others = self._defined.get(_section(card), ())
        said = tuple(other.answer for other in others if other.subject != card.subject)
        return Beside(frozenset(self._terms), said)


def _section(card: Card) -> tuple[str, str]:
    return (card.origin.source_id, card.origin.section) if card.origin else ("", card.id)
