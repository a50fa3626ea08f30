"""Whether a question needs the conversation to be understood. No model, no parser."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tutor.followups.phrases import listed, phrase_at, read
from tutor.followups.references import Kind, references
from tutor.followups.words import (
    ARTICLES,
    CLASSES,
    CLITICS,
    COPULAS,
    INTERROGATIVES,
    LIGHT_VERBS,
    PREPOSITIONS,
    SOCIAL,
    VERBS,
    fold,
    words,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tutor.followups.phrases import Sentence
    from tutor.types import Turn

_OPENING = re.compile(
    r"\W*(?:(?:vale|ok|bien|okay|ah|oye)\W+)?"
    r"(?:que hay de|que pasa con|que tal|y|e|pero|entonces|pues|o sea|what about|how about"
    r"|and what about|and how about|and|but|so|then)\b\W*"
)
"""How a question begins that goes on with something (folded)."""
_DEFINES = re.compile(
    r"\W*(?:que (?:es|son|era|fue|significa)|what(?: is| are|'s| was))\s+"
    r"(?:(?:un|una|unos|unas|an?)\s+)(?P<rest>.+)"
)
"""A definition of something new: `¿Qué es un algoritmo?`."""
_QUESTIONS = INTERROGATIVES | words("is are does do did can should es son hay")
RELATES = re.compile(
    r"\b(?:(?:se )?diferencian?|diferencias?|comparad[oa]s?|comparal[oa]s?|mejor|peor|igual"
    r"|differs?|different|differences?|compared?|comparison|better|worse)"
    r"\b[^.,;:]{0,25}?\b(?:con|de|que|respecto a|respecto al|frente a|from|to|with|than)\b"
    r"|\b(?:mas|menos|more|less)\s+\w+\s+(?:que|than)\b|\b\w+er than\b"
)
_VERB_AFTER = words("como cuando donde cuanto quien siempre")
_FINITE_END = re.compile(r"(?:[ae]n?|aba|ia)$")
_OWNS = words(
    "da dan tarda admite aguanta ofrece presenta genera tiene tienen usa usan utiliza"
    " utilizan necesita necesitan requiere requieren"
)
_COUNTS = words("que cuanto cuanta cuantos cuantas")
_PICKING = ((LIGHT_VERBS | VERBS) - COPULAS) | words(
    "conviene convienen gana ganan rinde consume consumen ahorra tarda tardan recomiendas"
)
_INFINITIVE = re.compile(r"..[aei]r$")
_MODALS = words("puede pueden debe deben suele suelen podria podrian")
_LONGEST = 40
"""Words of a question that may still lean on something; a longer one says what it is about."""
_WITHOUT_NAME = 2


def needs_rewriting(question: str, history: Sequence[Turn]) -> bool:
    """Whether a question only makes sense after the turns before it.

    It does if it names nothing specific, points back, compares with something that it does not
    name, or goes on with a fragment. A question that changes the topic stands alone.
    """
    folded = fold(question)
    sentence = read(question)
    keys = [word.key for word in sentence.items]
    if not history or not keys or all(key in SOCIAL for key in keys) or len(keys) > _LONGEST:
        return False
    if (defines := _DEFINES.fullmatch(folded)) and _stands(defines["rest"]):
        return False
    rest = read(question[opening_of(question) :])
    return (
        not any(word.is_specific for word in sentence.items)
        or points_back(question)
        or _compares_with_the_unnamed(folded, sentence)
        or _goes_on(question)
        or lacks_subject(rest)
        or lacks_owner(rest)
        or picks(rest)
        or acts_alone(rest)
        or ("?" in question and begins_with_verb(rest))
    )


def opening_of(question: str) -> int:
    """Where what comes after `¿y …`, `what about …` begins."""
    folded = fold(question)
    opening = _OPENING.match(folded)
    return opening.end() if opening and len(folded) == len(question) else 0


def _stands(rest: str) -> bool:
    """Whether what is to be defined is a noun of its own, and not `un ejemplo`."""
    items = read(rest).items
    return bool(items) and (items[0].is_specific or items[0].key in CLASSES)


def points_back(question: str) -> bool:
    """Whether a word of it refers to something that the question does not name itself."""
    found = references(question)
    if not found:
        return False
    # `¿Cuál de los dos es mejor, A o B?` names them itself.
    return not (all(r.kind is Kind.BOTH for r in found) and listed(read(question)))


def _compares_with_the_unnamed(folded: str, sentence: Sentence) -> bool:
    """`¿En qué se diferencia de DFS?`: only one of the two is named, and it comes last."""
    match = RELATES.search(folded)
    if match is None or len(folded) != len(sentence.text):
        return False
    before = [w for w in sentence.items if w.start < match.end() and w.is_specific]
    return not before and not listed(sentence)


def _goes_on(question: str) -> bool:
    """`¿Y en el caso continuo?`, `what about DFS?`; but `¿Y qué es un núcleo?` stands alone."""
    begin = opening_of(question)
    rest = read(question[begin:])
    keys = [word.key for word in rest.items]
    if not keys:
        return False
    asks = "¿" in rest.text.lstrip(" ¿") or any(
        key in _QUESTIONS | LIGHT_VERBS | VERBS for key in keys
    )
    if not begin:
        return keys[0] in PREPOSITIONS - {"a"} and not asks and not _names_first(rest)
    if not asks or keys[0] in {"si", "if"}:
        return True
    return not any(_names_something(rest, index) for index in range(len(keys)))


def _names_first(sentence: Sentence) -> bool:
    return len(sentence.items) == 1 and sentence.items[0].is_name


def _names_something(sentence: Sentence, index: int) -> bool:
    """Whether a phrase begins here that needs nothing before it: a name, `un núcleo`, `X de Y`."""
    phrase = phrase_at(sentence, index)
    if phrase is None:
        return False
    named = sentence.items[phrase.begin : phrase.end]
    if any(word.is_name for word in named):
        return True
    if sum(word.is_specific for word in named) >= _WITHOUT_NAME:
        return True
    return sentence.key(index - 1) in COPULAS or sentence.key(index) in {"un", "una", "a", "an"}


def lacks_subject(sentence: Sentence) -> bool:
    """Whether something is asked of nothing.

    `¿Cuándo converge?`, `¿es óptimo?`: the only specific word is a verb or an adjective.
    """
    specific = [i for i, word in enumerate(sentence.items) if word.is_specific]
    if len(specific) != 1 or specific[0] != len(sentence.items) - 1:
        return False
    at = specific[0]
    word, before = sentence.items[at], sentence.key(at - 1)
    if word.is_name:
        return False
    if at == 1 and before in COPULAS | {"que", "what", "which"}:
        return not sentence.gap(at)
    clitics = at
    while clitics and sentence.key(clitics - 1) in CLITICS | {"no"}:
        clitics -= 1
    if clitics < at and before in ARTICLES:
        return False
    return sentence.key(clitics - 1) in _VERB_AFTER if clitics else word.key in VERBS


def lacks_owner(sentence: Sentence) -> bool:
    """`¿Qué problema tiene con el ruido?`: nobody says what has it."""
    keys = [word.key for word in sentence.items]
    verb = next((i for i, key in enumerate(keys) if i > 1 and key in _OWNS), 0)
    if not verb or keys[0] not in _COUNTS or any(word.is_name for word in sentence.items):
        return False
    rest = range(verb + 1, len(keys))
    owner = any(keys[i] in ARTICLES and keys[i - 1] not in PREPOSITIONS for i in rest)
    follows = (PREPOSITIONS - {"a", "al"}) | {"como"}
    return verb == 2 and not owner and (not rest or keys[verb + 1] in follows)


def acts_alone(sentence: Sentence) -> bool:
    """`¿Por qué sufre con datos ruidosos?`, `¿es una distancia?`: no subject, only what follows."""
    keys = [word.key for word in sentence.items]
    if any(word.text[0].isupper() for word in sentence.items[1:]) or len(keys) < 3:
        return False
    if keys[0] in {"es", "son"} and keys[1] in {"un", "una", "unos", "unas"}:
        return len(keys) <= 5 and not any(_INFINITIVE.search(key) for key in keys[2:])
    at = 1 + (keys[:2] == ["por", "que"])
    if keys[at - 1] not in words("como cuando donde que") or (at == 1 and keys[0] == "que"):
        return False
    reflexive = keys[at] == "se"
    while at < len(keys) - 1 and keys[at] in CLITICS | {"no"}:
        at += 1
    links = (
        words("con entre en por para sin") if reflexive else words("con entre en por para sin a al")
    )
    free = all(keys[i - 1] in PREPOSITIONS for i in range(at + 1, len(keys)) if keys[i] in ARTICLES)
    follows = at + 1 < len(keys) and keys[at + 1] in links
    return keys[at] not in ARTICLES | PREPOSITIONS and free and follows


def picks(sentence: Sentence) -> bool:
    """`¿Cuál conviene con pocos datos?`: one of what was spoken of."""
    verb = sentence.key(1)
    asks = sentence.key(0) in {"cual", "cuales"} and verb in _PICKING
    return asks and not any(w.is_name for w in sentence.items) and not listed(sentence)


def begins_with_verb(sentence: Sentence) -> bool:
    """`¿Siempre llega al mínimo?`, `¿puede fallar?`: a verb comes first, and no subject at all."""
    keys = [word.key for word in sentence.items]
    at = int(keys[0] in {"siempre", "nunca"}) if keys else 0
    named = any(word.is_name for word in sentence.items[at + 1 :])
    if len(keys) < at + 2 or named or set(keys) & ARTICLES or not _FINITE_END.search(keys[at]):
        return False
    if keys[at] in INTERROGATIVES | PREPOSITIONS:
        return False
    modal = keys[at] in _MODALS and len(keys) == at + 2
    return modal or keys[at + 1] in {"al", "a", "del", "con"}
