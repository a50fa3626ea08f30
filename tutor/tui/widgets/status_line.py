"""The line at the top: what goes on, the course, what answers, what can leave the machine."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from textual.widgets import Static

from tutor.i18n import _
from tutor.model import AnswerLength
from tutor.presentation.amounts import joined, length_told
from tutor.tui.base import course_name, safe
from tutor.tui.texts import index_name

if TYPE_CHECKING:
    from tutor.tui.workspace.workspace import Workspace

_LOCAL = frozenset({"127.0.0.1", "localhost", "::1"})


class StatusLine(Static):
    """Says how things stand, in as many words as there is room for."""

    def __init__(self) -> None:
        super().__init__(safe(_("Opening the course ...")), id="status")

    def show(self, workspace: Workspace, activity: str) -> None:
        """How things stand now; `activity` is what goes on, or could be done.

        In too few columns the course is left out first, then that all is local, then the last ones.
        """
        course, width = workspace.course, self.screen.size.width - 2
        parts = [activity, course_name(course.name) if course else _("no course")]
        if workspace.opened:
            model = workspace.opened.agent.model
            parts.append(model.name if model else _("without a model: quotes"))
            parts.append(_reach_text(workspace, answers=model is not None))
            if workspace.config.length is not AnswerLength.NORMAL:
                parts.append(length_told(workspace.config.length))
            parts.append(_("index: %(name)s") % {"name": index_name(workspace.strategy)})
            if len(joined(*parts)) > width:
                parts[1] = ""
            if len(joined(*parts)) > width and parts[3] == _("all local"):
                parts[3] = ""
            while activity and len(joined(*parts)) > width and len(parts) > 1:
                parts.pop()
        self.update(safe(joined(*parts)))


def _reach_text(workspace: Workspace, *, answers: bool) -> str:
    """What can leave the machine, and when; `answers`: whether a model does."""
    host = urlsplit(workspace.config.ollama.host).hostname or ""
    if answers and host not in _LOCAL:
        return _("⇄ questions and notes go to %(host)s") % {"host": host}
    if workspace.config.web.api_key.get_secret_value():
        return _("local; web only when you ask")
    return _("all local")
