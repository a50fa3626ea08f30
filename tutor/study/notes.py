"""The notes as they are now, looked into for what a card stood on."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from tutor.map.model import newest_versions
from tutor.model import CleanText, Source
from tutor.study.card import Origin
from tutor.study.making.material import CardMaterial
from tutor.text.folding import folded

_ALIKE = 0.3
"""Share of the words of two texts from which on one may be what has become of the other."""
_MOST_BLOCKS = 6
"""Blocks in a row that what stood in one place may be spread over."""
_WORD = re.compile(r"\w+")


class Notes:
    """A course's documents, of several versions of a lesson's notes the newest."""

    def __init__(self, documents: Iterable[tuple[Source, CleanText]] = ()) -> None:
        given = list(documents)
        newest = newest_versions(source for source, _text in given)
        self._documents = [pair for pair in given if pair[0].id in newest]

    def standing(self, origin: Origin) -> Origin | None:
        """Where the text of a place stands now, in its document or in another one; spaces and
        line breaks do not matter. None where it no longer stands anywhere.
        """
        words = re.compile(r"\s+".join(map(re.escape, origin.text.split())))
        heirs = self._heirs(origin)
        others = (pair for pair in self._documents if pair not in heirs)
        for source, text in (*heirs, *others):
            if found := words.search(text.text):
                return CardMaterial(source, text).origin(*found.span())
        return None

    def nearest(self, origin: Origin) -> Origin | None:
        """What most likely has become of a place: the most similar statements or blocks of the
        same document, or of a newer version of that lesson's notes. None where none is similar.
        """
        wanted = word_counts(origin.text)
        best: tuple[float, int, int, Source, CleanText] | None = None
        for source, text in self._heirs(origin):
            for start, end in _places(text):
                share = alike(wanted, word_counts(text.text[start:end]))
                if share >= _ALIKE and (best is None or share > best[0]):
                    best = share, start, end, source, text
        return CardMaterial(best[3], best[4]).origin(best[1], best[2]) if best else None

    def _heirs(self, origin: Origin) -> list[tuple[Source, CleanText]]:
        """The document of a place as it is now, or the newest version of its lesson's notes."""
        lesson = origin.date and (origin.week, origin.date)
        return [
            (source, text)
            for source, text in self._documents
            if source.id == origin.source_id
            or (source.version and lesson and (source.week, source.date) == lesson)
        ]


def _places(text: CleanText) -> Iterator[tuple[int, int]]:
    """Every statement, every block, and blocks in a row."""
    for place, block in enumerate(text.blocks):
        for statement in text.statements(block):
            yield statement.start, statement.end
        for last in text.blocks[place : place + _MOST_BLOCKS]:
            yield block.start, last.end


def word_counts(text: str) -> Counter[str]:
    """How often each word stands in a text."""
    return Counter(_WORD.findall(folded(text)))


def alike(one: Counter[str], other: Counter[str]) -> float:
    """The share of words that two texts have in common, from 0 to 1 (Dice, 1945)."""
    both = one.total() + other.total()
    return 2 * (one & other).total() / both if both else 0.0
