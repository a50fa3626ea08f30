"""The conversation: what everything else lies upon."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Footer, Static
from textual.worker import get_current_worker

from tutor.errors import TutorError
from tutor.i18n import _
from tutor.tui.base import N_, TutorScreen, failure_text, safe
from tutor.tui.messages import DeskFailed, DeskReady, Ended, Happened
from tutor.tui.widgets.question_box import QuestionBox
from tutor.tui.widgets.sources import SourceList
from tutor.tui.widgets.status_bar import StatusBar
from tutor.tui.widgets.turn import TurnView
from tutor.types import Route, Strategy

if TYPE_CHECKING:
    from collections.abc import Generator

    from textual.app import ComposeResult
    from textual.binding import BindingType
    from textual.worker import Worker

    from tutor.events import Event
    from tutor.memory import SavedTurn

TURNS_SHOWN = 20
"""Turns of a resumed conversation that are shown at first, and added at a time."""


class ChatScreen(TutorScreen):
    """Questions and answers, with their sources beside them where there is room."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "stop", N_("Stop"), id="stop"),
        Binding("f2", "toggle_strategy", N_("Index"), id="strategy"),
        Binding("f3", "compare", N_("Compare"), id="compare"),
        Binding("f4", "sources", N_("Sources"), id="sources", show=False),
        Binding("f5", "courses", N_("Courses"), id="courses"),
        Binding("f6", "sessions", N_("Sessions"), id="sessions"),
        Binding("f7", "models", N_("Models"), id="models", show=False),
        Binding("f8", "health", N_("Health"), id="health", show=False),
        Binding("ctrl+n", "new", N_("New"), id="new"),
        Binding("tab", "next_area", N_("Next area"), id="area.next", show=False, priority=True),
        Binding("pageup", "page(-1)", show=False),
        Binding("pagedown", "page(1)", show=False),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._answering: Worker[None] | None = None
        self._turn: TurnView | None = None
        self._read: TurnView | None = None
        self._earlier: list[SavedTurn] = []

    def compose(self) -> ComposeResult:
        """Status, conversation and sources, question, keys."""
        yield StatusBar(safe(_("Opening the course ...")), id="status")
        with Horizontal(id="middle"):
            with VerticalScroll(id="conversation", can_focus=False):
                yield Static(id="welcome")
            yield SourceList()
        with Vertical(id="asking"):
            yield QuestionBox()
        yield Footer()

    def on_mount(self) -> None:
        """Be ready to type before the course is open."""
        self.query_one(QuestionBox).focus()
        self._conversation.anchor()

    @property
    def _conversation(self) -> VerticalScroll:
        return self.query_one("#conversation", VerticalScroll)

    # --- the desk ---

    def on_desk_ready(self, _message: DeskReady) -> None:
        """Show what lies open, or why nothing does."""
        self._show_status()
        self._welcome(_welcome_text(self.desk.problem, needs_index=self.desk.needs_index))

    def on_desk_failed(self, message: DeskFailed) -> None:
        """Say why nothing can be asked."""
        self.query_one(StatusBar).update(safe(message.error.message))
        self._welcome(safe(failure_text(message.error)))

    def _show_status(self, activity: str = "") -> None:
        self.query_one(StatusBar).show(self.desk, activity)

    def _welcome(self, text: Content) -> None:
        welcome = self.query_one("#welcome", Static)
        welcome.update(text)
        welcome.display = bool(text.plain) and not self.query(TurnView)

    # --- asking ---

    def on_question_box_sent(self, message: QuestionBox.Sent) -> None:
        """Ask, unless an answer is still being written or nothing can be asked yet."""
        if self._is_answering:
            self.notify(_("An answer is being written; Esc stops it."), markup=False)
        elif not self.tutor.is_ready:
            self.notify(_("The course is still being opened."), markup=False)
        elif self.desk.opened is None:
            self.tutor.report(self.desk.problem or TutorError(_("There is no index yet.")))
        else:
            self.query_one(QuestionBox).sent(message.question)
            self.ask(message.question)

    @property
    def _is_answering(self) -> bool:
        return self._answering is not None and not self._answering.is_finished

    def ask(self, question: str, forced: Route | None = None) -> None:
        """Begin a turn."""
        turn = TurnView(question)
        self.query_one("#welcome").display = False
        self._conversation.mount(turn)
        self._conversation.anchor()
        self._read = self._turn = turn
        self.query_one(SourceList).forget()
        self._answering = self.run_worker(
            lambda: self._answer(turn, self.desk.ask(question, forced)),
            thread=True,
            group="answer",
        )

    def _answer(self, turn: TurnView, events: Generator[Event, None, None]) -> None:
        worker, problem = get_current_worker(), None
        try:
            for event in events:
                if worker.is_cancelled:
                    break
                turn.post_message(Happened(event))
        except TutorError as error:
            problem = error
        finally:
            events.close()
            conversation = self.desk.conversation
            turn.post_message(Ended(conversation.last_turn if conversation else None, problem))

    def action_stop(self) -> None:
        """Stop the answer; where there is none, go back to the question."""
        if self._is_answering and self._answering:
            self._answering.cancel()
        self.query_one(QuestionBox).focus()

    # --- what is read ---

    def on_turn_view_changed(self, message: TurnView.Changed) -> None:
        """Keep the cards those of the turn that is read."""
        if message.turn.has_focus or message.turn is self._read:
            self._read = message.turn
            self.query_one(SourceList).show(message.turn.marks, message.turn.markdown.current)

    def on_source_list_opened(self, message: SourceList.Opened) -> None:
        """Open the page behind a card."""
        if self._read:
            self._read.point_at(message.place)
            self._read.action_open_mark()

    def action_next_area(self) -> None:
        """From the question to the last answer, to its sources, and back."""
        areas = [self.query_one(QuestionBox), *list(self.query(TurnView))[-1:]]
        sources = self.query_one(SourceList)
        areas += [sources] if sources.region and sources.option_count else []
        at = areas.index(self.focused) if self.focused in areas else -1
        areas[(at + 1) % len(areas)].focus()

    def action_page(self, step: int) -> None:
        """Scroll the conversation wherever the focus is."""
        if step < 0:
            self._conversation.scroll_page_up()
        else:
            self._conversation.scroll_page_down()

    # --- strategies, conversations ---

    def action_toggle_strategy(self) -> None:
        """Send the next questions to the other index."""
        if self.tutor.is_ready:
            other = Strategy.FIXED if self.desk.strategy is Strategy.SEMANTIC else Strategy.SEMANTIC
            self.desk.choose_strategy(other)
            self._show_status()

    def action_new(self) -> None:
        """Set the conversation aside and begin another."""
        if self.tutor.is_ready and not self._is_answering:
            self.desk.begin()
            self._clear()

    def _clear(self) -> None:
        self.query(TurnView).remove()
        self.query_one(SourceList).forget()
        self._turn = self._read = None
        self.query_one(QuestionBox).focus()


def _welcome_text(problem: TutorError | None, *, needs_index: bool) -> Content:
    if problem:
        return safe(failure_text(problem))
    if needs_index:
        return safe(_("This course has no index yet. It is made now; then you can ask."))
    return Content("")
