"""Names of all documents -> the concepts of a course, each with all its names, once."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, count
from math import sqrt

from tutor.map.definitions import Cue, Definition
from tutor.map.facts import Facts, Name
from tutor.map.frequent import rarity, repeated, weirdness
from tutor.map.model import Concept, Kind, Place, place_of
from tutor.map.words import Key, Mention, Vocabulary, key_of
from tutor.model import CleanText, SourceId
from tutor.text.folding import folded

_WEIGHTS = {
    Cue.FORMAL: 4.0,
    Cue.SAYS: 3.0,
    Cue.GLOSS: 2.6,
    Cue.WHOLE_TITLE: 2.5,
    Cue.TITLE: 2.0,
    Cue.LABEL: 1.8,
    Cue.ROW: 2.0,
    Cue.NAMED: 2.6,
    Cue.REPEATED: 2.0,
    Cue.PERSON: 3.0,
}
"""How much each way of naming something says for its being a term."""
_DEFINING = (Cue.FORMAL, Cue.SAYS, Cue.LABEL)
_LEAST = 2.0
"""Score from which a name is a concept."""
_TITLES = (Cue.TITLE, Cue.WHOLE_TITLE)
_WEAK = frozenset((Cue.TITLE, Cue.WHOLE_TITLE, Cue.ROW))
_ANY_TITLE = frozenset(
    chain.from_iterable(
        key_of(word)
        for word in """abstracto algoritmo algoritmos aplicaciones corolario demostración
        derecha izquierda lema proposición teorema theorem proof lemma modo posición tamaño valor
        valores análisis arquitectura características comparación componentes conceptos
        conclusiones construcción contexto definición desventajas detalles discusión elementos
        enfoques estructura evaluación fundamentos funcionamiento general historia implementación
        interpretación introducción limitaciones límites método métodos metodología modelo modelos
        motivación notación objetivos observaciones operaciones partes pasos problema
        procedimiento proceso propiedades remedios representación resultados solución supuestos
        tiempo tipos uso usos variantes ventajas advantages applications architecture assumptions
        background comparison components conclusions construction context definition details
        discussion drawbacks fundamentals history implementation introduction limitations limits
        methodology methods model models motivation notation overview problem procedure process
        properties results solution steps structure types usage use variants""".split()
    )
)
"""Words that head sections of any subject."""
_RAREST = 5.7
"""Zipf frequency of the rarest word of a name that nothing but a title has, with `_WEIRD` added:
such a name is made of words of its subject."""
_SURE = frozenset((Cue.FORMAL, Cue.SAYS, Cue.PERSON))
_WEIRD = 1.8
"""Weirdness from which a word is as special as can be."""
_AT_LEAST = {Cue.GLOSS: 0.6, Cue.WHOLE_TITLE: 0.7}
"""How special a word is at least that the notes translate, or give a section of its own."""
_MOST_WORDS = 5
_MOST_NAMES = 8
_SHORT = 0.5
"""What an acronym counts for being the name to show, against the words that it stands for."""
_LEAST_INITIALS = 3
_ACRONYM = re.compile(r"[A-ZÁÉÍÓÚÑ][A-Z0-9ÁÉÍÓÚÑ*-]{1,7}")
_METHODS = frozenset(
    """algoritmo metodo tecnica procedimiento estrategia busqueda regresion clasificador descenso
    analisis validacion clasificacion agrupamiento optimizador algorithm method
    technique procedure strategy search regression classifier descent analysis""".split()
)
"""First words of a method's name, or of what its definition says that it is."""
_IS = re.compile(r"(?:\b(?:es|son|is|are) |\A)(?:una?|el|la|an?|the) (\w+)")
_FORMULAS = frozenset(
    "teorema formula ecuacion ley desigualdad theorem equation formula law inequality".split()
)


@dataclass(slots=True)
class _Group:
    """Names with one key, or with keys that are joined, and where they stand."""

    names: list[tuple[Facts, Name]] = field(default_factory=list)
    definitions: list[tuple[Facts, Definition]] = field(default_factory=list)
    keys: set[Key] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class CourseConcepts:
    """The concepts in order of score, and where each is mentioned, by its place in them."""

    concepts: tuple[Concept, ...]
    introduced: tuple[Place, ...]
    """Where each is first defined or named by a title, in the order of the course."""
    mentions: Mapping[int, Sequence[tuple[Facts, Mention]]]
    definitions: Mapping[int, Sequence[tuple[Facts, Definition]]]


def concepts_of(course: Sequence[Facts], cues: Collection[Cue] = tuple(Cue)) -> CourseConcepts:
    """The concepts of documents in the order of the course, by these cues."""
    named = [(facts, name) for facts in course for name in facts.names]
    groups = _joined(_by_key(course, [*named, *repeated(course)], cues), named)
    words = sum(len(facts.text.text.split()) for facts in course)
    times = Counter(number for number, _facts, _mention in _mentioned(course, groups))
    scores = [_score(group, times[number], words) for number, group in enumerate(groups)]
    order = sorted(range(len(groups)), key=lambda number: (-scores[number], number))
    kept = [number for number in order if scores[number] >= _LEAST]
    groups = [groups[number] for number in kept]
    mentions: defaultdict[int, list[tuple[Facts, Mention]]] = defaultdict(list)
    for number, facts, mention in _mentioned(course, groups):
        mentions[number].append((facts, mention))
    ids: set[str] = set()
    places = {facts.source.id: place for place, facts in enumerate(course)}
    return CourseConcepts(
        tuple(
            _concept(group, mentions[place], scores[number], ids)
            for place, (number, group) in enumerate(zip(kept, groups, strict=True))
        ),
        tuple(_introduced(group, places) for group in groups),
        mentions,
        {place: group.definitions for place, group in enumerate(groups)},
    )


def _mentioned(
    course: Sequence[Facts], groups: Sequence[_Group]
) -> Iterator[tuple[int, Facts, Mention]]:
    """Where these names stand, and no others, so that none takes the words of another."""
    numbers = {key: number for number, group in enumerate(groups) for key in group.keys}
    vocabulary = Vocabulary(numbers)
    for facts in course:
        for mention in vocabulary.mentions(facts.runs):
            yield mention.concept, facts, mention


def _by_key(
    course: Sequence[Facts], named: Iterable[tuple[Facts, Name]], cues: Collection[Cue]
) -> dict[Key, _Group]:
    groups: defaultdict[Key, _Group] = defaultdict(_Group)
    for facts, name in named:
        key = key_of(name.text)
        fits = 0 < len(key) <= _MOST_WORDS and any(map(_says_something, key))
        if fits and name.cue in cues:
            groups[key].names.append((facts, name))
            groups[key].keys.add(key)
    for facts in course:
        for definition in facts.definitions:
            key = key_of(definition.term)
            if key in groups:
                groups[key].definitions.append((facts, definition))
    return dict(groups)


def _says_something(stem: str) -> bool:
    """Whether a word alone may be a name: no letter or number, unless it bears a sign (A*)."""
    return len(stem) > 2 or stem.isupper() or stem[-1] in "*+#"


def _joined(groups: dict[Key, _Group], named: Iterable[tuple[Facts, Name]]) -> list[_Group]:
    """The groups with those made one that the notes call by each other's names.

    Two that are defined both are two things, whatever stands in parentheses.
    """
    of: dict[Key, _Group] = dict(groups)
    for _facts, name in named:
        one, other = key_of(name.text), key_of(name.other)
        if not other or one not in of or one == other or len(other) > _MOST_WORDS:
            continue
        mine = of[one]
        theirs = of.setdefault(other, _Group(keys={other}))
        if mine is theirs or (mine.definitions and theirs.definitions):
            continue
        for key in theirs.keys:
            of[key] = mine
        mine.names += theirs.names
        mine.definitions += theirs.definitions
        mine.keys |= theirs.keys
    made = list({id(group): group for group in of.values()}.values())
    return _with_acronyms(made)


def _with_acronyms(groups: Sequence[_Group]) -> list[_Group]:
    """The same with each acronym put to the only name whose initials it is."""
    long: defaultdict[str, dict[int, _Group]] = defaultdict(dict)
    for group in groups:
        for _facts, name in group.names:
            for form in (name.text, name.other):
                initials = "".join(word[0] for word in key_of(form)).upper()
                if len(initials) >= _LEAST_INITIALS:
                    long[initials][id(group)] = group
    gone: set[int] = set()
    for group in groups:
        acronyms = [key[0] for key in group.keys if len(key) == 1]
        named = {place: one for acronym in acronyms for place, one in long[acronym].items()}
        whole = next(iter(named.values()), group)
        both = group.definitions and whole.definitions
        if len(named) == 1 and whole is not group and id(whole) not in gone and not both:
            whole.names += group.names
            whole.definitions += group.definitions
            whole.keys |= group.keys
            gone.add(id(group))
    return [group for group in groups if id(group) not in gone]


def _score(group: _Group, times: int, words: int) -> float:
    """How sure it is that these are names of a term: what names it, how often, how special.

    A name of several words is special by itself, and so is what is formally defined.
    """
    cues = Counter(name.cue for _facts, name in group.names)
    evidence = sum(_WEIGHTS[cue] * sqrt(min(2, count)) for cue, count in cues.items())
    often = min(1.5, 0.25 * times) if times > 1 else -0.5
    if _SURE & cues.keys():
        return evidence + often
    if any(_ANY_TITLE.issuperset(key) for key in group.keys):
        return 0.0
    special = [
        weirdness(name.text, times, words)
        for _facts, name in group.names
        if len(key_of(name.text)) == 1 and name.text.isalpha()
    ]
    if times <= 1 and cues.keys() <= _WEAK:
        special += [_RAREST - rarity(name.text) for _facts, name in group.names]
    least = 0.0 if times <= 1 else max(_AT_LEAST.get(cue, 0.0) for cue in cues)
    factor = min(1.0, max(0.0, min(special, default=_WEIRD)) / _WEIRD) ** 2
    return (evidence + often) * max(least, factor)


def _concept(
    group: _Group,
    mentions: Sequence[tuple[Facts, Mention]],
    score: float,
    ids: set[str],
) -> Concept:
    surfaces = Counter(_surface(facts.text, mention) for facts, mention in mentions)
    weighted: dict[str, float] = {}
    for _facts, one in group.names:
        text = _plain(one.text, surfaces)
        short = _ACRONYM.fullmatch(text) and one.cue is not Cue.FORMAL
        weight = _WEIGHTS[one.cue] * (_SHORT if short else 1.0)
        weighted[text] = max(weighted.get(text, 0.0), weight)
    best = max(weighted, key=lambda text: (weighted[text], surfaces[text], -len(text)))
    name = _singular(best, surfaces)
    given = [one.other for _facts, one in group.names if key_of(one.other) in group.keys]
    others = dict.fromkeys([name, *given, *weighted])
    names = list(dict.fromkeys([*others, *(text for text, _count in surfaces.most_common())]))
    once = list({folded(text): text for text in reversed(names)}.values())[::-1]
    english = [other for other in given if not _ACRONYM.fullmatch(other)]
    acronym = [text for text in once if _ACRONYM.fullmatch(text) and " " not in text]
    facts, defined, place = _place(group)
    return Concept(
        id=_identity(name, ids),
        name=name,
        names=tuple(once[:_MOST_NAMES]),
        acronym=acronym[0] if acronym and acronym[0] != name else "",
        english=english[0] if english else "",
        kind=_kind(group),
        score=round(score, 3),
        defined=defined,
        place=place_of(facts.text, *place),
    )


def _place(group: _Group) -> tuple[Facts, bool, tuple[int, int]]:
    """Where a concept is defined best, else named by a title, else named first."""
    if group.definitions:
        facts, best = min(group.definitions, key=lambda pair: _DEFINING.index(pair[1].form))
        return facts, True, (best.start, best.end)
    named = [pair for pair in group.names if pair[1].cue in _TITLES] or group.names
    facts, name = named[0]
    return facts, False, (name.start, name.end)


def _introduced(group: _Group, order: Mapping[SourceId, int]) -> Place:
    told = [(facts, one.start, one.end) for facts, one in group.definitions]
    titled = [(f, n.start, n.end) for f, n in group.names if n.cue in _TITLES]
    named = [(facts, name.start, name.end) for facts, name in group.names]
    facts, start, end = min(
        [*told, *titled] or named, key=lambda one: (order[one[0].source.id], one[1])
    )
    return place_of(facts.text, start, end)


def _surface(text: CleanText, mention: Mention) -> str:
    return " ".join(text.text[mention.start : mention.end].split())


def _plain(name: str, surfaces: Mapping[str, int]) -> str:
    """A name as it stands in a sentence: without a capital that only a title gives it."""
    lower = name[0].lower() + name[1:]
    if not name[1:2].isalpha():
        return name
    return lower if lower in surfaces or (name[1:].islower() and " " in name) else name


def _singular(name: str, surfaces: Mapping[str, int]) -> str:
    """The same name as a sentence has it in singular, if one does."""
    same = [text for text in surfaces if _is_plural(folded(name).split(), folded(text).split())]
    return max(same, key=lambda text: surfaces[text], default=name)


def _is_plural(words: Sequence[str], of: Sequence[str]) -> bool:
    """Whether words are others with what number adds to each of some of them."""
    return (
        words != of
        and len(words) == len(of)
        and all(
            word in (single, f"{single}s", f"{single}es")
            for word, single in zip(words, of, strict=True)
        )
    )


def _identity(name: str, ids: set[str]) -> str:
    made = free_id("-".join(re.findall(r"[\w*+#]+", folded(name))) or "x", ids)
    ids.add(made)
    return made


def free_id(base: str, taken: Collection[str]) -> str:
    """The base, with a number behind it where it is taken."""
    numbered = chain([base], (f"{base}-{number}" for number in count(2)))
    return next(name for name in numbered if name not in taken)


def _kind(group: _Group) -> Kind:
    cues = {name.cue for _facts, name in group.names}
    if cues == {Cue.PERSON}:
        return Kind.PERSON
    firsts = set(_first_words(group))
    if firsts & _FORMULAS:
        return Kind.FORMULA
    return Kind.METHOD if firsts & _METHODS else Kind.CONCEPT


def _first_words(group: _Group) -> Iterator[str]:
    for _facts, name in group.names:
        yield from folded(name.text).split()[:1]
    for _facts, one in group.definitions:
        yield from _IS.findall(folded(one.said))[:2]
