"""What answers, from what, and whether anything can leave the machine: one line."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from textual.widgets import Static

from tutor.i18n import _, ngettext
from tutor.tui.base import safe

if TYPE_CHECKING:
    from tutor.tui.desk import Desk

_LOCAL = frozenset({"127.0.0.1", "localhost", "::1"})


class StatusBar(Static):
    """The line at the top."""

    def show(self, desk: Desk, activity: str = "") -> None:
        """Say how things stand; `activity` is what goes on in the background."""
        parts = [activity, *status_parts(desk)]
        self.update(safe(" · ".join(part for part in parts if part)))


def status_parts(desk: Desk) -> list[str]:
    """Course, index, chunks, model, embedder, and where questions can go, the vital ones first."""
    course = desk.course.name if desk.course else _("no course")
    parts = [course, strategy_text(desk)]
    if desk.opened:
        n = desk.opened.store.manifest.chunk_count(desk.strategy)
        model = desk.opened.agent.model
        parts.append(model.name if model else _("without a model: quotes"))
        parts.append(reach_text(desk))
        parts.append(ngettext("%(n)d chunk", "%(n)d chunks", n) % {"n": n})
        embedder = desk.opened.embedder
        parts.append(f"{embedder.identity.split('/')[-1].split('@')[0]} ({embedder.device})")
    return parts


def strategy_text(desk: Desk) -> str:
    """The index that questions go to."""
    return _("fixed") if desk.strategy.value == "fixed" else _("semantic")


def reach_text(desk: Desk) -> str:
    """What can leave the machine, and when."""
    model = desk.opened.agent.model if desk.opened else None
    host = urlsplit(desk.config.ollama.host).hostname or ""
    if model and host not in _LOCAL:
        return _("⇄ questions and notes go to %(host)s") % {"host": host}
    if desk.config.web.api_key.get_secret_value():
        return _("local; web only when you ask")
    return _("all local")
