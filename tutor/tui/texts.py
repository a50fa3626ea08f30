"""What the app says of a course and its indexes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.console import Group
from rich.table import Table
from rich.text import Text
from textual.content import Content

from tutor.courses import DEFAULT_COURSE
from tutor.i18n import _, plural
from tutor.model import Route, Strategy
from tutor.text.terminal import plain
from tutor.tui.base import failure_text, safe

if TYPE_CHECKING:
    from tutor.tui.workspace.workspace import OpenedCourse, Workspace


def index_name(index: Strategy | Route) -> str:
    """What an index is called, wherever it is named."""
    return _("fixed windows") if index.value == "fixed" else _("whole sentences")


def answered_from(route: Route) -> str:
    """What an answer comes from: an index, the map of the course or the web."""
    others = {Route.WEB: "web", Route.MAP: _("map of the course")}
    return others.get(route) or index_name(route)


# --- before the first question ---


def welcome_text(workspace: Workspace, activity: str = "") -> Content:
    """What can be asked, or why nothing can be asked."""
    if workspace.problem:
        return safe(failure_text(workspace.problem), "$text-error")
    if workspace.opened:
        course = safe(_course_text(workspace.opened), "bold")
        if workspace.opened.store.words_only:
            by_words = _("Still indexing: for now the notes are searched by words only.")
            return Content("\n").join([course, safe(by_words)])
        return course
    if not activity:
        return safe(_("This course has no index yet: F5 or /courses, then i, makes it."))
    waiting = _("This course has no index yet. It is being made; then you can ask.")
    return Content("\n\n").join([safe(waiting), safe(activity)])


def guide_text(workspace: Workspace, topics: Sequence[tuple[int, Sequence[str]]]) -> Group:
    """Below the offered questions: how to go on, and what the course is about, by week."""
    if workspace.opened is None:
        return Group()
    how = [
        _("Write your question, or choose one with Tab or the mouse. Enter asks."),
        _("A mark as [1] behind a sentence opens its page. / shows everything else."),
    ]
    weeks = Table.grid(padding=(0, 2))
    for week, titles in topics:
        weeks.add_row(
            Text(_("Week %(n)d") % {"n": week}, "bold", no_wrap=True),
            Text(plain(" · ".join(titles))),
        )
    told = filter(None, ["\n".join(how), more_text(workspace)])
    return Group(*(Text(f"{plain(text)}\n") for text in told), weeks)


def _course_text(opened: OpenedCourse) -> str:
    indexed = opened.store.manifest.indexed
    documents = plural("%(n)d document", "%(n)d documents", len(indexed))
    pages = plural("%(n)d page", "%(n)d pages", opened.store.manifest.pages)
    told = _("Ask about “%(course)s”: %(documents)s, %(pages)s.")
    if opened.course.name == DEFAULT_COURSE:
        told = _("Ask about your notes: %(documents)s, %(pages)s.")
    return told % {"course": opened.course.name, "documents": documents, "pages": pages}


def more_text(workspace: Workspace) -> str:
    """How to get answers in other words than the notes' own; empty where a model answers."""
    if workspace.opened is None or workspace.opened.agent.model:
        return ""
    why = workspace.opened.why_no_model or _("Answers are made of the notes' own sentences.")
    return f"{why}\n" + _("F7 or /models shows which one fits this machine.")
