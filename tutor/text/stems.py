"""Snowball stemmers, made once; and how Spanish words sound."""

from __future__ import annotations

import re
from functools import cache

import Stemmer

from tutor.text.language import Language

_SPELLINGS = [
    (re.compile(spelt), heard)
    for spelt, heard in (
        ("(?<!c)h", ""),
        ("ll", "y"),
        ("v", "b"),
        ("c(?=[ei])|z", "s"),
        ("c(?!h)|qu(?=[ei])", "k"),
        ("g(?=[ei])", "j"),
        ("gu(?=[ei])", "g"),
        (r"(.)\1", r"\1"),
    )
]
_NAMES = {"es": "spanish", "en": "english"}


@cache
def stemmer(language: Language) -> Stemmer.Stemmer:
    """The stemmer of a language, for words without accents in lower case."""
    return Stemmer.Stemmer(_NAMES[language])


def sound(word: str) -> str:
    """A word without accents as it is heard, a letter for each sound of Spanish (seseo)."""
    for spelt, heard in _SPELLINGS:
        word = spelt.sub(heard, word)
    return word
