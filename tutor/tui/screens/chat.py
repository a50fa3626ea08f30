"""The conversation: what everything else lies upon."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from textual import events, getters, on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import OptionList
from textual.worker import Worker

from tutor.errors import TutorError
from tutor.history import KEPT_DELETED, SavedTurn
from tutor.i18n import _, plural
from tutor.model import Ending, Route, Strategy
from tutor.presentation.answers import conversation_text
from tutor.tui.base import KeyBar, TutorScreen, failure_text, safe
from tutor.tui.keys import keys_from_afar, keys_of
from tutor.tui.screens.dialogs import CommentModal
from tutor.tui.screens.whole_text import WholeTextScreen
from tutor.tui.threads import follow, in_background
from tutor.tui.widgets.conversation import Reading
from tutor.tui.widgets.question_box import CommandMenu, QuestionBox, WaitingQuestions
from tutor.tui.widgets.state_line import StatusLine, welcome_text
from tutor.tui.widgets.turn import TurnView

_NEED_THE_WORKSPACE = frozenset({"toggle_strategy", "prefer", "find", "export"})


class ChatScreen(TutorScreen):
    """Questions and answers, with their sources beside them where there is room."""

    BINDINGS = [*keys_of("chat"), *keys_from_afar("answer", "on_answer")]  # noqa: RUF012 - as the library has it
    CSS_PATH = None
    _box = getters.query_one(QuestionBox)
    _status = getters.query_one(StatusLine)
    _reading = getters.query_one(Reading)
    _waiting = getters.query_one(WaitingQuestions)
    _answering: Worker[None] | None = None
    _asked: TurnView | None = None
    _due = ""
    _writes_below = False
    """Whether an answer is being written below what is in sight."""

    def compose(self) -> ComposeResult:
        yield StatusLine()
        yield Reading()
        menu, waiting = CommandMenu(), WaitingQuestions()
        with Vertical(id="asking"):
            yield menu
            yield waiting
            yield QuestionBox(menu, waiting)
        yield KeyBar()

    def on_mount(self) -> None:
        self._box.focus()
        self.app.indexing.subscribe(self, self.show_status)
        self.watch(self._reading.scroll, "scroll_y", self._look_below, init=False)

    def can(self, action: str) -> bool:
        if action == "stop":
            return self.is_answering
        if action == "back":
            is_elsewhere = self.focused is not self._box or self.has_class("-sources")
            return not self.is_answering and (is_elsewhere or self._box.offers_commands)
        if action == "area":
            return not (self.focused is self._box and self._box.offers_commands)
        return self.app.is_ready or action not in _NEED_THE_WORKSPACE

    @property
    def is_answering(self) -> bool:
        return self._asked is not None and not self._asked.is_over

    def is_free(self) -> bool:
        """Whether something else can begin; what is in its way is said."""
        if not self.app.is_ready:
            self.notify(_("The course is still being opened; a question is asked then."))
        elif self.is_answering:
            self.notify(_("An answer is being written; Esc stops it."))
        return self.app.is_ready and not self.is_answering

    # --- the workspace ---

    def show_opened(self, questions: list[str]) -> None:
        """Show what lies open; `questions` are those asked before, oldest first."""
        self.show_status()
        self._box.remember(questions)
        if not self._reading.turns:
            self._reading.offer()
        self._ask_waiting()

    def show_due(self, cards: int) -> None:
        """Say how many cards are due, unless something else goes on."""
        key = self.app.key_of("study")
        due = plural("%(n)d card is due (%(key)s)", "%(n)d cards are due (%(key)s)", cards, key=key)
        self._due = due if cards else ""
        self.show_status()

    def show_failure(self, error: TutorError) -> None:
        self._status.update(safe(error.message))
        self._reading.welcome(safe(failure_text(error)))

    def show_status(self, _indexer: object = None) -> None:
        if self.app.is_ready:
            self._waiting.show(self._obstacle)
            activity = self.indexer.activity
            told = _("▼ The model writes below") if self._writes_below else activity
            self._status.show(self.workspace, told or self.indexer.offer or self._due)
            self._reading.welcome(welcome_text(self.workspace, activity))

    def _look_below(self) -> None:
        """Say at the top whether an answer is being written below what is in sight."""
        scroll = self._reading.scroll
        writes_below = self.is_answering and scroll.scroll_offset.y < scroll.max_scroll_y - 1
        if writes_below != self._writes_below:
            self._writes_below = writes_below
            self.show_status()

    on_resize = show_status

    # --- asking ---

    @property
    def _obstacle(self) -> str:
        """What a question has to wait for; empty where it can be asked."""
        if not self.app.is_ready:
            return _("Asked once the course is open; ↑ takes it back:")
        if self.is_answering:
            return _("Asked after this answer, which Esc ends; ↑ takes it back:")
        if not self.workspace.opened and self.indexer.running:
            return _("Asked as soon as the notes can be searched; ↑ takes it back:")
        return ""

    def on_question_box_sent(self, message: QuestionBox.Sent) -> None:
        """Ask what was typed, if it can be asked now, or once it can be, after what waits."""
        if obstacle := self._obstacle:
            self._box.text = ""
            self._waiting.questions.append(message.question)
            self._waiting.show(obstacle)
        elif self.workspace.opened:
            self._box.sent(message.question)
            (self.app.opener(message.question) or partial(self.ask, message.question))()
        else:
            self.app.report(self.workspace.obstacle)

    def _ask_waiting(self) -> None:
        """Ask what has waited longest, if it can be; a screen opens over this one only."""
        if self._waiting.questions and not self._obstacle and self.workspace.opened:
            question = self._waiting.questions[0]
            opens = self.app.opener(question)
            if opens is None or self.app.screen is self:
                self._box.asked(self._waiting.questions.pop(0))
                (opens or partial(self.ask, question))()
        self._waiting.show(self._obstacle)

    on_screen_resume = _ask_waiting

    @on(OptionList.OptionSelected, "Offers")
    def _take_offer(self) -> None:
        offer = self._reading.offers.current
        if offer and offer.session:
            self.app.resume(offer.session)
        elif offer and self.is_free():
            self._box.sent(offer.text)
            self.ask(offer.text)

    @on(OptionList.OptionSelected, "CommandMenu")
    def _choose_command(self) -> None:
        """Take one by mouse; not at once, or the message sent by the box would end here."""
        self._box.action_complete()
        self._box.call_later(self._box.action_send)

    def on_key(self, event: events.Key) -> None:
        """Whatever is typed is a question, wherever the focus is or was: the box keeps its own."""
        self._box.take_key(event)

    def ask(self, question: str, forced: Route | None = None) -> None:
        turn = self._asked = TurnView(question)
        self.add_class("-begun")
        self.app.forget_notices()
        self._reading.add(turn)
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
            self._asked.state_line.say(_("Stopping ..."))

    def on_turn_view_changed(self, message: TurnView.Changed) -> None:
        self.refresh_bindings()
        if message.turn is self._asked and message.turn.is_over:
            self._asked = None
            answer = message.turn.answer
            if self._writes_below and (answer is None or answer.ending is not Ending.COMPLETE):
                self.notify(message.turn.ending().plain)  # that stands out of sight
            self._reading.offer()
            self.call_after_refresh(self._reading.show_beginning, message.turn)
            self._ask_waiting()
        self._look_below()

    def action_again(self) -> None:
        if (turn := self._reading.turn) and self.is_free() and self.workspace.opened:
            self.ask(turn.question, Route.SEMANTIC if turn.route is Route.FIXED else Route.FIXED)

    # --- where the keys go ---

    def action_back(self) -> None:
        if self._box.offers_commands:  # what is left of one would make one of the next question
            self._box.text = ""
        self.remove_class("-sources")
        self._box.focus()
        self.refresh_bindings()

    def action_sources(self) -> None:
        """Go to the cards; on a narrow screen they take the conversation's place."""
        if self.focused is self._reading.sources:
            self.action_back()
        else:
            self.add_class("-sources")
            self._reading.sources.focus()

    def action_area(self, step: int) -> None:
        """From the question to the answer read last, to its sources, and back."""
        areas = [self._box, *self._reading.areas()]
        at = areas.index(self.focused) if self.focused in areas else 0
        area = areas[(at + step) % len(areas)]
        is_read = isinstance(area, TurnView) and area.region.overlaps(self._reading.scroll.region)
        area.focus(scroll_visible=not is_read)

    def action_turn(self, step: int) -> None:
        """Read the answer before or after: at first the last one in sight, or the next."""
        turns, sight = self._reading.turns, self._reading.scroll.region
        seen = [at for at, turn in enumerate(turns) if turn.region.overlaps(sight)]
        if turns:
            in_sight = (seen[-1] if seen else len(turns) - 1) + (step < 0)
            at = turns.index(self.focused) if isinstance(self.focused, TurnView) else in_sight
            turns[min(max(at + step, 0), len(turns) - 1)].focus()

    async def action_page(self, step: int) -> None:
        """Scroll by a screen; from the top, to earlier turns."""
        if step > 0:
            self._reading.scroll.scroll_page_down()
        elif self._reading.scroll.scroll_offset.y:
            self._reading.scroll.scroll_page_up()
        else:
            await self._reading.earlier.action_show()

    def action_end(self, step: int) -> None:
        view = self._reading.scroll
        view.scroll_to(y=0 if step < 0 else view.max_scroll_y, animate=False)

    # --- commands ---

    def action_toggle_strategy(self) -> None:
        fixed = self.workspace.config.strategy is Strategy.FIXED
        self.action_prefer("strategy", "semantic" if fixed else "fixed")

    def action_prefer(self, name: str, value: str) -> None:
        self.workspace.prefer(name, value)
        self.app.preferences.keep(name, value)
        self.show_status()

    @on(OptionList.OptionSelected, "SourceList")
    def _open_source(self) -> None:
        self.action_on_answer(f"open_place({self._reading.sources.place}, False)")

    def action_on_answer(self, action: str) -> None:
        """Do something with the answer that is read.

        Not at once: a message sent to the app while another one is handled ends where that is.
        """
        if turn := self._reading.turn:
            turn.call_later(turn.run_action, action)
        else:
            self.notify(_("There is no answer yet."))

    async def action_on_sources(self, action: str) -> None:
        if self.has_class("-wide") and self.has_class("-begun"):
            await self._reading.sources.run_action(action)
        else:
            self.notify(_("There is no pane of sources beside the answers now."))

    def action_edit(self) -> None:
        if self._reading.turn:
            self._box.put(self._reading.turn.question)

    def action_find(self, words: str = "") -> None:
        """Open this conversation as text, at the first place of these words."""

        def read() -> tuple[str, str, str]:
            session, sessions = self.workspace.session, self.workspace.sessions
            return session.title, conversation_text(sessions, session.id), words

        if words:
            self._box.sent(self._box.text.strip())

        in_background(self, read, lambda told: self.app.push_screen(WholeTextScreen(*told)))

    def action_export(self, name: str = "") -> None:
        """Write this conversation into a file of that name, or of its own."""
        workspace = self.workspace
        if name:
            self._box.sent(self._box.text.strip())
        in_background(self, lambda: workspace.export(workspace.session, name), self.notify)

    def action_rate(self, rating: int) -> None:
        """Keep what the answer that is read is worth, with a comment; the same takes it back."""
        turn, sessions = self._reading.turn, self.workspace.sessions
        number = turn.saved_id() if turn else None
        if turn is None or number is None:
            return

        def save(comment: str | None) -> None:
            in_background(self, partial(sessions.give_feedback, number, rating, comment or ""))

        turn.rate(rating)
        if turn.rating:
            self.app.push_screen(CommentModal(rating), save)
        else:
            in_background(self, lambda: sessions.withdraw_feedback(number))

    def action_delete(self) -> None:
        turn = self._reading.turn
        number = turn.saved_id() if turn else None
        if turn is None or number is None or not self.is_free():
            return

        async def gone(_none: None) -> None:
            await self._reading.take_out(turn)
            told = _("Deleted. /undo brings it back; it is kept for %(days)d days.")
            self.notify(told % {"days": KEPT_DELETED.days})
            if self._reading.turns:
                self._reading.offer()
            else:
                await self.show_turns([])
            self._box.focus()

        in_background(self, lambda: self.workspace.begun.delete_turn(number), gone)

    def action_undo(self) -> None:
        def undelete() -> SavedTurn:
            return self.workspace.begun.undelete_turn()

        async def put_back(saved: SavedTurn) -> None:
            self.add_class("-begun")
            await self._reading.put_back(saved)
            self._reading.offer()
            self.notify(_("Brought back: %(title)s") % {"title": saved.question})

        if self.is_free():
            in_background(self, undelete, put_back)

    def action_compare(self, text: str = "") -> None:
        """Ask both indexes this, what is being typed, or what was asked last."""
        if self.is_free() and self.workspace.opened:
            typed, turn = self._box.text.strip(), self._reading.turn
            if typed:
                self._box.sent(typed)
            if question := text or typed or (turn.question if turn else ""):
                self.app.compare(question)
            else:
                self.notify(_("Write what you want to know."))

    def show_comparison(self, told: str | None) -> None:
        """Say in the conversation that something was compared, and how it was judged."""
        if told:
            self._reading.note(f"⇄ {told}")

    async def action_new(self) -> None:
        if self.is_free():
            self.workspace.conversation = None
            await self.show_turns([])

    async def show_turns(self, turns: Sequence[SavedTurn]) -> None:
        """Show these turns, the latest ones at first, and what to ask next."""
        self._asked = None
        self.set_class(bool(turns), "-begun")
        await self._reading.show(turns)
        self._box.focus()
        self.show_status()
        if self.app.is_ready:
            self._reading.offer()
