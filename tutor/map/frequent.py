"""Terms that a course repeats and general texts do not, whatever shape they are introduced in.

C-value (Frantzi, Ananiadou and Mima 2000, "Automatic recognition of multi-word terms") counts a
phrase without the longer phrases that it is a part of; weirdness compares words with other texts.
That something is a noun is told by what stands before it: articles and "de" do not precede verbs.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import log2, log10

from tutor.map.facts import Cue, Facts, Name
from tutor.map.words import Key, key_of, stems_of
from tutor.model import BlockKind
from tutor.text.folding import folded

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
_UNSEEN = 1.0
"""Zipf frequency of a word that general texts do not have."""

_Spot = tuple[int, int, int, bool]
"""Number of the document, span, and whether an article stands before it."""


def repeated(course: Sequence[Facts]) -> Iterator[tuple[Facts, Name]]:
    """A name for each term that is repeated, where it stands first."""
    spots = _phrases(course)
    words = sum(len(facts.text.text.split()) for facts in course)
    longer = _longer(spots)
    for key, places in spots.items():
        if len(places) < _LEAST_TIMES:
            continue
        number, start, end, _determined = places[0]
        facts = course[number]
        name = " ".join(facts.text.text[start:end].split())
        if _is_term(key, name, places, longer.get(key, ()), words):
            yield facts, Name(name, Cue.REPEATED, start, end)


def _is_term(
    key: Key, name: str, places: Sequence[_Spot], longer: Sequence[int], words: int
) -> bool:
    times = len(places)
    if len(key) == 1:
        special = weirdness(name, times, words) >= _LEAST_WEIRD
        if _ACRONYM.fullmatch(key[0]):
            return special
        return special and name.isalpha() and len(name) > _LONGEST and _is_noun(places)
    alone = times - sum(longer) / len(longer) if longer else times
    value = log2(len(key) + 1) * alone
    letters = all(len(stem) > 1 and not stem.isdigit() for stem in key)
    letters = letters and _COUNTED.isdisjoint(key)
    return letters and value >= _LEAST_VALUE and rarity(name) <= _RARE and _is_noun(places)


def _is_noun(places: Sequence[_Spot]) -> bool:
    return sum(determined for *_place, determined in places) >= _NOUN * len(places)


def _phrases(course: Sequence[Facts]) -> dict[Key, list[_Spot]]:
    found: defaultdict[Key, list[_Spot]] = defaultdict(list)
    for number, facts in enumerate(course):
        text = facts.text.text
        for block, run in facts.runs:
            if block.kind not in _TOLD:
                continue
            stems = stems_of(run)
            for place, word in enumerate(run):
                before = text[max(0, word.start - _LOOK_BACK) : word.start]
                determined = _DETERMINED.search(before) is not None
                for last in range(place, min(place + _LONGEST, len(run))):
                    spot = (number, word.start, run[last].end, determined)
                    found[stems[place : last + 1]].append(spot)
    return found


def _longer(spots: dict[Key, list[_Spot]]) -> dict[Key, list[int]]:
    """How often the longer phrases stand that each phrase is a part of."""
    counts = Counter({key: len(places) for key, places in spots.items()})
    found: defaultdict[Key, list[int]] = defaultdict(list)
    for key, times in counts.items():
        if times >= _LEAST_TIMES and len(key) > 1:
            for size in range(1, len(key)):
                for place in range(len(key) - size + 1):
                    found[key[place : place + size]].append(times)
    return found


def weirdness(word: str, count: int, words: int) -> float:
    """How much more often a course has a word than general texts, as a power of ten.

    The course has it `count` times among its `words`. Ahmad, Gillam and Tostevin 1999, "University
    of Surrey participation in TREC8: weirdness indexing".
    """
    return log10(max(1, count) / max(1, words)) + 9 - _zipf(word)


def rarity(name: str) -> float:
    """The Zipf frequency of a name's rarest word in general texts."""
    return min((_zipf(word) for word in _WORD.findall(name)), default=_UNSEEN)


@lru_cache(maxsize=65_536)
def _zipf(word: str) -> float:
    """The logarithm of a word's occurrences in a billion of words, in Spanish or English."""
    from wordfreq import zipf_frequency  # noqa: PLC0415 - 0.2 s, needed to build a map only

    found: float = max(
        zipf_frequency(word.lower(), "es", "small"),
        zipf_frequency(folded(word), "en", "small"),
        _UNSEEN,
    )
    return found
