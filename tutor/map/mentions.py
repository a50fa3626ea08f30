"""Where the names of concepts stand in a text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from tutor.map.words import Key, Word
from tutor.model import Block


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

    def mentions(self, runs: Iterable[tuple[Block, Sequence[Word]]]) -> Iterator[Mention]:
        """All places of a document's runs of words, in order."""
        for block, words in runs:
            yield from self._in_run(words, block.start)

    def _in_run(self, words: Sequence[Word], block: int) -> Iterator[Mention]:
        place = 0
        while place < len(words):
            longest = self._longest.get(words[place].stem, 0)
            for size in range(min(longest, len(words) - place), 0, -1):
                part = words[place : place + size]
                concept = self._keys.get(tuple(word.stem for word in part))
                if concept is not None:
                    yield Mention(concept, part[0].start, part[-1].end, block)
                    place += size
                    break
            else:
                place += 1
