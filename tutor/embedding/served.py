"""An embedding model served by Ollama."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

import numpy as np

from tutor.embedding.embedder import embeddable, unit_rows
from tutor.embedding.prefixes import served_prefixes
from tutor.errors import EmbedderError
from tutor.i18n import _
from tutor.listening import THIS_MACHINE, leads_elsewhere, tagged, unusable_proxy
from tutor.model import Vectors

DEFAULT_MODEL = "bge-m3"
"""Multilingual, 1024 dimensions, no prefixes."""
DEFAULT_BATCH = 32

_CONNECT_S = 3.0
_DIGEST_CHARS = 12
_MOST_BYTES = 64 * 2**20
"""Of one answer: 32 vectors of 4,096 numbers take 3 MB as JSON."""


class OllamaEmbedder:
    """A model behind `/api/embed`, with the prefixes that its family is known to want.

    The server decides where it runs, and cuts a text at the model's window.
    """

    def __init__(
        self,
        host: str,
        model: str = DEFAULT_MODEL,
        *,
        batch_size: int | None = None,
        silence_timeout_s: float = 300.0,
    ) -> None:
        """`host` is an address such as `http://127.0.0.1:11434`; nothing is asked of it yet.

        `silence_timeout_s` must cover loading the model and embedding one batch; no answer takes
        longer as a whole.
        """
        self._host = host
        self._model = model
        self._batch_size = batch_size or DEFAULT_BATCH
        self._silence_s = silence_timeout_s
        self._prefixes = served_prefixes(model)
        self._connecting = threading.Lock()
        self._connection: Any = None
        self._digest: str | None = None
        self._dim: int | None = None

    @property
    def identity(self) -> str:
        """Model, tag and the digest of its content, which the server is asked for once."""
        if self._digest is None:
            self._digest = self._find_digest()
        return f"ollama/{tagged(self._model)}@{self._digest}"

    @property
    def device(self) -> str:
        """The server's address."""
        return self._host

    @property
    def dim(self) -> int:
        """Length of a vector, found by embedding one letter."""
        if self._dim is None:
            self._dim = int(self._request(["a"]).shape[1])
        return self._dim

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
        if len({part.shape[1] for part in parts}) != 1:
            raise self._strange()
        return unit_rows(np.concatenate(parts), self._model)

    def _request(self, batch: list[str]) -> Vectors:
        with self._told_apart():
            answer = self._client().embed(self._model, batch, truncate=True)
            rows = np.asarray(answer.embeddings, dtype=np.float32)  # ValueError if ragged
        if rows.ndim != 2 or len(rows) != len(batch) or not rows.shape[1]:
            raise self._strange()
        if self._dim not in {None, rows.shape[1]}:  # another model under the same name
            raise self._strange()
        return rows

    def _find_digest(self) -> str:
        wanted = tagged(self._model).lower()
        with self._told_apart():
            models = self._client().list().models
        for entry in models:
            if tagged(entry.model or "").lower() == wanted and entry.digest:
                return str(entry.digest).removeprefix("sha256:")[:_DIGEST_CHARS]
        raise self._unknown_model()

    def _client(self) -> Any:
        with self._connecting:
            if self._connection is None:
                import httpx  # noqa: PLC0415 - see below
                import ollama  # noqa: PLC0415 - 0.4 s that the other embedders need not pay

                try:
                    self._connection = ollama.Client(
                        self._host,
                        timeout=httpx.Timeout(self._silence_s, connect=_CONNECT_S),
                        # A proxy set in the environment cannot reach this machine's own address.
                        trust_env=urlsplit(self._host).hostname not in THIS_MACHINE,
                        headers={"Accept-Encoding": "identity"},
                        # Wherever it led to would get the notes' texts.
                        follow_redirects=False,
                        event_hooks={"response": [self._bound]},
                    )
                except (ValueError, ImportError) as error:
                    raise unusable_proxy(EmbedderError, error) from error
            return self._connection

    def _bound(self, response: Any) -> None:
        """Refuse what leads elsewhere or is compressed, and let the answer end: the client reads
        it whole.
        """
        if response.is_redirect:
            location = response.headers.get("location", "")
            raise leads_elsewhere(EmbedderError, self._host, location)
        if response.headers.get("content-encoding", "identity").lower() != "identity":
            raise _TooMuchError
        response.stream = bounded(response.stream, self._silence_s)

    @contextmanager
    def _told_apart(self) -> Iterator[None]:
        """Turn what the server or the way to it does wrong into an `EmbedderError`."""
        import httpx  # noqa: PLC0415 - with ollama 0.4 s
        from ollama import ResponseError  # noqa: PLC0415 - with httpx 0.4 s

        try:
            yield
        except ResponseError as error:
            raise self._refused(error.status_code, str(error.error)) from error
        except httpx.ReadTimeout as error:
            raise EmbedderError(
                _("Ollama at %(host)s has not answered for %(seconds)g s.")
                % {"host": self._host, "seconds": self._silence_s},
                _("Look what it is busy with (`ollama ps`), or restart it."),
            ) from error
        except (ConnectionError, httpx.TransportError, httpx.InvalidURL) as error:
            raise EmbedderError(
                _("No Ollama server answers at %(host)s.") % {"host": self._host},
                _("Start it with `ollama serve`, or set ollama.host to where it runs."),
            ) from error
        except _TooMuchError as error:
            raise self._strange() from error
        except (ValueError, TypeError, AttributeError) as error:  # JSON of another shape, or none
            raise self._strange() from error

    def _refused(self, status: int, reason: str) -> EmbedderError:
        if status == 404 and "model" in reason and "not found" in reason:
            return self._unknown_model()
        if status == 501 or "does not support embeddings" in reason:
            return EmbedderError(
                _("The Ollama model %(model)s does not make embeddings.") % {"model": self._model},
                _("Choose one that does: `ollama pull %(model)s`, and set embedder.model to it.")
                % {"model": DEFAULT_MODEL},
            )
        if status == 404:
            return self._strange()
        return EmbedderError(
            _("Ollama at %(host)s refused to embed with %(model)s: %(status)d %(reason)s")
            % {
                "host": self._host,
                "model": self._model,
                "status": status,
                "reason": reason.strip()[:300],
            },
            _("Its log says more (`journalctl -u ollama`, or ~/.ollama/logs/server.log)."),
        )

    def _unknown_model(self) -> EmbedderError:
        return EmbedderError(
            _("Ollama at %(host)s does not have the model %(model)s.")
            % {"host": self._host, "model": self._model},
            f"ollama pull {self._model}",
        )

    def _strange(self) -> EmbedderError:
        return EmbedderError(
            _("What answers at %(host)s does not speak Ollama's /api/embed.")
            % {"host": self._host},
            _("Update Ollama (0.3 or newer), or correct ollama.host."),
        )


class _TooMuchError(Exception):
    """A server sends more than any answer has, or compressed what nobody asked to have so."""


def bounded(stream: Any, in_all_s: float, most_bytes: int = _MOST_BYTES) -> Any:
    """A response's body that ends: after so many bytes or seconds reading it fails."""
    import httpx  # noqa: PLC0415 - with ollama 0.4 s

    class Bounded(httpx.SyncByteStream):
        def __iter__(self) -> Iterator[bytes]:
            left, until = most_bytes, time.monotonic() + in_all_s
            for piece in stream:
                left -= len(piece)
                if left < 0:
                    raise _TooMuchError
                if time.monotonic() > until:
                    raise httpx.ReadTimeout("the answer does not end")
                yield piece

        def close(self) -> None:
            stream.close()

    return Bounded()
