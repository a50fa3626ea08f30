"""Other names of technical terms: what one book calls so, another calls otherwise.

`synonyms.txt` has the names of one thing on a line. Words are compared by their stems, without
accents; small words ("de", "del", "por") do not count, unless they say "not".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from tutor.text.folding import fold
from tutor.text.words import STOP_WORDS_OF_BOTH, stemmer

_WORD = re.compile(r"[^\W_]+(?:-[^\W_]+)*")


_SMALL = STOP_WORDS_OF_BOTH - {"no", "not", "sin", "without"}


class Term(NamedTuple):
    """Where a text names something, and what else it is called."""

    start: int
    end: int
    other_names: tuple[str, ...]


def terms_with_other_names(text: str) -> list[Term]:
    """The terms of a text that have other names, in order; of overlapping ones the first, and the
    longest.
    """
    words = _words(text)
    found: list[Term] = []
    place = 0
    while place < len(words):
        for end in range(min(len(words), place + _longest()), place, -1):
            names = _by_name().get(tuple(stem for _start, _end, stem in words[place:end]))
            if names:
                found.append(Term(words[place][0], words[end - 1][1], names))
                place = end
                break
        else:
            place += 1
    return found


def called_otherwise(text: str) -> Iterator[str]:
    """The text with one of its terms under another name, for each of them."""
    for start, end, other_names in terms_with_other_names(text):
        for name in other_names:
            yield f"{text[:start]}{name}{text[end:]}"


def _words(text: str) -> list[tuple[int, int, str]]:
    """Start, end and stem of each word that carries meaning, by both languages' endings."""
    spanish, english = stemmer("es").stemWord, stemmer("en").stemWord
    return [
        (match.start(), match.end(), spanish(english(match[0])))
        for match in _WORD.finditer(fold(text))
        if match[0] not in _SMALL
    ]


@cache
def _by_name() -> Mapping[tuple[str, ...], tuple[str, ...]]:
    """The other names of each term, by the stems of its own."""
    text = files(__package__).joinpath("synonyms.txt").read_text(encoding="utf-8")
    by_name: dict[tuple[str, ...], tuple[str, ...]] = {}
    for line in text.splitlines():
        names = line.split(" | ")
        for name in names:
            stems = tuple(stem for _start, _end, stem in _words(name))
            others = (other for other in names if other != name)
            by_name[stems] = tuple(dict.fromkeys([*by_name.get(stems, ()), *others]))
    return by_name


@cache
def _longest() -> int:
    return max(map(len, _by_name()))
