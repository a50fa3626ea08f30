"""BERT embedders, as E5 is one, on ONNX Runtime and the processor: token ids to vectors."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from tutor.embedding.bert import INPUT, bert_model
from tutor.embedding.embedder import Prefixes, PrefixingEmbedder
from tutor.errors import EmbedderError
from tutor.i18n import _
from tutor.model import Vectors

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tutor.embedding.bert import Weights
    from tutor.model import Vectors


TOKENS_PER_RUN = 256
"""Texts of one length share a run up to this many tokens. Four sentences of 37 tokens take a fifth
less together than one by one; more gain nothing, and from 400 tokens on each one takes longer."""

_ERRORS_ONLY = 3
"""The severity of logging; warnings would be printed over the terminal."""


class Encoder:
    """Token ids to the mean of their vectors.

    Nothing is padded: only texts of one length share a run, so that a vector depends on nothing
    but its own text. Threads may share an encoder.
    """

    def __init__(self, weights: Weights, outliers: Sequence[int] | None = None) -> None:
        """Compile the model; `outliers` as in `bert_model`. Raises `EmbedderError`."""
        self._words, self._positions = weights.words, weights.positions()
        model, self._output, tensors = bert_model(weights, outliers)
        self._session = open_session(model, tensors)

    def mean_vectors(self, texts: Sequence[Sequence[int]], threads: int = 1) -> Vectors:
        """The mean token vectors of texts given as token ids, shape (n, hidden).

        Up to `threads` runs go side by side, each on one core: two threads that share a run take
        a sixth more processor time than two that have one each. Raises `EmbedderError`.
        """
        means = np.empty((len(texts), self._positions.shape[1]), np.float32)

        def run(indices: list[int]) -> None:
            ids = np.array([texts[index] for index in indices], np.int64)
            embeddings = self._words(ids) + self._positions[: ids.shape[1]]
            means[indices] = self._session.run([self._output], {INPUT: embeddings})[0]

        runs = list(_runs(texts))
        pool = ThreadPoolExecutor(max(1, min(threads, len(runs))))
        try:
            with explained():
                list(pool.map(run, runs))
        finally:  # after Ctrl-C, too, only what has begun is finished
            pool.shutdown(cancel_futures=True)
        return means


def open_session(model: bytes, tensors: Mapping[str, NDArray[Any]]) -> Any:
    """A session of onnxruntime, of one thread; `tensors` are what the model only names.

    Raises `EmbedderError`.
    """
    with explained():
        import onnxruntime  # noqa: PLC0415 - 0.05 s, not needed to know a model's identity

        onnxruntime.disable_telemetry_events()
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.log_severity_level = _ERRORS_ONLY
        # Planning which outputs share memory takes 0.2 s for the 8-bit encoder and saves none.
        options.enable_mem_reuse = False
        shared = [onnxruntime.OrtValue.ortvalue_from_numpy(values) for values in tensors.values()]
        options.add_external_initializers(list(tensors), shared)
        return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])


@contextmanager
def explained() -> Iterator[None]:
    """Turn what goes wrong in onnxruntime into an `EmbedderError`."""
    # Since 1.29 it keeps an identifier of this machine and sends records, unless it reads this
    # when it is first used in a process.
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    failures: tuple[type[Exception], ...] = (ImportError, MemoryError)
    try:
        import onnxruntime.capi.onnxruntime_pybind11_state as state  # noqa: PLC0415 - see above

        failures += (state.Fail, state.RuntimeException, state.InvalidArgument)
        failures += (state.InvalidGraph, state.NotImplemented)
        yield
    except failures as error:
        reason = (str(error) or type(error).__name__).strip().splitlines()[0]
        raise EmbedderError(
            _("ONNX Runtime cannot run the embedding model: %(reason)s") % {"reason": reason},
            _("Close other programs; if that does not help: %(command)s")
            % {"command": "pip install --force-reinstall onnxruntime"},
        ) from error


def available_cpus() -> int:
    """The cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):  # not on macOS and Windows
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _runs(texts: Sequence[Sequence[int]]) -> Iterator[list[int]]:
    """The indices of texts of equal length, as many at a time as fit into a run, the longest first.

    So no core works on a long one alone at the end.
    """
    order = sorted(range(len(texts)), key=lambda index: -len(texts[index]))
    for length, equal in groupby(order, key=lambda index: len(texts[index])):
        indices = list(equal)
        size = max(1, TOKENS_PER_RUN // length)
        yield from (indices[start : start + size] for start in range(0, len(indices), size))


Tokenizer: TypeAlias = Callable[[str], Sequence[int]]
"""A text's token ids, without those that mark its beginning and its end."""


class Loaded(NamedTuple):
    """A model in memory. `window` counts the tokens it reads at once, with `begin` and `end`."""

    encoder: Encoder
    tokenizer: Tokenizer
    begin: int
    end: int
    window: int


class OnnxEmbedder(PrefixingEmbedder):
    """A BERT whose vector of a text is the mean of its token vectors.

    A text longer than the model's window is read in windows whose vectors are averaged by length,
    or cut there. Any number of threads may embed at once.
    """

    device = "cpu"
    dim = 0

    def __init__(
        self,
        identity: str,
        dim: int,
        prefixes: Prefixes,
        load: Callable[[], Loaded],
        threads: int | None = None,
        *,
        cut: bool = False,
    ) -> None:
        """`load` gives the model, which embedders may share, or raises `EmbedderError`; the rest is
        known without it. `threads`: how many cores to use; all that the process may if not given.
        """
        self.identity = self._model = identity
        self.dim = dim
        self._prefixes = prefixes
        self._load = load
        self._threads = threads or available_cpus()
        self._cut = cut
        self._loading = threading.Lock()
        self._loaded: Loaded | None = None

    def load(self) -> Loaded:
        """The model, loaded once (half a second); any thread may do it, and the first use does."""
        with self._loading:
            if self._loaded is None:
                self._loaded = self._load()
            return self._loaded

    def _rows(self, texts: Sequence[str]) -> Vectors:
        model = self.load()
        room = model.window - 2
        windows: list[list[int]] = []
        owners: list[int] = []
        for number, text in enumerate(texts):
            ids = model.tokenizer(text)
            for start in range(0, 1 if self._cut else max(1, len(ids)), room):
                windows.append([model.begin, *ids[start : start + room], model.end])
                owners.append(number)
        lengths = np.array([max(1, len(window) - 2) for window in windows], np.float32)
        rows = np.zeros((len(texts), self.dim), np.float32)
        means = model.encoder.mean_vectors(windows, self._threads)
        np.add.at(rows, owners, means * lengths[:, np.newaxis])
        return rows
