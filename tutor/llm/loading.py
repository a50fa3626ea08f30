"""Whether the server still loads the model or already reads the prompt."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from tutor.errors import EngineError
from tutor.events import Stage, Waiting
from tutor.listening import tagged
from tutor.llm.requests import open_client
from tutor.llm.server import running_models

if TYPE_CHECKING:
    import httpx

    from tutor.config import OllamaConfig
    from tutor.llm.requests import StreamedRequest

_POLL_S = 1.0
_POLL_TIMEOUT_S = 2.0
_JOIN_S = 0.2


class LoadingWatch:
    """Looks about once a second at what is in memory, until the first token comes.

    A model that `/api/ps` does not list is being loaded where nothing else is listed. Where there
    is, or it is listed with another context window than ours, the server may as well answer others
    before, which nothing tells. Where the server cannot be asked, what it said last holds, or else
    the prompt is taken to be read. Older servers list a model from the beginning of its load:
    there, loading looks like reading.
    """

    def __init__(
        self, settings: OllamaConfig, num_ctx: Callable[[], int], request: StreamedRequest
    ) -> None:
        self._settings = settings
        self._num_ctx = num_ctx
        self._request = request
        self._lock = threading.Lock()
        self._stage: Stage | None = None
        self._since = time.monotonic()
        self._stopped = False
        self._thread = threading.Thread(target=self._run, name="ollama-ps", daemon=True)
        self._thread.start()

    def waiting(self, tokens: int) -> Waiting:
        """What is waited for now; `tokens` is the length of the prompt."""
        with self._lock:
            seconds = time.monotonic() - self._since
            stage = self._stage or Stage.READING
            return Waiting(stage, seconds, tokens if stage is Stage.READING else 0)

    def stop(self) -> None:
        """End the request: at once, or as soon as its model is loaded.

        To close the connection while the model loads would abort the load, and the next question
        would begin it anew; so the threads then stay in the background until the model is there.
        """
        with self._lock:
            self._stopped = True
            loading = (
                self._request.sent.is_set()
                and not self._request.answering.is_set()
                and self._stage is not Stage.READING
            )
        if not loading:
            self._request.end()
            self._thread.join(_JOIN_S)

    def _run(self) -> None:
        request = self._request
        request.sent.wait()
        with open_client(self._settings, _POLL_TIMEOUT_S) as client:
            while not request.answering.is_set():
                self._note(self._look(client))
                request.answering.wait(_POLL_S)
        with self._lock:
            stopped = self._stopped
        if stopped:
            request.end()

    def _note(self, stage: Stage) -> None:
        with self._lock:
            if stage is not self._stage:
                self._stage, self._since = stage, time.monotonic()
            ready = self._stopped and stage is Stage.READING
        if ready:
            self._request.end()

    def _look(self, client: httpx.Client) -> Stage:
        wanted = tagged(self._settings.model).lower()
        try:
            running = running_models(client, self._settings)
        except EngineError:
            return self._stage or Stage.READING
        windows = (0, self._num_ctx())
        if any(
            tagged(one.name).lower() == wanted and one.context_tokens in windows for one in running
        ):
            return Stage.READING
        return Stage.QUEUED if running else Stage.LOADING
