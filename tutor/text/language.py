"""Spanish or English, told by the words that every sentence needs; the stems of their words."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Literal, TypeAlias

import Stemmer

Language: TypeAlias = Literal["es", "en"]

SAMPLE_CHARS = 60_000
"""A document's language shows long before this many characters."""


def words(text: str) -> frozenset[str]:
    """The words of `text` as a set."""
    return frozenset(text.split())


# Words of one language that are no common word of the other ("a", "no", "me" or "son" decide
# nothing). English technical terms inside Spanish notes rarely bring their articles along.
_SPANISH = words(
    "al como con cuando cual cuál de del donde dos el ella en entre es esta este esto está están"
    " fue ha hay la las le les lo los más muy o para pero por porque qué que se según ser si sin"
    " sobre su sus también tiene todo todos un una uno y ya"
)
_ENGLISH = words(
    "an and are as at be been but by can for from has have how if in into is it its more not of"
    " on or our such than that the their then there these they this to was we were what when"
    " which with you your"
)
_WORD = re.compile(r"[^\W\d_]+")
_PLURAL = re.compile(
    r"(?<=\w{2}[aeu]d)es$|(?<=\w{2}[aeou][lnrj])(?<!ie[nr])es$|(?<=\w{2}es)es$|(?<=\w{3}[aeo])s$"
)
"""Ends of plurals: Snowball takes many for ends of verbs ("mínimos"), and spares short words
("ondas")."""


def detect_language(text: str) -> Language:
    """The language of `text`: `en` where English function words outnumber Spanish ones, else `es`.

    Counts function words in the first `SAMPLE_CHARS` characters; a text with none is taken as
    Spanish, the language of the courses.
    """
    spanish, english = count_function_words(text[:SAMPLE_CHARS])
    return "en" if english > spanish else "es"


def count_function_words(text: str) -> tuple[int, int]:
    """How many words every Spanish sentence needs, and how many English ones."""
    seen = _WORD.findall(text.lower())
    return sum(map(_SPANISH.__contains__, seen)), sum(map(_ENGLISH.__contains__, seen))


_SNOWBALL = Stemmer.Stemmer("spanish")


@lru_cache(maxsize=65_536)
def _spanish_stem(word: str) -> str:
    stem = _SNOWBALL.stemWord(_PLURAL.sub("", word))
    if stem.endswith("cion"):
        stem = _SNOWBALL.stemWord(stem)
    return f"{stem[:-1]}c" if stem.endswith("z") else stem


class SpanishStemmer:
    """Snowball's stemmer for words without their plural: it parts many from it, "mínimos" from
    "mínimo", "estándares" from "estándar"; and "correlacionado" from "correlación", "raíces" from
    "raíz".
    """

    stemWord = staticmethod(_spanish_stem)  # noqa: N815 - called as Snowball's are

    def stemWords(self, words: Iterable[str]) -> list[str]:  # noqa: N802
        """The stems of words."""
        return list(map(_spanish_stem, words))


@cache
def stemmer(language: Language) -> Stemmer.Stemmer | SpanishStemmer:
    """The stemmer of a language, for words without accents in lower case."""
    return SpanishStemmer() if language == "es" else Stemmer.Stemmer("english")
