"""An embedding model served by Ollama."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial

import numpy as np

from tutor.config import OllamaConfig
from tutor.embedding.embedder import PrefixingEmbedder, served_prefixes
from tutor.ending import waited_for
from tutor.errors import EmbedderError, EngineError
from tutor.i18n import _
from tutor.listening import same_model, tagged
from tutor.llm.failures import no_such_model
from tutor.llm.server import OllamaServer
from tutor.model import Vectors

DEFAULT_MODEL = "bge-m3"
"""Multilingual, 1024 dimensions, no prefixes."""
DEFAULT_BATCH = 32
_DIGEST_CHARS = 12


class OllamaEmbedder(PrefixingEmbedder):
    """A model behind `/api/embed`, with the prefixes that its family is known to want.

    The server decides where it runs, and cuts a text at the model's window.
    """

    def __init__(
        self,
        server: OllamaConfig,
        model: str = DEFAULT_MODEL,
        *,
        batch_size: int | None = None,
    ) -> None:
        """Nothing is asked of the server yet.

        Its `silence_timeout_s` must cover loading the model and embedding one batch; no answer
        takes longer as a whole.
        """
        self._server = OllamaServer(server)
        self._model = model
        self._prefixes = served_prefixes(model)
        self._batch_size = batch_size or DEFAULT_BATCH
        self._digest = ""
        self._dim = 0

    @property
    def identity(self) -> str:
        """Model, tag and the digest of its content, which the server is asked for once."""
        name = tagged(self._model)
        if not self._digest:
            with _as_embedder_error():
                models = self._server.models()
            digests = [one.digest for one in models if same_model(one.name, name)]
            if not any(digests):
                raise _embedder_error(no_such_model(self._model))
            self._digest = digests[0][:_DIGEST_CHARS]
        return f"ollama/{name}@{self._digest}"

    @property
    def device(self) -> str:
        """The server's address."""
        return self._server.host

    @property
    def dim(self) -> int:
        """Length of a vector, found by embedding one letter."""
        if not self._dim:
            self._batch(["a"])
        return self._dim

    def load(self) -> None:
        """Make the server load the model."""
        self._batch(["a"])

    def _rows(self, texts: Sequence[str]) -> Vectors:
        starts = range(0, len(texts), self._batch_size)
        return np.concatenate([self._batch(texts[n : n + self._batch_size]) for n in starts])

    def _batch(self, texts: Sequence[str]) -> Vectors:
        with _as_embedder_error():
            vectors = waited_for(partial(self._server.embed, self._model, texts))
        try:
            rows = np.asarray(vectors, dtype=np.float32)
        except (ValueError, TypeError) as error:  # rows of several lengths, or no numbers
            raise self._strange() from error
        if rows.ndim != 2 or len(rows) != len(texts) or not rows.shape[1]:
            raise self._strange()
        if self._dim not in {0, rows.shape[1]}:  # another model under the same name
            raise self._strange()
        self._dim = rows.shape[1]
        return rows

    def _strange(self) -> EmbedderError:
        return EmbedderError(
            _("What answers at %(host)s does not speak Ollama's /api/embed.")
            % {"host": self._server.host},
            _("Update Ollama (0.3 or newer), or correct ollama.host."),
        )


@contextmanager
def _as_embedder_error() -> Iterator[None]:
    try:
        yield
    except EngineError as error:
        raise _embedder_error(error) from error


def _embedder_error(error: EngineError) -> EmbedderError:
    return EmbedderError(error.message, error.remedy)
