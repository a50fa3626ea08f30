"""Which notes have changed since they were indexed, as the app asks again and again."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tutor.courses import note_files
from tutor.errors import NotesError
from tutor.index.build.plan import hash_file, make_plan
from tutor.index.store import Skipped
from tutor.ingest.prepared import HashedFile

if TYPE_CHECKING:
    from tutor.courses import Course, NoteFile
    from tutor.index.store import Manifest


@dataclass(frozen=True, slots=True)
class NoteChanges:
    """Paths within the course that an update would read, or take out of the index."""

    new: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.new) + len(self.changed) + len(self.removed)


class NotesWatch:
    """Looks again and again for what has changed in a course's notes since they were indexed.

    A file is read at the first look, to be hashed, and after that only when its size, its times
    or its inode are others: the manifest knows hashes alone, and times would not tell of a file
    that was changed while the index was being made.
    """

    def __init__(self, course: Course) -> None:
        self.course = course
        self._seen: dict[Path, tuple[tuple[int, int, int, int], HashedFile]] = {}

    def changes(self, manifest: Manifest) -> NoteChanges:
        """What an update of that index would do; nothing where the notes are out of reach."""
        try:
            files = note_files(self.course)
        except (NotesError, OSError):  # an update would keep the index as it is
            return NoteChanges()
        outcomes = [self._hashed(file) for file in files]
        hashed = [one for one in outcomes if isinstance(one, HashedFile)]
        unreadable = [one for one in outcomes if isinstance(one, Skipped)]
        plan = make_plan(manifest, hashed, unreadable, manifest.recipe, ())
        known = {entry.source.id: entry.source.path for entry in manifest.indexed}
        return NoteChanges(
            new=tuple(one.file.relative for one in plan.to_read if one.id not in known),
            changed=tuple(one.file.relative for one in plan.to_read if one.id in known),
            removed=tuple(known[source] for source in plan.removed),
        )

    def _hashed(self, file: NoteFile) -> HashedFile | Skipped:
        try:
            status = file.path.stat()
        except OSError:
            return hash_file(file)  # which says why
        stamp = (status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)
        before = self._seen.get(file.path)
        if before and before[0] == stamp:
            return before[1]
        outcome = hash_file(file)
        if isinstance(outcome, HashedFile):
            self._seen[file.path] = (stamp, outcome)
        return outcome
