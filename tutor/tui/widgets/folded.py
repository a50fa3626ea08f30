"""A line that stands for what is folded away until its reader wants it."""

from __future__ import annotations

from dataclasses import dataclass

from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from tutor.i18n import _
from tutor.tui.base import safe
from tutor.tui.keys import N_, NAMES, keys_of, named_keys, shown_key


class FoldedWords(Static, can_focus=True):
    """Stands for a model's words that nothing supports; Enter or a click shows them."""

    BINDINGS = keys_of("folded")
    AREA = N_("On folded words")

    @dataclass
    class Opened(Message):
        """What is folded is wanted."""

    def __init__(self, folded: bool) -> None:
        super().__init__()
        self.display = folded

    def render(self) -> Content:
        told = _("What the model wrote could not be verified in the notes · %(key)s: show it")
        has_key = any(key.id == "written" for key in named_keys(type(self.screen)))
        key = NAMES["written" if has_key else "folded.open"][1]
        return safe(told % {"key": shown_key(key, self.app)})

    def on_click(self) -> None:
        self.action_open()

    def action_open(self) -> None:
        self.post_message(self.Opened())
