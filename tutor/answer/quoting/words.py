"""The words of a text that carry meaning, so that two texts can be compared."""

from __future__ import annotations

import re

from tutor.text.folding import folded
from tutor.text.stems import stemmer
from tutor.text.stopwords import STOP_WORDS_OF_BOTH

_WORD = re.compile(r"[^\W_]+")
_SYMBOLIC = re.compile(r"\b[a-z][*+#]+")
"""Names such as A*, C++ and C#, whose letter alone says nothing."""


def content_words(text: str) -> frozenset[str]:
    """The stems of the words that carry meaning, without accents and case.

    One stemmer (Snowball's Spanish one) serves for both sides of a comparison, whatever their
    language: it only has to bring equal words together.
    """
    plain = folded(text)
    words = [word for word in _WORD.findall(plain) if word not in STOP_WORDS_OF_BOTH]
    return frozenset([*stemmer("es").stemWords(words), *_SYMBOLIC.findall(plain)])


def word_count(text: str) -> int:
    """How many words there are in all."""
    return len(_WORD.findall(text))
