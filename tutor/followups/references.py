"""Words of a question that point back at the conversation: pronouns, possessives, `el segundo`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from tutor.followups.phrases import read
from tutor.followups.words import (
    ARTICLES,
    ATTRIBUTES,
    CLASSES,
    DEICTIC_HEADS,
    GRAMMAR,
    ORDINALS,
    PREPOSITIONS,
    VERBS,
    words,
)

if TYPE_CHECKING:
    from tutor.followups.phrases import Sentence


class Kind(StrEnum):
    """How a word points back."""

    POSSESSIVE = "possessive"
    """`su fórmula`, `its formula`: something of the topic."""
    NOUN = "noun"
    """`ese algoritmo`, `that formula`: the topic, or something of it."""
    PRONOUN = "pronoun"
    """`eso`, `it`: the topic itself."""
    CLITIC = "clitic"
    """`lo calculo`: the topic, before its verb."""
    ENCLITIC = "enclitic"
    """`explícalo`: the topic, joined to its verb."""
    BOTH = "both"
    """`los dos`, `both`, `entre ellos`: the members of a list or a pair."""
    ORDINAL = "ordinal"
    """`el segundo`, `the latter`: a member of a list."""
    OTHER = "other"
    """`el otro`: the member of a pair that was not spoken of last."""


@dataclass(frozen=True, slots=True)
class Reference:
    """Words `begin` to `end` (exclusive) of a question point back. `place` counts list members
    from 0, -1 being the last.
    """

    kind: Kind
    begin: int
    end: int
    place: int = 0


_ACCENTED_PRONOUNS = words("él éste ésta éstos éstas ése ésa ésos ésas aquél aquélla")
_PRONOUNS = words(
    "eso esto aquello ello ella ellos ellas it they them him itself theirs himself herself"
)
_POSSESSIVES = words("su sus its their his her cuyo cuya")
_DEMONSTRATIVES = words(
    "ese esa esos esas este esta estos estas aquel aquella aquellos aquellas dicho dicha dichos"
    " dichas this that these those"
)
_STANDING_DEMONSTRATIVES = words("this that these those este ese esta esa estos esos estas esas")
_PLACES = {
    "primer": 0, "primero": 0, "primera": 0, "first": 0, "former": 0,
    "segundo": 1, "segunda": 1, "second": 1,
    "primeros": 0, "primeras": 0, "segundos": 1, "segundas": 1, "ultimos": -1, "ultimas": -1,
    "tercer": 2, "tercero": 2, "tercera": 2, "third": 2,
    "cuarto": 3, "cuarta": 3, "fourth": 3, "quinto": 4, "quinta": 4, "fifth": 4,
    "ultimo": -1, "ultima": -1, "last": -1, "latter": -1,
}  # fmt: skip
_OTHERS = words("otro otra otros otras other others demas")
_INFINITIVE = re.compile(r"\w{2,}[aei]r")
_NEUTER_FOLLOWS = words("que mas menos mejor peor mismo cual contrario anterior siguiente") | {""}
_NUMBERS = words("dos tres cuatro two three four")
_BEFORE_VERB = words("lo la los las le les")
_STEMS = (
    "calcul us aplic demuestr demostr defin interpret implement entren invent descubr propus"
    " cre hac hag hic entiend entend expliqu explic evit eleg elij elig resuelv resolv obten"
    " obtien obteng mid utiliz pued pod deb llam compar distingu diferenci represent constru"
    " escrib escog optimiz us ejecut prob encuentr deriv conoc afect mejor comprend sab comprueb"
    " acept rechaz soport mand gener cort divid gan perd fund firm aprob regul"
).split()
_FINITE = re.compile(
    rf"(?:{'|'.join(_STEMS)})"
    r"(?:o|a|e|as|es|amos|emos|imos|an|en|aron|ieron|io|ia|ian|aba|aban|y?o|ye|yen|yo|ria|rian|s)"
)
_NOUNS_LIKE_VERBS = words(
    "prueba pruebas regula firma firmas funda fundas mejora mejoras mejores gana ganas uso"
    " usos calculo calculos diferencia diferencias deriva llama llamas compara medio media medias"
)
_NOT_CLITIC_AFTER = words("de del en a con por para sobre entre the") | ARTICLES
_IMPERATIVES = (
    "explica|resume|define|describe|demuestra|compara|calcula|dibuja|muestra|ensena|aclara|detalla"
    "|amplia|desarrolla|repite|di|da|pon|haz|deriva|traduce|ilustra|justifica|prueba|interpreta"
    "|cita|enumera|lista|resuelve|aplica|usa|simplifica|relaciona|distingue|cuenta"
)
_ENCLITIC = re.compile(
    rf"(?:(?:{_IMPERATIVES})|\w{{2,}}[aei]r|\w+(?:[ai]e?ndo|yendo))(?:me|nos|te|se)?(?:lo|la|los|las)"
)
_NO_ENCLITIC = words(
    "carlo montecarlo carlos charla charlas perla perlas burla burlas parla merlo hirlas orla mirlo"
    " birla dila dilo pola dala"
)
_EXPLETIVE = re.compile(
    r"\bit\s+(?:is\s+|be\s+|was\s+)?(?:possible|true|necessary|common|better|important|enough|hard"
    r"|easy|safe|valid|correct|useful|called|make\s+sense|take|takes|mean\s+(?:that|to|for|when|if"
    r"|a|an|the))\b"
    r"|\bit\s+(?:take|mean)\s+\w+",
    re.IGNORECASE,
)
_THAT_CLAUSE = words("is so say mean means prove show true know such fact states claim ensure")


def references(question: str) -> list[Reference]:
    """What points back in a question, in order.

    A pronoun that has something specific before it in the question itself points there, and is
    none: `¿Qué es un perceptrón y cuál es su regla?` stands alone.
    """
    sentence = read(question)
    if _EXPLETIVE.search(question) and any(word.is_specific for word in sentence.items):
        return []
    found: list[Reference] = []
    index = 0
    while index < len(sentence.items):
        if sentence.items[index].is_specific and not _is_pointing_verb(sentence, index):
            break
        reference = _reference_at(sentence, index)
        if reference is None:
            index += 1
        else:
            found.append(reference)
            index = reference.end
    return found


def _is_pointing_verb(sentence: Sentence, index: int) -> bool:
    """Whether a word that looks specific is but the verb, the antecedent still to be found."""
    word = sentence.items[index]
    if _enclitic(word.key):
        return True
    if word.key in VERBS:
        return True
    if _INFINITIVE.fullmatch(word.key) and sentence.key(index - 1) not in ARTICLES:
        return not word.is_name
    before = sentence.key(index - 1)
    return not word.is_name and before in words("como cuando donde quien who") | {"se"}


def _reference_at(sentence: Sentence, index: int) -> Reference | None:
    for find in (_both, _ordinal, _other, _determined, _pronoun, _clitic):
        if reference := find(sentence, index):
            return reference
    return None


def _both(sentence: Sentence, index: int) -> Reference | None:
    key = sentence.key(index)
    if key in {"ambos", "ambas", "both"} and _ends_phrase(sentence, index + 1):
        return Reference(Kind.BOTH, index, index + 1)
    if key in {"entre", "between"} and sentence.key(index + 1) in {"ellos", "ellas", "them"}:
        return Reference(Kind.BOTH, index + 1, index + 2)
    article = key in {"los", "las", "the", "estos", "esos", "these", "those"}
    if article and sentence.key(index + 1) in _NUMBERS:
        end = index + 2 + (sentence.key(index + 2) in CLASSES)
        if _ends_phrase(sentence, end) and sentence.key(end) not in {"de", "of"}:
            return Reference(Kind.BOTH, index, end)
    return None


def _ordinal(sentence: Sentence, index: int) -> Reference | None:
    if sentence.key(index) not in {"el", "la", "los", "las", "the", "del", "al"}:
        return None
    place = _PLACES.get(sentence.key(index + 1))
    if place is None:
        return None
    end = index + 2
    if sentence.key(end) in CLASSES | {"one", "ones"}:
        end += 1
    if sentence.key(end) in {"de", "of"} and sentence.key(end + 1) in words("ellos ellas them"):
        end += 2
    free = _ends_phrase(sentence, end) and sentence.key(end) not in words("en que to that of de")
    return Reference(Kind.ORDINAL, index, end, place) if free else None


def _other(sentence: Sentence, index: int) -> Reference | None:
    if sentence.key(index) not in {"el", "la", "los", "las", "the", "del", "al"}:
        return None
    if sentence.key(index + 1) not in _OTHERS:
        return None
    end = index + 2
    if sentence.key(end) in CLASSES | {"one", "ones"}:
        end += 1
    return Reference(Kind.OTHER, index, end) if _ends_phrase(sentence, end) else None


def _determined(sentence: Sentence, index: int) -> Reference | None:
    """`su fórmula`, `that algorithm`, and a demonstrative that stands alone."""
    key, following = sentence.key(index), sentence.key(index + 1)
    if key in _POSSESSIVES and not _is_the_askers(sentence, index):
        return Reference(Kind.POSSESSIVE, index, index + 1)
    aside = following in DEICTIC_HEADS or _is_verb_esta(sentence, index)
    if key not in _DEMONSTRATIVES or aside:
        return None
    if following in ATTRIBUTES | CLASSES | {"one", "ones"} and not sentence.gap(index + 1):
        return Reference(Kind.NOUN, index, index + 2)
    if key in _STANDING_DEMONSTRATIVES and _stands_alone(sentence, index):
        return Reference(Kind.PRONOUN, index, index + 1)
    if following and following not in GRAMMAR and key != "that":
        return Reference(Kind.NOUN, index, index + 2)
    return None


def _is_the_askers(sentence: Sentence, index: int) -> bool:
    """`¿Quién trasladó su corte?`: the court of whom is asked for."""
    asks_who = any(sentence.key(i) in {"quien", "quienes", "who"} for i in range(index))
    owned = sentence.key(index + 1)
    return asks_who and owned not in ATTRIBUTES | CLASSES | GRAMMAR | {""}


def _is_verb_esta(sentence: Sentence, index: int) -> bool:
    """`está` (also typed without its accent) is a verb, not a demonstrative."""
    word = sentence.items[index]
    if word.key != "esta":
        return False
    before = words("donde como cuando que no ya se quien y si siempre")
    participle = re.search(r"[ai]d[oa]$", sentence.key(index + 1)) is not None
    return "á" in word.text.lower() or sentence.key(index - 1) in before or participle


def _stands_alone(sentence: Sentence, index: int) -> bool:
    if sentence.key(index) == "that" and sentence.key(index - 1) in _THAT_CLAUSE:
        return _ends_phrase(sentence, index + 1) and index + 1 >= len(sentence.items)
    return _ends_phrase(sentence, index + 1)


def _pronoun(sentence: Sentence, index: int) -> Reference | None:
    word = sentence.items[index]
    if word.key in _PRONOUNS or word.text.lower() in _ACCENTED_PRONOUNS:
        return Reference(Kind.PRONOUN, index, index + 1)
    return None


def _clitic(sentence: Sentence, index: int) -> Reference | None:
    key, verb = sentence.key(index), sentence.key(index + 1)
    if _enclitic(key):
        return Reference(Kind.ENCLITIC, index, index + 1)
    if key not in _BEFORE_VERB or sentence.key(index - 1) in _NOT_CLITIC_AFTER:
        return None
    asks = {"quien", "quienes"} if key != "lo" else words("quien quienes como cuando donde")
    last = index + 2 == len(sentence.items)
    if sentence.key(index - 1) in asks and last and verb not in _NEUTER_FOLLOWS:
        return Reference(Kind.CLITIC, index, index + 1)
    finite = _FINITE.fullmatch(verb) and (key == "lo" or verb not in _NOUNS_LIKE_VERBS)
    return Reference(Kind.CLITIC, index, index + 1) if finite else None


def _enclitic(key: str) -> bool:
    return key not in _NO_ENCLITIC and _ENCLITIC.fullmatch(key) is not None


def _ends_phrase(sentence: Sentence, index: int) -> bool:
    """Whether no noun follows at a word, so that what stands before it is all there is."""
    if index >= len(sentence.items) or sentence.gap(index):
        return True
    key = sentence.key(index)
    return (key in GRAMMAR | PREPOSITIONS | VERBS) and key not in ORDINALS
