"""Which words texts of all kinds have, and how often: the lists of the package wordfreq.

Speer 2022, "rspeer/wordfreq". The package is not imported: that takes 0.15 s, most of it for the
writing systems of other languages, and asking it 30 µs a word.
"""

from __future__ import annotations

import gzip
import re
from functools import cache, lru_cache
from importlib import metadata
from math import log10
from pathlib import Path
from unicodedata import normalize

from tutor.text.folding import folded
from tutor.text.language import Language

_LANGUAGES: tuple[Language, ...] = ("es", "en")
UNSEEN = 1.0
"""Zipf frequency of a word that no list has; the rarest of those has 3."""
_NUMBER = 5.0
_LETTERS = re.compile(r"[^\W\d_²³¹⁰⁴-⁹₀-₉]+")


def is_general(word: str) -> bool:
    """Whether Spanish or English has a word, with or without its accents, whatever a course has.

    Their some 30,000 most frequent words each.
    """
    return folded(word) in _general()


@lru_cache(maxsize=65_536)
def zipf(word: str) -> float:
    """The logarithm of a word's occurrences in a billion of words, in Spanish or English.

    Indices and exponents part words, and what is nothing else is a number, of which all texts have
    many. English is taken to have no accents.
    """
    spanish, english = map(_frequencies, _LANGUAGES)
    parts = _LETTERS.findall(normalize("NFC", word).casefold())
    if not parts:
        return _NUMBER
    plain = folded(word).casefold()
    all_parts = -log10(sum(10 ** -spanish.get(part, UNSEEN) for part in parts))
    return max(round(all_parts, 2), english.get(plain, UNSEEN))


@cache
def _frequencies(language: Language) -> dict[str, float]:
    """The Zipf frequencies of the most frequent words of a language, in lower case.

    The file has a header, then lists of words, each ten to the hundredth part rarer than the last.
    """
    import msgpack  # noqa: PLC0415 - wordfreq's own way of reading it; few commands need it

    name = f"wordfreq/data/small_{language}.msgpack.gz"
    path = Path(str(metadata.distribution("wordfreq").locate_file(name)))
    with gzip.open(path) as file:
        _header, *lists = msgpack.load(file)
    return {word: (900 - rank) / 100 for rank, words in enumerate(lists) for word in words}


@cache
def _general() -> frozenset[str]:
    return frozenset(folded(word) for one in _LANGUAGES for word in _frequencies(one))
