"""Text to token ids by a unigram language model (Kudo 2018, arXiv:1804.10959), as XLM-RoBERTa does.

The package `tokenizers` gives the same ids, after 2.4 s for building its model of 250,000 pieces.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

SPACE = "\u2581"
"""What stands for a space within pieces."""

_WORD = re.compile(f"{SPACE}[^{SPACE}]*")
_UNKNOWN_PENALTY = 10.0
"""How much less likely than the least likely piece an unknown character is, as in SentencePiece."""
_MOST_WORDS = 100_000
"""Words that are remembered; then they are forgotten all at once."""


class Vocabulary(NamedTuple):
    """The pieces by their ids, their log probabilities, and the id for what none of them fits.

    `normalisation` maps code points to what they become before a text is cut.
    """

    pieces: Sequence[str]
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

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._ids = dict(zip(vocabulary.pieces, range(len(vocabulary.pieces)), strict=True))
        self._unknown = vocabulary.unknown
        del self._ids[vocabulary.pieces[self._unknown]]
        self._scores = vocabulary.scores
        self._unknown_score = min(vocabulary.scores) - _UNKNOWN_PENALTY
        self._longest = max(map(len, vocabulary.pieces))
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
            for end in range(start + 1, min(length, start + self._longest) + 1):
                piece = self._ids.get(word[start:end])
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
