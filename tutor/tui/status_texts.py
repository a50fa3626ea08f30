"""What the conversation says before the first question."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content

from tutor.i18n import _, ngettext
from tutor.tui.base import failure_text, safe

if TYPE_CHECKING:
    from tutor.tui.workspace.workspace import Opened, Workspace


def welcome_text(workspace: Workspace, activity: str = "") -> Content:
    """What can be asked and how, or why nothing can be asked."""
    if workspace.problem:
        return safe(failure_text(workspace.problem), "$text-error")
    if workspace.opened is None:
        waiting = _("This course has no index yet. It is being made; then you can ask.")
        return Content("\n\n").join([safe(waiting), safe(activity)])
    return Content("\n").join(
        [
            safe(_course_text(workspace.opened), "bold"),
            Content(""),
            *(safe(line) for line in _hints(workspace)),
        ]
    )


def _course_text(opened: Opened) -> str:
    indexed = opened.store.manifest.indexed
    n = len(indexed)
    documents = ngettext("%(n)d document", "%(n)d documents", n) % {"n": n}
    n = sum(entry.source.pages for entry in indexed)
    pages = ngettext("%(n)d page", "%(n)d pages", n) % {"n": n}
    return _("Ask about «%(course)s»: %(documents)s, %(pages)s.") % {
        "course": opened.course.name,
        "documents": documents,
        "pages": pages,
    }


def _hints(workspace: Workspace) -> list[str]:
    lines = [
        _("Enter asks, Ctrl-J breaks the line, Esc stops an answer."),
        _("Tab goes to the answer: ← → walk along its marks, Enter opens the page behind one."),
        _("F2 switches the index, F3 compares both, /web asks the web, F1 has the rest."),
    ]
    more = more_text(workspace)
    return [*lines, "", more] if more else lines


def more_text(workspace: Workspace) -> str:
    """How to get answers in other words than the notes' own; empty where a model answers."""
    if workspace.opened is None or workspace.opened.agent.model:
        return ""
    why = workspace.opened.why_no_model or _("Answers are made of the notes' own sentences.")
    return f"{why}\n" + _("F7 shows what models there are.")
