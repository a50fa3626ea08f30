"""Embedding models on disk, found and described without importing torch or a hub's library."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from tutor.embedding.embedder import Prefixes, e5_prefixes
from tutor.files import from_home

_WEIGHTS = ("model.safetensors", "pytorch_model.bin")
_VOCABULARIES = (
    "tokenizer.json",
    "sentencepiece.bpe.model",
    "tokenizer.model",
    "spiece.model",
    "vocab.json",
    "vocab.txt",
)
_PASSAGE_PROMPTS = ("document", "passage", "corpus")
_MODE = "pooling_mode_"
_SAMPLES = 16
_SAMPLE_BYTES = 65_536
_HASH_CHARS = 12


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A complete sentence-transformers model in `folder`.

    `name` and `revision`, which tells its content apart, are parts of an embedder's identity.
    The methods raise `OSError`, `ValueError`, `KeyError` or `TypeError` for broken files.
    """

    folder: Path
    name: str
    revision: str

    def prefixes(self) -> Prefixes:
        """The prompts of the model's own configuration, else those of the E5 family."""
        path = self.folder / "config_sentence_transformers.json"
        prompts = (read_json(path) if path.exists() else {}).get("prompts") or {}
        query = prompts.get("query") or ""
        passage = next((prompts[name] for name in _PASSAGE_PROMPTS if prompts.get(name)), "")
        if query or passage:
            return Prefixes(query, passage)
        config = self.folder / "config.json"
        origin = str(read_json(config).get("_name_or_path", "")) if config.exists() else ""
        repository = self.folder.parent.parent.name.removeprefix("models--").replace("--", "/")
        return e5_prefixes(self.name, self.folder.resolve().name, repository, origin)

    def pooling(self) -> set[str]:
        """How token vectors become one, as `{"mean_tokens"}`; empty where more is done to them."""
        modules = self.folder / "modules.json"
        if not modules.exists():
            return {"mean_tokens"}  # as sentence-transformers takes a bare model
        parts = read_json(modules)
        kinds = [str(part["type"]).rpartition(".")[2] for part in parts]
        if kinds[:2] != ["Transformer", "Pooling"] or not set(kinds[2:]) <= {"Normalize"}:
            return set()
        config = read_json(self.folder / parts[1]["path"] / "config.json")
        modes = {name for name, on in config.items() if on is True}
        return {name.removeprefix(_MODE) for name in modes if name.startswith(_MODE)}

    def dim(self) -> int:
        """Length of a token's vector, which is that of a text's where one way of pooling is on."""
        return int(read_json(self.folder / "config.json")["hidden_size"])


def find_snapshot(model: str, environ: Mapping[str, str]) -> Snapshot | None:
    """The model on disk: a folder of that name, else the hub's cache; `None` if not complete."""
    folder = _folder(model)
    if folder and folder.is_dir():
        name = model if folder.parent.name == "snapshots" else folder.resolve().name
        return Snapshot(folder, name, fingerprint(folder)) if _is_complete(folder) else None
    for cache in _caches(environ):
        for name in (model, f"sentence-transformers/{model}"):
            for snapshot in _revisions(cache / f"models--{name.replace('/', '--')}"):
                if _is_complete(snapshot):
                    return Snapshot(snapshot, model, snapshot.name[:_HASH_CHARS])
    return None


def fingerprint(folder: Path) -> str:
    """A hash of a model's configuration and weights.

    Of each file its name, its size and up to 16 evenly spread samples of 64 KiB: two trainings of
    one model differ in all of them, and gigabytes need not be read.
    """
    digest = sha256()
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder)
        hidden = any(part.startswith(".") for part in name.parts)
        if hidden or path.suffix.lower() == ".md" or not path.is_file():
            continue
        size = path.stat().st_size
        digest.update(f"{name.as_posix()}\x1f{size}\x1f".encode())
        with path.open("rb") as file:
            for start in _sample_starts(size):
                file.seek(start)
                digest.update(file.read(_SAMPLE_BYTES))
    return digest.hexdigest()[:_HASH_CHARS]


def fetching(model: str) -> str:
    """The command that fetches what reading a model without torch needs, and no more."""
    files = "config.json model.safetensors modules.json tokenizer.json 1_Pooling/config.json"
    return f"hf download {shlex.quote(model)} {files}"


def read_json(path: Path) -> Any:
    """What a file says. Raises `OSError` or `ValueError`."""
    return json.loads(path.read_text(encoding="utf-8"))


def _folder(name: str) -> Path | None:
    """A folder as it is typed; none where `~` leads nowhere."""
    with suppress(FileNotFoundError):
        return from_home(name)
    return None


def _caches(environ: Mapping[str, str]) -> Iterator[Path]:
    """Where sentence-transformers and the hub's library keep models."""
    home = environ.get("HF_HOME") or f"{environ.get('XDG_CACHE_HOME') or '~/.cache'}/huggingface"
    named = environ.get("HF_HUB_CACHE") or environ.get("HUGGINGFACE_HUB_CACHE")
    for folder in (environ.get("SENTENCE_TRANSFORMERS_HOME"), named or f"{home}/hub"):
        if folder and (path := _folder(folder)):
            yield path


def _revisions(repository: Path) -> Iterator[Path]:
    snapshots = repository / "snapshots"
    try:
        head = (repository / "refs" / "main").read_text(encoding="ascii", errors="replace").strip()
    except OSError:
        head = ""
    if head:
        yield snapshots / head
    if snapshots.is_dir():
        yield from sorted(snapshots.iterdir(), key=lambda path: path.stat().st_mtime, reverse=True)


def _is_complete(folder: Path) -> bool:
    """Whether loading would find everything: an interrupted download leaves files out.

    Without its vocabulary a model would load and answer nonsense.
    """
    if not (folder / "config.json").is_file() and not (folder / "modules.json").is_file():
        return False
    places = [folder, *(path for path in folder.iterdir() if path.is_dir())]
    return any(
        _has_weights(place) and any((place / name).is_file() for name in _VOCABULARIES)
        for place in places
    )


def _has_weights(folder: Path) -> bool:
    for name in _WEIGHTS:
        try:
            shards = set(read_json(folder / f"{name}.index.json")["weight_map"].values())
            return all((folder / str(shard)).is_file() for shard in shards)
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            if (folder / name).is_file():
                return True
    return False


def _sample_starts(size: int) -> Iterator[int]:
    if size <= _SAMPLES * _SAMPLE_BYTES:
        yield from range(0, size, _SAMPLE_BYTES)
    else:
        last = size - _SAMPLE_BYTES
        yield from (last * index // (_SAMPLES - 1) for index in range(_SAMPLES))
