"""Snowball stemmers, made once."""

from __future__ import annotations

from functools import cache

import Stemmer

from tutor.text.language import Language

_NAMES = {"es": "spanish", "en": "english"}


@cache
def stemmer(language: Language) -> Stemmer.Stemmer:
    """The stemmer of a language, for words without accents in lower case."""
    return Stemmer.Stemmer(_NAMES[language])
