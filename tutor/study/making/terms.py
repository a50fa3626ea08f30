"""Cards of what is defined: term to definition, definition to term, one of four, true or false."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from tutor.map.definitions import Cue
from tutor.map.wording import key_words
from tutor.study.card import Card, CardKind
from tutor.study.making.choosing import (
    DISTANT_KIN,
    FEWEST_PAIRS,
    WRONG,
    alike,
    coin,
    fits_article,
    fits_blanks,
    matching,
    overlap,
    pick,
    related,
    shuffled,
    stands_out,
    stems,
    stems_tell,
    tells,
    whether,
)
from tutor.study.making.defined import Defined
from tutor.study.making.headings import titles_over
from tutor.study.making.material import BLANK

_LEAST_WORDS = 5
"""Words that carry meaning, of a description by which its term is to be found."""


def term_cards(own: Sequence[Defined], course: Sequence[Defined]) -> Iterator[Card]:
    """The cards of a document's definitions; wrong choices come from the course, nearest first.

    What stands before a colon in a list is often a label that only its list makes clear: unless the
    list is of terms, three at least, it is asked beside others only.
    """
    askable = [defined for defined in own if _is_askable(defined, course)]
    glossaries = list(_glossaries(askable))
    alone = {one.definition.start for one in own if not one.listed}
    alone |= {one.definition.start for glossary in glossaries for one in glossary}
    yield from (_definition(defined) for defined in own if defined.definition.start in alone)
    for defined in askable:
        yield from _which_term(defined, course, alone=defined.definition.start in alone)
    for _block, group in groupby(askable, key=_block_of):
        yield from _true_or_false(list(group))
    yield from filter(None, map(_match, glossaries))


def _block_of(defined: Defined) -> int:
    return defined.definition.block


def _glossaries(askable: Iterable[Defined]) -> Iterator[list[Defined]]:
    """The terms of each list, or of what stands below one of its items, if there are enough."""
    listed = [defined for defined in askable if defined.listed]
    for block, topic in dict.fromkeys((_block_of(one), one.topic) for one in listed):
        group = [one for one in listed if (_block_of(one), one.topic) == (block, topic)]
        if len(group) >= FEWEST_PAIRS:
            yield group


def _definition(defined: Defined) -> Card:
    found, frames = defined.definition, defined.material.frames
    if found.form is Cue.SAYS:
        plural, single = ("son", "es") if defined.material.language == "es" else ("are", "is")
        verb = plural if found.plural else single
        question = frames.what_is.format(verb=verb, term=found.named)
    else:
        frame = frames.definition if found.form is Cue.FORMAL else frames.labelled
        question = frame.format(term=found.term)
    place, about = (found.start, found.end), (defined.topic, found.term)
    return defined.material.card(CardKind.DEFINITION, question, found.said, place, about)


def _is_askable(defined: Defined, course: Sequence[Defined]) -> bool:
    """Whether the term, and no other of the course, is found by what is said of it."""
    found, said = defined.definition, defined.said
    unnamed = found.form is Cue.FORMAL and BLANK not in said
    unnamed |= found.term.islower() and len(found.term.split()) == 1
    unnamed |= f"({BLANK})" in said  # its long form stands before it
    unnamed |= not fits_blanks(found.said, defined.term)
    told = tells(said, found.term)
    told |= stems_tell(said, defined.term)
    if not defined.is_name or unnamed or told or len(key_words(said)) < _LEAST_WORDS:
        return False
    return not any(
        alike(said, other.said) and not overlap(defined.term, other.term) for other in course
    )


def _which_term(defined: Defined, course: Sequence[Defined], *, alone: bool) -> Iterator[Card]:
    """The card that asks for a term, if it may stand `alone`, and the same with four terms to
    choose from.

    What stands above their question must not name the term.
    """
    if stems_tell(defined.said, defined.term, DISTANT_KIN):
        return
    found, material = defined.definition, defined.material
    titles = (defined.topic, *titles_over(material, found.start))
    own = stems(defined.term)
    above = next((t for t in titles if not (tells(t, defined.term) or own <= stems(t))), "")
    question = material.frames.which_term.format(said=defined.said)
    place, about = (found.start, found.end), (above, "")
    if alone:
        yield material.card(CardKind.TERM, question, found.term, place, about)
    chosen = _wrong_terms(defined, course)
    wrong = [other.term for other in chosen]
    if (
        sum(_is_like(defined, other) for other in chosen) >= WRONG - 1
        and len(wrong) == WRONG
        and fits_article(defined.said, wrong)
        and not stands_out(defined.term, wrong, defined.said)
        and not stands_out(defined.term, wrong, f"{above} {defined.said}")
    ):
        card = material.card(CardKind.CHOICE, question, defined.term, place, about)
        yield replace(card, choices=shuffled(card.id, (defined.term, *wrong)))


def _is_like(defined: Defined, other: Defined) -> bool:
    """Whether another term may be taken for this one: for a label one of its section; for what a
    sentence says what it is one that stands before no colon, too. Others are labels of what the
    sentence is about, and beside a label of elsewhere the right one alone fits.
    """
    mine, its = defined.definition, other.definition
    if mine.form is Cue.LABEL:
        return mine.topic == its.topic
    return mine.form is not Cue.SAYS or mine.topic == its.topic or its.form is not Cue.LABEL


def _wrong_terms(defined: Defined, course: Iterable[Defined]) -> list[Defined]:
    """The terms nearest to this one that are not right, too."""
    kept: list[Defined] = []
    source = defined.material.source
    near = [
        other
        for other in course
        if other.is_name
        and (
            other.material is defined.material
            or None not in (source.week, other.material.source.week)
        )
    ]
    for other in sorted(near, key=lambda other: _distance(defined, other)):
        if not (
            tells(defined.said, other.term)
            or any(overlap(other.term, one.term) for one in (defined, *kept))
        ):
            kept.append(other)
        if len(kept) == WRONG:
            break
    return kept


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
            if other is not defined
            and not tells(other.said, defined.term)
            and not overlap(other.term, defined.term)
        ]
        is_true = coin(f"{defined.term}{defined.said}")
        if not is_true:
            others = [said for said in others if not related(said, defined.said)]
        if others:
            found, material = defined.definition, defined.material
            said = defined.said if is_true else pick(defined.said, others)
            told = material.frames.means.format(term=found.term, said=said)
            asked = whether(material.frames, told, is_true=is_true)
            place, about = (found.start, found.end), (defined.topic, found.term)
            yield material.card(*asked, place, about, choices=material.frames.sides)


def _match(group: Sequence[Defined]) -> Card | None:
    """The terms of one list, and what it says of each; nothing of two that may be the same."""
    told = [
        one
        for one in group
        if not any(alike(one.said, other.said) for other in group if other is not one)
    ]
    if len(told) < FEWEST_PAIRS:
        return None
    material, topic = told[0].material, told[0].topic
    pairs = [(defined.definition.term, defined.said) for defined in told]
    place = told[0].definition.start, told[-1].definition.end
    return matching(material, material.frames.match_terms, pairs, place, topic)
