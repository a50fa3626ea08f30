"""Cards that a model wrote, when notes are read anew: they stay where their sentence stands."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from tutor.map.model import newest_versions
from tutor.model import CleanText, Source
from tutor.study.card import Card
from tutor.study.making.material import CardMaterial


def still_said(cards: Iterable[Card], documents: Sequence[tuple[Source, CleanText]]) -> list[Card]:
    """The cards written by a model whose words the documents have, each at its place now.

    The document that it stood in comes first, then the others in their order.
    """
    current = newest_versions(source for source, _text in documents)
    materials = [CardMaterial(source, text) for source, text in documents if source.id in current]
    return [moved for card in cards if card.model and (moved := _moved(card, materials))]


def _moved(card: Card, materials: Sequence[CardMaterial]) -> Card | None:
    origin = card.origin
    if origin is None:
        return None
    for material in sorted(materials, key=lambda one: one.source.path != origin.path):
        start = material.text.text.find(origin.text)
        if start >= 0:
            return replace(card, origin=material.origin(start, start + len(origin.text)))
    return None
