"""Review: a card's question, its answer with the page, and how well it was known."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum, auto
from functools import partial
from typing import TypeVar

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Input, ProgressBar, Static

from tutor.errors import TutorError
from tutor.i18n import _, ngettext
from tutor.presentation.amounts import counted
from tutor.presentation.cards import (
    answer_text,
    graded_text,
    next_text,
    remarks,
    reviewed_text,
    verdict_text,
)
from tutor.study.changes import Change
from tutor.study.counting import Counts
from tutor.study.practice import ExamWanted, Practice
from tutor.study.rows import SavedCard
from tutor.study.schedule import Grade
from tutor.study.store import Review
from tutor.study.typed import Compared, TypedVerdict, compare
from tutor.tui.base import failure_text, safe
from tutor.tui.keys import N_, keys_of
from tutor.tui.screens.card import CardScreen, place_line, typed_line
from tutor.tui.screens.changes import ChangesScreen
from tutor.tui.screens.dialogs import EditCardModal

T = TypeVar("T")


class _Stage(Enum):
    """How far a review is."""

    OPENING = auto()
    """No card is at hand yet."""
    ASKED = auto()
    SHOWN = auto()
    OVER = auto()


class StudyScreen(CardScreen):
    """Cards that are due, then new ones; each is asked, shown with its page, and graded."""

    BINDINGS = keys_of("study")
    DOES = N_("Review")

    def __init__(self, practice: Practice | None = None) -> None:
        super().__init__(practice)
        self._stage = _Stage.OPENING
        self._told = ""
        self._changed = 0

    def body(self) -> ComposeResult:
        yield ProgressBar(show_percentage=False, show_eta=False)
        with VerticalScroll(id="card"):
            yield Static(id="remarks")
            yield Static(id="question")
            yield Static(id="answer")
        yield Input(classes="field")
        yield Static(id="grades")

    def on_mount(self) -> None:
        self.say(_("Opening the cards ..."))
        self._open()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002 - the library's signature
        """What can be done depends on whether the answer is in sight."""
        stage = _Stage.OPENING if self.is_busy else self._stage
        if action in {"grade", "page", "suspend", "remove", "rewrite"}:
            return stage is _Stage.SHOWN
        if action == "make":
            return stage is _Stage.OVER
        if action == "examine":
            return self._studying.has_begun and stage is _Stage.OVER
        if action == "changes":
            return bool(self._changed) and stage in (_Stage.SHOWN, _Stage.OVER)
        studying = self._studying
        return action != "take_back" or (studying.has_begun and studying.sitting.can_undo)

    # --- what is on the screen ---

    def _open(self) -> None:
        self._stage = _Stage.OPENING
        self._do(partial(self._studying.begin, making=self.making), self._opened)

    def _opened(self, counts: Counts) -> None:
        self._told = _("%(due)d due, %(new)d never seen") % {"due": counts.due, "new": counts.new}
        self._changed = counts.stale
        if self._changed:
            told = ngettext("%(n)d changed", "%(n)d changed", self._changed)
            self._told += " · " + counted(told, self._changed)
        self._ask(counts.cards)

    def _ask(self, cards: int | None = None) -> None:
        """Ask the card at hand; where there is none, sum up. `cards` are all of the course."""
        card = self._studying.sitting.current
        self._show_progress()
        if card is None:
            self._sum_up(cards)
            return
        self._tell(remarks(card))
        self.ask(card.card, _("Type the answer, or press Enter to see it"))
        self._stand(_Stage.ASKED)

    def _reveal(self, card: SavedCard, typed: str) -> None:
        compared = compare(typed, card.card) if typed.strip() else None
        parts = [_verdict(typed, compared)] if compared else []
        parts += [safe(answer_text(card.card)), *place_line(card.card)]
        self.query_one("#answer", Static).update(Content("\n\n").join(parts))
        self._field.display = False
        self.query_one("#grades", Static).update(_grades(compared))
        self._card.focus()
        # The answer comes into sight, however long the question is; a short one stays where it is.
        self.call_after_refresh(self._card.scroll_end, animate=False)
        self._stand(_Stage.SHOWN)

    def _sum_up(self, cards: int | None) -> None:
        sitting = self._studying.sitting
        nothing = _("Nothing is due now.")
        if cards == 0:
            nothing = _("These notes make no cards: no definitions, lists or tables in them.")
        key = self.app.key_of("study.make")
        lines = [
            reviewed_text(sitting.grades) or nothing,
            next_text(sitting.next_due, self._studying.store.now()),
            _("%(key)s makes cards anew, of notes that have changed since.") % {"key": key},
        ]
        if self._changed:
            told = ngettext(
                "%(n)d card stood on what the notes no longer say; %(key)s shows it.",
                "%(n)d cards stood on what the notes no longer say; %(key)s shows them.",
                self._changed,
            )
            lines.append(told % {"n": self._changed, "key": self.app.key_of("study.changes")})
        self._show_end(safe("\n\n".join(filter(None, lines))))
        self._card.focus()

    def _show_end(self, text: Content) -> None:
        """Show this in place of a card."""
        self._tell([])
        self.show(text)
        self._field.display = False
        self._stand(_Stage.OVER)

    def _tell(self, remarks: list[str]) -> None:
        """Say something above the next question; the answer of the last one goes away."""
        self.query_one("#remarks", Static).update(safe("\n".join(remarks), "$text-warning"))
        self.query_one("#answer", Static).update("")
        self.query_one("#grades", Static).update("")

    def _show_progress(self) -> None:
        sitting = self._studying.sitting
        done, left = len(sitting.grades), sitting.left
        self._progress.update(total=max(1, done + left), progress=done)
        told = counted(ngettext("%(n)d card left", "%(n)d cards left", left), left)
        self.say(told, self._told)

    def _stand(self, stage: _Stage) -> None:
        self._stage = stage
        self.refresh_bindings()

    # --- what is done ---

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        is_asked = self._stage is _Stage.ASKED and not self.is_busy
        if is_asked and (card := self._studying.sitting.current):
            self._reveal(card, event.value)

    def action_grade(self, grade: int) -> None:
        def graded(review: Review) -> None:
            self._told = graded_text(review, self._studying.store.now())
            self._next()

        self._do(partial(self._studying.sitting.grade, Grade(grade)), graded)

    def action_suspend(self) -> None:
        self._leave_card(self._studying.sitting.suspend, _("Set aside; %(key)s takes it back."))

    def action_remove(self) -> None:
        self._leave_card(self._studying.sitting.delete, _("Deleted; %(key)s brings it back."))

    def _leave_card(self, leave: Callable[[], None], told: str) -> None:
        def left(_none: None) -> None:
            self._told = told % {"key": self.app.key_of("study.undo")}
            self._next()

        self._do(leave, left)

    def action_take_back(self) -> None:
        def undone(was_done: bool) -> None:
            self._told = _("Taken back.") if was_done else _("There is nothing to take back.")
            if was_done:
                self._next()
            else:
                self._show_progress()

        self._do(self._studying.sitting.undo, undone)

    def action_rewrite(self) -> None:
        card = self._studying.sitting.current
        if card is None:
            return

        def rewritten(texts: tuple[str, str] | None) -> None:
            if texts:
                self._do(partial(self._studying.sitting.edit, *texts), saved)

        def saved(_card: SavedCard) -> None:
            self._told = _("Saved.")
            self._ask()

        self.app.push_screen(EditCardModal(card.card.question, card.card.answer), rewritten)

    def action_page(self) -> None:
        card = self._studying.sitting.current
        if card is None:
            return
        if card.card.origin is None:
            self.notify(_("This card is your own: it stands on no page."))
            return
        self.open_origin(card.card.origin)

    def action_make(self) -> None:
        self.say(_("Making cards of your notes ..."))
        self._do(self._studying.make, lambda _merged: self._open())

    def action_changes(self) -> None:
        """Show the cards that stood on what the notes no longer say; then go on."""

        def show(changes: list[Change]) -> None:
            if changes:
                self.app.push_screen(ChangesScreen(self._studying, changes), left)

        def left(_none: object) -> None:
            self._do(self._studying.look_again, self._opened)

        self._do(self._studying.changes, show)

    def action_examine(self) -> None:
        self.dismiss(ExamWanted())

    def _next(self) -> None:
        self._stage = _Stage.OPENING
        self._do(self._studying.sitting.advance, lambda _card: self._ask())

    def _do(self, work: Callable[[], T], then: Callable[[T], object]) -> None:
        self.do(work, then, self._fail)

    def _fail(self, error: TutorError) -> None:
        if self._stage is not _Stage.OPENING:
            self.app.report(error)
            return
        self.say("")
        self._progress.update(total=1, progress=0)
        self._show_end(safe(failure_text(error)))


def _verdict(typed: str, compared: Compared) -> Content:
    is_right = compared.verdict is TypedVerdict.RIGHT
    said = safe(verdict_text(compared), "bold $text-success" if is_right else "bold $text-warning")
    return Content("\n").join([typed_line(typed), said])


def _grades(compared: Compared | None) -> Content:
    """The four grades; the one that fits what was typed stands out."""
    names = {
        Grade.AGAIN: _("forgotten"),
        Grade.HARD: _("hard"),
        Grade.GOOD: _("good"),
        Grade.EASY: _("easy"),
    }
    fits = {
        TypedVerdict.RIGHT: Grade.GOOD,
        TypedVerdict.PARTLY: Grade.HARD,
        TypedVerdict.WRONG: Grade.AGAIN,
    }
    best = fits.get(compared.verdict) if compared else None
    parts = [
        safe(f" {grade.value} {name} ", "reverse" if grade is best else "bold")
        for grade, name in names.items()
    ]
    return Content("  ").join(parts)
