"""A run of the indexer as lines of JSON, for a front end that has it in a process of its own.

One object per event, told apart by `event`; what a run came to is told in counts, since the
manifest lies on the disk.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Any, TypeAlias

from pydantic import TypeAdapter, ValidationError

from tutor.errors import TutorError
from tutor.index.build.events import (
    Committing,
    FileSkipped,
    IndexEvent,
    Planned,
    Progress,
    RunDone,
    Searchable,
    WaitingForLock,
)
from tutor.index.store import Skipped


@dataclass(frozen=True, slots=True)
class Completed:
    """The index is in force. What was done in counts of files and texts, what it holds now."""

    changed: bool
    read: int
    unchanged: int
    removed: int
    embedded: int
    reused: int
    documents: int
    pages: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Failed:
    """The run broke off, and what to do about it."""

    message: str
    remedy: str = ""


LineEvent: TypeAlias = (
    WaitingForLock | Planned | FileSkipped | Progress | Searchable | Committing | Completed | Failed
)

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
    if isinstance(event, RunDone):
        return _line(_completed(event))
    return _line(event.file if isinstance(event, FileSkipped) else event)


def failure_line(error: TutorError) -> str:
    """What broke a run off, as one line."""
    return _line(Failed(error.message, error.remedy))


def event_of(line: str) -> LineEvent | None:
    """What a line says; None for a line that is no event."""
    try:
        record = json.loads(line)
        name = record.pop("event")
        event = _READERS[name].validate_python(record)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, ValidationError):
        return None
    return FileSkipped(event) if isinstance(event, Skipped) else event


def _line(record: Any) -> str:
    return json.dumps({"event": _NAMES[type(record)], **asdict(record)})


def _completed(event: RunDone) -> Completed:
    summary = event.summary
    return Completed(
        changed=summary.changed,
        read=summary.read,
        unchanged=summary.unchanged,
        removed=summary.removed,
        embedded=summary.embedded,
        reused=summary.reused,
        documents=len(summary.manifest.indexed),
        pages=sum(entry.source.pages for entry in summary.manifest.indexed),
        seconds=summary.seconds["total"],
    )
