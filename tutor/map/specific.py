"""How special a word is to a course, against texts of all kinds."""

from __future__ import annotations

import re
from functools import lru_cache
from math import log10

from tutor.text.folding import folded

_WORD = re.compile(r"[^\W\d_]{2,}")
_GENDER = re.compile(r"[oa]s?\Z")
_OTHER_GENDER = {"o": "a", "a": "o"}
_RARER = 1.0
"""How much rarer the other gender of an adjective may be (Zipf)."""
_UNSEEN = 1.0
"""Zipf frequency of a word that general texts do not have."""


def weirdness(word: str, count: int, words: int) -> float:
    """How much more often a course has a word than general texts, as a power of ten.

    The course has it `count` times among its `words`. Ahmad, Gillam and Tostevin 1999, "University
    of Surrey participation in TREC8: weirdness indexing".
    """
    return log10(max(1, count) / max(1, words)) + 9 - _zipf(word)


def rarity(name: str) -> float:
    """The Zipf frequency of a name's rarest word in general texts."""
    return min((_zipf(word) for word in _WORD.findall(name)), default=_UNSEEN)


def is_lone_adjective(word: str) -> bool:
    """Whether a Spanish word that no article precedes is an adjective: it has another gender, too.

    Nouns have one: "entropía", but "densa" and "denso". "consejo" is no adjective for the rare
    "conseja".
    """
    from wordfreq import zipf_frequency  # noqa: PLC0415 - as below; 0.15 s for the large list

    ending = _GENDER.search(word.lower())
    if not ending or not word.isalpha() or word.isupper():
        return False
    other = word.lower()[: ending.start()] + _OTHER_GENDER[ending[0][0]] + ending[0][1:]
    own: float = zipf_frequency(word.lower(), "es", "large")
    frequency: float = zipf_frequency(other, "es", "large")
    return 0 < frequency >= own - _RARER


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
