"""Terms that a course repeats and general texts do not, whatever shape they are introduced in.

Phrases count by how often and how long they are; weirdness compares words with other texts.
That something is a noun is told by what stands before it: articles and "de" do not precede verbs.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from math import log2, log10

from tutor.map.definitions import Cue
from tutor.map.facts import Facts, Name
from tutor.map.words import Key, key_of
from tutor.model import BlockKind
from tutor.text.words import UNSEEN, zipf

_LONGEST = 3
_LEAST_TIMES = 3
_LEAST_WEIRD = 1.9
_LEAST_VALUE = 4.0
_RARE = 4.6
"""Zipf frequency of the rarest word of a phrase that is a term, at most."""
_NOUN = 0.35
"""Share of the places of a noun at which an article or the like stands before it."""
_DETERMINED = re.compile(
    r"\b(?:el|la|los|las|una?|unos|unas|del?|al|cada|su|sus|este|esta|the|an?|of|each|its|this)\s+\Z",
    re.IGNORECASE,
)
_LOOK_BACK = 8
_COUNTED = frozenset(
    key_of(
        """dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince veinte
        cien mil primer primera primero segundo segunda tercer tercera último última
        próximo próxima siguiente anterior solo sola mismo misma nuevo nueva gran grande
        mejor peor mayor menor todo toda otro otra cierto cierta cada two three four
        five six seven eight nine ten first second third last next previous same new
        best worst other"""
    )
)
"""Words that say which or how many things, and are part of no name."""
_TOLD = (BlockKind.PARAGRAPH, BlockKind.DEFINITION, BlockKind.LIST, BlockKind.CAPTION)
_ACRONYM = re.compile(r"[A-Z]{3,6}")
_WORD = re.compile(r"[^\W\d_]{2,}")

_Spot = tuple[int, int, int]
"""Number of the document, and span."""


def repeated(course: Sequence[Facts]) -> Iterator[tuple[Facts, Name]]:
    """A name for each term that is repeated, where it stands first."""
    spots = _phrases(course)
    words = sum(len(facts.text.text.split()) for facts in course)
    for key, places in spots.items():
        number, start, end = places[0]
        facts = course[number]
        name = " ".join(facts.text.text[start:end].split())
        acronym = len(key) == 1 and _ACRONYM.fullmatch(key[0])
        special = _is_special(key, name, len(places), words)
        if special and (acronym or _is_noun(course, places)):
            yield facts, Name(name, Cue.REPEATED, start, end)


def _is_special(key: Key, name: str, times: int, words: int) -> bool:
    if len(key) == 1:
        word = _ACRONYM.fullmatch(key[0]) or (name.isalpha() and len(name) > _LONGEST)
        return bool(word) and weirdness(name, times, words) >= _LEAST_WEIRD
    value = log2(len(key) + 1) * times
    letters = all(len(stem) > 1 and not stem.isdigit() for stem in key)
    letters = letters and _COUNTED.isdisjoint(key)
    return letters and value >= _LEAST_VALUE and rarity(name) <= _RARE


def _is_noun(course: Sequence[Facts], places: Sequence[_Spot]) -> bool:
    """Whether an article or the like stands before it often enough."""
    determined = 0
    for number, start, _end in places:
        before = course[number].text.text[max(0, start - _LOOK_BACK) : start]
        determined += _DETERMINED.search(before) is not None
    return determined >= _NOUN * len(places)


def _phrases(course: Sequence[Facts]) -> dict[Key, list[_Spot]]:
    """Where each phrase stands that does so often enough."""
    told = [
        (number, run)
        for number, facts in enumerate(course)
        for block, run in facts.runs
        if block.kind in _TOLD
    ]
    words = Counter(stem for _number, run in told for stem in run.stems)
    found: defaultdict[Key, list[_Spot]] = defaultdict(list)
    for number, (stems, spans) in told:
        often = [words[stem] >= _LEAST_TIMES for stem in stems]
        for place, (start, _end) in enumerate(spans):
            for last in range(place, min(place + _LONGEST, len(stems))):
                if not often[last]:
                    break
                found[stems[place : last + 1]].append((number, start, spans[last][1]))
    return {key: places for key, places in found.items() if len(places) >= _LEAST_TIMES}


def weirdness(word: str, count: int, words: int) -> float:
    """How much more often a course has a word than general texts, as a power of ten.

    The course has it `count` times among its `words`. Ahmad, Gillam and Tostevin 1999, "University
    of Surrey participation in TREC8: weirdness indexing".
    """
    return log10(max(1, count) / max(1, words)) + 9 - zipf(word)


def rarity(name: str) -> float:
    """The Zipf frequency of a name's rarest word in general texts."""
    return min(map(zipf, _WORD.findall(name)), default=UNSEEN)
