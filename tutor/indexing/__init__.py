"""Notes -> store, as a generator of events that any front end can show."""

from tutor.indexing.events import (
    Committing,
    Done,
    FileSkipped,
    IndexEvent,
    Planned,
    Progress,
    Summary,
    Waiting,
)
from tutor.indexing.run import IndexOptions, index_course, recipe_for

__all__ = [
    "Committing",
    "Done",
    "FileSkipped",
    "IndexEvent",
    "IndexOptions",
    "Planned",
    "Progress",
    "Summary",
    "Waiting",
    "index_course",
    "recipe_for",
]
