"""The cards of the course that lies open: made from its notes, reviewed, taken back.

Every method touches a disk and is meant for a worker thread.
"""

from __future__ import annotations

from collections.abc import Callable

from tutor.errors import StudyError
from tutor.i18n import _
from tutor.model import Citation
from tutor.preferences import Preferences
from tutor.study.card import Origin
from tutor.study.changes import Change, Notes
from tutor.study.exams import ExamSitting
from tutor.study.planning import Plan, planned
from tutor.study.practice import ExamWanted, Practice
from tutor.study.progress import CardCounts, TopicProgress, topics
from tutor.study.refreshing import documents, is_outdated, make
from tutor.study.schedule import Scheduler
from tutor.study.sitting import Sitting
from tutor.study.store import FILE_NAME, Merged, StudyStore
from tutor.tui.workspace.cited_page import place_cited
from tutor.tui.workspace.workspace import Workspace


class Studying:
    """One sitting over the cards of a course. Every method raises `StudyError` or `StoreError`."""

    sitting: Sitting
    """What is reviewed, once it `has_begun`."""

    def __init__(self, workspace: Workspace, making: Callable[[], object] = lambda: None) -> None:
        """`making` is told where cards are made first."""
        self._workspace = workspace
        self._making = making
        self._store: StudyStore | None = None
        self.has_begun = False

    @property
    def store(self) -> StudyStore:
        """The file of all cards, begun where there is none."""
        if self._store is None:
            self._store = StudyStore(self._workspace.config.stores_path / FILE_NAME)
        return self._store

    def begin(self, practice: Practice | None) -> CardCounts:
        """Go through these cards; without any, through what is due, then new ones."""
        course, settings = self._course, self._workspace.config.study
        self._take_notes()
        scheduler = Scheduler(settings.retention)
        chosen = practice.chosen(self.store, course) if practice else []
        new, wanted = settings.new_per_day, practice.wanted if practice else 0
        self.sitting = Sitting(self.store, course, scheduler, new, only=chosen, wanted=wanted)
        self.has_begun = True
        self.sitting.advance()
        return self.store.counts(course)

    def examine(self, wanted: ExamWanted) -> ExamSitting:
        self._take_notes()
        return wanted.begun(self.store, self._course)

    def plan(self, said: str, kept: Preferences) -> Plan | None:
        """Plan until the exam on the day that is said or `kept`."""
        self._take_notes()
        opened, retention = self._workspace.opened, self._workspace.config.study.retention
        sources = opened.store.sources.values() if opened else ()
        return planned(said, sources, self.store, self._course, retention=retention, kept=kept)

    def progress(self) -> list[TopicProgress]:
        self._take_notes()
        scheduler = Scheduler(self._workspace.config.study.retention, fuzz=False)
        return topics(self.store.cards(self._course), scheduler, self.store.now())

    def _take_notes(self) -> None:
        """Make the cards of the notes where there are none, or the notes have changed."""
        counts, opened = self.store.counts(self._course), self._workspace.opened
        # Without the notes, what was learned is reviewed.
        changed = opened and is_outdated(self.store, self._course, opened.store.manifest)
        if counts.cards == counts.own or changed:
            self._making()
            self.make()

    def make(self) -> Merged:
        with self._workspace.using() as opened:
            return make(self.store, self._course, opened.store)

    def look_again(self) -> CardCounts:
        """Go on with the card at hand as it is now, or the next one."""
        self.sitting.look_again()
        return self.store.counts(self._course)

    def changes(self) -> list[Change]:
        """The cards that stood on what the notes no longer say, as the index has them now."""
        with self._workspace.using() as opened:
            return self.store.changes.of_course(self._course, Notes(documents(opened.store)))

    def citations(self, origin: Origin) -> list[Citation]:
        """The place that a card stands on, as what an answer cites."""
        strategy = self._workspace.config.strategy
        with self._workspace.using() as opened:
            source = opened.store.sources.get(origin.source_id)
        if source is None:
            raise StudyError(
                _("%(path)s is no longer in the index.") % {"path": origin.path},
                _("The card is kept. Put the file back, or delete the card."),
            )
        pages = origin.first_page, origin.last_page
        return [place_cited(source, strategy, origin.text, origin.start, pages)]

    def close(self) -> None:
        if self._store:
            self._store.close()
            self._store = None

    @property
    def _course(self) -> str:
        if self._workspace.course is None:
            raise self._workspace.obstacle
        return self._workspace.course.name
