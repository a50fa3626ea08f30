"""The conversation beside its sources: the cards are those of the answer that is read."""

from __future__ import annotations

from collections.abc import Sequence

from textual import getters, on
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.widget import Widget
from textual.widgets import OptionList

from tutor.history import SavedTurn
from tutor.i18n import _
from tutor.tui.widgets.conversation import ConversationView
from tutor.tui.widgets.folded import FoldedWords
from tutor.tui.widgets.sources import SourceList
from tutor.tui.widgets.turn import TurnView
from tutor.tui.workspace.preferences import Preferences


class Reading(Horizontal):
    """Answers, one of which is read, and what that one cites."""

    conversation = getters.query_one(ConversationView)
    sources = getters.query_one(SourceList)

    def __init__(self, preferences: Preferences) -> None:
        super().__init__()
        self._preferences = preferences
        self.turn: TurnView | None = None
        """The answer that is read."""

    def compose(self) -> ComposeResult:
        yield ConversationView(id="conversation")
        yield SourceList(self._preferences)

    def on_resize(self) -> None:
        self.sources.fit()

    def read(self, turn: TurnView | None, mark: int | None = None) -> None:
        """From now on this answer is read: the cards are its own, and so is the current mark."""
        if self.turn and self.turn is not turn and self.turn.is_attached:
            self.turn.forget_mark()
        self.turn = turn
        is_known = turn and (turn.marks or turn.is_over)
        self.sources.show(turn.marks if turn and is_known else None, mark)

    async def show(self, turns: Sequence[SavedTurn]) -> None:
        """Show these turns instead of what is there, and read the last one."""
        self.read(await self.conversation.show(turns))

    async def take_out(self, turn: TurnView) -> None:
        """Show this turn no longer."""
        await self.conversation.take_out(turn)
        turns = self.conversation.turns
        if turns and turn is self.turn:
            self.read(turns[-1])

    async def put_back(self, saved: SavedTurn) -> None:
        """Show a turn again at its place, and read it."""
        if view := await self.conversation.put_back(saved):
            self.read(view)
            view.scroll_visible(animate=False)

    def on_turn_view_changed(self, message: TurnView.Changed) -> None:
        """Keep the cards those of the turn that is read."""
        if message.turn.has_focus or message.turn is self.turn:
            self.read(message.turn, message.turn.markdown.current)

    @on(OptionList.OptionSelected, "SourceList")
    def _open_source(self) -> None:
        """Open the page behind a card."""
        self.act(f"open_place({self.sources.place}, False)")

    def act(self, action: str) -> None:
        """Do something with the answer that is read.

        Not at once: a message sent to the app while another one is handled ends where that is.
        """
        if self.turn is None:
            self.notify(_("There is no answer yet."))
        else:
            self.turn.call_later(self.turn.run_action, action)

    async def act_on_sources(self, action: str) -> None:
        """Do something with the pane of sources, where there is one."""
        if self.screen.has_class("-wide") and self.screen.has_class("-begun"):
            await self.sources.run_action(action)
        else:
            self.notify(_("There is no pane of sources beside the answers now."))

    def areas(self) -> list[Widget]:
        """What can have the keys, as far as it is to be seen: the answer, its sources, offers."""
        offers, turn = self.conversation.offers, self.turn
        areas: list[Widget] = []
        if turn and turn.is_attached:
            areas += [turn, *turn.query(FoldedWords)] if turn.is_folded else [turn]
        areas += [self.sources] if self.sources.region and self.sources.option_count else []
        return [*areas, offers] if offers.region else areas
