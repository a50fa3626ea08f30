"""What answers, from what, and whether anything can leave the machine: one line."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from textual.widgets import Static

from tutor.i18n import _
from tutor.tui.base import safe
from tutor.tui.figures import index_name

if TYPE_CHECKING:
    from tutor.tui.workspace.workspace import Workspace

_LOCAL = frozenset({"127.0.0.1", "localhost", "::1"})


class StatusBar(Static):
    """The line at the top."""

    def show(self, workspace: Workspace, activity: str = "") -> None:
        """Say how things stand; `activity` is what goes on in the background."""
        parts = [activity, *status_parts(workspace)]
        self.update(safe(" · ".join(part for part in parts if part)))


def status_parts(workspace: Workspace) -> list[str]:
    """Course, what answers, where questions can go, and which index is asked."""
    parts = [workspace.course.name if workspace.course else _("no course")]
    if workspace.opened:
        model = workspace.opened.agent.model
        parts.append(model.name if model else _("without a model: quotes"))
        parts.append(reach_text(workspace))
        parts.append(_("index: %(name)s") % {"name": index_name(workspace.strategy)})
    return parts


def reach_text(workspace: Workspace) -> str:
    """What can leave the machine, and when."""
    model = workspace.opened.agent.model if workspace.opened else None
    host = urlsplit(workspace.config.ollama.host).hostname or ""
    if model and host not in _LOCAL:
        return _("⇄ questions and notes go to %(host)s") % {"host": host}
    if workspace.config.web.api_key.get_secret_value():
        return _("local; web only when you ask")
    return _("all local")
