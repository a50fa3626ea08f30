"""The courses: chosen, indexed, brought up to date."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import datetime
from functools import partial

from textual import getters
from textual.app import ComposeResult
from textual.containers import Container, VerticalScroll
from textual.content import Content
from textual.widgets import Static

from tutor.courses import Course, list_courses, note_files
from tutor.errors import NotesError, StoreError
from tutor.i18n import _, plural
from tutor.index.build import Progress
from tutor.index.store import Manifest, Skipped, read_manifest
from tutor.model import Strategy
from tutor.presentation.amounts import decimal, duration, joined, left_text, when
from tutor.text.terminal import one_line
from tutor.tui.base import ItemList, TutorScreen, course_name, safe
from tutor.tui.keys import N_, keys_of
from tutor.tui.screens.dialogs import ConfirmModal
from tutor.tui.threads import in_background
from tutor.tui.workspace.index_run import IndexRun, Phase
from tutor.tui.workspace.indexer import Indexer

_BAR = 20
_LONG_S = 5.0
"""From then on it is told for how long a file is read: most take less."""


class IndexProgress(VerticalScroll):
    """A run while it goes on; else what the index of the course pointed at leaves out."""

    def compose(self) -> ComposeResult:
        yield Static()

    def show(self, run: IndexRun | None, skipped: Sequence[Skipped]) -> None:
        """Show a run, if there is one, and the files that are left out; else leave the room."""
        self.display = bool(run or skipped)
        parts = [run_content(run)] if run else []
        parts += [skipped_content(skipped)] if skipped else []
        self.query_one(Static).update(Content("\n\n").join(parts))


def run_content(run: IndexRun) -> Content:
    """A run in a few lines."""
    working = _("indexing. Then it can be asked.")
    if run.has_former:
        working = _("indexing. Questions are answered from the former index.")
    elif run.by_words:
        working = _("indexing. For now it can be asked by words only.")
    told = {
        Phase.WORKING: working,
        Phase.DONE: _("done"),
        Phase.CANCELLED: _("stopped. What was embedded is kept: i goes on from there."),
        Phase.FAILED: _("not indexed"),
    }.get(run.phase, run.activity)
    if run.is_held:
        told = _(
            "something outside tutor has halted the process that indexes. "
            "It goes on when it is let; x stops it, and what was embedded is kept."
        )
    heading = f"{course_name(run.course)}: {told}"
    lines = []
    if run.progress and not run.is_over:
        lines = [*_progress_lines(run.progress), left_text(run.progress)]
    elif run.completed and run.phase is Phase.DONE and run.completed.changed:
        told = _(
            "%(read)d read, %(unchanged)d unchanged, %(removed)d removed; "
            "%(embedded)d texts embedded, %(reused)d known already"
        )
        lines = [told % asdict(run.completed), duration(run.completed.seconds)]
    elif run.completed and run.phase is Phase.DONE:
        lines = [_("Nothing has changed.")]
    if run.failed:
        lines += [run.failed.message, f"→ {run.failed.remedy}"]
    return Content("\n").join([safe(heading, "bold"), *map(safe, filter(None, lines))])


def skipped_content(skipped: Sequence[Skipped]) -> Content:
    """The files left out, why, and what can be done."""
    lines = []
    for file in skipped:
        why, remedy = one_line(file.message), one_line(file.remedy)
        lines += [f"! {one_line(file.path)}", f"  {why}"]
        lines += [f"  → {remedy}"] if remedy else []
    heading = safe(_("Left out: %(n)d") % {"n": len(skipped)}, "bold")
    return Content("\n").join([heading, *map(safe, lines)])


def _progress_lines(progress: Progress) -> list[str]:
    pages = _("%(n)d pages") % {"n": progress.pages}
    rate = _("%(rate)s per second") % {"rate": decimal(progress.texts_per_s, 1)}
    counts = [(_("Files"), progress.files_done, progress.files, pages)] if progress.files else []
    counts.append((_("Passages"), progress.chunks_done, progress.chunks_found, rate))
    if progress.sentences_found:
        counts.append((_("Sentences"), progress.sentences_done, progress.sentences_found, ""))
    width = max(len(name) for name, *_figures in counts)
    lines = []
    for name, done, of, more in counts:
        full = round(_BAR * done / of) if of else 0
        bar = f"{name.ljust(width)} {'█' * full}{'░' * (_BAR - full)} {done}/{of}"
        lines.append(joined(bar, more))
    if progress.path:
        told = _("Reading %(path)s") if progress.awaited_s else _("Read: %(path)s")
        if progress.awaited_s > _LONG_S:
            told = _("Waiting for %(path)s for %(time)s")
        time = duration(progress.awaited_s)
        lines.append(told % {"path": one_line(progress.path), "time": time})
    return lines


# --- what is known of each course ---


@dataclass(frozen=True, slots=True)
class CourseInfo:
    """One course with so many `pdfs`. `problem` says why its `manifest` cannot be read.

    `changed` counts files that an update would touch, None where nobody has looked yet.
    """

    name: str
    pdfs: int
    manifest: Manifest | None = None
    changed: int | None = None
    problem: str = ""


def _info(course: Course, changes: Callable[[Course, Manifest], int] | None) -> CourseInfo:
    try:
        pdfs = len(note_files(course))
    except NotesError:
        pdfs = 0
    try:
        manifest = read_manifest(course.store)
    except StoreError as error:
        return CourseInfo(course.name, pdfs, problem=error.message)
    changed = changes(course, manifest) if changes and manifest else None
    return CourseInfo(course.name, pdfs, manifest, changed)


class CourseList(ItemList[CourseInfo]):
    """The courses; Enter or a click opens one."""

    BINDINGS = keys_of("course_list")


class CoursesScreen(TutorScreen):
    """All courses and how their indexes stand; left with the name of the one that was chosen."""

    BINDINGS = keys_of("courses")
    DOES = N_("Courses and index")
    _list = getters.query_one(CourseList)

    def body(self) -> ComposeResult:
        with Container(id="courses"):
            yield CourseList()
            yield IndexProgress()

    def on_mount(self) -> None:
        self.head()
        self._list.focus()
        self.app.indexing.subscribe(self, self._indexed)
        self._survey()

    def can(self, action: str) -> bool:
        running = self.indexer.running
        if action in {"index", "rebuild"}:
            return not running and self._list.current is not None
        return running or action != "cancel"

    # --- the list ---

    def _survey(self, *, closely: bool = False) -> None:
        """List the courses; see then what has changed in them."""

        def show(courses: Sequence[CourseInfo]) -> None:
            opened = self.workspace.course.name if self.workspace.course else ""
            at = self._list.highlighted
            if at is None:  # at first the one that lies open
                at = next((n for n, info in enumerate(courses) if info.name == opened), 0)
            self._list.fill(courses, partial(course_content, opened=opened), at)
            self._show_progress()
            if not closely:
                self._survey(closely=True)

        config, changes = self.workspace.config, self.indexer.count_changes if closely else None

        def look() -> list[CourseInfo]:
            courses = list_courses(config.notes_path, config.stores_path)
            return [_info(course, changes) for course in courses]

        in_background(self, look, show, latest="survey")

    def on_option_list_option_highlighted(self) -> None:
        self._show_progress()

    def on_option_list_option_selected(self) -> None:
        if info := self._list.current:
            self.dismiss(info.name)

    # --- indexing ---

    def _indexed(self, indexer: Indexer) -> None:
        """Show how far it is; look at the courses anew when it has ended."""
        self._show_progress()
        if not indexer.running:
            self._survey()

    def _show_progress(self) -> None:
        run, info = self.indexer.run, self._list.current
        if run and run.is_over and not (info and info.name == run.course):
            run = None
        skipped = info.manifest.skipped if info and info.manifest else ()
        if run and not run.is_over:
            skipped = run.skipped
        self.query_one(IndexProgress).show(run, skipped)
        self.refresh_bindings()

    def action_index(self) -> None:
        if info := self._list.current:
            self.indexer.start(info.name)

    def action_rebuild(self) -> None:
        if info := self._list.current:
            course, told = info.name, _("Rebuild the index? Everything is read and embedded anew.")
            start = partial(self.indexer.start, course, rebuild=True)
            self.ask_for(ConfirmModal(told), lambda _yes: start())

    def action_cancel(self) -> None:
        self.indexer.cancel()


def course_content(info: CourseInfo, opened: str) -> Content:
    """A course, marked if it is the one that lies `opened`, and how its index stands."""
    mark = "● " if info.name == opened else "  "
    facts = [plural("%(n)d PDF", "%(n)d PDFs", info.pdfs)]
    if info.manifest is None:
        facts.append(info.problem or _("no index: i makes it"))
    else:
        holds = _("%(documents)d documents, %(pages)d pages, %(chunks)d passages") % {
            "documents": len(info.manifest.indexed),
            "pages": info.manifest.pages,
            "chunks": sum(map(info.manifest.chunk_count, Strategy)),
        }
        made = ""
        with suppress(ValueError):
            now = datetime.now().astimezone()
            made = when(datetime.fromisoformat(info.manifest.created), now)
        facts = [joined(*facts, holds), joined(made, _state(info))]
    lines = [safe(f"    {fact}") for fact in facts]
    return Content("\n").join([safe(mark + course_name(info.name), "bold"), *lines])


def _state(info: CourseInfo) -> str:
    """Whether an index has to be updated; nothing of one that is still being made."""
    if info.manifest and not info.manifest.vectors:
        return ""
    if info.pdfs == 0:
        return _("its notes are out of reach; the index is kept")
    if info.changed is None:
        return _("looking for changes ...")
    if n := info.changed:
        return plural("%(n)d file has changed: i updates", "%(n)d files have changed: i updates", n)
    return _("up to date")
