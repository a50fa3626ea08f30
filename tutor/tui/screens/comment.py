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
    """Asks for a comment on a vote, 1 or -1; left with its text, or None where nothing is said."""

    CSS_PATH = "../styles/comment.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", N_("Without comment"), id="comment.leave")
    ]

    def __init__(self, vote: int) -> None:
        super().__init__()
        self._vote = vote

    def compose(self) -> ComposeResult:
        """The vote, a field, and how to leave."""
        with Vertical(id="comment") as box:
            box.border_title = _("▲ Good answer") if self._vote > 0 else _("▼ Bad answer")
            question = _("What was good about it?") if self._vote > 0 else _("What was wrong?")
            yield Input(placeholder=question, max_length=_LONGEST)
            yield Static(safe(_("Enter keeps the comment, Esc votes without one.")))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Leave with the comment."""
        event.stop()
        self.dismiss(event.value.strip() or None)

    def action_leave(self) -> None:
        """Leave without one."""
        self.dismiss(None)
