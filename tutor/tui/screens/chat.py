"""The conversation: what everything else lies upon."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.widgets import Footer, Static

from tutor.errors import TutorError
from tutor.i18n import _
from tutor.model import Route, Strategy
from tutor.tui.base import N_, TutorScreen, failure_text, safe
from tutor.tui.messages import Failed
from tutor.tui.status_texts import welcome_text
from tutor.tui.widgets.earlier import EarlierTurns
from tutor.tui.widgets.question_box import QuestionBox
from tutor.tui.widgets.sources import SourceList
from tutor.tui.widgets.status_bar import StatusBar
from tutor.tui.widgets.turn import TurnView
from tutor.tui.workers import follow

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.binding import BindingType
    from textual.content import Content
    from textual.worker import Worker

    from tutor.history import SavedTurn

TURNS_AT_ONCE = 15
"""Turns of a resumed conversation that are laid out at first, and with each step back."""


class ChatScreen(TutorScreen):
    """Questions and answers, with their sources beside them where there is room."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "stop", N_("Stop"), id="stop"),
        Binding("f2", "toggle_strategy", N_("Index"), id="strategy"),
        Binding("f3", "compare", N_("Compare"), id="compare"),
        Binding("f4", "sources", N_("Sources"), id="sources", show=False),
        Binding("f5", "app.courses", N_("Courses"), id="courses"),
        # Before the question box, to which F6 and F7 mean selecting.
        Binding("f6", "app.sessions", N_("Sessions"), id="sessions", priority=True),
        Binding("f7", "app.models", N_("Models"), id="models", show=False, priority=True),
        Binding("f8", "app.health", N_("Health"), id="health", show=False),
        Binding("ctrl+n", "new", N_("New conversation"), id="new", show=False),
        Binding("tab", "area(1)", N_("Next area"), id="area.next", show=False, priority=True),
        Binding(
            "shift+tab",
            "area(-1)",
            N_("Area before"),
            id="area.previous",
            show=False,
            priority=True,
        ),
        Binding("ctrl+up", "turn(-1)", N_("Answer before"), id="turn.previous", show=False),
        Binding("ctrl+down", "turn(1)", N_("Next answer"), id="turn.next", show=False),
        Binding("pageup", "page(-1)", N_("Scroll up"), id="page.up", show=False),
        Binding("pagedown", "page(1)", N_("Scroll down"), id="page.down", show=False),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._answering: Worker[None] | None = None
        self._asked: TurnView | None = None
        self._read: TurnView | None = None

    def compose(self) -> ComposeResult:
        """Status, conversation and sources, question, keys."""
        yield StatusBar(safe(_("Opening the course ...")), id="status")
        with Horizontal(id="middle"):
            with VerticalScroll(id="conversation", can_focus=False):
                yield EarlierTurns(TURNS_AT_ONCE)
                yield Static(id="welcome")
            yield SourceList()
        with Vertical(id="asking"):
            yield QuestionBox()
        yield Footer()

    def on_mount(self) -> None:
        """Be ready to type before the course is open."""
        self.query_one(QuestionBox).focus()
        self._conversation.anchor()
        self.app.indexing.subscribe(self, self.show_status)

    @property
    def _conversation(self) -> VerticalScroll:
        return self.query_one("#conversation", VerticalScroll)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002 - the library's signature
        """Keys that would do nothing now are not shown."""
        if action == "stop":
            box = self.query_one(QuestionBox)
            return self.is_answering or self.focused is not box or self.has_class("-sources")
        return True

    @property
    def is_answering(self) -> bool:
        """Whether an answer is being written."""
        return self._asked is not None and not self._asked.is_over

    # --- the workspace ---

    def show_opened(self, questions: Sequence[str]) -> None:
        """Show what lies open; `questions` are those asked before, oldest first."""
        self.show_status()
        self.query_one(QuestionBox).remember(list(questions))

    def show_failure(self, error: TutorError) -> None:
        """Say why there is no workspace."""
        self.query_one(StatusBar).update(safe(error.message))
        self._welcome(safe(failure_text(error)))

    def show_status(self, _indexer: object = None) -> None:
        """How things stand, what goes on in the background, and what could be done."""
        if self.app.is_ready:
            indexer = self.indexer
            self.query_one(StatusBar).show(self.workspace, indexer.activity or indexer.offer)
            self._welcome(welcome_text(self.workspace, indexer.activity))

    def _welcome(self, text: Content) -> None:
        welcome = self.query_one("#welcome", Static)
        welcome.display = bool(text.plain) and not self.query(TurnView)
        welcome.update(text)

    # --- asking ---

    def on_question_box_sent(self, message: QuestionBox.Sent) -> None:
        """Ask, unless an answer is still being written or nothing can be asked yet."""
        if self._typed_command(message.question.lower()):
            self.query_one(QuestionBox).sent(message.question)
        elif self.is_answering:
            self._say_busy()
        elif not self.app.is_ready:
            self.notify(_("The course is still being opened."), markup=False)
        elif self.workspace.opened is None:
            self.post_message(
                Failed(self.workspace.problem or TutorError(_("There is no index yet.")))
            )
        else:
            self.query_one(QuestionBox).sent(message.question)
            self.ask(message.question)

    def _typed_command(self, line: str) -> bool:
        """The slash words of `tutor chat` do the same here."""
        commands: dict[tuple[str, ...], Callable[[], None]] = {
            ("/help", "/ayuda", "/?"): self.app.action_help,
            ("/quit", "/exit", "/salir"): self.app.exit,
            ("/new", "/nueva"): self.action_new,
            ("/sessions", "/sesiones"): self.app.action_sessions,
            ("/fijo", "/fixed"): lambda: self._choose(Strategy.FIXED),
            ("/semantico", "/semántico", "/semantic"): lambda: self._choose(Strategy.SEMANTIC),
        }
        for words, command in commands.items():
            if line in words:
                command()
                return True
        return False

    def ask(self, question: str, forced: Route | None = None) -> None:
        """Begin a turn."""
        turn = TurnView(question)
        self.query_one("#welcome").display = False
        self._conversation.mount(turn)
        self._conversation.anchor()
        self._read = self._asked = turn
        self.query_one(SourceList).forget()
        self.refresh_bindings()
        self._answering = follow(
            self,
            lambda: self.workspace.ask(question, forced),
            turn.take,
            lambda error: turn.end(self.workspace.last_turn, error),
            group="answer",
        )

    def action_stop(self) -> None:
        """Stop the answer; where there is none, go back to the question."""
        if self.is_answering and self._answering and self._asked:
            self._answering.cancel()
            self._asked.say_stopping()
        self.remove_class("-sources")
        self.query_one(QuestionBox).focus()

    # --- what is read ---

    def on_turn_view_changed(self, message: TurnView.Changed) -> None:
        """Keep the cards those of the turn that is read."""
        self.refresh_bindings()
        if message.turn.has_focus or message.turn is self._read:
            self._read = message.turn
            self.query_one(SourceList).show(message.turn.marks, message.turn.markdown.current)
        if message.turn is self._asked and message.turn.is_over:
            self._asked = None
            self.call_after_refresh(self._show_beginning, message.turn)

    def _show_beginning(self, turn: TurnView) -> None:
        """Of quotes that are longer than the screen the best stands first; a model's words last."""
        from tutor.answer import EXTRACTIVE  # noqa: PLC0415 - loaded by now, not before the app is

        conversation = self._conversation
        quoted = turn.answer is not None and turn.answer.model == EXTRACTIVE
        followed = conversation.scroll_offset.y >= conversation.max_scroll_y - 1
        if quoted and followed and turn.region.height > conversation.size.height:
            conversation.scroll_to_widget(turn, top=True, animate=False)

    def on_turn_view_again(self, message: TurnView.Again) -> None:
        """Ask the other index the same."""
        turn = message.turn
        if self.is_answering:
            self._say_busy()
        elif self.app.is_ready and self.workspace.opened:
            self.ask(turn.question, Route.SEMANTIC if turn.route is Route.FIXED else Route.FIXED)

    def _say_busy(self) -> None:
        self.notify(_("An answer is being written; Esc stops it."), markup=False)

    def on_source_list_opened(self, message: SourceList.Opened) -> None:
        """Open the page behind a card."""
        if self._read:
            self._read.point_at(message.place)
            self._read.action_open_mark()

    def action_sources(self) -> None:
        """Go to the cards; on a narrow screen they take the conversation's place."""
        sources = self.query_one(SourceList)
        if self.focused is sources:
            self.action_stop()
        else:
            self.add_class("-sources")
            sources.focus()

    def action_area(self, step: int) -> None:
        """From the question to the answer read last, to its sources, and back."""
        sources = self.query_one(SourceList)
        last = self._read if self._read and self._read.is_attached else None
        areas = [self.query_one(QuestionBox), *([last] if last else [])]
        areas += [sources] if sources.region and sources.option_count else []
        at = areas.index(self.focused) if self.focused in areas else 0
        areas[(at + step) % len(areas)].focus()

    def action_turn(self, step: int) -> None:
        """Read the answer before or after."""
        turns = list(self.query(TurnView))
        if turns:
            at = turns.index(self.focused) if self.focused in turns else len(turns)
            turns[min(max(at + step, 0), len(turns) - 1)].focus()

    def action_page(self, step: int) -> None:
        """Scroll the conversation wherever the focus is."""
        if step < 0:
            self._conversation.scroll_page_up()
        else:
            self._conversation.scroll_page_down()

    # --- strategies, conversations ---

    def action_toggle_strategy(self) -> None:
        """Send the next questions to the other index."""
        if self.app.is_ready:
            fixed = self.workspace.strategy is Strategy.FIXED
            self._choose(Strategy.SEMANTIC if fixed else Strategy.FIXED)

    def _choose(self, strategy: Strategy) -> None:
        self.workspace.choose_strategy(strategy)
        self.show_status()

    def action_compare(self) -> None:
        """Ask both indexes what is being typed, or what was asked last."""
        if self.is_answering:
            self._say_busy()
            return
        last = self._read.question if self._read else ""
        self.app.compare(self.query_one(QuestionBox).text.strip() or last)

    def action_new(self) -> None:
        """Set the conversation aside and begin another."""
        if self.app.is_ready and not self.is_answering:
            self.workspace.begin()
            self.show_turns([])

    def show_turns(self, turns: Sequence[SavedTurn]) -> None:
        """Show these turns, the latest ones at first, instead of what is there."""
        self.query(TurnView).remove()
        self.query_one(SourceList).forget()
        self._asked = None
        views = [TurnView(turn.question, turn) for turn in turns[-TURNS_AT_ONCE:]]
        self._read = views[-1] if views else None
        self._conversation.mount(*views)
        self.query_one(EarlierTurns).hold(turns[:-TURNS_AT_ONCE])
        if self._read:
            self.query_one(SourceList).show(self._read.marks, None)
        self._conversation.anchor()
        self.query_one(QuestionBox).focus()
        self.call_after_refresh(self.show_status)
