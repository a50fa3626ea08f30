"""An embedding model served by Ollama."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from tutor.embedding.embedder import embeddable, unit_rows
from tutor.embedding.prefixes import served_prefixes
from tutor.errors import ContextOverflowError, EmbedderError, EngineError
from tutor.i18n import _
from tutor.model import Vectors

if TYPE_CHECKING:
    import httpx

    from tutor.config import OllamaConfig

DEFAULT_MODEL = "bge-m3"
"""Multilingual, 1024 dimensions, no prefixes."""
DEFAULT_BATCH = 32

_PATH = "/api/embed"
_DIGEST_CHARS = 12
_MOST_BYTES = 64 * 2**20
"""Of one answer: 32 vectors of 4,096 numbers take 3 MB as JSON."""


class OllamaEmbedder:
    """A model behind `/api/embed`, with the prefixes that its family is known to want.

    The server decides where it runs, and cuts a text at the model's window.
    """

    def __init__(
        self, settings: OllamaConfig, model: str = DEFAULT_MODEL, *, batch_size: int | None = None
    ) -> None:
        """Nothing is asked of the server of these settings yet.

        `silence_timeout_s` must cover loading the model and embedding one batch; no answer takes
        longer as a whole.
        """
        self._settings = settings
        self._model = model
        self._batch_size = batch_size or DEFAULT_BATCH
        self._prefixes = served_prefixes(model)
        self._dim: int | None = None

    @cached_property
    def identity(self) -> str:
        """Model, tag and the digest of its content, which the server is asked for once."""
        from tutor.llm import OllamaServer  # noqa: PLC0415 - httpx, 0.15 s the others need not pay
        from tutor.llm.failures import no_such_model  # noqa: PLC0415 - as above
        from tutor.llm.server import tagged  # noqa: PLC0415 - as above

        wanted = tagged(self._model)
        with self._told():
            for model in OllamaServer(self._settings).models():
                if tagged(model.name).lower() == wanted.lower() and model.digest:
                    digest = model.digest.removeprefix("sha256:")[:_DIGEST_CHARS]
                    return f"ollama/{wanted}@{digest}"
            raise no_such_model(self._model)

    @property
    def device(self) -> str:
        """The server's address."""
        return self._settings.host

    @property
    def dim(self) -> int:
        """Length of a vector, found by embedding one letter."""
        return self._dim or int(self._request(["a"]).shape[1])

    def load(self) -> None:
        """Make the server load the model."""
        self._request(["a"])

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Vectors of questions, shape (n, dim)."""
        return self._embed(texts, self._prefixes.query)

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Vectors of passages, shape (n, dim)."""
        return self._embed(texts, self._prefixes.passage)

    def _embed(self, texts: Sequence[str], prefix: str) -> Vectors:
        if not len(texts):
            return np.empty((0, self.dim), dtype=np.float32)
        parts = [
            self._request([prefix + embeddable(text) for text in texts[start:][: self._batch_size]])
            for start in range(0, len(texts), self._batch_size)
        ]
        return unit_rows(np.concatenate(parts), self._model)

    def _request(self, batch: list[str]) -> Vectors:
        from tutor.llm.failures import not_ollama  # noqa: PLC0415 - as above
        from tutor.llm.requests import Bounds, ask  # noqa: PLC0415 - as above

        longest = self._settings.silence_timeout_s
        bounds = Bounds(longest, longest, _MOST_BYTES)
        body = {"model": self._model, "input": batch, "truncate": True}
        with self._told():
            answer = ask(self._client, self._settings, _PATH, body, bounds=bounds)
            try:
                rows = np.asarray(answer["embeddings"], dtype=np.float32)  # ValueError if ragged
            except (KeyError, TypeError, ValueError) as error:
                raise not_ollama(_PATH) from error
            if rows.ndim != 2 or len(rows) != len(batch) or not rows.shape[1]:
                raise not_ollama(_PATH)
            if self._dim not in {None, rows.shape[1]}:  # another model under the same name
                raise not_ollama(_PATH)
            self._dim = rows.shape[1]
        return rows

    @cached_property
    def _client(self) -> httpx.Client:
        from tutor.llm.requests import open_client  # noqa: PLC0415 - as above

        return open_client(self._settings, self._settings.silence_timeout_s)

    @contextmanager
    def _told(self) -> Iterator[None]:
        """What the server or the way to it does wrong, as an `EmbedderError`."""
        try:
            yield
        except ContextOverflowError as error:
            raise EmbedderError(
                _("A text is longer than what the embedding model %(model)s reads at once.")
                % {"model": self._model},
                _("Choose one with a longer window (embedder.model), or update Ollama."),
            ) from error
        except EngineError as error:
            raise EmbedderError(error.message, error.remedy) from error
