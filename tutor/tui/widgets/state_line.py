"""Lines that say how things stand: with the course, and with an answer."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from rich.console import Group
from rich.table import Table
from rich.text import Text
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from tutor.courses import DEFAULT_COURSE
from tutor.i18n import _, plural
from tutor.listening import THIS_MACHINE
from tutor.model import AnswerLength, Route, Strategy
from tutor.presentation.amounts import joined, left_out_told, length_told
from tutor.text.terminal import plain
from tutor.tui.base import course_name, failure_text, safe
from tutor.tui.keys import N_, NAMES, keys_of, named_keys, shown_key

if TYPE_CHECKING:
    from tutor.tui.workspace.workspace import OpenedCourse, Workspace


class StatusLine(Static):
    """Says how things stand, in as many words as there is room for."""

    def __init__(self) -> None:
        super().__init__(safe(_("Opening the course ...")), id="status")

    def show(self, workspace: Workspace, activity: str) -> None:
        """How things stand now; `activity` is what goes on, or could be done.

        In too few columns the course is left out first, then that all is local, then the index.
        What can leave the machine is always said.
        """
        name = course_name(workspace.course.name) if workspace.course else _("no course")
        parts, dispensable = [activity, name], [name]
        if workspace.opened:
            answering, config = workspace.opened.agent.model, workspace.config
            model = answering.name if answering else _("without a model: quotes")
            is_usual = config.length is AnswerLength.NORMAL
            length = "" if is_usual else length_told(config.length)
            index = _("index: %(name)s") % {"name": index_name(config.strategy)}
            reach = _reach_text(workspace, answers=answering is not None)
            parts += [model, reach, length, index]
            dispensable += [_("all local"), index, length, model]
        for part in dispensable:
            if len(joined(*parts)) > self.screen.size.width - 2 and part in parts:
                parts.remove(part)
        self.update(safe(joined(*parts)))


def _reach_text(workspace: Workspace, *, answers: bool) -> str:
    """What can leave the machine, and when; `answers`: whether a model does."""
    host = urlsplit(workspace.config.ollama.host).hostname or ""
    if answers and host not in THIS_MACHINE:
        return _("⇄ questions and notes go to %(host)s") % {"host": host}
    if workspace.config.web.api_key.get_secret_value():
        return _("local; web only when you ask")
    return _("all local")


class StateLine(Static):
    """Says how an answer stands or has ended. Time counts from when it was made."""

    told_s: float | None = None
    """How long it took until something was told: a quote, else a word."""
    written_s: float | None = None
    """How long a model's first word took, where quotes came first."""
    is_asking = False
    """Whether a model is asked for more."""
    is_writing = False

    def __init__(self, ended: Content | None) -> None:
        super().__init__(ended or safe(_("Looking it up ...")), classes="state")
        self._begun = time.monotonic()

    def say(self, text: str) -> None:
        self.update(safe(text))

    def count_anew(self) -> None:
        """Count what a model takes from now on: it has answered another one before."""
        self._begun = time.monotonic() - (self.told_s or 0)

    def write(self) -> None:
        passed = time.monotonic() - self._begun
        if self.told_s is None:
            self.told_s = passed
        elif self.is_asking and self.written_s is None:
            self.written_s = passed
        if not self.is_writing:
            self.is_writing = True
            self.say(_("Writing ..."))


class FoldedWords(Static, can_focus=True):
    """Stands for a model's words that nothing supports; Enter or a click shows them."""

    BINDINGS = keys_of("folded")
    AREA = N_("On folded words")

    def render(self) -> Content:
        told = _("What the model wrote could not be verified in the notes · %(key)s: show it")
        has_key = any(key.id == "written" for key in named_keys(type(self.screen)))
        key = NAMES["written" if has_key else "folded.open"][1]
        return safe(told % {"key": shown_key(key, self.app)})

    async def action_open(self) -> None:
        if isinstance(self.parent, Widget):
            await self.parent.run_action("written")

    on_click = action_open


# --- in words ---


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
        lines = [safe(_course_text(workspace.opened), "bold")]
        if workspace.opened.store.words_only:
            lines.append(safe(_("Still indexing: for now the notes are searched by words only.")))
        skipped = workspace.opened.store.manifest.skipped
        if left_out := sum(not file.is_copy for file in skipped):
            lines.append(safe(left_out_told(left_out), "$text-warning"))
        return Content("\n").join(lines)
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
