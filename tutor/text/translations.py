"""English words in Spanish, for questions in one language over notes in the other."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from tutor.text.folding import folded
from tutor.text.language import Language, count_function_words
from tutor.text.stems import stemmer

_WORD = re.compile(r"[^\W\d_]+")


class _Dictionary(NamedTuple):
    """Spanish stems by English stem, and the stems that only one of the languages has."""

    spanish_of: Mapping[str, tuple[str, ...]]
    only_english: frozenset[str]
    only_spanish: frozenset[str]


def spanish_stems(word: str) -> tuple[str, ...]:
    """The stems of the Spanish words for an English one, folded; none where it is not known."""
    return _dictionary().spanish_of.get(stemmer("en").stemWord(word), ())


def question_language(question: str, usual: str = "") -> Language:
    """The language of a question, told by words that every sentence needs.

    Where it has none, or as many of both: `usual`, or else the language that alone knows more of
    its words, Spanish if they are as many.
    """
    spanish, english = count_function_words(question)
    if spanish == english and usual:
        return "en" if usual == "en" else "es"
    if spanish == english:
        words, dictionary = [folded(word) for word in _WORD.findall(question)], _dictionary()
        english = len(dictionary.only_english.intersection(stemmer("en").stemWords(words)))
        spanish = len(dictionary.only_spanish.intersection(stemmer("es").stemWords(words)))
    return "en" if english > spanish else "es"


@cache
def _dictionary() -> _Dictionary:
    """Read from lines such as `network: red redes`, 4,000 of them."""
    text = files(__package__).joinpath("translations.txt").read_text(encoding="utf-8")
    english, spanish = stemmer("en").stemWord, stemmer("es").stemWords
    spanish_of: dict[str, tuple[str, ...]] = {}
    for line in text.splitlines():
        word, _colon, meanings = line.partition(": ")
        stem = english(word)
        stems = spanish(folded(meanings).split())
        spanish_of[stem] = tuple(dict.fromkeys([*spanish_of.get(stem, ()), *stems]))
    known = frozenset(stem for stems in spanish_of.values() for stem in stems)
    return _Dictionary(spanish_of, frozenset(spanish_of) - known, known - frozenset(spanish_of))
