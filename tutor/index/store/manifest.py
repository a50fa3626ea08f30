"""The manifest: what a store holds and how it was made. Renaming it into place is the commit."""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeAlias

from pydantic import TypeAdapter

from tutor.courses import course_command, index_command, unreadable_index
from tutor.errors import StoreError, reason_of
from tutor.i18n import _
from tutor.model import Source, SourceId, Strategy
from tutor.text.terminal import one_line

SCHEMA = 2
FILE_NAME = "manifest.json"
FileSum: TypeAlias = tuple[int, int]
"""A file's size in bytes and the CRC-32 of its contents."""
DUPLICATE = "duplicate"
"""The reason why a file was skipped that is the same as another one."""
_CHECKSUM = "checksum"
_PASSING = frozenset({"unreadable", "changed", "killed", "stalled"})


@dataclass(frozen=True, slots=True)
class VectorSpace:
    """What must agree between an index and whoever asks it or adds to it."""

    embedder: str
    dim: int
    chunking: int


@dataclass(frozen=True, slots=True)
class Recipe:
    """Everything that decides a store's contents apart from the notes themselves.

    Vectors of different spaces are never mixed. `reading` and `cleaning` may differ: the next
    update then reads every document again and embeds only the texts that came out otherwise.
    """

    space: VectorSpace
    cleaning: int
    reading: str


@dataclass(frozen=True, slots=True)
class Indexed:
    """One document in the store: what it is, and what reading it gave.

    `chunks` counts its chunks per strategy; a strategy that is missing was not built for it.
    `page_starts` are those of its `CleanText`.
    """

    source: Source
    chunks: Mapping[Strategy, int]
    page_starts: tuple[int, ...] = ()
    pages_without_text: tuple[int, ...] = ()
    pages_by_ocr: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Skipped:
    """One file that could not be read, why, and what its owner can do about it."""

    path: str
    sha256: str
    reason: str
    message: str
    remedy: str = ""

    @property
    def is_passing(self) -> bool:
        """Whether the reason lies outside the file, so that reading it is tried again."""
        return self.reason in _PASSING

    @property
    def is_copy(self) -> bool:
        """Whether all that it says is in the index: another file is the same."""
        return self.reason == DUPLICATE


@dataclass(frozen=True, slots=True)
class Manifest:
    """The contents of one generation of a store."""

    generation: int
    recipe: Recipe
    indexed: tuple[Indexed, ...]
    skipped: tuple[Skipped, ...] = ()
    collections: Mapping[Strategy, str] = field(default_factory=dict)
    chroma_server: str | None = None
    created: str = ""
    derived: Mapping[str, str] = field(default_factory=dict)
    """Versions of the generation's derived files, by their names."""
    vectors: bool = True
    """Whether its chunks have vectors: those of a course's first generation follow in the second,
    and until then it is asked by words."""
    files: Mapping[str, FileSum] = field(default_factory=dict)
    """Of the generation's files, by their names within its folder."""
    schema: int = SCHEMA

    @property
    def sources(self) -> dict[SourceId, Source]:
        """The documents by their identity."""
        return {entry.source.id: entry.source for entry in self.indexed}

    @property
    def folder(self) -> str:
        """Name of the folder, beside the manifest, that holds this generation's files."""
        return f"generation-{self.generation:06d}"

    @property
    def pages(self) -> int:
        """How many pages the documents have in all."""
        return sum(entry.source.pages for entry in self.indexed)

    def chunk_count(self, strategy: Strategy) -> int:
        """How many chunks of `strategy` the store holds."""
        return sum(entry.chunks.get(strategy, 0) for entry in self.indexed)

    def texts_only(self) -> Manifest:
        """The same documents as if none were cut: what there is to build upon without vectors."""
        texts = tuple(replace(entry, chunks={}) for entry in self.indexed)
        return replace(self, indexed=texts, derived={}, vectors=False)


def rebuild_command(store: Path) -> str:
    """The command that builds the store in that folder anew."""
    return index_command(store.name, "--rebuild")


def repair_command(store: Path) -> str:
    """The command that makes anew what can be made from the stored texts and vectors."""
    return index_command(store.name, "--repair")


def read_manifest(store: Path) -> Manifest | None:
    """The manifest of the store in that folder, or None where nothing was ever indexed.

    Raises `StoreError` when it cannot be read or belongs to another version.
    """
    path = store / FILE_NAME
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
        if record["schema"] != SCHEMA:
            raise StoreError(
                _("The index in %(path)s was made by another version of tutor (format %(found)s).")
                % {"path": store, "found": record["schema"]},
                _("Rebuild it: %(command)s") % {"command": rebuild_command(store)},
            )
        if record.pop(_CHECKSUM, None) not in {None, _checksum(record)}:
            raise ValueError(_CHECKSUM)
        return _FORM.validate_python(record)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise unreadable_index(store, reason_of(error)) from error
    except (ValueError, KeyError, TypeError) as error:
        raise StoreError(
            _("The file %(path)s is damaged.") % {"path": path},
            _("Rebuild the index: %(command)s") % {"command": rebuild_command(store)},
        ) from error


def find_manifest(store: Path) -> Manifest:
    """What is known of a course's index. Raises `StoreError` where it has none."""
    manifest = read_manifest(store)
    if manifest is None:
        raise StoreError(
            _("The course `%(course)s` has no index yet.") % {"course": one_line(store.name)},
            _("Build it: %(command)s") % {"command": course_command("index", store.name)},
        )
    return manifest


def is_replaced(store: Path, manifest: Manifest) -> bool:
    """Whether another generation is in force by now: this one's files go, and are not damaged."""
    try:
        in_force = read_manifest(store)
    except StoreError:
        return False
    return in_force is not None and in_force.generation != manifest.generation


def write_manifest(store: Path, manifest: Manifest) -> None:
    """Put the manifest in place in one step, so that a reader sees the old one or the new one."""
    partial = store / f"{FILE_NAME}.partial"
    with partial.open("w", encoding="utf-8") as file:
        record = _FORM.dump_python(manifest, mode="json")
        record[_CHECKSUM] = _checksum(record)
        json.dump(record, file, ensure_ascii=False, indent=1)
        file.flush()
        os.fsync(file.fileno())
    partial.replace(store / FILE_NAME)


def check_space(store: Path, found: VectorSpace, configured: VectorSpace) -> None:
    """Refuse to mix: raises `StoreError` when the store's vectors are of another kind."""
    for what, ours, theirs in (
        (_("embedder"), configured.embedder, found.embedder),
        (_("vector length"), configured.dim, found.dim),
        (_("chunking"), configured.chunking, found.chunking),
    ):
        if ours != theirs:
            raise StoreError(
                _(
                    "The index in %(path)s was built with another %(what)s: "
                    "%(found)s there, %(configured)s in the settings."
                )
                % {"path": store, "what": what, "found": theirs, "configured": ours},
                _("Rebuild it, or set the former one again: %(command)s")
                % {"command": rebuild_command(store)},
            )


def _checksum(record: dict[str, Any]) -> int:
    """Of everything else that the manifest says; who edits it by hand takes it out."""
    rest = {name: value for name, value in record.items() if name != _CHECKSUM}
    return zlib.crc32(json.dumps(rest, sort_keys=True).encode())


_FORM = TypeAdapter(Manifest)
