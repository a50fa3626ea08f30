"""Notes -> store, as a generator of events that any front end can show."""

from tutor.index.build.events import (
    Committing,
    Completed,
    Failed,
    IndexEvent,
    Planned,
    Progress,
    Searchable,
    WaitingForLock,
)
from tutor.index.build.run import IndexOptions, index_course, recipe_for
