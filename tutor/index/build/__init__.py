"""Notes -> store, as a generator of events that any front end can show."""

from tutor.index.build.events import (
    Committing,
    Done,
    FileSkipped,
    IndexEvent,
    Planned,
    Progress,
    Searchable,
    Summary,
    WaitingForLock,
)
from tutor.index.build.run import IndexOptions, index_course, recipe_for

__all__ = [
    "Committing",
    "Done",
    "FileSkipped",
    "IndexEvent",
    "IndexOptions",
    "Planned",
    "Progress",
    "Searchable",
    "Summary",
    "WaitingForLock",
    "index_course",
    "recipe_for",
]
