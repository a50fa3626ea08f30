"""The turns of a conversation, one below the other; before the first, what can be asked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual import getters
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from tutor.history import SavedTurn
from tutor.i18n import _, ngettext
from tutor.model import EXTRACTIVE, Citation, Ending
from tutor.tui.base import ItemList, in_background, safe
from tutor.tui.keys import N_, keys_of
from tutor.tui.texts import guide_text
from tutor.tui.widgets.turn import TurnView
from tutor.tui.workspace.suggestions import Offer, Topics, first_offers, next_questions

if TYPE_CHECKING:
    from tutor.tui.workspace.workspace import Workspace

_EXAMPLES, _NEXT = 4, 3
"""Questions that are offered at first, and after an answer."""
TURNS_AT_ONCE = 15
"""Turns of a resumed conversation that are laid out at first, and with each step back."""


class Offers(ItemList[Offer]):
    """Questions that need not be typed: of the course's headings, or next to the last answer."""

    BINDINGS = keys_of("offers")
    AREA = N_("Among offered questions")

    def offer(self, offers: Sequence[Offer], heading: str = "") -> None:
        """Offer these; without any there is nothing to be seen."""
        self.border_title = heading
        self.fill(offers, lambda one: safe(one.text))
        self.display = bool(offers)


class EarlierTurns(Static, can_focus=True):
    """A line that stands for the turns above it; Enter or a click shows some more of them."""

    BINDINGS = keys_of("earlier")
    AREA = N_("On earlier turns")
    _turns: Sequence[SavedTurn] = ()

    def hold(self, turns: Sequence[SavedTurn]) -> None:
        """Stand for these turns."""
        self._turns = turns
        n = len(turns)
        self.display = n > 0
        self.update(
            safe(ngettext("▲ %(n)d earlier turn", "▲ %(n)d earlier turns", n) % {"n": n}, "bold")
        )

    def takes(self, turn: SavedTurn) -> bool:
        """Hold this one, too, if it is older than the latest one held."""
        if not self._turns or turn.id > self._turns[-1].id:
            return False
        self.hold(sorted([*self._turns, turn], key=lambda one: one.id))
        return True

    async def on_click(self) -> None:
        await self.action_show()

    async def action_show(self) -> None:
        """Lay out the latest of the turns held here, above the one that was the first so far."""
        conversation = self.screen.query_one(ConversationView)
        views = [TurnView(turn.question, turn) for turn in self._turns[-TURNS_AT_ONCE:]]
        first = conversation.turns[:1]
        with self.app.batch_update():
            await conversation.mount(*views, after=self)
            self.hold(self._turns[:-TURNS_AT_ONCE])
        for turn in first:
            self.call_after_refresh(conversation.scroll_to_widget, turn, animate=False, top=True)


class ConversationView(VerticalScroll, can_focus=False):
    """Scrolls along with what is written, unless its reader has scrolled up."""

    offers = getters.query_one(Offers)

    def compose(self) -> ComposeResult:
        yield EarlierTurns()
        yield Static(id="welcome")
        yield Offers()
        yield Static(id="guide")

    @property
    def turns(self) -> list[TurnView]:
        """The turns that are laid out, oldest first."""
        return list(self.query(TurnView))

    # --- before the first turn ---

    def welcome(self, text: Content) -> None:
        """Say what can be asked, or why nothing can."""
        welcome, is_empty = self.query_one("#welcome", Static), not self.turns
        welcome.update(text)
        welcome.display = bool(text.plain) and is_empty
        self.query_one("#guide").display = is_empty

    def _end_welcome(self) -> None:
        self.query_one("#welcome").display = self.query_one("#guide").display = False
        self.offers.offer(())

    # --- what can be asked next ---

    def offer_first(self, workspace: Workspace) -> None:
        """Offer something to begin with, once it has been looked up; nothing of another course."""
        if self.turns:
            return
        opened = workspace.opened

        def show(found: tuple[list[Offer], Topics]) -> None:
            if not self.turns and workspace.opened is opened:
                self.offers.offer(found[0], _("For example"))
                self.query_one("#guide", Static).update(guide_text(workspace, found[1]))

        if opened:
            in_background(self, lambda: first_offers(workspace, _EXAMPLES), show)
        else:
            show(([], []))

    def offer_next(self, workspace: Workspace, turn: TurnView) -> None:
        """Offer what stands next to the place that the last answer cites first."""
        cited = next((m.citation for m in turn.marks if isinstance(m.citation, Citation)), None)
        if cited is None:
            return
        asked = [one.question for one in self.turns]

        def look() -> list[Offer]:
            with workspace.using() as opened:
                return [Offer(q) for q in next_questions(opened.store, cited, asked, _NEXT)]

        def show(offers: list[Offer]) -> None:
            if self.turns[-1:] == [turn]:
                self.offers.offer(offers, _("Next, perhaps"))
                self.call_after_refresh(self.show_beginning, turn)

        in_background(self, look, show, latest="offers")

    # --- turns ---

    def add(self, turn: TurnView) -> None:
        """Show a turn that begins."""
        self._end_welcome()
        self.mount(turn, before=self.offers)
        self.anchor()

    async def show(self, turns: Sequence[SavedTurn]) -> TurnView | None:
        """Show these turns instead of what is there, the latest ones at first. Returns the last."""
        views = [TurnView(turn.question, turn) for turn in turns[-TURNS_AT_ONCE:]]
        with self.app.batch_update():
            await self.query("TurnView, .compared").remove()
            self.offers.offer(())
            await self.mount(*views, before=self.offers)
        self.query_one(EarlierTurns).hold(turns[:-TURNS_AT_ONCE])
        self.anchor(bool(views))
        return views[-1] if views else None

    async def take_out(self, turn: TurnView) -> None:
        """Show this turn no longer; earlier ones where no other is left."""
        if turn is self.turns[-1]:
            self.offers.offer(())
        await turn.remove()
        if not self.turns:
            await self.query_one(EarlierTurns).action_show()

    async def put_back(self, saved: SavedTurn) -> TurnView | None:
        """Show a turn again at its place; None where that is among the earlier ones."""
        if self.query_one(EarlierTurns).takes(saved):
            return None
        if not self.turns:
            self._end_welcome()
        later: list[Widget] = [one for one in self.turns if (one.turn_id or 0) > saved.id]
        later += [note for note in self.query(".compared") if int(note.name or 0) >= saved.id]
        view = TurnView(saved.question, saved)
        await self.mount(
            view, before=next((one for one in self.children if one in later), self.offers)
        )
        return view

    def note(self, text: str) -> None:
        """Say in a line what happened besides questions and answers."""
        behind = str(self.turns[-1].turn_id or 0) if self.turns else "0"
        self.mount(Static(safe(text), classes="compared", name=behind), before=self.offers)
        self.anchor()

    def show_beginning(self, turn: TurnView) -> None:
        """Of quotes that are longer than the screen the best stands first; a model's words last."""
        answer = turn.answer
        quoted = answer is not None and (turn.is_folded or answer.model == EXTRACTIVE)
        is_stopped = answer is not None and answer.ending is Ending.STOPPED
        followed = self.scroll_offset.y >= self.max_scroll_y - 1
        height = turn.region.height + self.offers.region.height
        is_last = self.turns[-1:] == [turn]  # else the next one was begun in the meantime
        if is_last and quoted and not is_stopped and followed and height > self.size.height:
            self.scroll_to_widget(turn, top=True, animate=False)

    async def page(self, step: int) -> None:
        """Scroll by a screen; from the top, to earlier turns."""
        if step > 0:
            self.scroll_page_down()
        elif self.scroll_offset.y:
            self.scroll_page_up()
        else:
            await self.query_one(EarlierTurns).action_show()

    def focus_turn(self, step: int) -> None:
        """Read the answer before or after: at first the last one in sight, or the next."""
        turns, focused = self.turns, self.screen.focused
        seen = [at for at, turn in enumerate(turns) if turn.region.overlaps(self.region)]
        if turns:
            in_sight = (seen[-1] if seen else len(turns) - 1) + (step < 0)
            at = turns.index(focused) if isinstance(focused, TurnView) else in_sight
            turns[min(max(at + step, 0), len(turns) - 1)].focus()
