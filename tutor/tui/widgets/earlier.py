"""The beginning of a long conversation, laid out when it is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding
from textual.widgets import Static

from tutor.i18n import ngettext
from tutor.tui.base import N_, safe
from tutor.tui.widgets.turn import TurnView

if TYPE_CHECKING:
    from textual.binding import BindingType

    from tutor.history import SavedTurn


class EarlierTurns(Static, can_focus=True):
    """A line that stands for the turns above it; Enter or a click shows some more of them."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "show", N_("Show"), id="earlier")]

    def __init__(self, at_once: int) -> None:
        super().__init__()
        self._at_once = at_once
        self._turns: list[SavedTurn] = []
        self.display = False

    def hold(self, turns: Sequence[SavedTurn]) -> None:
        """Stand for these turns."""
        self._turns = list(turns)
        n = len(self._turns)
        self.display = n > 0
        self.update(
            safe(ngettext("▲ %(n)d earlier turn", "▲ %(n)d earlier turns", n) % {"n": n}, "bold")
        )

    def on_click(self) -> None:
        """The mouse's way."""
        self.action_show()

    def action_show(self) -> None:
        """Lay out the latest of the turns held here."""
        shown = self._turns[-self._at_once :]
        if self.parent is not None and shown:
            self.screen.query_one("#conversation").mount(
                *(TurnView(turn.question, turn) for turn in shown), after=self
            )
        self.hold(self._turns[: -self._at_once])
