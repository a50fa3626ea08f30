"""Embedding models on disk, found and told apart without importing torch or a hub's library."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

_WEIGHTS = ("model.safetensors", "pytorch_model.bin")
_VOCABULARIES = (
    "tokenizer.json",
    "sentencepiece.bpe.model",
    "tokenizer.model",
    "spiece.model",
    "vocab.json",
    "vocab.txt",
)
_SAMPLES = 16
_SAMPLE_BYTES = 65_536
_HASH_CHARS = 12


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A complete sentence-transformers model in `folder`; `revision` tells its content apart."""

    folder: Path
    revision: str


def find_snapshot(model: str, environ: Mapping[str, str]) -> Snapshot | None:
    """The model on disk: a folder of that name, else the hub's cache; `None` if not complete."""
    folder = Path(model).expanduser()
    if folder.is_dir():
        return Snapshot(folder, fingerprint(folder)) if _is_complete(folder) else None
    for cache in _caches(environ):
        for name in (model, f"sentence-transformers/{model}"):
            for snapshot in _revisions(cache / f"models--{name.replace('/', '--')}"):
                if _is_complete(snapshot):
                    return Snapshot(snapshot, snapshot.name[:_HASH_CHARS])
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


def dim_on_disk(folder: Path) -> int | None:
    """Length of the model's vectors where its files say it plainly, else `None`."""
    modules = _json(folder / "modules.json")
    if not isinstance(modules, list) or not all(isinstance(part, dict) for part in modules):
        return None
    kinds = {str(part.get("type", "")).rpartition(".")[2]: part for part in modules}
    if len(kinds) != len(modules) or not kinds.keys() <= {"Transformer", "Pooling", "Normalize"}:
        return None
    pooling = _json(folder / str(kinds.get("Pooling", {}).get("path", "")) / "config.json")
    if not isinstance(pooling, dict):
        return None
    modes = [key for key, on in pooling.items() if key.startswith("pooling_mode_") and on is True]
    dim = pooling.get("word_embedding_dimension")
    return dim if isinstance(dim, int) and len(modes) == 1 else None


def fetching(model: str) -> str:
    """The command that fetches what reading a model without torch needs, and no more."""
    files = "config.json model.safetensors modules.json tokenizer.json 1_Pooling/config.json"
    return f"hf download {model} {files}"


def name_of(model: str, snapshot: Snapshot) -> str:
    """What `model` is called in an embedder's identity: a hub id, or a folder's name."""
    is_folder = snapshot.folder.parent.name != "snapshots"
    return snapshot.folder.resolve().name if is_folder else model


def original_name(model: str, folder: Path) -> str:
    """The name under which the model in `folder` was published, `model` if it does not say."""
    if folder.parent.name == "snapshots" and folder.parent.parent.name.startswith("models--"):
        return folder.parent.parent.name.removeprefix("models--").replace("--", "/")
    config = _json(folder / "config.json")
    origin = config.get("_name_or_path") if isinstance(config, dict) else None
    return origin if Path(model).expanduser().is_dir() and isinstance(origin, str) else model


def _caches(environ: Mapping[str, str]) -> Iterator[Path]:
    if named := environ.get("SENTENCE_TRANSFORMERS_HOME"):
        yield Path(named).expanduser()
    if named := environ.get("HF_HUB_CACHE") or environ.get("HUGGINGFACE_HUB_CACHE"):
        yield Path(named).expanduser()
    elif named := environ.get("HF_HOME"):
        yield Path(named).expanduser() / "hub"
    else:
        home = environ.get("XDG_CACHE_HOME") or "~/.cache"
        yield Path(home).expanduser() / "huggingface" / "hub"


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
    parts = _json(folder / "modules.json")
    paths = [str(part.get("path", "")) for part in parts] if isinstance(parts, list) else []
    return any(
        _has_weights(folder / path)
        and any((folder / path / name).is_file() for name in _VOCABULARIES)
        for path in {"", *paths}
    )


def _has_weights(folder: Path) -> bool:
    for name in _WEIGHTS:
        index = _json(folder / f"{name}.index.json")
        shards = index.get("weight_map") if isinstance(index, dict) else None
        if isinstance(shards, dict):
            return all((folder / str(shard)).is_file() for shard in set(shards.values()))
        if (folder / name).is_file():
            return True
    return False


def _sample_starts(size: int) -> Iterator[int]:
    if size <= _SAMPLES * _SAMPLE_BYTES:
        yield from range(0, size, _SAMPLE_BYTES)
    else:
        last = size - _SAMPLE_BYTES
        yield from (last * index // (_SAMPLES - 1) for index in range(_SAMPLES))


def _json(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
