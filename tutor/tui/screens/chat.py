"""The conversation: what everything else lies upon."""

from __future__ import annotations

from collections.abc import Sequence

from textual import events, getters, on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.widget import Widget
from textual.widgets import OptionList, Static
from textual.worker import Worker

from tutor.errors import TutorError
from tutor.history import KEPT_DELETED, SavedTurn, Session
from tutor.i18n import _
from tutor.model import Route, Strategy
from tutor.tui.base import (
    KeyBar,
    TextWanted,
    TutorScreen,
    failure_text,
    follow,
    in_background,
    safe,
)
from tutor.tui.keys import Command, completions, keys_of, unknown_word
from tutor.tui.texts import status_text, welcome_text
from tutor.tui.widgets.conversation import ConversationView
from tutor.tui.widgets.folded import FoldedWords
from tutor.tui.widgets.question_box import CommandMenu, QuestionBox
from tutor.tui.widgets.sources import SourceList
from tutor.tui.widgets.turn import TurnView


class ChatScreen(TutorScreen):
    """Questions and answers, with their sources beside them where there is room."""

    BINDINGS = keys_of("chat")
    _box = getters.query_one(QuestionBox)
    _conversation = getters.query_one(ConversationView)
    _sources = getters.query_one(SourceList)

    def __init__(self) -> None:
        super().__init__()
        self._answering: Worker[None] | None = None
        self._asked: TurnView | None = None
        self._read: TurnView | None = None

    def compose(self) -> ComposeResult:
        yield Static(safe(_("Opening the course ...")), id="status")
        with Horizontal(id="middle"):
            yield ConversationView(id="conversation")
            yield SourceList(self.app.preferences)
        with Vertical(id="asking"):
            menu = CommandMenu()
            yield menu
            yield QuestionBox(menu)
        yield KeyBar()

    def on_mount(self) -> None:
        self._box.focus()
        self.app.indexing.subscribe(self, self.show_status)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002 - the library's signature
        """Keys that would do nothing now are not shown."""
        if action == "stop":
            return self.is_answering
        if action == "back":
            is_elsewhere = self.focused is not self._box or self.has_class("-sources")
            return not self.is_answering and (is_elsewhere or self.query_one(CommandMenu).display)
        if action == "area":
            return not (self.focused is self._box and completions(self._box.text))
        return True

    @property
    def is_answering(self) -> bool:
        """Whether an answer is being written."""
        return self._asked is not None and not self._asked.is_over

    # --- the workspace ---

    def show_opened(self, questions: list[str]) -> None:
        """Show what lies open; `questions` are those asked before, oldest first."""
        self.show_status()
        self._box.remember(questions)
        self._conversation.offer_first(self.workspace)

    def show_failure(self, error: TutorError) -> None:
        """Say why there is no workspace."""
        self.query_one("#status", Static).update(safe(error.message))
        self._conversation.welcome(safe(failure_text(error)))

    def show_status(self, _indexer: object = None) -> None:
        """How things stand, what goes on in the background, and what could be done."""
        if self.app.is_ready:
            activity = self.indexer.activity
            width = self.size.width - 2
            status = status_text(self.workspace, activity or self.indexer.offer, width)
            self.query_one("#status", Static).update(status)
            self._conversation.welcome(welcome_text(self.workspace, activity))

    # --- asking ---

    def on_question_box_sent(self, message: QuestionBox.Sent) -> None:
        """Ask what was typed, if it is a question and can be asked now."""
        question = message.question
        if word := unknown_word(question):
            told = _("There is no command %(word)s. Type / to see them all.") % {"word": word}
            self.notify(told, severity="warning", markup=False)
        elif self.is_free():
            if self.workspace.opened is None:
                self.app.report(self.workspace.problem or TutorError(_("There is no index yet.")))
            else:
                self._box.sent(question)
                self.ask(question)

    @on(OptionList.OptionSelected, "Offers")
    def _take_offer(self) -> None:
        """Ask what was offered, or take up the conversation."""
        offer = self._conversation.offers.current
        if offer and offer.session:
            self.app.resume(offer.session)
        elif offer and self.is_free():
            self._box.sent(offer.text)
            self.ask(offer.text)

    @on(OptionList.OptionSelected, "CommandMenu")
    def _take_command(self) -> None:
        """Choose by mouse."""
        self._box.action_complete()
        self._box.action_send()

    async def on_question_box_given(self, message: QuestionBox.Given) -> None:
        await self.run_command(message.command)

    async def run_command(self, command: Command) -> None:
        """Do what a command does."""
        await self.run_action(command.action)

    def on_key(self, event: events.Key) -> None:
        """Whatever is typed is a question, wherever the focus is."""
        if self.focused is not self._box:
            self._box.take_key(event)

    # --- answering ---

    def ask(self, question: str, forced: Route | None = None) -> None:
        """Begin a turn."""
        turn = TurnView(question)
        self.add_class("-begun")
        self._conversation.add(turn)
        self._asked = turn
        self._reads(turn)
        self.action_back()
        self._answering = follow(
            self,
            lambda: self.workspace.ask(question, forced),
            turn.take,
            lambda error: turn.end(self.workspace.last_turn, error),
        )

    def action_stop(self) -> None:
        if self._answering and self._asked:
            self._answering.cancel()
            self._asked.say(_("Stopping ..."))

    def action_back(self) -> None:
        if self.query_one(CommandMenu).display:
            self._box.text = ""  # what is left of a command would make one of the next question
        self.remove_class("-sources")
        self._box.focus()
        self.refresh_bindings()

    def is_free(self) -> bool:
        """Whether something else can begin; what is in its way is said."""
        if not self.app.is_ready:
            self.notify(_("The course is still being opened."), markup=False)
        elif self.is_answering:
            self.notify(_("An answer is being written; Esc stops it."), markup=False)
        return self.app.is_ready and not self.is_answering

    # --- what is read ---

    def on_turn_view_changed(self, message: TurnView.Changed) -> None:
        """Keep the cards those of the turn that is read."""
        self.refresh_bindings()
        if message.turn.has_focus or message.turn is self._read:
            self._reads(message.turn, message.turn.markdown.current)
        if message.turn is self._asked and message.turn.is_over:
            self._asked = None
            self._conversation.offer_next(self.workspace, message.turn)
            self.call_after_refresh(self._conversation.show_beginning, message.turn)

    def _reads(self, turn: TurnView | None, mark: int | None = None) -> None:
        """From now on this answer is read: the cards are its own, and so is the current mark."""
        if self._read and self._read is not turn and self._read.is_attached:
            self._read.forget_mark()
        self._read = turn
        is_known = turn and (turn.marks or turn.is_over)
        self._sources.show(turn.marks if turn and is_known else None, mark)

    def on_turn_view_again(self, message: TurnView.Again) -> None:
        turn = message.turn
        if self.is_free() and self.workspace.opened:
            self.ask(turn.question, Route.SEMANTIC if turn.route is Route.FIXED else Route.FIXED)

    @on(OptionList.OptionSelected, "SourceList")
    def _open_source(self) -> None:
        """Open the page behind a card."""
        self.action_on_answer(f"open_place({self._sources.place}, False)")

    def action_sources(self) -> None:
        """Go to the cards; on a narrow screen they take the conversation's place."""
        if self.focused is self._sources:
            self.action_back()
        else:
            self.add_class("-sources")
            self._sources.focus()

    def on_resize(self) -> None:
        self._sources.fit()
        self.show_status()

    async def action_on_sources(self, action: str) -> None:
        """Do something with the pane of sources, where there is one."""
        if self.has_class("-wide") and self.has_class("-begun"):
            await self._sources.run_action(action)
        else:
            self.notify(_("There is no pane of sources beside the answers now."), markup=False)

    def action_area(self, step: int) -> None:
        """From the question to the answer read last, to its sources, and back."""
        sources, offers = self._sources, self._conversation.offers
        last = self._read if self._read and self._read.is_attached else None
        areas: list[Widget] = [self._box]
        if last:
            areas += [last, *last.query(FoldedWords)] if last.is_folded else [last]
        areas += [sources] if sources.region and sources.option_count else []
        areas += [offers] if offers.region else []
        at = areas.index(self.focused) if self.focused in areas else 0
        areas[(at + step) % len(areas)].focus()

    def action_turn(self, step: int) -> None:
        self._conversation.focus_turn(step)

    async def action_page(self, step: int) -> None:
        """Scroll the conversation wherever the focus is."""
        await self._conversation.page(step)

    # --- commands ---

    def action_toggle_strategy(self) -> None:
        """Send the next questions to the other index."""
        if self.app.is_ready:
            fixed = self.workspace.strategy is Strategy.FIXED
            self.action_prefer("strategy", "semantic" if fixed else "fixed")

    def action_prefer(self, name: str, value: str) -> None:
        """Answer from now on with this index, or at this length."""
        if self.app.is_ready:
            self.workspace.prefer(name, value)
            self.app.preferences.keep(name, value)
            self.show_status()

    def action_on_answer(self, action: str) -> None:
        """Do something with the answer read last.

        Not at once: what it asked of the app while this screen handles a message would end here.
        """
        if self._read is None:
            self.notify(_("There is no answer yet."), markup=False)
        else:
            self._read.call_later(self._read.run_action, action)

    def action_edit(self) -> None:
        """Change the question asked last, and ask it anew."""
        if self._read:
            self._box.put(self._read.question)

    def action_find(self) -> None:
        """Read and search this conversation as one text."""
        if session := self._saved_session():
            in_background(
                self,
                lambda: self.workspace.sessions.export_markdown(session.id),
                lambda text: self.post_message(TextWanted(session.title, text)),
            )

    def action_export(self) -> None:
        if session := self._saved_session():
            in_background(
                self,
                lambda: self.workspace.export(session),
                lambda told: self.notify(told, markup=False),
            )

    def _saved_session(self) -> Session | None:
        """The conversation at hand; where there is none, that is said."""
        conversation = self.workspace.conversation if self.app.is_ready else None
        if conversation is None:
            self.notify(_("There is no answer yet."), markup=False)
            return None
        if not conversation.is_saved:
            self.notify(_("This conversation is not saved."), severity="warning", markup=False)
            return None
        return conversation.session

    def on_turn_view_unwanted(self, message: TurnView.Unwanted) -> None:
        """Delete a turn; `action_undo` brings it back."""
        turn, number = message.turn, message.turn.turn_id
        if number is None:
            self.notify(_("This conversation is not saved."), markup=False)
        elif self.is_free():
            in_background(
                self,
                lambda: self.workspace.delete_turn(number),
                lambda _nothing: self._take_out(turn),
            )

    async def _take_out(self, turn: TurnView) -> None:
        await self._conversation.take_out(turn)
        told = _("Deleted. /undo brings it back; it is kept for %(days)d days.")
        self.notify(told % {"days": KEPT_DELETED.days}, markup=False)
        turns = self._conversation.turns
        if not turns:
            await self.show_turns([])
        elif turn is self._read:
            self._reads(turns[-1])
        self._box.focus()

    def action_undo(self) -> None:
        """Bring back what was deleted last from this conversation."""
        if self.is_free() and self._saved_session() and (talk := self.workspace.conversation):
            in_background(self, talk.undelete_turn, self._put_back)

    async def _put_back(self, saved: SavedTurn) -> None:
        self.add_class("-begun")
        if view := await self._conversation.put_back(saved):
            self._reads(view)
            view.scroll_visible(animate=False)
        self.notify(_("Brought back: %(title)s") % {"title": saved.question}, markup=False)

    def action_compare(self) -> None:
        """Ask both indexes what is being typed, or what was asked last."""
        if self.is_free() and self.workspace.opened:
            typed = self._box.text.strip()
            if typed:
                self._box.sent(typed)
            self.app.compare(typed or (self._read.question if self._read else ""))

    def show_comparison(self, told: str | None) -> None:
        """Say in the conversation that something was compared, and how it was judged."""
        if told:
            self._conversation.note(f"⇄ {told}")

    async def action_new(self) -> None:
        """Set the conversation aside and begin another."""
        if self.is_free():
            self.workspace.conversation = None
            await self.show_turns([])

    async def show_turns(self, turns: Sequence[SavedTurn]) -> None:
        """Show these turns, the latest ones at first, instead of what is there."""
        self._asked = None
        self.set_class(bool(turns), "-begun")
        self._reads(await self._conversation.show(turns))
        self._box.focus()
        self.show_status()
        if not turns and self.app.is_ready:
            self._conversation.offer_first(self.workspace)
