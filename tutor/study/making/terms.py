"""Cards of what is defined: term to definition, definition to term, one of four, true or false."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from tutor.map.definitions import Definition, DefinitionForm, definitions
from tutor.map.wording import key_words
from tutor.model import Source
from tutor.study.card import Card, CardKind
from tutor.study.making.choosing import (
    WRONG,
    alike,
    coin,
    masked,
    mixed,
    overlap,
    pick,
    shuffled,
    tells,
)
from tutor.study.making.frames import BLANK
from tutor.study.making.material import CardMaterial

_LEAST_WORDS = 5
"""Words that carry meaning, of a description by which its term is to be found."""
_SHORT = 220
"""Characters of a description that is one of several on a card."""
_WEEKS = 2
"""Terms are chosen from documents of so many weeks before and after."""
_FEWEST, _MOST = 3, 6
"""Pairs to match."""
_GLOSS = re.compile(r"\s*\([^()]*\)")


@dataclass(frozen=True, slots=True)
class Defined:
    """A definition and the document that it is in: what a course's terms are chosen from.

    `term` has no translation in parentheses, `said` does not name the term.
    """

    material: CardMaterial
    definition: Definition
    term: str
    said: str


def defined_in(material: CardMaterial) -> list[Defined]:
    """What a document defines."""
    made = []
    for definition in definitions(material):
        term = _GLOSS.sub("", definition.term)
        made.append(Defined(material, definition, term, masked(definition.said, term)))
    return made


def term_cards(own: Sequence[Defined], course: Sequence[Defined]) -> Iterator[Card]:
    """The cards of a document's definitions; wrong choices come from the course, nearest first."""
    for defined in own:
        yield _definition(defined)
    askable = [defined for defined in own if _is_askable(defined, course)]
    for defined in askable:
        yield _term(defined)
        choice = _choice(defined, course)
        if choice:
            yield choice
    for _block, group in groupby(askable, key=lambda defined: defined.definition.block):
        yield from _true_or_false(list(group))
    yield from _matches(askable)


def _definition(defined: Defined) -> Card:
    found, frames = defined.definition, defined.material.frames
    if found.form is DefinitionForm.SAYS:
        plural, single = ("son", "es") if defined.material.language == "es" else ("are", "is")
        verb = plural if found.plural else single
        question = frames.what_is.format(verb=verb, term=found.named)
    else:
        frame = {
            DefinitionForm.FORMAL: frames.definition,
            DefinitionForm.LABEL: frames.labelled,
            DefinitionForm.THEOREM: frames.theorem,
        }
        question = frame[found.form].format(term=found.term)
    return _card(defined, CardKind.DEFINITION, question, found.said)


def _card(defined: Defined, kind: CardKind, question: str, answer: str) -> Card:
    found = defined.definition
    place = (found.start, found.end)
    return defined.material.card(kind, question, answer, place, (found.topic, found.term))


def _is_askable(defined: Defined, course: Sequence[Defined]) -> bool:
    """Whether the term, and no other of the course, is found by what is said of it."""
    found, said = defined.definition, defined.said
    unnamed = found.form is DefinitionForm.FORMAL and BLANK not in said
    unnamed |= found.term.islower() and len(found.term.split()) == 1
    unnamed |= f"({BLANK})" in said  # its long form stands before it
    if (
        unnamed
        or found.form is DefinitionForm.THEOREM
        or len(key_words(said)) < _LEAST_WORDS
        or tells(said, found.term)
    ):
        return False
    return not any(
        alike(said, other.said) and not overlap(defined.term, other.term) for other in course
    )


def _question(defined: Defined, frame: str, kind: CardKind, answer: str) -> Card:
    """A card that must not name the term above its question either."""
    found, material = defined.definition, defined.material
    titles = (found.topic, material.source.title)
    section = next((title for title in titles if not tells(title, defined.term)), "")
    place = (found.start, found.end)
    return material.card(kind, frame, answer, place, (section, ""))


def _term(defined: Defined) -> Card:
    question = defined.material.frames.which_term.format(said=defined.said)
    return _question(defined, question, CardKind.TERM, defined.definition.term)


def _choice(defined: Defined, course: Sequence[Defined]) -> Card | None:
    wrong = _wrong_terms(defined, course)
    if len(wrong) < WRONG:
        return None
    question = defined.material.frames.which_term.format(said=defined.said)
    card = _question(defined, question, CardKind.CHOICE, defined.term)
    return replace(card, choices=shuffled(card.id, (defined.term, *wrong)))


def _wrong_terms(defined: Defined, course: Iterable[Defined]) -> list[str]:
    """The terms nearest to this one, of its language, that are not right, too."""
    kept: list[str] = []
    source = defined.material.source
    near = [other for other in course if _is_near(source, other.material.source)]
    for other in sorted(near, key=lambda other: _distance(defined, other)):
        fits = (
            other.material.language == defined.material.language
            and other.definition.form is not DefinitionForm.THEOREM
            and not tells(defined.said, other.term)
            and not alike(defined.said, other.said)
            and not any(overlap(other.term, term) for term in (defined.term, *kept))
        )
        if fits:
            kept.append(other.term)
        if len(kept) == WRONG:
            break
    return kept


def _is_near(one: Source, other: Source) -> bool:
    """Whether two documents are one, or of weeks close to each other."""
    if one.id == other.id:
        return True
    return None not in (one.week, other.week) and abs((one.week or 0) - (other.week or 0)) <= _WEEKS


def _distance(one: Defined, other: Defined) -> tuple[bool, bool, bool, int]:
    """How far two definitions are apart: in a list, a section, a document, a course."""
    mine, its = one.definition, other.definition
    elsewhere = one.material is not other.material
    days = abs((one.material.source.week or 0) - (other.material.source.week or 0))
    return (
        elsewhere,
        mine.topic != its.topic,
        mine.form is not its.form,
        days if elsewhere else abs(mine.start - its.start),
    )


def _true_or_false(group: Sequence[Defined]) -> Iterator[Card]:
    """Of terms of one list: what it says of each, or what it says of another one instead."""
    plain = [defined for defined in group if defined.said == defined.definition.said]
    for defined in plain:
        others = [
            other.said
            for other in plain
            if other is not defined and not tells(other.said, defined.term)
        ]
        if not others:
            continue
        frames = defined.material.frames
        is_true = coin(f"{defined.term}{defined.said}")
        said = defined.said if is_true else pick(defined.said, others)
        told = frames.means.format(term=defined.definition.term, said=said)
        answer = frames.true if is_true else frames.false
        card = _card(defined, CardKind.TRUE_FALSE, frames.is_true.format(said=told), answer)
        yield replace(card, choices=(frames.true, frames.false))


def _matches(askable: Sequence[Defined]) -> Iterator[Card]:
    """Of each section with enough terms, pairs to match."""
    for _topic, defined in groupby(askable, key=lambda defined: defined.definition.topic):
        pairs: list[Defined] = []
        for one in defined:
            apart = not any(
                overlap(one.term, o.term) or tells(o.said, one.term) or tells(one.said, o.term)
                for o in pairs
            )
            if apart and len(one.said) <= _SHORT and "\n" not in one.said:
                pairs.append(one)
        if len(pairs) >= _FEWEST:
            yield _match(pairs[:_MOST])


def _match(pairs: Sequence[Defined]) -> Card:
    first = pairs[0]
    items = tuple(pair.definition.term for pair in pairs)
    answer = "\n".join(f"{pair.definition.term} → {pair.said}" for pair in pairs)
    place = (
        min(pair.definition.start for pair in pairs),
        max(pair.definition.end for pair in pairs),
    )
    topic = first.definition.topic
    card = first.material.card(
        CardKind.MATCH,
        first.material.frames.match,
        answer,
        place,
        (topic, ""),
        items=items,
    )
    return replace(card, choices=mixed(card.id, [pair.said for pair in pairs]))
