"""BERT embedders, as E5 is one, on ONNX Runtime and the processor."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeAlias

import numpy as np

from tutor.embedding.embedder import embeddable, unit_rows
from tutor.embedding.encoder import Encoder, available_cpus
from tutor.model import Vectors

if TYPE_CHECKING:
    from tutor.embedding.prefixes import Prefixes

Tokenizer: TypeAlias = Callable[[str], Sequence[int]]
"""A text's token ids, without those that mark its beginning and its end."""


class Loaded(NamedTuple):
    """A model in memory. `window` counts the tokens it reads at once, with `begin` and `end`."""

    encoder: Encoder
    tokenizer: Tokenizer
    begin: int
    end: int
    window: int


class ModelSource(Protocol):
    """Where a model comes from. What it tells of itself costs no loading."""

    @property
    def identity(self) -> str:
        """Model, precision and version, as `Embedder.identity` has to name them."""
        ...

    @property
    def dim(self) -> int:
        """Length of a vector."""
        ...

    @property
    def prefixes(self) -> Prefixes:
        """What the model was trained to see before questions and passages."""
        ...

    def load(self) -> Loaded:
        """The model, which embedders may share. Raises `EmbedderError`."""
        ...


class OnnxEmbedder:
    """A BERT whose vector of a text is the mean of its token vectors.

    A text longer than the model's window is read in windows whose vectors are averaged by length.
    Any number of threads may embed at once.
    """

    def __init__(self, source: ModelSource, threads: int | None = None) -> None:
        """`threads`: how many cores to use; all that the process may use if not given."""
        self._source = source
        self._threads = threads or available_cpus()
        self._loading = threading.Lock()
        self._model: Loaded | None = None

    @property
    def identity(self) -> str:
        """The model and the revision of its files."""
        return self._source.identity

    @property
    def device(self) -> str:
        """Always `cpu`."""
        return "cpu"

    @property
    def dim(self) -> int:
        """Length of a vector, known without loading."""
        return self._source.dim

    def load(self) -> None:
        """Load the model now (half a second); any thread may do it, and the first use does."""
        self._loaded()

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Vectors of questions, shape (n, dim)."""
        return self._embed(texts, self._source.prefixes.query)

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Vectors of passages, shape (n, dim)."""
        return self._embed(texts, self._source.prefixes.passage)

    def _loaded(self) -> Loaded:
        with self._loading:
            if self._model is None:
                self._model = self._source.load()
            return self._model

    def _embed(self, texts: Sequence[str], prefix: str) -> Vectors:
        if not len(texts):
            return np.empty((0, self.dim), np.float32)
        model = self._loaded()
        room = model.window - 2
        windows: list[list[int]] = []
        owners: list[int] = []
        for number, text in enumerate(texts):
            ids = model.tokenizer(prefix + embeddable(text))
            for start in range(0, max(1, len(ids)), room):
                windows.append([model.begin, *ids[start : start + room], model.end])
                owners.append(number)
        lengths = np.array([max(1, len(window) - 2) for window in windows], np.float32)
        rows = np.zeros((len(texts), self.dim), np.float32)
        means = model.encoder.mean_vectors(windows, self._threads)
        np.add.at(rows, owners, means * lengths[:, np.newaxis])
        return unit_rows(rows, self.identity)
