"""What else the terms of a text are called.

What one book calls so, another calls otherwise: `synonyms.txt` has the names of one thing on a
line, compared by the stems of their words; small ones ("de", "del", "por") do not count, unless
they say "not". Longer stop words do: "deriva de concepto" is not called "deriva".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import NamedTuple

from tutor.text.folding import fold, folded
from tutor.text.language import stemmer
from tutor.text.words import STOP_WORDS_OF_BOTH

_COMPOUND = re.compile(r"[^\W_]+(?:-[^\W_]+)*")
_MOST_BETWEEN = 2
"""Small words between two words of a name: "árbol de la decisión"."""
_MOST_LETTERS = 3
_SMALL = {word for word in STOP_WORDS_OF_BOTH if len(word) <= _MOST_LETTERS} - {"no", "not", "sin"}


class Term(NamedTuple):
    """Where a text names something, and what else it is called."""

    start: int
    end: int
    other_names: tuple[str, ...]


def terms_with_other_names(text: str) -> list[Term]:
    """The terms of a text that have other names, in order; of overlapping ones the first, and the
    longest.
    """
    words = _stemmed_words(text)
    found: list[Term] = []
    place = 0
    while place < len(words):
        for end in range(min(len(words), place + _longest_name()), place, -1):
            names = _names().get(tuple(stem for _start, _end, stem in words[place:end]))
            if names and _is_name(text, words[place:end]):
                found.append(Term(words[place][0], words[end - 1][1], names))
                place = end
                break
        else:
            place += 1
    return found


def _is_name(text: str, words: Sequence[tuple[int, int, str]]) -> bool:
    """Whether hardly anything stands between the words ("layers did the THE system" is none); a
    single one is the very word, in either number: "covarianza" is no "covariable".
    """
    (start, end, _stem), *others = words
    if others:
        between = (text[one[1] : other[0]] for one, other in pairwise(words))
        return all(len(small.split()) <= _MOST_BETWEEN for small in between)
    word = fold(text[start:end])
    numbers = {word, f"{word}s", f"{word}es", word.removesuffix("s"), word.removesuffix("es")}
    return not numbers.isdisjoint(_single_words())


def called_otherwise(text: str) -> Iterator[str]:
    """The text with one of its terms under another name, for each of them."""
    for start, end, other_names in terms_with_other_names(text):
        for name in other_names:
            yield f"{text[:start]}{name}{text[end:]}"


def _stemmed_words(text: str) -> list[tuple[int, int, str]]:
    """Start, end and stem of each word that carries meaning, by both languages' endings."""
    spanish, english = stemmer("es").stemWord, stemmer("en").stemWord
    return [
        (match.start(), match.end(), spanish(english(match[0])))
        for match in _COMPOUND.finditer(fold(text))
        if match[0] not in _SMALL
    ]


@cache
def _names() -> Mapping[tuple[str, ...], tuple[str, ...]]:
    """The other names of each term, by the stems of its own."""
    by_name: dict[tuple[str, ...], tuple[str, ...]] = {}
    for names in _synonyms():
        for name in names:
            stems = tuple(stem for _start, _end, stem in _stemmed_words(name))
            others = (other for other in names if other != name)
            by_name[stems] = tuple(dict.fromkeys([*by_name.get(stems, ()), *others]))
    return by_name


@cache
def _single_words() -> frozenset[str]:
    """The names that are a word."""
    return frozenset(fold(name) for names in _synonyms() for name in names if " " not in name)


def other_acronyms(forms: Sequence[str]) -> tuple[str, ...]:
    """The acronyms that mean what one of these does, by their stems."""
    return tuple(other for form in forms for other in _acronyms().get(form, ()))


@cache
def _acronyms() -> Mapping[str, tuple[str, ...]]:
    """Of each acronym ("PCA") those that mean the same ("ACP"), by their stems."""
    stem = stemmer("es").stemWord
    others: dict[str, tuple[str, ...]] = {}
    for names in _synonyms():
        short = [stem(folded(name)) for name in names if name.isupper()]
        others |= {one: tuple(other for other in short if other != one) for one in short}
    return others


def _synonyms() -> Iterator[list[str]]:
    """The names of each thing that has several."""
    text = files("tutor.text").joinpath("synonyms.txt").read_text(encoding="utf-8")
    return (line.split(" | ") for line in text.splitlines())


@cache
def _longest_name() -> int:
    return max(map(len, _names()))
