"""The words of a text that carry meaning, so that two texts can be compared."""

from __future__ import annotations

import re
from collections.abc import Mapping

from tutor.text.folding import fold, folded
from tutor.text.language import Language
from tutor.text.stems import stemmer
from tutor.text.stopwords import STOP_WORDS_OF_BOTH
from tutor.text.terms import spanish_stems

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


def content_words_in_order(text: str) -> list[tuple[int, str]]:
    """Where each word that carries meaning begins, and its stem; numbers are no words here."""
    stem = stemmer("es").stemWord
    return [
        (match.start(), stem(match[0]))
        for match in _WORD.finditer(fold(text))
        if match[0] not in STOP_WORDS_OF_BOTH and len(match[0]) > 1 and match[0].isalpha()
    ]


def content_words_of_both(text: str) -> frozenset[str]:
    """`content_words`, and the Spanish stems that the dictionary has for English words."""
    translated = (stem for word in _WORD.findall(folded(text)) for stem in spanish_stems(word))
    return content_words(text).union(translated)


def question_words(question: str, language: Language) -> Mapping[str, str]:
    """The words of a question that carry meaning, by the forms under which `content_words` has them
    in a text: an English one stands for its translations, too.
    """
    words = {word: word for word in content_words(question)}
    if language == "en":
        for word in _WORD.findall(folded(question)):
            own = stemmer("es").stemWord(word)
            for form in (stemmer("en").stemWord(word), *spanish_stems(word)):
                if own in words:
                    words.setdefault(form, own)
    return words
