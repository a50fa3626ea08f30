"""Prompt -> tokens, from a model served by Ollama.

Built on what a real server does: headers arrive only with the first token, an error may come
as the last line of a stream that began well, a prompt that is too long is cut in silence unless
`truncate` is false, an answer that is too long drops the prompt's beginning unless `shift` is.
"""

from __future__ import annotations

import json
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import httpx

from tutor.errors import EngineError
from tutor.i18n import _
from tutor.types import Token, Usage

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Mapping, Sequence

    from tutor.config import OllamaConfig
    from tutor.types import Message, Reasoning, Waiting


class OllamaChat:
    """A chat model on an Ollama server, as `tutor.ports.ChatModel`."""

    def __init__(self, settings: OllamaConfig) -> None:
        self._settings = settings

    @property
    def name(self) -> str:
        """The model's name."""
        return self._settings.model

    def why_not(self) -> EngineError | None:
        """Why this model cannot be asked now; None when it can."""
        try:
            present = self._model_names()
        except EngineError as error:
            return error
        wanted = self.name if ":" in self.name else f"{self.name}:latest"
        return None if wanted in present else _no_such_model(self.name)

    @property
    def context_tokens(self) -> int:
        """The context window sent with every request."""
        return self._settings.num_ctx

    def stream(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int | None = None,
        schema: Mapping[str, Any] | None = None,
    ) -> Generator[Waiting | Reasoning | Token, None, Usage]:
        """Yield the answer piece by piece; closing the generator closes the connection,
        upon which the server stops generating.

        Returns why it ended: `stop`, or `length` when the answer was cut.
        Raises `EngineError`, also in mid-answer.
        """
        settings = self._settings
        body = {
            "model": settings.model,
            "messages": [{"role": m.role, "content": m.content} for m in messages],
            "stream": True,
            "truncate": False,
            "shift": False,
            "keep_alive": settings.keep_alive,
            "options": {
                "temperature": settings.temperature,
                "num_ctx": settings.num_ctx,
                "num_predict": max_tokens or settings.num_predict,
            },
            **({"format": schema} if schema else {}),
        }
        with (
            self._explained(),
            self._client(settings.silence_timeout_s) as client,
            client.stream("POST", "/api/chat", json=body) as response,
        ):
            if response.is_error:
                response.read()
                raise self._refusal(response)
            return (yield from self._pieces(response))

    def _pieces(self, response: httpx.Response) -> Generator[Token, None, Usage]:
        for line in response.iter_lines():
            if not line.strip():
                continue
            record = _record(line)
            if error := record.get("error"):
                raise EngineError(
                    _("The model %(model)s broke off: %(reason)s")
                    % {"model": self.name, "reason": _plain(error)},
                    _("Ask again; if it happens again, restart Ollama."),
                )
            message = record.get("message")
            content = message.get("content") if isinstance(message, dict) else None
            if isinstance(content, str) and content:
                yield Token(content)
            if record.get("done"):
                return Usage(reason=str(record.get("done_reason") or "stop"))
        raise EngineError(
            _("The connection to Ollama ended in the middle of the answer."),
            _("Ask again; if it happens again, restart Ollama."),
        )

    def _model_names(self) -> set[str]:
        with self._explained(), self._client(self._settings.connect_timeout_s) as client:
            response = client.get("/api/tags")
            if response.is_error:
                raise self._refusal(response)
            models = _record(response.text).get("models") or []
        return {str(model.get("name")) for model in models if isinstance(model, dict)}

    def _client(self, silence_s: float) -> httpx.Client:
        timeout = httpx.Timeout(silence_s, connect=self._settings.connect_timeout_s)
        return httpx.Client(base_url=self._settings.host, timeout=timeout, trust_env=False)

    @contextmanager
    def _explained(self) -> Iterator[None]:
        host = self._settings.host
        try:
            yield
        except (httpx.ConnectError, httpx.ConnectTimeout) as error:
            raise EngineError(
                _("Ollama does not answer at %(host)s.") % {"host": host},
                _("Start it (ollama serve), or say where it is: OLLAMA_HOST=address:port"),
            ) from error
        except httpx.TimeoutException as error:
            raise EngineError(
                _("Ollama at %(host)s has been silent for too long.") % {"host": host},
                _("A smaller model or a higher `ollama.silence_timeout_s` helps."),
            ) from error
        except httpx.HTTPError as error:
            raise EngineError(
                _("The connection to Ollama at %(host)s broke off: %(reason)s")
                % {"host": host, "reason": _plain(str(error))},
                _("Ask again; if it happens again, restart Ollama."),
            ) from error

    def _refusal(self, response: httpx.Response) -> EngineError:
        reason = _reason(response.text)
        if response.status_code == httpx.codes.NOT_FOUND and "not found" in reason:
            return _no_such_model(self.name)
        return EngineError(
            _("Ollama refused the question (%(status)d): %(reason)s")
            % {"status": response.status_code, "reason": reason or response.reason_phrase},
            _("If the prompt is too long, ask for fewer passages (--k) or raise `ollama.num_ctx`."),
        )


def _no_such_model(model: str) -> EngineError:
    return EngineError(
        _("The model `%(model)s` is not on the Ollama server.") % {"model": model},
        _("Fetch it: %(command)s") % {"command": f"ollama pull {model}"},
    )


def _record(line: str) -> dict[str, Any]:
    try:
        record = json.loads(line)
    except ValueError:
        record = None
    if not isinstance(record, dict):
        raise EngineError(
            _("What answers there is not Ollama, or it is broken: %(line)s")
            % {"line": _plain(line)},
            _("Check the address in OLLAMA_HOST or `ollama.host`."),
        )
    return record


def _reason(body: str) -> str:
    """The text of an error body; some errors hold another JSON object in a string."""
    for _level in range(3):
        try:
            record = json.loads(body)
        except ValueError:
            break
        inner = record.get("error", record.get("message")) if isinstance(record, dict) else None
        if inner is None:
            break
        body = inner if isinstance(inner, str) else json.dumps(inner)
    return _plain(body)


def _plain(text: object) -> str:
    """One short line without control characters, whatever a server sent."""
    return "".join(c for c in str(text) if c.isprintable())[:300]
