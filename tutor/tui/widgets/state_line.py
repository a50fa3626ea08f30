"""Lines that say how things stand: with the course, and with an answer."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from tutor.i18n import _
from tutor.listening import THIS_MACHINE
from tutor.model import AnswerLength
from tutor.presentation.amounts import joined, length_told
from tutor.tui.base import course_name, safe
from tutor.tui.keys import N_, NAMES, keys_of, named_keys, shown_key
from tutor.tui.texts import index_name

if TYPE_CHECKING:
    from tutor.tui.workspace.workspace import Workspace


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
        """Say how the answer stands."""
        self.update(safe(text))

    def count_anew(self) -> None:
        """Count what a model takes from now on: it has answered another one before."""
        self._begun = time.monotonic() - (self.told_s or 0)

    def write(self) -> None:
        """Words come."""
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

    async def on_click(self) -> None:
        await self.action_open()

    async def action_open(self) -> None:
        if isinstance(self.parent, Widget):
            await self.parent.run_action("written")
