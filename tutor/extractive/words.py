"""The words of a text that carry meaning, so that two texts can be compared."""

from __future__ import annotations

import re
import unicodedata
from functools import cache

import Stemmer

_WORD = re.compile(r"[^\W_]+")
_SYMBOLIC = re.compile(r"\b[a-z][*+#]+")
"""Names such as A*, C++ and C#, whose letter alone says nothing."""
_STOP_WORDS = frozenset(
    """a al algo ante asi aun cada como con cual cuales cuando cuanto cuantos de del desde donde
    dos el ella ellas ellos en entre era eran es esa ese eso esta estan este esto fue ha hace hacer
    han hay la las le les lo los mas me mi muy nada ni no nos o para pero por porque que quien se
    sea segun ser si sin sirve sobre son su sus tambien tiene tienen todo un una uno unos unas usa
    y ya explica explicame dime describe define
    about an and are as at be between by can did do does for from has have how i if in into is it
    its me not of on or should so than that the their them there these this those to used was
    what when where which who why will with you explain tell""".split()
)


def content_words(text: str) -> frozenset[str]:
    """The stems of the words that carry meaning, without accents and case.

    One stemmer (Snowball's Spanish one) serves for both sides of a comparison, whatever their
    language: it only has to bring equal words together.
    """
    plain = _folded(text)
    words = [word for word in _WORD.findall(plain) if word not in _STOP_WORDS]
    return frozenset([*_stemmer().stemWords(words), *_SYMBOLIC.findall(plain)])


def word_count(text: str) -> int:
    """How many words there are in all."""
    return len(_WORD.findall(text))


def _folded(text: str) -> str:
    decomposed = unicodedata.normalize("NFKD", text.lower())
    return "".join(c for c in decomposed if not unicodedata.combining(c))


@cache
def _stemmer() -> Stemmer.Stemmer:
    return Stemmer.Stemmer("spanish")
