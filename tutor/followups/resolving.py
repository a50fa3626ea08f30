"""Puts what was spoken of in the place of the words that point back at it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from tutor.followups.grammar import article, is_plural, of
from tutor.followups.phrases import read
from tutor.followups.references import Kind, references
from tutor.followups.words import (
    ATTRIBUTES,
    CLASSES,
    GENERIC_MODIFIERS,
    GRAMMAR,
    PREPOSITIONS,
    VERBS,
    fold,
    without_acute,
    words,
)

if TYPE_CHECKING:
    from tutor.followups.context import Context
    from tutor.followups.phrases import Sentence
    from tutor.followups.references import Reference

_ENCLITIC_PRONOUN = re.compile(r"(?:lo|la|los|las)$", re.IGNORECASE)
_PLURAL_POINTERS = words("they them their theirs ellos ellas los las")
_AFTER_VERB = words("mejor bien mas otra vez de nuevo again better")
_MODALS = words("puedo puede pueden puedes podemos podria debo debe deben quiero suelo suele")
_ADJECTIVE = re.compile(r"^\S+(?:ado|ada|ido|ida|ados|adas|al|ales|ico|ica|ivo|iva|oso|osa|ble)$")
_MODIFIES = re.compile(r"(?:al|ales|ico|ica|icos|icas|oso|osa|ivo|iva|ivos|ivas|ble|bles)$")


class Edit(NamedTuple):
    """`text[start:end]` becomes `new`."""

    start: int
    end: int
    new: str


def resolve(question: str, context: Context) -> str:
    """The question with its references replaced; the same where nothing can be put for them."""
    sentence = read(question)
    edits: list[Edit] = []
    for reference in references(question):
        edits += _edits(sentence, reference, context)
    text = question
    for edit in sorted(edits, reverse=True):
        text = text[: edit.start] + edit.new + text[edit.end :]
    return " ".join(text.split())


def _edits(sentence: Sentence, reference: Reference, context: Context) -> list[Edit]:
    if reference.kind is Kind.BOTH:
        return _both(sentence, reference, context)
    if reference.kind in {Kind.ORDINAL, Kind.OTHER}:
        return _member(sentence, reference, context)
    pointed = _pointed(sentence, reference, context)
    if not pointed:
        return []
    place = {Kind.POSSESSIVE: _possessive, Kind.NOUN: _noun, Kind.CLITIC: _clitic}
    if found := place.get(reference.kind):
        return found(sentence, reference, pointed, context)
    if reference.kind is Kind.ENCLITIC:
        return _enclitic(sentence, reference, pointed)
    return [_replacing(sentence, reference, pointed)]


def _pointed(sentence: Sentence, reference: Reference, context: Context) -> str:
    """The topic; both members of a pair that was compared where the pointer is a plural."""
    key = sentence.key(reference.begin)
    plural = key in _PLURAL_POINTERS or re.search(r"(?:los|las)$", key) is not None
    in_question = (
        not context.answered
        and len(context.members) > 1
        and all(fold(member.split()[-1]) in fold(context.asked) for member in context.members)
    )
    if plural and in_question:
        return context.joined()
    many = is_plural(context.phrase, context.language) and not is_plural(
        context.topic, context.language
    )
    return context.phrase if plural and many else context.topic


def _replacing(sentence: Sentence, reference: Reference, new: str) -> Edit:
    first, last = sentence.items[reference.begin], sentence.items[reference.end - 1]
    link = {"del": "de ", "al": "a "}.get(first.key, "")
    return Edit(first.start, last.end, link + new)


def _possessive(
    sentence: Sentence, reference: Reference, pointed: str, context: Context
) -> list[Edit]:
    """`su fórmula` becomes `la fórmula de A*`."""
    word = sentence.items[reference.begin]
    end = _owned_end(sentence, reference.end)
    if end == reference.end:
        return [Edit(word.start, word.end, of(pointed, context.language).strip())]
    owned = sentence.items[reference.end : end]
    noun = next((w.text for w in owned if w.key not in GENERIC_MODIFIERS), owned[0].text)
    the = "the" if context.language == "en" else article(noun)
    after = sentence.items[end - 1].end
    return [Edit(word.start, word.end, the), Edit(after, after, of(pointed, context.language))]


def _owned_end(sentence: Sentence, begin: int) -> int:
    """Where `complejidad temporal` ends: a noun, what describes it, and `de` with another."""
    index = begin
    while index < len(sentence.items) and (index == begin or not sentence.gap(index)):
        key = sentence.key(index)
        if key in {"de", "of"} and index > begin and sentence.key(index + 1) not in GRAMMAR | {""}:
            index += 2
        elif key in GRAMMAR | VERBS or (index > begin and not _describes(sentence, index)):
            break
        else:
            index += 1
    return index


def _describes(sentence: Sentence, index: int) -> bool:
    """Whether a word goes with the noun before it: an adjective, or (English) the noun itself."""
    key = sentence.key(index)
    before = sentence.key(index - 1)
    vague = key in GENERIC_MODIFIERS | ATTRIBUTES | CLASSES
    return vague or _MODIFIES.search(key) is not None or before in GENERIC_MODIFIERS


def _noun(sentence: Sentence, reference: Reference, pointed: str, context: Context) -> list[Edit]:
    """`ese algoritmo` is the topic, `esa fórmula` is something of it."""
    noun = sentence.items[reference.end - 1]
    same = noun.key in CLASSES | {"one", "ones"} or noun.key in fold(pointed).split()
    if same:
        return [_replacing(sentence, reference, pointed)]
    the = "the" if context.language == "en" else article(noun.text)
    return [_replacing(sentence, reference, f"{the} {noun.text}{of(pointed, context.language)}")]


def _clitic(
    sentence: Sentence, reference: Reference, pointed: str, _context: Context
) -> list[Edit]:
    """`¿Cómo lo calculo?` becomes `¿Cómo calculo la entropía?`."""
    pronoun = sentence.items[reference.begin]
    verb = reference.end
    infinitive = re.search(r"[aei]r$", sentence.key(verb + 1)) is not None
    if sentence.key(verb) in _MODALS and infinitive:
        verb += 1
    at = sentence.items[verb].end
    return [
        Edit(pronoun.start, sentence.items[reference.end].start, ""),
        Edit(at, at, f" {pointed}"),
    ]


def _enclitic(sentence: Sentence, reference: Reference, pointed: str) -> list[Edit]:
    """`explícalo mejor` becomes `explica mejor A*`."""
    word = sentence.items[reference.begin]
    verb = _ENCLITIC_PRONOUN.sub("", word.text)
    to_whom = fold(verb).endswith(("me", "nos")) and re.search(r"r(?:me|nos)$", fold(verb)) is None
    if not to_whom:
        verb = without_acute(verb)
    index = reference.end
    while sentence.key(index) in _AFTER_VERB and not sentence.gap(index):
        index += 1
    if sentence.key(index - 1) in PREPOSITIONS:  # `explícalo de …`
        index = reference.end
    at = sentence.items[index - 1].end
    if index == reference.end:
        return [Edit(word.start, word.end, f"{verb} {pointed}")]
    return [Edit(word.start, word.end, verb), Edit(at, at, f" {pointed}")]


def _both(sentence: Sentence, reference: Reference, context: Context) -> list[Edit]:
    """`cuál de los dos` gets its members beside it, `ambos` is replaced by them."""
    if len(context.members) < 2:
        return []
    if sentence.key(reference.begin - 1) in {"de", "of"}:
        at = sentence.items[reference.end - 1].end
        either = context.joined("o" if context.language == "es" else "or")
        return [Edit(at, at, f", {either},")]
    return [_replacing(sentence, reference, context.joined())]


def _member(sentence: Sentence, reference: Reference, context: Context) -> list[Edit]:
    members = context.members
    if reference.kind is Kind.OTHER:
        new = context.other()
    else:
        inside = -len(members) <= reference.place < len(members)
        new = members[reference.place] if inside else ""
    if not new:
        return []
    return [_replacing(sentence, reference, _placed(new, context))]


def _placed(member: str, context: Context) -> str:
    """A member, with the topic beside it if an answer named it: `no supervisado` says little."""
    if not context.answered or not context.topic or fold(context.topic) in fold(member):
        return member
    adjective = fold(member).split()[0] in PREPOSITIONS | {"no"} or _ADJECTIVE.search(fold(member))
    if adjective and len(context.topic.split()) <= 2 and member.islower():
        return f"{context.topic} {member}"
    return f"{member} ({context.topic})"
