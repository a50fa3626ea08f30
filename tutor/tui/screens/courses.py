"""The courses: chosen, indexed, brought up to date."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding
from textual.containers import Container
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from tutor.i18n import _, ngettext
from tutor.text.terminal import one_line
from tutor.tui.base import N_, TutorScreen, safe
from tutor.tui.widgets.index_progress import IndexProgress
from tutor.tui.widgets.key_bar import KeyBar
from tutor.tui.workers import in_background
from tutor.tui.workspace.courses import CourseInfo, survey

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.binding import BindingType

    from tutor.tui.workspace.indexer import Indexer


class CoursesScreen(TutorScreen):
    """All courses and how their indexes stand; left with the name of the one that was chosen."""

    CSS_PATH = "../styles/courses.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,f5", "back", N_("Back"), id="course.back"),
        Binding("i", "index", N_("Update"), id="course.index"),
        Binding("x", "cancel", N_("Stop indexing"), id="course.cancel"),
        Binding("b", "rebuild", N_("Rebuild"), id="course.rebuild"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._courses: list[CourseInfo] = []
        self._to_rebuild = ""

    def compose(self) -> ComposeResult:
        """The list, and beside or below it how indexing goes."""
        yield Static(safe(_("Courses and index")), id="heading")
        with Container(id="courses"):
            yield OptionList(markup=False)
            yield IndexProgress()
        yield KeyBar()

    def on_mount(self) -> None:
        """List the courses; see then what has changed in them."""
        self._list.focus()
        self.app.indexing.subscribe(self, self._indexed)
        self._survey()

    @property
    def _list(self) -> OptionList:
        return self.query_one(OptionList)

    @property
    def _current(self) -> CourseInfo | None:
        at = self._list.highlighted
        return self._courses[at] if at is not None and at < len(self._courses) else None

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002 - the library's signature
        """Keys that would do nothing now are not shown."""
        running = self.indexer.running
        if action in {"index", "rebuild"}:
            return not running and self._current is not None
        return running if action == "cancel" else True

    # --- the list ---

    def _survey(self) -> None:
        config, indexer = self.workspace.config, self.indexer

        def look_closer(courses: Sequence[CourseInfo]) -> None:
            self._show(courses)
            in_background(
                self,
                lambda: survey(config, indexer.count_changes),
                self._show,
                group="survey",
                exclusive=True,
            )

        in_background(
            self, lambda: survey(config, None), look_closer, group="survey", exclusive=True
        )

    def _show(self, courses: Sequence[CourseInfo]) -> None:
        """Show what is known, the course that lies open first pointed at."""
        self._courses = list(courses)
        kept, names = self._list.highlighted, [info.name for info in self._courses]
        if kept is None and self.workspace.course and self.workspace.course.name in names:
            kept = names.index(self.workspace.course.name)
        self._list.clear_options()
        self._list.add_options([Option(self._said(info)) for info in self._courses])
        if self._courses:
            self._list.highlighted = min(kept or 0, len(self._courses) - 1)
        self._show_progress()

    def _said(self, info: CourseInfo) -> Content:
        is_open = self.workspace.course is not None and self.workspace.course.name == info.name
        mark = "● " if is_open else "  "
        return Content("\n").join(
            [
                safe(mark + one_line(info.name), "bold"),
                *(safe(f"    {line}") for line in info_lines(info)),
            ]
        )

    def on_option_list_option_highlighted(self) -> None:
        """Another course is pointed at."""
        self._to_rebuild = ""
        self._show_progress()

    def on_option_list_option_selected(self) -> None:
        """Choose the course pointed at."""
        if self._current:
            self.dismiss(self._current.name)

    # --- indexing ---

    def _indexed(self, indexer: Indexer) -> None:
        """Show how far it is; look at the courses anew when it has ended."""
        self._show_progress()
        if not indexer.running:
            self._survey()

    def _show_progress(self) -> None:
        run, info = self.indexer.run, self._current
        mine = run if run and (not run.is_over or (info and info.name == run.course)) else None
        skipped = mine.skipped if mine and not mine.is_over else (info.skipped if info else ())
        self.query_one(IndexProgress).show(mine, skipped)
        self.refresh_bindings()

    def action_index(self) -> None:
        """Index the course pointed at, or bring its index up to date."""
        if self._current:
            self.indexer.start(self._current.name)

    def action_rebuild(self) -> None:
        """Make the index anew, after the key was pressed twice."""
        info = self._current
        if info is None:
            return
        if self._to_rebuild == info.name:
            self._to_rebuild = ""
            self.indexer.start(info.name, rebuild=True)
        else:
            self._to_rebuild = info.name
            self.notify(
                _("Rebuilding reads and embeds everything anew. Press b again to do it."),
                markup=False,
            )

    def action_cancel(self) -> None:
        """Stop indexing; what was embedded is kept."""
        self.indexer.cancel()

    def action_back(self) -> None:
        """Leave everything as it is; indexing goes on."""
        self.dismiss(None)


def info_lines(info: CourseInfo) -> list[str]:
    """How a course stands, in two lines."""
    pdfs = ngettext("%(n)d PDF", "%(n)d PDFs", info.pdfs) % {"n": info.pdfs}
    if not info.has_index or info.problem:
        return [pdfs, info.problem or _("no index: i makes it")]
    holds = _("%(documents)d documents, %(pages)d pages, %(chunks)d passages") % {
        "documents": info.documents,
        "pages": info.pages,
        "chunks": info.chunks,
    }
    return [f"{pdfs} · {holds}", _state(info)]


def _state(info: CourseInfo) -> str:
    when = f"{info.indexed_at:%Y-%m-%d %H:%M}" if info.indexed_at else ""
    if info.pdfs == 0:
        state = _("its notes are out of reach; the index is kept")
    elif info.changed is None:
        state = _("looking for changes ...")
    elif info.changed:
        n = info.changed
        text = ngettext(
            "%(n)d file has changed: i updates", "%(n)d files have changed: i updates", n
        )
        state = text % {"n": n}
    else:
        state = _("up to date")
    return f"{when} · {state}" if when else state
