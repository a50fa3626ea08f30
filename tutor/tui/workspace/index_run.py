"""A run of the indexer as the app shows it: light, since it is known before the first frame."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING

from tutor.i18n import _
from tutor.presentation.amounts import duration, joined

if TYPE_CHECKING:
    from tutor.index.build.events import Completed, Failed, Progress
    from tutor.index.store import Skipped


class Phase(Enum):
    """Where a run is."""

    STARTING = auto()
    WAITING = auto()
    """Another process indexes this course."""
    WORKING = auto()
    WRITING = auto()
    STOPPING = auto()
    """Its reader has stopped it; the process is told."""
    DONE = auto()
    CANCELLED = auto()
    FAILED = auto()


@dataclass(frozen=True, slots=True)
class IndexRun:
    """One run, as far as it has come.

    `has_former`: whether a whole index of the course is there already, which answers meanwhile;
    `by_words`: whether a course that had none can be asked by words meanwhile.
    """

    course: str
    has_former: bool = False
    phase: Phase = Phase.STARTING
    progress: Progress | None = None
    skipped: tuple[Skipped, ...] = ()
    by_words: bool = False
    completed: Completed | None = None
    failed: Failed | None = None

    @property
    def is_over(self) -> bool:
        """Whether nothing more comes."""
        return self.phase in {Phase.DONE, Phase.CANCELLED, Phase.FAILED}


def activity(run: IndexRun) -> str:
    """What a run is doing, in a few words; nothing where it is over."""
    if run.phase is Phase.WAITING:
        return _("Waiting: another process is indexing")
    if run.phase is Phase.WRITING:
        return _("Writing the index ...")
    if run.phase is Phase.STOPPING:
        return _("Stopping ...")
    if run.is_over:
        return ""
    return joined(_("Indexing ..."), _share_text(run.progress), left_text(run))


def _share_text(progress: Progress | None) -> str:
    if progress is None:
        return ""
    if progress.sentences_found:
        return _("%(done)d/%(found)d sentences") % {
            "done": progress.sentences_done,
            "found": progress.sentences_found,
        }
    return _("%(done)d/%(files)d files, %(embedded)d/%(found)d passages") % {
        "done": progress.files_done,
        "files": progress.files,
        "embedded": progress.chunks_done,
        "found": progress.chunks_found,
    }


def left_text(run: IndexRun) -> str:
    """How long the run will take still, once that can be told."""
    if run.progress is None or run.progress.seconds_left is None:
        return ""
    return _("about %(time)s left") % {"time": duration(run.progress.seconds_left)}
