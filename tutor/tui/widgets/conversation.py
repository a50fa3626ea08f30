"""The conversation beside its sources; before the first question, what can be asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual import getters
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from tutor.history import SavedTurn
from tutor.i18n import _, plural
from tutor.model import EXTRACTIVE, Citation, Ending
from tutor.presentation.suggestions import Topics, example_questions, next_questions, topics_by_week
from tutor.tui.base import InApp, ItemList, safe
from tutor.tui.keys import N_, keys_of
from tutor.tui.threads import in_background
from tutor.tui.widgets.sources import SourceList
from tutor.tui.widgets.state_line import FoldedWords, guide_text
from tutor.tui.widgets.turn import TurnView

if TYPE_CHECKING:
    from tutor.tui.workspace.workspace import Workspace

_EXAMPLES, _NEXT = 4, 3
"""Questions that are offered at first, and after an answer."""
_ASKED = 1000
"""Questions asked last, which are not offered again."""
_LAID_OUT_S = 0.3
"""After so long quotes are laid out, also on a busy machine, and how high they are is known."""
_ROOM_TO_WRITE = 5
"""Lines that a model needs below quotes so as not to scroll them away with its first words."""
TURNS_AT_ONCE = 15
"""Turns of a resumed conversation that are laid out at first, and with each step back."""


@dataclass(frozen=True, slots=True)
class Offer:
    """What is offered: a question, or the saved conversation `session` to be taken up again."""

    text: str
    session: str = ""


def first_offers(workspace: Workspace, n: int) -> tuple[list[Offer], Topics]:
    """What to begin with: the last conversation, `n` questions; and the topics of the course.

    Reads files. Raises `SessionError`, `StoreError`.
    """
    with workspace.using() as opened:
        before = workspace.sessions.sessions(opened.course.name)
        asked = workspace.questions(_ASKED)
        offers = [Offer(one) for one in example_questions(opened.store, n, asked, len(before))]
        if before and before[0].turns:
            told = _("Go on with: %(title)s") % {"title": before[0].title}
            offers.append(Offer(told, before[0].id))
        return offers, topics_by_week(opened.store)


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
        self._turns = turns
        self.display = bool(turns)
        told = plural("▲ %(n)d earlier turn", "▲ %(n)d earlier turns", len(turns))
        self.update(safe(told, "bold"))

    def takes(self, turn: SavedTurn) -> bool:
        """Hold this one, too, if it is older than the latest one held."""
        if not self._turns or turn.id > self._turns[-1].id:
            return False
        self.hold(sorted([*self._turns, turn], key=lambda one: one.id))
        return True

    async def action_show(self) -> None:
        """Lay out the latest of the turns held here, above the one that was the first so far."""
        conversation = self.screen.query_one(Reading)
        first = conversation.turns[:1]
        views = [TurnView(turn.question, turn) for turn in self._turns[-TURNS_AT_ONCE:]]
        with self.app.batch_update():
            await conversation.page.mount(*views, after=self)
            self.hold(self._turns[:-TURNS_AT_ONCE])
        for turn in first:
            self.call_after_refresh(
                conversation.scroll.scroll_to_widget, turn, animate=False, top=True
            )

    on_click = action_show


class Reading(InApp, Horizontal):
    """Answers, one of which is read, and what that one cites.

    Scrolls along with what is written, unless its reader has scrolled up, or that would scroll
    quotes away that fill the screen.
    """

    scroll = getters.query_one("#conversation", VerticalScroll)
    page = getters.query_one("#turns", Vertical)
    offers = getters.query_one(Offers)
    sources = getters.query_one(SourceList)
    earlier = getters.query_one(EarlierTurns)

    turn: TurnView | None = None
    """The answer that is read."""
    _at_top: TurnView | None = None
    """The turn that the first line in sight is of, and where it begins, from there."""
    _at_top_y = 0

    def compose(self) -> ComposeResult:
        with VerticalScroll(id="conversation", can_focus=False), Vertical(id="turns"):
            yield EarlierTurns()
            yield Static(id="welcome")
            yield Offers()
            yield Static(id="guide")
        yield SourceList()

    def on_mount(self) -> None:
        def scrolled() -> None:
            self.call_after_refresh(self._look_at_top)

        self.watch(self.scroll, "scroll_y", scrolled, init=False)

    def _look_at_top(self) -> None:
        top = self.scroll.region.y
        self._at_top = next((one for one in self.turns if one.region.bottom > top), None)
        self._at_top_y = self._at_top.region.y - top if self._at_top else 0

    def on_resize(self) -> None:
        """The turn in sight stays there: lines above it are others now."""
        self.sources.fit()
        self.call_after_refresh(self._stay_at, self._at_top, self._at_top_y)

    def _stay_at(self, turn: TurnView | None, y: int) -> None:
        if turn and turn.is_attached and not self._follows:
            self.scroll.scroll_relative(y=turn.region.y - self.scroll.region.y - y, animate=False)

    @property
    def _follows(self) -> bool:
        """Whether the end is kept in sight."""
        return self.scroll.is_anchored and not self.scroll._anchor_released  # noqa: SLF001 - not told otherwise

    @property
    def turns(self) -> list[TurnView]:
        return [one for one in self.page.children if isinstance(one, TurnView)]

    # --- what can be asked ---

    def welcome(self, text: Content) -> None:
        """Say before the first turn what can be asked, or why nothing can."""
        welcome, is_empty = self.query_one("#welcome", Static), not self.turns
        welcome.update(text)
        welcome.display = bool(text.plain) and is_empty
        self.query_one("#guide").display = is_empty

    def offer(self) -> None:
        """Offer what can be asked now, once it has been looked up; nothing of another course.

        After an answer that is what stands next to the place that it cites first. The pages nearest
        to a question that was refused may be about anything: then questions of the whole course.
        """
        workspace: Workspace = self.app.workspace
        opened, turns = workspace.opened, self.turns
        turn = turns[-1] if turns else None
        is_next = turn is not None and not turn.has_class("-refused")
        marks, asked = turn.marks if turn and is_next else [], [one.question for one in turns]
        cited = next((m.citation for m in marks if isinstance(m.citation, Citation)), None)

        def look() -> tuple[list[Offer], Topics]:
            if cited is None:
                offers, topics = first_offers(workspace, _NEXT if turn else _EXAMPLES)
                return [one for one in offers if not (turn and one.session)], topics
            with workspace.using() as opened:
                return [Offer(q) for q in next_questions(opened.store, cited, asked, _NEXT)], []

        def show(found: tuple[list[Offer], Topics]) -> None:
            if self.turns[-1:] == turns[-1:] and (turn or workspace.opened is opened):
                self.offers.offer(found[0], _("Next, perhaps") if is_next else _("For example"))
                if turn:
                    self.call_after_refresh(self.show_beginning, turn)
                else:
                    self.query_one("#guide", Static).update(guide_text(workspace, found[1]))

        if opened and (cited or not is_next):
            in_background(self, look, show, latest="offers")
        elif turn is None:
            show(([], []))

    # --- turns ---

    def add(self, turn: TurnView) -> None:
        self.offers.offer(())
        self.page.mount(turn, before=self.offers)
        self.welcome(Content(""))
        self.scroll.anchor()
        self.read(turn)

    async def show(self, turns: Sequence[SavedTurn]) -> None:
        """Show these turns instead of what is there, the latest ones at first; read the last."""
        views = [TurnView(turn.question, turn) for turn in turns[-TURNS_AT_ONCE:]]
        with self.app.batch_update():
            await self.query("TurnView, .compared").remove()
            self.offers.offer(())
            await self.page.mount(*views, before=self.offers)
        self.earlier.hold(turns[:-TURNS_AT_ONCE])
        self.scroll.anchor(bool(views))
        if not views:
            self.scroll.scroll_home(animate=False)
        self.read(views[-1] if views else None)

    async def take_out(self, turn: TurnView) -> None:
        """Show this turn no longer; earlier ones where no other is left."""
        if turn is self.turns[-1]:
            self.offers.offer(())
        await turn.remove()
        if not self.turns:
            await self.earlier.action_show()
        if turn is self.turn and self.turns:
            self.read(self.turns[-1])

    async def put_back(self, saved: SavedTurn) -> None:
        """Show a turn again at its place and read it; or let it be among the earlier ones."""
        if self.earlier.takes(saved):
            return
        later: list[Widget] = [one for one in self.turns if (one.turn_id or 0) > saved.id]
        later += [note for note in self.query(".compared") if int(note.name or 0) >= saved.id]
        below = next((one for one in self.page.children if one in later), self.offers)
        view = TurnView(saved.question, saved)
        await self.page.mount(view, before=below)
        self.welcome(Content(""))
        self.read(view)
        view.scroll_visible(animate=False)

    def note(self, text: str) -> None:
        """Say in a line what happened besides questions and answers."""
        behind = str(self.turns[-1].turn_id or 0) if self.turns else "0"
        self.page.mount(Static(safe(text), classes="compared", name=behind), before=self.offers)
        self.scroll.anchor(bool(self.turns))

    def on_turn_view_quoted(self, message: TurnView.Quoted) -> None:
        """Keep long quotes in sight; what a model writes below them is not followed then."""
        turn = message.turn

        def keep() -> None:
            if quotes := turn.markdown.children[: message.blocks]:
                end = quotes[-1].region.bottom - turn.region.y
                self._keep_beginning(turn, end + _ROOM_TO_WRITE)

        self.call_after_refresh(keep)
        self.set_timer(_LAID_OUT_S, keep)

    def show_beginning(self, turn: TurnView) -> None:
        """Of quotes that are longer than the screen the best stands first; a model's words last."""
        if turn.answer and (turn.is_folded or turn.answer.model == EXTRACTIVE):
            self._keep_beginning(turn, turn.region.height + self.offers.region.height)

    def _keep_beginning(self, turn: TurnView, height: int) -> None:
        """Scroll to the turn's beginning if its end was followed and this fills the screen.

        Not once it was stopped, which is said at its end, or the next one was begun.
        """
        scroll, answer = self.scroll, turn.answer
        is_wanted = self.turns[-1:] == [turn] and not (answer and answer.ending is Ending.STOPPED)
        if is_wanted and self._follows and height > scroll.size.height:
            scroll.release_anchor()
            scroll.scroll_to_widget(turn, top=True, animate=False)

    # --- the answer that is read ---

    def read(self, turn: TurnView | None, mark: int | None = None) -> None:
        """From now on this answer is read: the cards are its own, and so is the current mark."""
        if (before := self.turn) and before is not turn and before.is_attached:
            self.turn.markdown.point_at(None)
        self.turn = turn
        is_known = turn and (turn.marks or turn.is_over)
        is_refused = turn is not None and turn.has_class("-refused")
        self.sources.show(turn.marks if turn and is_known else None, mark, near=is_refused)

    def on_turn_view_changed(self, message: TurnView.Changed) -> None:
        """Keep the cards those of the turn that is read."""
        if message.turn.has_focus or message.turn is self.turn:
            self.read(message.turn, message.turn.markdown.current)

    def areas(self) -> list[Widget]:
        """What can have the keys, as far as it is to be seen: the answer, its sources, offers."""
        offers, turn = self.offers, self.turn
        areas: list[Widget] = []
        if turn and turn.is_attached:
            areas += [turn, *turn.query(FoldedWords)] if turn.is_folded else [turn]
        areas += [self.sources] if self.sources.region and self.sources.option_count else []
        return [*areas, offers] if offers.region else areas
