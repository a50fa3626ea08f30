"""What a run of the indexer reports while it works, and the same as lines of JSON.

The lines are for a front end that has the indexer in a process of its own: one object per event,
told apart by `event`.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Any, TypeAlias

from pydantic import TypeAdapter

from tutor.index.store import Skipped


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
class Progress:
    """How far the run is. `chunks_found` grows while files are being read.

    `path` is the file read last, or for which nothing has come for `awaited_s`.

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
    awaited_s: float = 0.0


@dataclass(frozen=True, slots=True)
class Searchable:
    """A course that had no index can be asked by words from here on; its vectors are being made."""


@dataclass(frozen=True, slots=True)
class Committing:
    """Everything is embedded; the new index is being written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Completed:
    """The index is in force. What was done in counts of files and texts, and what it holds now.

    `seconds` are those of the whole run, the other two those spent in the embedder.
    """

    changed: bool
    read: int = 0
    unchanged: int
    removed: int = 0
    embedded: int = 0
    reused: int = 0
    documents: int
    pages: int
    seconds: float
    seconds_chunks: float = 0.0
    seconds_sentences: float = 0.0


@dataclass(frozen=True, slots=True)
class Failed:
    """The run broke off, and what to do about it."""

    message: str
    remedy: str = ""


IndexEvent: TypeAlias = (
    WaitingForLock | Planned | Skipped | Progress | Searchable | Committing | Completed | Failed
)
"""`Skipped` tells of a file that is left out of the index."""

_NAMES: dict[type[Any], str] = {
    WaitingForLock: "waiting",
    Planned: "planned",
    Skipped: "skipped",
    Progress: "progress",
    Searchable: "searchable",
    Committing: "committing",
    Completed: "done",
    Failed: "failed",
}
_READERS = {name: TypeAdapter(kind) for kind, name in _NAMES.items()}


def line_of(event: IndexEvent) -> str:
    """An event as one line, without the line's end."""
    return json.dumps({"event": _NAMES[type(event)], **asdict(event)})


def event_of(line: str) -> IndexEvent | None:
    """What a line says; None for a line that is no event."""
    try:
        record = json.loads(line)
        event: IndexEvent = _READERS[record.pop("event")].validate_python(record)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
    return event
