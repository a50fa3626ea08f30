"""Whether the server still loads the model or already reads the prompt."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

from tutor.errors import EngineError
from tutor.events import Stage, Waiting
from tutor.listening import tagged
from tutor.llm.server import OllamaServer

if TYPE_CHECKING:
    from tutor.config import OllamaConfig
    from tutor.llm.requests import StreamedRequest

_POLL_S = 1.0
_POLL_TIMEOUT_S = 0.5
"""Whoever asks what is waited for cannot stop the answer meanwhile."""


class LoadingWatch:
    """Asks about once a second what is in memory, until the first token comes.

    A model that `/api/ps` does not list is being loaded where nothing else is listed. Where there
    is, or it is listed with another context window than ours, the server may as well answer others
    before, which nothing tells. Where the server cannot be asked, what it said last holds, or else
    the prompt is taken to be read. Older servers list a model from the beginning of its load:
    there, loading looks like reading.
    """

    def __init__(self, settings: OllamaConfig, num_ctx: int, request: StreamedRequest) -> None:
        self._server = OllamaServer(settings, _POLL_TIMEOUT_S)
        self._model = tagged(settings.model).lower()
        self._windows = (0, num_ctx)
        self._request = request
        self._stage: Stage | None = None
        self._since = time.monotonic()
        self._asked = -_POLL_S

    def waiting(self, tokens: int) -> Waiting:
        """What is waited for now; `tokens` is the length of the prompt."""
        if time.monotonic() - self._asked >= _POLL_S:
            stage = self._look()
            if stage is not self._stage and self._stage is not None:
                self._since = time.monotonic()
            self._stage, self._asked = stage, time.monotonic()
        stage = self._stage or Stage.READING
        tokens = tokens if stage is Stage.READING else 0
        return Waiting(stage, time.monotonic() - self._since, tokens)

    def end_request(self) -> None:
        """End the request: at once, or in the background as soon as its model is loaded."""
        if self._request.answering.is_set() or self._stage is Stage.READING:
            self._request.end()
        else:
            threading.Thread(target=self._end_later, name="ollama-loading", daemon=True).start()

    def _end_later(self) -> None:
        while self._look() is not Stage.READING and not self._request.answering.wait(_POLL_S):
            pass
        self._request.end()

    def _look(self) -> Stage:
        try:
            running = self._server.running()
        except EngineError:
            return self._stage or Stage.READING
        if any(
            tagged(one.name).lower() == self._model and one.context_tokens in self._windows
            for one in running
        ):
            return Stage.READING
        return Stage.QUEUED if running else Stage.LOADING
