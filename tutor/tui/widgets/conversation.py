"""The turns of a conversation, one below the other; before the first, what can be asked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual.containers import VerticalScroll
from textual.widgets import Static

from tutor.tui.base import safe
from tutor.tui.widgets.earlier import EarlierTurns
from tutor.tui.widgets.offers import Offers
from tutor.tui.widgets.turn import TurnView

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.content import Content

    from tutor.history import SavedTurn
    from tutor.tui.workspace.suggestions import Offer

TURNS_AT_ONCE = 15
"""Turns of a resumed conversation that are laid out at first, and with each step back."""


class ConversationView(VerticalScroll, can_focus=False):
    """Scrolls along with what is written, unless its reader has scrolled up."""

    def compose(self) -> ComposeResult:
        """Earlier turns, the welcome, offered questions; turns come in between."""
        yield EarlierTurns(TURNS_AT_ONCE)
        yield Static(id="welcome")
        yield Offers()
        yield Static(id="guide")

    @property
    def turns(self) -> list[TurnView]:
        """The turns that are laid out, oldest first."""
        return list(self.query(TurnView))

    @property
    def offers(self) -> Offers:
        """The offered questions."""
        return self.query_one(Offers)

    # --- before the first turn ---

    def welcome(self, text: Content) -> None:
        """Say what can be asked, or why nothing can."""
        welcome, is_empty = self.query_one("#welcome", Static), not self.turns
        welcome.update(text)
        welcome.display = bool(text.plain) and is_empty
        self.query_one("#guide").display = is_empty

    def guide(self, text: Content) -> None:
        """Say how to go on, below the offered questions."""
        self.query_one("#guide", Static).update(text)

    # --- turns ---

    def add(self, turn: TurnView) -> None:
        """Show a turn that begins."""
        self.query_one("#welcome").display = self.query_one("#guide").display = False
        self.offers.offer((), "")
        self.mount(turn, before=self.offers)
        self.anchor()

    def show(self, turns: Sequence[SavedTurn]) -> TurnView | None:
        """Show these turns instead of what is there, the latest ones at first. Returns the last."""
        self.query("TurnView, .compared").remove()
        self.offers.offer((), "")
        views = [TurnView(turn.question, turn) for turn in turns[-TURNS_AT_ONCE:]]
        self.mount(*views, before=self.offers)
        self.query_one(EarlierTurns).hold(turns[:-TURNS_AT_ONCE])
        self.anchor(bool(views))
        return views[-1] if views else None

    def note(self, text: str) -> None:
        """Say in a line what happened besides questions and answers."""
        self.mount(Static(safe(text), classes="compared"), before=self.offers)
        self.anchor()

    def offer_next(self, offers: Sequence[Offer], heading: str, turn: TurnView) -> None:
        """Offer questions after the answer of a turn."""
        self.offers.offer(offers, heading)
        self.call_after_refresh(self.show_beginning, turn)

    def show_beginning(self, turn: TurnView) -> None:
        """Of quotes that are longer than the screen the best stands first; a model's words last."""
        from tutor.answer import EXTRACTIVE  # noqa: PLC0415 - loaded by now, not before the app is

        quoted = turn.answer is not None and turn.answer.model == EXTRACTIVE
        followed = self.scroll_offset.y >= self.max_scroll_y - 1
        height = turn.region.height + self.offers.region.height
        if quoted and followed and height > self.size.height:
            self.scroll_to_widget(turn, top=True, animate=False)

    def focus_turn(self, step: int) -> None:
        """Read the answer before or after."""
        turns, focused = self.turns, self.screen.focused
        if turns:
            at = turns.index(focused) if isinstance(focused, TurnView) else len(turns)
            turns[min(max(at + step, 0), len(turns) - 1)].focus()
