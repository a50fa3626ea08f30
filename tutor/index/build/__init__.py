"""Notes -> store, as a generator of events that any front end can show."""

from tutor.index.build.events import (
    Committing,
    FileSkipped,
    IndexEvent,
    Planned,
    Progress,
    RunDone,
    Searchable,
    Summary,
    WaitingForLock,
)
from tutor.index.build.run import IndexOptions, index_course, recipe_for

__all__ = [
    "Committing",
    "FileSkipped",
    "IndexEvent",
    "IndexOptions",
    "Planned",
    "Progress",
    "RunDone",
    "Searchable",
    "Summary",
    "WaitingForLock",
    "index_course",
    "recipe_for",
]
