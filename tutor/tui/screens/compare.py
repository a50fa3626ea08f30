"""Both indexes are asked the same: answers, passages and times side by side, and a judgement."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding
from textual.containers import Horizontal
from textual.message import Message
from textual.widgets import Button, Footer, Static, Tab, Tabs
from textual.worker import get_current_worker

from tutor.answer import EXTRACTIVE, answer
from tutor.errors import TutorError
from tutor.history import Choice
from tutor.i18n import _
from tutor.model import Ending, Turn
from tutor.tui.background import in_background
from tutor.tui.base import N_, TutorScreen, safe
from tutor.tui.comparing import ROUTES, Half, pages_of, save
from tutor.tui.comparison_texts import summary_text
from tutor.tui.messages import Begun, Ended, Happened
from tutor.tui.requests import fulfil
from tutor.tui.widgets.compared import ComparedSide, PassageList, side_name
from tutor.tui.widgets.question_box import QuestionBox
from tutor.tui.widgets.turn import TurnView

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.binding import BindingType
    from textual.worker import Worker

    from tutor.tui.desk import Opened
    from tutor.tui.widgets.compared import ComparedTurn


class _Found(Message):
    """What the index of that side found."""

    def __init__(self, place: int, half: Half) -> None:
        super().__init__()
        self.place = place
        self.half = half


class _Over(Message):
    """Both answers have ended; `comparison` is their saved id, None if there is nothing to save."""

    def __init__(self, halves: Sequence[Half], comparison: int | None) -> None:
        super().__init__()
        self.halves = halves
        self.comparison = comparison


class CompareScreen(TutorScreen):
    """One question, two answers. Without a question it can be typed here."""

    CSS_PATH = "../styles/compare.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "stop_or_leave", N_("Stop or back"), id="compare.back"),
        Binding("f2", "other_side", N_("Other answer"), id="compare.side"),
        Binding("1", "choose('left')", N_("A better"), id="compare.left", show=False),
        Binding("2", "choose('right')", N_("B better"), id="compare.right", show=False),
        Binding("3", "choose('both')", N_("Both good"), id="compare.both", show=False),
        Binding("0", "choose('neither')", N_("Neither"), id="compare.neither", show=False),
        Binding("n", "another", N_("Another question"), id="compare.another"),
    ]

    def __init__(self, question: str, history: Sequence[Turn] = ()) -> None:
        super().__init__()
        self._question = question.strip()
        self._history = list(history)
        self._worker: Worker[None] | None = None
        self._comparison: int | None = None
        self._choice: Choice | None = None

    def compose(self) -> ComposeResult:
        """The question, both sides, what differs, the judgement."""
        yield Static(id="question")
        yield QuestionBox()
        yield Tabs(*(Tab(side_name(route), id=route.value) for route in ROUTES))
        with Horizontal(id="sides"):
            for route in ROUTES:
                yield ComparedSide(route)
        yield Static(id="summary")
        with Horizontal(id="choices"):
            for choice, text in _choice_texts().items():
                yield Button(text, id=choice.value, compact=True, disabled=True)
        yield Footer(show_command_palette=False)

    def on_mount(self) -> None:
        """Ask at once, or wait for a question."""
        self._show_summary()
        if self._question:
            self._ask(self._question)
        else:
            self.action_another()

    @property
    def is_comparing(self) -> bool:
        """Whether answers are being written."""
        return self._worker is not None

    @property
    def _sides(self) -> list[ComparedSide]:
        return list(self.query(ComparedSide))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002 - the library's signature
        """Keys that would do nothing now are not shown."""
        if action == "choose":
            return self._comparison is not None
        return not self.is_comparing if action == "another" else True

    # --- asking ---

    def on_question_box_sent(self, message: QuestionBox.Sent) -> None:
        """Ask what was typed."""
        message.stop()
        if not self.is_comparing:
            self.query_one(QuestionBox).sent(message.question)
            self._ask(message.question)

    def _ask(self, question: str) -> None:
        self._question, self._comparison, self._choice = question, None, None
        self.remove_class("-typing")
        self.query_one("#question", Static).update(safe(" ".join(question.split())))
        self._show_summary()
        self._show_choice()
        turns = [side.ask(question) for side in self._sides]
        turns[0].focus()
        self._worker = self.run_worker(
            lambda: self._compare(question, turns),
            thread=True,
            group="compare",
            exit_on_error=False,
        )
        self.refresh_bindings()

    def _compare(self, question: str, turns: Sequence[ComparedTurn]) -> None:
        """One answer after the other: a model's server writes one at a time."""
        halves = [Half(route) for route in ROUTES]
        comparison, ended = None, 0
        try:
            with self.desk.using() as opened:
                endings = []
                for place, half in enumerate(halves):
                    if get_current_worker().is_cancelled:
                        break
                    endings.append(self._answer(place, half, question, opened, turns[place]))
                    ended += 1
                endings += [Ending.STOPPED] * (len(halves) - ended)
                model = opened.agent.model.name if opened.agent.model else EXTRACTIVE
                left, right = (
                    half.answer(model, ending) for half, ending in zip(halves, endings, strict=True)
                )
                if left.text.strip() or right.text.strip():
                    comparison = save(self.desk, opened, question, (left, right))
        except TutorError as error:
            self.tutor.call_later(self.tutor.report, error)
        finally:
            for turn in turns[ended:]:
                turn.post_message(Ended(None, None))
            self.post_message(_Over(halves, comparison))

    def _answer(
        self, place: int, half: Half, question: str, opened: Opened, turn: ComparedTurn
    ) -> Ending:
        """Write one answer. Closing its events, when the reader stops it, stops the model."""
        worker = get_current_worker()
        turn.post_message(Begun())
        events = answer(question, opened.agent, self._history, half.route)
        problem: TutorError | None = None
        started = time.monotonic()
        try:
            for event in events:
                half.take(event)
                turn.post_message(Happened(event))
                if worker.is_cancelled:
                    break
        except TutorError as error:
            problem = error
        finally:
            events.close()
            half.seconds = time.monotonic() - started
            self.post_message(_Found(place, half))
            turn.post_message(Ended(None, problem))
        return Ending.BROKEN if problem else Ending.STOPPED

    def on__found(self, message: _Found) -> None:
        """Show the passages of an answer that has ended."""
        self._sides[message.place].show_passages(message.half.hits)

    def on__over(self, message: _Over) -> None:
        """Show what differs, and let the reader judge."""
        self._worker, self._comparison = None, message.comparison
        found = [frozenset(pages_of(half.hits)) for half in message.halves]
        for side, half, others in zip(self._sides, message.halves, reversed(found), strict=True):
            side.show_passages(half.hits, others)
        self._show_summary(message.halves)
        self._show_choice()
        self.refresh_bindings()

    def _show_summary(self, halves: Sequence[Half] = ()) -> None:
        self.query_one("#summary", Static).update(summary_text(halves))

    # --- keys ---

    def action_stop_or_leave(self) -> None:
        """Stop what is being written; where nothing is, or it is stopped already, leave."""
        if self._worker and not self._worker.is_cancelled:
            self._worker.cancel()
            for side in self._sides:
                if not side.turn.is_over:
                    side.turn.say_stopping()
        elif self.has_class("-typing") and self._question:
            self.remove_class("-typing")
            self._sides[0].turn.focus()
        else:
            self.dismiss()

    def action_other_side(self) -> None:
        """Read the other answer."""
        tabs = self.query_one(Tabs)
        left, right = self._sides
        tabs.active = right.id or "" if tabs.active == left.id else left.id or ""

    def on_tabs_tab_activated(self, message: Tabs.TabActivated) -> None:
        """On a narrow screen the answer of the tab is shown, on a wide one it gets the keys."""
        right = message.tab.id == self._sides[1].id
        if right != self.has_class("-right"):
            self.set_class(right, "-right")
            turn = self._sides[right].query(TurnView)
            if turn and not self.query_one(Tabs).has_focus:
                self.call_after_refresh(turn.first().focus)

    def on_descendant_focus(self) -> None:
        """The tab is that of the answer which is read."""
        for side in self._sides:
            if self.focused and side in self.focused.ancestors:
                self.query_one(Tabs).active = side.id or ""

    def action_another(self) -> None:
        """Type another question."""
        self.add_class("-typing")
        self.query_one(QuestionBox).focus()

    # --- the judgement ---

    def on_button_pressed(self, message: Button.Pressed) -> None:
        """Judge by mouse."""
        message.stop()
        self.action_choose(message.button.id or "")

    def action_choose(self, name: str) -> None:
        """Keep which answer is better; the same again takes it back."""
        comparison = self._comparison
        if comparison is None:
            return
        choice = None if self._choice == name else Choice(name)
        self._choice = choice
        self._show_choice()
        sessions = self.desk.sessions
        in_background(self, lambda: sessions.choose(comparison, choice), group="choice")

    def _show_choice(self) -> None:
        for choice, text in _choice_texts().items():
            button = self.query_one(f"#{choice.value}", Button)
            button.disabled = self._comparison is None
            button.set_class(choice is self._choice, "-chosen")
            button.label = safe(f"✓ {text}" if choice is self._choice else f"  {text}")

    # --- what an answer's reader asks for ---

    def on_turn_view_asked(self, message: TurnView.Asked) -> None:
        """Pages, copies and the whole text, as in the conversation."""
        fulfil(self, message)

    def on_passage_list_opened(self, message: PassageList.Opened) -> None:
        """Open the page behind a passage."""
        self.tutor.open_citation(message.citation, message.siblings)


def _choice_texts() -> dict[Choice, str]:
    return {
        Choice.LEFT: _("1 A is better"),
        Choice.RIGHT: _("2 B is better"),
        Choice.BOTH: _("3 both are good"),
        Choice.NEITHER: _("0 neither"),
    }
