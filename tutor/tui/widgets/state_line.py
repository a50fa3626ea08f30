"""The lines below an answer: how it stands or has ended, and what of it is folded away."""

from __future__ import annotations

import time

from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from tutor.i18n import _
from tutor.tui.base import safe
from tutor.tui.keys import N_, NAMES, keys_of, named_keys, shown_key


class StateLine(Static):
    """Says how an answer stands or has ended. Time counts from when it was made."""

    first_word_s: float | None = None
    """How long the first word took, once it has come."""
    is_writing = False

    def __init__(self, ended: Content | None) -> None:
        super().__init__(ended or safe(_("Looking it up ...")), classes="state")
        self._begun = time.monotonic()

    def say(self, text: str) -> None:
        """Say how the answer stands."""
        self.update(safe(text))

    def write(self) -> None:
        """Words come."""
        if self.first_word_s is None:
            self.first_word_s = time.monotonic() - self._begun
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
