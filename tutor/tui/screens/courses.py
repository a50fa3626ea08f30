"""The courses: chosen, indexed, brought up to date."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING

from textual import getters
from textual.app import ComposeResult
from textual.containers import Container, VerticalScroll
from textual.content import Content
from textual.widgets import Static

from tutor.i18n import _, ngettext
from tutor.model import Strategy
from tutor.presentation.amounts import decimal, duration, joined
from tutor.text.terminal import one_line
from tutor.tui.base import ItemList, TutorScreen, course_name, in_background, safe
from tutor.tui.keys import keys_of
from tutor.tui.workspace.courses import CourseInfo, survey
from tutor.tui.workspace.index_run import IndexRun, Phase
from tutor.tui.workspace.indexer import Indexer

if TYPE_CHECKING:
    from tutor.index.build import Progress
    from tutor.index.build.events import Completed
    from tutor.index.store import Skipped

_BAR = 20


class IndexProgress(VerticalScroll):
    """A run while it goes on; else what the index of the course pointed at leaves out."""

    def compose(self) -> ComposeResult:
        yield Static(id="run")
        yield Static(id="left-out")

    def show(self, run: IndexRun | None, skipped: Sequence[Skipped]) -> None:
        """Show a run, if there is one, and the files that are left out; else leave the room."""
        self.display = bool(run or skipped)
        self.query_one("#run", Static).update(run_content(run) if run else Content(""))
        self.query_one("#left-out", Static).update(skipped_content(skipped))


def run_content(run: IndexRun) -> Content:
    """A run in a few lines."""
    lines = [safe(_heading(run), "bold")]
    if run.progress and not run.is_over:
        lines += [safe(line) for line in _progress_lines(run.progress)]
        lines.append(safe(run.left_text))
    if run.completed and run.phase is Phase.DONE:
        lines += [safe(line) for line in _result_lines(run.completed)]
    if run.failed:
        lines += [safe(run.failed.message), safe(f"→ {run.failed.remedy}")]
    return Content("\n").join(line for line in lines if line.plain)


def skipped_content(skipped: Sequence[Skipped]) -> Content:
    """The files left out, why, and what can be done."""
    if not skipped:
        return Content("")
    lines = [safe(_("Left out: %(n)d") % {"n": len(skipped)}, "bold")]
    for file in skipped:
        why, remedy = one_line(file.message), one_line(file.remedy)
        lines += [safe(f"! {one_line(file.path)}"), safe(f"  {why}")]
        if remedy:
            lines.append(safe(f"  → {remedy}"))
    return Content("\n").join([Content(""), *lines])


def _heading(run: IndexRun) -> str:
    return {
        Phase.STARTING: _("%(course)s: the indexer is starting ..."),
        Phase.WAITING: _("%(course)s: another process is indexing; waiting for it ..."),
        Phase.WORKING: _working(run),
        Phase.STOPPING: _("%(course)s: stopping ..."),
        Phase.WRITING: _("%(course)s: writing the index ..."),
        Phase.DONE: _("%(course)s: done"),
        Phase.CANCELLED: _("%(course)s: stopped. What was embedded is kept: i goes on from there."),
        Phase.FAILED: _("%(course)s: not indexed"),
    }[run.phase] % {"course": course_name(run.course)}


def _working(run: IndexRun) -> str:
    if run.has_former:
        return _("%(course)s: indexing. Questions are answered from the former index.")
    if run.by_words:
        return _("%(course)s: indexing. For now it can be asked by words only.")
    return _("%(course)s: indexing. Then it can be asked.")


def _progress_lines(progress: Progress) -> list[str]:
    pages = _("%(n)d pages") % {"n": progress.pages}
    rate = _("%(rate)s per second") % {"rate": decimal(progress.texts_per_s, 1)}
    bars = [
        (_("Files"), progress.files_done, progress.files, pages),
        (_("Passages"), progress.chunks_done, progress.chunks_found, rate),
    ]
    if progress.sentences_found:
        bars.append((_("Sentences"), progress.sentences_done, progress.sentences_found, ""))
    width = max(len(name) for name, *_figures in bars)
    lines = [_bar(name.ljust(width), done, of, more) for name, done, of, more in bars]
    if progress.path:
        lines.append(_("Read: %(path)s") % {"path": one_line(progress.path)})
    return lines


def _bar(name: str, done: int, of: int, more: str) -> str:
    full = round(_BAR * done / of) if of else 0
    text = f"{name} {'█' * full}{'░' * (_BAR - full)} {done}/{of}"
    return f"{text} · {more}" if more else text


def _result_lines(result: Completed) -> list[str]:
    if not result.changed:
        return [_("Nothing has changed.")]
    return [
        _(
            "%(read)d read, %(unchanged)d unchanged, %(removed)d removed; "
            "%(embedded)d texts embedded, %(reused)d known already"
        )
        % asdict(result),
        duration(result.seconds),
    ]


class CourseList(ItemList[CourseInfo]):
    """The courses; Enter or a click opens one."""

    BINDINGS = keys_of("course_list")


class CoursesScreen(TutorScreen):
    """All courses and how their indexes stand; left with the name of the one that was chosen."""

    BINDINGS = keys_of("courses")
    _to_rebuild = ""
    _list = getters.query_one(CourseList)

    def body(self) -> ComposeResult:
        with Container(id="courses"):
            yield CourseList()
            yield IndexProgress()

    def on_mount(self) -> None:
        self.head(_("Courses and index"))
        self._list.focus()
        self.app.indexing.subscribe(self, self._indexed)
        self._survey()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002 - the library's signature
        running = self.indexer.running
        if action in {"index", "rebuild"}:
            return not running and self._list.current is not None
        return running if action == "cancel" else True

    # --- the list ---

    def _survey(self, *, closely: bool = False) -> None:
        """List the courses; see then what has changed in them."""

        def show(courses: Sequence[CourseInfo]) -> None:
            self._show(courses)
            if not closely:
                self._survey(closely=True)

        changes = self.indexer.count_changes if closely else None
        in_background(self, partial(survey, self.workspace.config, changes), show, latest="survey")

    def _show(self, courses: Sequence[CourseInfo]) -> None:
        """Show what is known, the course that lies open first pointed at."""
        names = [info.name for info in courses]
        at = self._list.highlighted
        if at is None:
            at = names.index(self._open_name) if self._open_name in names else 0
        self._list.fill(courses, self._row, at)
        self._show_progress()

    @property
    def _open_name(self) -> str:
        return self.workspace.course.name if self.workspace.course else ""

    def _row(self, info: CourseInfo) -> Content:
        mark = "● " if info.name == self._open_name else "  "
        lines = [safe(f"    {line}") for line in info_lines(info)]
        return Content("\n").join([safe(mark + course_name(info.name), "bold"), *lines])

    def on_option_list_option_highlighted(self) -> None:
        self._to_rebuild = ""
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
        mine = run if run and (not run.is_over or (info and info.name == run.course)) else None
        skipped = info.manifest.skipped if info and info.manifest else ()
        if mine and not mine.is_over:
            skipped = mine.skipped
        self.query_one(IndexProgress).show(mine, skipped)
        self.refresh_bindings()

    def action_index(self) -> None:
        if info := self._list.current:
            self.indexer.start(info.name)

    def action_rebuild(self) -> None:
        """Make the index anew, after the key was pressed twice."""
        info, again = self._list.current, self._to_rebuild
        self._to_rebuild = ""
        if info and again == info.name:
            self.indexer.start(info.name, rebuild=True)
        elif info:
            self._to_rebuild = info.name
            told = _("Rebuilding reads and embeds everything anew. Press b again to do it.")
            self.notify(told)

    def action_cancel(self) -> None:
        self.indexer.cancel()


def info_lines(info: CourseInfo) -> list[str]:
    """How a course stands, in two lines."""
    pdfs = ngettext("%(n)d PDF", "%(n)d PDFs", info.pdfs) % {"n": info.pdfs}
    if info.manifest is None:
        return [pdfs, info.problem or _("no index: i makes it")]
    indexed = info.manifest.indexed
    holds = _("%(documents)d documents, %(pages)d pages, %(chunks)d passages") % {
        "documents": len(indexed),
        "pages": sum(entry.source.pages for entry in indexed),
        "chunks": sum(map(info.manifest.chunk_count, Strategy)),
    }
    when = ""
    with suppress(ValueError):
        made = datetime.fromisoformat(info.manifest.created).astimezone()
        when = f"{made:%Y-%m-%d %H:%M}"
    return [f"{pdfs} · {holds}", joined(when, _state(info))]


def _state(info: CourseInfo) -> str:
    if info.pdfs == 0:
        return _("its notes are out of reach; the index is kept")
    if info.changed is None:
        return _("looking for changes ...")
    if n := info.changed:
        told = ngettext(
            "%(n)d file has changed: i updates", "%(n)d files have changed: i updates", n
        )
        return told % {"n": n}
    return _("up to date")
