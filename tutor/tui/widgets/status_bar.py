"""What answers, from what, and whether anything can leave the machine: one line."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from textual.widgets import Static

from tutor.i18n import _, ngettext
from tutor.tui.base import safe

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
    """Course, index, chunks, model, embedder, and where questions can go, the vital ones first."""
    course = workspace.course.name if workspace.course else _("no course")
    parts = [course, strategy_text(workspace)]
    if workspace.opened:
        n = workspace.opened.store.manifest.chunk_count(workspace.strategy)
        model = workspace.opened.agent.model
        parts.append(model.name if model else _("without a model: quotes"))
        parts.append(reach_text(workspace))
        parts.append(ngettext("%(n)d chunk", "%(n)d chunks", n) % {"n": n})
        embedder = workspace.opened.embedder
        parts.append(f"{embedder.identity.split('/')[-1].split('@')[0]} ({embedder.device})")
    return parts


def strategy_text(workspace: Workspace) -> str:
    """The index that questions go to."""
    return _("fixed") if workspace.strategy.value == "fixed" else _("semantic")


def reach_text(workspace: Workspace) -> str:
    """What can leave the machine, and when."""
    model = workspace.opened.agent.model if workspace.opened else None
    host = urlsplit(workspace.config.ollama.host).hostname or ""
    if model and host not in _LOCAL:
        return _("⇄ questions and notes go to %(host)s") % {"host": host}
    if workspace.config.web.api_key.get_secret_value():
        return _("local; web only when you ask")
    return _("all local")
