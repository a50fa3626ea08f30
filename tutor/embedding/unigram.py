"""Text to token ids by a unigram language model (Kudo 2018, arXiv:1804.10959), as XLM-RoBERTa does.

The package `tokenizers` gives the same ids, after 2.4 s for building its model of 250,000 pieces.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

SPACE = "\u2581"
"""What stands for a space within pieces."""

_WORD = re.compile(f"{SPACE}[^{SPACE}]*")
_UNKNOWN_PENALTY = 10.0
"""How much less likely than the least likely piece an unknown character is, as in SentencePiece."""
_MOST_WORDS = 100_000
"""Words that are remembered; then they are forgotten all at once."""


class Pieces:
    """Pieces that follow each other in one text, by their ids.

    A piece becomes a string when a word begins as it does: a question needs a few thousand of
    them, and all 250,000 take 0.15 s. `starts`, of shape (n + 1,), are their places in the text.
    """

    def __init__(self, text: str, starts: NDArray[np.int64]) -> None:
        self._text, self._starts = text, starts
        self._lengths = np.diff(starts)
        codes = np.frombuffer(f"{text}\0\0".encode("utf-32-le"), np.uint32)
        beginnings = codes[starts[:-1]].astype(np.uint64) << np.uint64(32)
        beginnings |= np.where(self._lengths > 1, codes[starts[:-1] + 1], 0).astype(np.uint64)
        self._order = np.argsort(beginnings)
        self._beginnings = beginnings[self._order]

    def __len__(self) -> int:
        return len(self._lengths)

    def __getitem__(self, piece: int) -> str:
        return self._text[self._starts[piece] : self._starts[piece + 1]]

    def __iter__(self) -> Iterator[str]:
        return map(self.__getitem__, range(len(self)))

    @property
    def longest(self) -> int:
        """How many characters the longest piece has."""
        return int(self._lengths.max())

    def beginning(self, characters: str) -> dict[str, int]:
        """The ids of the pieces that begin with two characters, or of the piece that is one."""
        first, second = ord(characters[0]), ord(characters[1]) if len(characters) > 1 else 0
        wanted = np.uint64(first << 32 | second)
        low = np.searchsorted(self._beginnings, wanted)
        high = np.searchsorted(self._beginnings, wanted, "right")
        return {self[piece]: piece for piece in self._order[low:high].tolist()}


class PieceVocabulary(NamedTuple):
    """The pieces by their ids, their log probabilities, and the id for what none of them fits.

    `normalisation` maps code points to what they become before a text is cut.
    """

    pieces: Pieces
    scores: Sequence[float]
    unknown: int
    normalisation: Mapping[int, str]

    def normalised(self, text: str) -> str:
        """What is cut: characters replaced, one space between words and one in front."""
        text = re.sub(" {2,}", " ", text.translate(self.normalisation)).replace(" ", SPACE)
        return text if text.startswith(SPACE) else SPACE + text


class UnigramTokenizer:
    """Cuts each word into its most likely pieces (Viterbi), once, and remembers how.

    Cutting word by word gives what cutting the whole text would: no piece has a space within.
    """

    def __init__(self, vocabulary: PieceVocabulary) -> None:
        self._pieces = vocabulary.pieces
        self._ids: dict[str, dict[str, int]] = {}
        self._unknown = vocabulary.unknown
        self._scores = vocabulary.scores
        self._unknown_score = min(vocabulary.scores) - _UNKNOWN_PENALTY
        self._longest = vocabulary.pieces.longest
        self._normalised = vocabulary.normalised
        self._words: dict[str, list[int]] = {}

    def __call__(self, text: str) -> list[int]:
        """The ids of a text's pieces, without those that mark its beginning and its end."""
        ids: list[int] = []
        for word in _WORD.findall(self._normalised(text)):
            known = self._words.get(word)
            if known is None:
                if len(self._words) >= _MOST_WORDS:
                    self._words.clear()
                known = self._words[word] = self._cut(word)
            ids += known
        return ids

    def _cut(self, word: str) -> list[int]:
        length = len(word)
        best = [0.0] + [-float("inf")] * length
        """The score of the best way to cut the first characters."""
        last = [(0, self._unknown)] * (length + 1)
        """Of that way, where its last piece begins, and which it is."""
        for start in range(length):
            so_far = best[start]
            ids_of = self._beginning(word[start : start + 1])
            for end in range(start + 1, min(length, start + self._longest) + 1):
                if end == start + 2:
                    ids_of = self._beginning(word[start:end])
                piece = ids_of.get(word[start:end])
                if piece is not None and so_far + self._scores[piece] > best[end]:
                    best[end], last[end] = so_far + self._scores[piece], (start, piece)
            if so_far + self._unknown_score > best[start + 1]:
                best[start + 1] = so_far + self._unknown_score
                last[start + 1] = (start, self._unknown)
        ids: list[int] = []
        end = length
        while end:
            end, piece = last[end]
            if piece != self._unknown or ids[-1:] != [piece]:  # neighbours count as one
                ids.append(piece)
        return ids[::-1]

    def _beginning(self, characters: str) -> dict[str, int]:
        """The ids of pieces by how they begin, but of that for what no piece fits."""
        ids = self._ids.get(characters)
        if ids is None:
            found = self._pieces.beginning(characters)
            ids = {text: piece for text, piece in found.items() if piece != self._unknown}
            if ids:
                self._ids[characters] = ids
        return ids
