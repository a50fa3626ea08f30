"""A word on why an answer is good or bad."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding
from textual.containers import Vertical
from textual.widgets import Input, Static

from tutor.i18n import _
from tutor.tui.base import N_, TutorModal, safe

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.binding import BindingType

_LONGEST = 2000


class CommentModal(TutorModal):
    """Asks for a comment on a rating, 1 or -1; left with its text, or None without one."""

    CSS_PATH = "../styles/comment.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", N_("Without comment"), id="comment.leave")
    ]

    def __init__(self, rating: int) -> None:
        super().__init__()
        self._rating = rating

    def compose(self) -> ComposeResult:
        """The rating, a field, and how to leave."""
        with Vertical(id="comment") as box:
            box.border_title = _("▲ Good answer") if self._rating > 0 else _("▼ Bad answer")
            question = _("What was good about it?") if self._rating > 0 else _("What was wrong?")
            yield Input(placeholder=question, max_length=_LONGEST)
            yield Static(safe(_("Enter keeps the comment, Esc rates without one.")))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Leave with the comment."""
        event.stop()
        self.dismiss(event.value.strip() or None)

    def action_leave(self) -> None:
        """Leave without one."""
        self.dismiss(None)
