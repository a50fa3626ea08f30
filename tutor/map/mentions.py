"""Where the names of concepts stand in a text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from tutor.map.words import Key, NameWord, stems_of
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

    def mentions(self, runs: Iterable[tuple[Block, Sequence[NameWord]]]) -> Iterator[Mention]:
        """All places of a document's runs of words, in order."""
        for block, words in runs:
            yield from self._in_run(words, block.start)

    def _in_run(self, words: Sequence[NameWord], block: int) -> Iterator[Mention]:
        place, stems = 0, stems_of(words)
        while place < len(words):
            longest = self._longest.get(stems[place], 0)
            for size in range(min(longest, len(words) - place), 0, -1):
                concept = self._keys.get(stems[place : place + size])
                if concept is not None:
                    end = words[place + size - 1].end
                    yield Mention(concept, words[place].start, end, block)
                    place += size
                    break
            else:
                place += 1
