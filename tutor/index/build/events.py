"""What a run of the indexer reports while it works."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from tutor.index.store import Manifest, Skipped


@dataclass(frozen=True, slots=True)
class WaitingForLock:
    """Another process is indexing this course; this one waits for it.

    `searchable`: the course has an index meanwhile, if only one that is asked by words.
    """

    searchable: bool = False


@dataclass(frozen=True, slots=True)
class Planned:
    """What there is to do, in files."""

    course: str
    to_read: int
    unchanged: int
    removed: int


@dataclass(frozen=True, slots=True)
class FileSkipped:
    """A file is left out of the index."""

    file: Skipped


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the run is. `chunks_found` grows while files are being read.

    `texts_per_s` is how many texts were embedded in a second, on average of the last ten;
    `seconds_left` is for the whole run, None until it can be estimated. Sentences are embedded when
    all chunks are; until then both their figures are 0.
    """

    path: str
    files_done: int
    files: int
    pages: int
    chunks_done: int
    chunks_found: int
    texts_per_s: float
    seconds_left: float | None
    sentences_done: int = 0
    sentences_found: int = 0


@dataclass(frozen=True, slots=True)
class Searchable:
    """A course that had no index can be asked by words from here on; its vectors are being made."""


@dataclass(frozen=True, slots=True)
class Committing:
    """Everything is embedded; the new index is being written."""


@dataclass(frozen=True, slots=True)
class Summary:
    """What a finished run did. Files, chunks, and seconds per stage."""

    manifest: Manifest
    read: int
    unchanged: int
    removed: int
    embedded: int
    reused: int
    changed: bool
    seconds: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RunDone:
    """The run is finished and the index is in force."""

    summary: Summary


IndexEvent: TypeAlias = (
    WaitingForLock | Planned | FileSkipped | Progress | Searchable | Committing | RunDone
)
