"""The documents of a course -> its cards, each of which stands once, and is right by any name."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain

from tutor.map.model import age
from tutor.map.parentheses import glossed_terms
from tutor.model import BlockKind, CleanText, Source, SourceId
from tutor.study.card import Card, CardId, CardKind, bare
from tutor.study.making.cloze import cloze_cards, code_cards
from tutor.study.making.conditions import condition_cards
from tutor.study.making.defined import Defined, defined_in
from tutor.study.making.labels import recurring
from tutor.study.making.lists import list_cards
from tutor.study.making.material import CardMaterial, newest_materials
from tutor.study.making.tables import table_cards
from tutor.study.making.terms import term_cards
from tutor.text.folding import folded
from tutor.text.paragraphs import joined_lines
from tutor.text.sentences import split_sentences

_ACRONYM = re.compile(r"[A-Z][A-Za-z]{0,4}[A-Z]")
_NO_PROSE = (BlockKind.CODE, BlockKind.TABLE, BlockKind.FIGURE)
_ASKED = (CardKind.TERM, CardKind.CLOZE, CardKind.ROW)
"""Kinds whose answer is a term."""


def course_cards(documents: Iterable[tuple[Source, CleanText]]) -> list[Card]:
    """The cards of a course, document by document; wrong choices come from all of it.

    Of several versions of a lesson's notes the newest makes cards, and of documents that ask the
    same the newest one does.
    """
    materials = newest_materials(documents)
    labels = recurring(materials)
    own = [defined_in(material, labels) for material in materials]
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
        condition_cards(material),
    )
    once = {card.id: card for card in made if not material.is_twofold(card)}
    return sorted(once.values(), key=lambda card: card.origin.start if card.origin else 0)


def _contents(card: Card) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What no two cards have in common: a question, with what is to be matched; or, under any
    heading, it and its answer.
    """
    question = folded(card.question)
    return (card.kind, question, *card.items), (card.kind, bare(question), folded(card.answer))


def _place(card: Card, documents: dict[SourceId, int]) -> tuple[int, int]:
    assert card.origin is not None  # noqa: S101 - every card of the notes has one
    return documents[card.origin.source_id], card.origin.start


# --- other names of a term, as the notes write them: "poda (pruning)", "RNA (red neuronal …)" ---


def with_other_names(cards: Iterable[Card], materials: Iterable[CardMaterial]) -> list[Card]:
    """The cards; those whose answer is a term accept what the notes of the course call it, too.

    No name counts that is the answer of another card, or that the notes give to two terms.
    """
    given = list(cards)
    named: dict[str, dict[str, str]] = defaultdict(dict)
    for term, name in chain.from_iterable(map(_glosses, materials)):
        named[term].setdefault(folded(name), name)
    answers = {folded(card.answer) for card in given if card.kind in _ASKED}
    owners: dict[str, set[str]] = defaultdict(set)
    for answer in answers:
        for name in named.get(answer, ()):
            owners[name].add(answer)
    accepted = []
    for card in given:
        also = [
            name
            for key, name in named.get(folded(card.answer), {}).items()
            if len(owners[key]) == 1 and key not in answers and key not in folded(card.question)
        ]
        is_term = card.kind in _ASKED and not card.choices
        accepted.append(replace(card, also=tuple(also)) if also and is_term else card)
    return accepted


def _glosses(material: CardMaterial) -> Iterator[tuple[str, str]]:
    """Terms, folded, with another name each."""
    for block in material.text.blocks:
        if block.kind in _NO_PROSE:
            continue
        text = joined_lines(material.slice(block.start, block.end))
        for first, last in split_sentences(text):
            for start, end in glossed_terms(material, text[first:last]):
                term, _bracket, within = text[first:last][start : end - 1].partition(" (")
                terms = [term]
                if _ACRONYM.fullmatch(acronym := term.rpartition(" ")[2]):
                    terms.append(acronym)
                first_name, *more = re.split("[,;] ", within)
                for name in (first_name, *filter(_ACRONYM.fullmatch, more)):
                    yield from ((folded(one), name) for one in terms)
                    if _ACRONYM.fullmatch(name) or _ACRONYM.fullmatch(terms[-1]):
                        yield folded(name), terms[-1]
