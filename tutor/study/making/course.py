"""Documents -> cards: of one, and of a whole course, in which a card stands once."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import chain

from tutor.map.model import age, newest_versions
from tutor.model import CleanText, Source, SourceId
from tutor.study.card import Card, CardId
from tutor.study.making.cloze import cloze_cards
from tutor.study.making.code import code_cards
from tutor.study.making.lists import list_cards
from tutor.study.making.material import CardMaterial
from tutor.study.making.names import with_other_names
from tutor.study.making.tables import table_cards
from tutor.study.making.terms import Defined, defined_in, term_cards
from tutor.text.folding import folded

_HEADING = re.compile(r"\A\[[^\]]*\] ")


def make_cards(source: Source, text: CleanText) -> list[Card]:
    """The cards of a document, in the order of its pages; wrong choices are its own terms."""
    material = CardMaterial(source, text)
    own = defined_in(material)
    return _cards(material, own, own)


def course_cards(documents: Iterable[tuple[Source, CleanText]]) -> list[Card]:
    """The cards of a course, document by document; wrong choices come from all of it.

    Of several versions of a lesson's notes the newest makes cards, and of documents that ask the
    same the newest one does.
    """
    given = list(documents)
    newest = newest_versions(source for source, _text in given)
    materials = [CardMaterial(source, text) for source, text in given if source.id in newest]
    own = [defined_in(material) for material in materials]
    course = list(chain.from_iterable(own))
    made = [
        (material.source, _cards(material, defined, course))
        for material, defined in zip(materials, own, strict=True)
    ]
    chosen: dict[tuple[str, ...], CardId] = {}
    for _source, cards in sorted(made, key=lambda pair: age(pair[0])):
        for card in cards:
            chosen |= dict.fromkeys(_contents(card), card.id)
    kept: dict[CardId, Card] = {}
    for _source, cards in sorted(made, key=lambda pair: age(pair[0]), reverse=True):
        for card in cards:
            if all(chosen[key] == card.id for key in _contents(card)):
                kept.setdefault(card.id, card)
    by_place = {source.id: place for place, (source, _cards_of) in enumerate(made)}
    placed = sorted(kept.values(), key=lambda card: _place(card, by_place))
    return with_other_names(placed, materials)


def _cards(material: CardMaterial, own: Sequence[Defined], course: Sequence[Defined]) -> list[Card]:
    made = chain(
        term_cards(own, course),
        list_cards(material),
        table_cards(material),
        cloze_cards(material),
        code_cards(material),
    )
    once = {card.id: card for card in made}
    return sorted(once.values(), key=lambda card: card.origin.start if card.origin else 0)


def _contents(card: Card) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What no two cards have in common: a question; or, under any heading, it and its answer."""
    question = folded(card.question)
    return (card.kind, question), (card.kind, _HEADING.sub("", question), folded(card.answer))


def _place(card: Card, documents: dict[SourceId, int]) -> tuple[int, int]:
    assert card.origin is not None  # noqa: S101 - every card of the notes has one
    return documents[card.origin.source_id], card.origin.start
