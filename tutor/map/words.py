"""Words of a text as names are compared by: content words without number, and where they stand.

Names of one thing differ in number, accents, case, articles and prepositions: "Árboles de
decisión" and "árbol de decisión" have one key.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from tutor.model import Block
from tutor.text.folding import folded
from tutor.text.words import STOP_WORDS_OF_BOTH

_TOKEN = re.compile(r"[^\W_]+(?:[*#]|\+\+)?")
_LINKS = frozenset("de del of the la las los el".split())
"""Words within a name that its key leaves out."""
_SPACE = re.compile(r"(?:\s|-\n?|\u00ad|[–’'])*")
_ACRONYM = re.compile(r"[A-ZÁÉÍÓÚÑ][A-ZÁÉÍÓÚÑ0-9]{1,6}s?")
_PLURAL = re.compile(r"es?\Z|(?<=[aou])s\Z|(?<=[bcdfghjklmnpqrtvwxz])s\Z")
"""What number adds to a word, and the "e" that is part of it in some: "valores", "clases"."""
_SHORTEST_PLURAL = 3
_TURNS = frozenset(("no", "non"))
"""Function words that make another thing of a name: "aprendizaje no supervisado"."""

Key = tuple[str, ...]


class Run(NamedTuple):
    """Words by their stems, as a key of which a part is that of a part of them, and their spans."""

    stems: Key
    spans: tuple[tuple[int, int], ...]


def runs_of_words(text: str, start: int = 0, end: int | None = None) -> Iterator[Run]:
    """The words of `text[start:end]` that carry meaning, in runs that no sign and no other word
    parts, but for those that bind the words of a name.
    """
    stems: list[str] = []
    spans: list[tuple[int, int]] = []
    last = start
    for found in _TOKEN.finditer(text, start, len(text) if end is None else end):
        span = found.span()
        stem, link = _stem(found[0])
        if stems:
            between = text[last : span[0]]
            joined = between == " " or _SPACE.fullmatch(between) is not None
            if not joined or not (stem or link):
                yield Run(tuple(stems), tuple(spans))
                stems, spans = [], []
        last = span[1]
        if stem:
            stems.append(stem)
            spans.append(span)
    if stems:
        yield Run(tuple(stems), tuple(spans))


def key_of(name: str) -> Key:
    """What all ways of writing a name have in common; empty where no word carries meaning."""
    stems = (_stem(found[0])[0] for found in _TOKEN.finditer(name))
    return tuple(stem for stem in stems if stem)


@lru_cache(maxsize=65_536)
def _stem(word: str) -> tuple[str, bool]:
    """A word's stem, empty for a function word, and whether that binds the words of a name."""
    if _ACRONYM.fullmatch(word):
        return word.removesuffix("s") if len(word) > 2 else word, False
    plain = folded(word)
    if plain in STOP_WORDS_OF_BOTH and plain not in _TURNS:
        return "", plain in _LINKS
    return _PLURAL.sub("", plain) if len(plain) > _SHORTEST_PLURAL else plain, False


def looked_up(name: str) -> str:
    """A name as it is looked up: letters and digits alone, folded, without what binds them."""
    plain = folded(name)
    return " ".join(word for word in _TOKEN.findall(plain) if word not in _LINKS)


@dataclass(frozen=True, slots=True)
class Mention:
    """A concept is named at `text[start:end]`. `block` is where that block begins."""

    concept: int
    start: int
    end: int
    block: int


class Vocabulary:
    """Keys of names, each with the number of its concept. The longest name at a place counts."""

    def __init__(self, keys: Mapping[Key, int]) -> None:
        self._keys = keys
        self._longest: dict[str, int] = {}
        for key in keys:
            self._longest[key[0]] = max(self._longest.get(key[0], 0), len(key))

    def mentions(self, runs: Iterable[tuple[Block, Run]]) -> Iterator[Mention]:
        """All places of a document's runs of words, in order."""
        for block, run in runs:
            if not self._longest.keys().isdisjoint(run.stems):
                yield from self._in_run(run, block.start)

    def _in_run(self, run: Run, block: int) -> Iterator[Mention]:
        place, stems = 0, run.stems
        while place < len(stems):
            longest = self._longest.get(stems[place], 0)
            for size in range(min(longest, len(stems) - place), 0, -1):
                concept = self._keys.get(stems[place : place + size])
                if concept is not None:
                    end = run.spans[place + size - 1][1]
                    yield Mention(concept, run.spans[place][0], end, block)
                    place += size
                    break
            else:
                place += 1
