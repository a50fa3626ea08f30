"""What an Ollama server has and does: its models, those in memory, vectors, fetching models."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from tutor.config import OllamaConfig
from tutor.errors import EngineError
from tutor.i18n import _
from tutor.listening import tagged
from tutor.llm.failures import not_ollama, short_line
from tutor.llm.requests import LOOK_UP_S, StreamedRequest, ask

_TICK_S = 0.25
_ABSURD = 2**63
_MOST_BYTES_OF_VECTORS = 64 * 2**20
"""32 vectors of 4,096 numbers take 3 MB as JSON."""
_NOT_IN_LIBRARY = "file does not exist"


@dataclass(frozen=True, slots=True)
class InstalledModel:
    """A model that the server has. `size` is in bytes on disk; texts are empty where unknown."""

    name: str
    size: int = 0
    modified: datetime | None = None
    parameters: str = ""
    quantization: str = ""
    digest: str = ""


@dataclass(frozen=True, slots=True)
class RunningModel:
    """A model in memory: `size` bytes of it, `size_vram` of them on the graphics card.

    `context_tokens` is the window it was loaded with; 0 where the server does not say.
    """

    name: str
    size: int = 0
    size_vram: int = 0
    context_tokens: int = 0


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """What a model can do. `context_tokens` is the longest window it was trained for.

    `parameters` counts its weights. Both are 0 where the server does not say.
    """

    context_tokens: int = 0
    parameters: int = 0
    capabilities: frozenset[str] = frozenset()

    @property
    def chats(self) -> bool:
        """Whether it answers; old servers tell no capabilities, then it is assumed."""
        return not self.capabilities or "completion" in self.capabilities


@dataclass(frozen=True, slots=True)
class ListedModel:
    """A model of the server with what it can do; `loaded` is None while it is not in memory."""

    model: InstalledModel
    info: ModelInfo
    loaded: RunningModel | None = None


@dataclass(frozen=True, slots=True)
class PullProgress:
    """How far a model is fetched: `completed` of `total` bytes of one layer, 0 where unknown."""

    status: str
    completed: int = 0
    total: int = 0


class OllamaServer:
    """An Ollama server. Every method raises `EngineError`, with a message for each failure."""

    def __init__(self, settings: OllamaConfig, patience_s: float = LOOK_UP_S) -> None:
        """`patience_s`: the longest silence while a figure is looked up."""
        self._settings = settings
        self._silence_s = min(settings.silence_timeout_s, patience_s)

    @property
    def host(self) -> str:
        """Its address."""
        return self._settings.host

    def version(self) -> str:
        """The version that it runs."""
        return short_line(self._asked("/api/version").get("version", ""))

    def models(self) -> tuple[InstalledModel, ...]:
        """The models that it has, in its own order (the latest first)."""
        return tuple(_installed(entry) for entry in _entries(self._asked("/api/tags")))

    def running(self) -> tuple[RunningModel, ...]:
        """The models in memory."""
        return tuple(
            RunningModel(
                short_line(entry["name"]),
                whole(entry, "size"),
                whole(entry, "size_vram"),
                whole(entry, "context_length"),
            )
            for entry in _entries(self._asked("/api/ps"))
        )

    def listed(self, known: dict[InstalledModel, ModelInfo]) -> list[ListedModel]:
        """All models with what they can do, looked up where it is not `known`, and kept there.

        A single one that cannot be read leaves gaps in its own line only.
        """
        models = self.models()
        running = {tagged(model.name): model for model in self.running()}
        for model in models:
            if model not in known:
                with suppress(EngineError):
                    known[model] = self.show(model.name)
        return [
            ListedModel(one, known.get(one, ModelInfo()), running.get(tagged(one.name)))
            for one in models
        ]

    def show(self, model: str) -> ModelInfo:
        """What `model` can do."""
        record = self._asked("/api/show", {"model": model})
        details = _section(record, "model_info")
        lengths = [whole(details, key) for key in details if key.endswith(".context_length")]
        capabilities = record.get("capabilities")
        return ModelInfo(
            context_tokens=max(lengths, default=0),
            parameters=whole(details, "general.parameter_count"),
            capabilities=frozenset(
                one
                for one in (capabilities if isinstance(capabilities, list) else ())
                if isinstance(one, str)
            ),
        )

    def embed(self, model: str, texts: Sequence[str]) -> object:
        """What the server gives as vectors; a text longer than the model's window is cut there.

        Loading the model and computing may take as long as a silence may last.
        """
        seconds = self._settings.silence_timeout_s
        return ask(
            self._settings,
            "/api/embed",
            {"model": model, "input": list(texts), "truncate": True},
            silence_s=seconds,
            in_all_s=seconds,
            most_bytes=_MOST_BYTES_OF_VECTORS,
        ).get("embeddings")

    def pull(
        self, model: str, is_unwanted: Callable[[], bool] = lambda: False
    ) -> Generator[PullProgress, None, None]:
        """Fetch `model`, yielding how far it is; closing the generator ends the fetching.

        So does `is_unwanted`, which is asked while nothing comes from the server, too. What was
        fetched stays on the server, and the next attempt continues from there.
        """
        request = StreamedRequest(self._settings, "/api/pull", {"model": model, "stream": True})
        try:
            while True:
                record = request.next(_TICK_S)
                if record is None:
                    if is_unwanted():
                        return
                    continue
                if "error" in record:
                    raise _pull_failed(model, record["error"])
                status = record.get("status")
                if not isinstance(status, str):
                    raise not_ollama(record)
                completed, total = whole(record, "completed"), whole(record, "total")
                yield PullProgress(short_line(status), completed, total)
                if status == "success":
                    return
        finally:
            request.end()

    def _asked(self, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        return ask(self._settings, path, body, silence_s=self._silence_s)


def _entries(record: dict[str, Any]) -> list[dict[str, Any]]:
    models = record.get("models") or []
    if not isinstance(models, list):
        raise not_ollama(record)
    return [entry for entry in models if isinstance(entry, dict) and entry.get("name")]


def _installed(entry: dict[str, Any]) -> InstalledModel:
    details = _section(entry, "details")
    moment = None
    with suppress(ValueError):  # RFC 3339 with nanoseconds
        moment = datetime.fromisoformat(str(entry.get("modified_at")))
    return InstalledModel(
        name=short_line(entry["name"]),
        size=whole(entry, "size"),
        modified=moment,
        parameters=short_line(details.get("parameter_size") or ""),
        quantization=short_line(details.get("quantization_level") or ""),
        digest=short_line(entry.get("digest") or "").removeprefix("sha256:"),
    )


def _section(record: dict[str, Any], name: str) -> dict[str, Any]:
    section = record.get(name)
    return section if isinstance(section, dict) else {}


def _pull_failed(model: str, error: object) -> EngineError:
    reason = short_line(error)
    if _NOT_IN_LIBRARY in reason:
        return EngineError(
            _("There is no model `%(model)s` in the Ollama library.") % {"model": model},
            _("Look its name up at https://ollama.com/library"),
        )
    return EngineError(
        _("Ollama could not fetch the model %(model)s: %(reason)s")
        % {"model": model, "reason": reason},
        _("The server needs the internet for this. Try again: it goes on from where it was."),
    )


def whole(record: dict[str, Any], key: str) -> int:
    """A figure of a record, 0 where it is missing or makes no sense."""
    value = record.get(key)
    return value if isinstance(value, int) and 0 < value < _ABSURD else 0
