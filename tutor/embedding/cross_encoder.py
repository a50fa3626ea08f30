"""A cross-encoder, which reads question and passage together (needs the torch extra).

More exact than comparing vectors and far slower: every passage is read anew for every question
(Nogueira & Cho 2019, "Passage Re-ranking with BERT", arXiv:1901.04085).
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from tutor.embedding.embedder import embeddable
from tutor.embedding.snapshots import find_snapshot
from tutor.embedding.transformer import torch_extra_installed
from tutor.errors import EmbedderError
from tutor.i18n import _

if TYPE_CHECKING:
    from numpy.typing import NDArray

_BATCH = 16


class CrossEncoderReranker:
    """A sentence-transformers cross-encoder from a folder or the hub's cache.

    Nothing is fetched. Threads may share it: they take turns.
    """

    def __init__(self, model: str, device: str = "auto") -> None:
        """`model`: a folder or a hub id, as `BAAI/bge-reranker-v2-m3`. Raises `EmbedderError`."""
        self._name = model
        self._device = None if device == "auto" else device
        self._model: Any = None
        self._turn = threading.Lock()
        if not torch_extra_installed():
            raise EmbedderError(
                _("The reranker %(model)s needs torch and sentence-transformers.")
                % {"model": model},
                _("Install the torch extra: pip install 'tutor[torch]'"),
            )
        snapshot = find_snapshot(model, os.environ)
        if snapshot is None:
            raise EmbedderError(
                _("The reranker %(model)s is not on this disk, or not complete.")
                % {"model": model},
                _("Set retrieval.reranker to the folder that holds it, or take the setting out."),
            )
        self._folder = snapshot.folder

    def score(self, question: str, passages: Sequence[str]) -> NDArray[np.float32]:
        """How well each passage answers the question, shape (n,); only the order means anything.

        A pair longer than the model's window is cut at the passage's end. Raises `EmbedderError`.
        """
        if not passages:
            return np.empty(0, np.float32)
        pairs = [(embeddable(question), embeddable(passage)) for passage in passages]
        with self._turn, self._explained():
            if self._model is None:
                self._model = self._loaded()
            scores = self._model.predict(pairs, batch_size=_BATCH, show_progress_bar=False)
        ranked = np.asarray(scores, np.float32)
        if ranked.shape != (len(passages),) or not np.isfinite(ranked).all():
            raise EmbedderError(
                _("The reranker %(model)s does not give one number per passage.")
                % {"model": self._name},
                _("Set retrieval.reranker to a cross-encoder with one output."),
            )
        return ranked

    def _loaded(self) -> Any:
        os.environ["HF_HUB_DISABLE_TELEMETRY"] = "1"
        os.environ["HF_HUB_OFFLINE"] = "1"
        import sentence_transformers  # noqa: PLC0415 - takes seconds

        import_module("transformers.utils.logging").disable_progress_bar()  # untyped
        return sentence_transformers.CrossEncoder(
            str(self._folder), device=self._device, local_files_only=True
        )

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except (ImportError, OSError, ValueError, KeyError, TypeError, RuntimeError) as error:
            reason = (str(error) or type(error).__name__).strip().splitlines()[0]
            raise EmbedderError(
                _("The reranker %(model)s does not work: %(reason)s")
                % {"model": self._name, "reason": reason},
                _("Check retrieval.reranker, or take the setting out."),
            ) from error
