"""Review: a card's question, its answer with the page, and how well it was known."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from time import monotonic

from textual import getters
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Input, ProgressBar, Static

from tutor.errors import TutorError
from tutor.i18n import _, plural
from tutor.presentation.cards import (
    answer_text,
    early,
    graded_text,
    left_text,
    next_text,
    place_text,
    question_text,
    remarks,
    reviewed_text,
    typed_text,
    unfit_text,
    used_up_text,
    verdict_text,
)
from tutor.study.card import Card, CardKind, Origin
from tutor.study.changes import Change
from tutor.study.choices import is_unfit
from tutor.study.practice import Practice
from tutor.study.progress import CardCounts
from tutor.study.saved import SavedCard
from tutor.study.schedule import Grade
from tutor.study.store import Review
from tutor.study.typed import Compared, TypedVerdict
from tutor.tui.base import TutorScreen, failure_text, pressable, safe
from tutor.tui.keys import N_, keys_of
from tutor.tui.screens.changes import ChangesScreen
from tutor.tui.screens.dialogs import EditCardModal
from tutor.tui.workspace.studying import Studying

_GRADES = {
    Grade.AGAIN: (N_("forgotten"), TypedVerdict.WRONG),
    Grade.HARD: (N_("hard"), TypedVerdict.PARTLY),
    Grade.GOOD: (N_("good"), TypedVerdict.RIGHT),
    Grade.EASY: (N_("easy"), None),
}
"""The grades, named as their keys are, and the verdict on a typed answer that each fits."""
_AGAIN_S = 0.5
"""Within which the space bar shows an answer without grading it."""


class CardScreen(TutorScreen):
    """Has a `#question` on a `#card` that may be longer than the screen, and where to answer it."""

    _card = getters.query_one("#card", VerticalScroll)
    _field = getters.query_one(Input)
    _progress = getters.query_one(ProgressBar)

    BINDINGS = keys_of("cards")

    def __init__(self) -> None:
        super().__init__()
        self._studying = Studying(self.workspace, self._making)

    def on_unmount(self) -> None:
        self._studying.close()

    def _making(self) -> None:
        self.app.call_from_thread(self.say, _("Making cards of your notes ..."))

    def ask(self, card: Card, usual: str) -> None:
        """Show a question and where to answer it; `usual` says how most are answered."""
        if card.kind is CardKind.MATCH:
            usual = _("Type the pairs as 1b 2a 3c, then Enter")
        elif card.choices:
            usual = _("Type its number, then Enter")
        self.show(safe(question_text(card), "bold"))
        self._field.value = ""
        self._field.placeholder = usual
        self._field.display = True
        self._field.focus()

    def ask_again(self, card: Card) -> None:
        """Say what is to be typed where something else was."""
        self.notify(unfit_text(card))
        self._field.value = ""

    def show(self, text: Content) -> None:
        """Show this from its beginning; nothing is answered to it."""
        self.query_one("#question", Static).update(text)
        self._card.scroll_home(animate=False)
        self._field.display = False

    def fail(self, error: TutorError) -> None:
        self.say("")
        self.show(safe(failure_text(error)))

    def action_scroll_card(self, step: int) -> None:
        """Turn the card's pages, wherever the keys go."""
        self._card.scroll_relative(y=step * max(1, self._card.size.height - 1), animate=False)

    def open_origin(self, origin: Origin) -> None:
        self.open_cited(partial(self._studying.citations, origin))


def place_line(card: Card) -> Iterator[Content]:
    """Where a card stands, if it stands anywhere."""
    if place := place_text(card):
        yield safe(f"— {place}", "$text-muted")


class StudyScreen(CardScreen):
    """Cards that are due, then new ones; each is asked, shown with its page, and graded.

    Left with what opens an exam, if one is wanted.
    """

    BINDINGS = keys_of("study")
    DOES = N_("Review")
    _told = ""
    """What is said in the heading besides how many cards are left."""
    _changed = 0
    """How many cards stood on what the notes no longer say."""
    _space_at = -_AGAIN_S
    _told_unfit = False
    """Whether it was said that what was typed is none of the choices."""

    def __init__(self, practice: Practice | None = None) -> None:
        """`practice` are the cards that were asked for; else those whose time it is."""
        super().__init__()
        self._practice = practice

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

    def can(self, action: str) -> bool:
        """What can be done depends on whether the answer is in sight."""
        has_begun = self._studying.has_begun
        is_over = not self.is_busy and self._at_hand is None
        is_shown = not self.is_busy and self._at_hand is not None and not self._field.display
        if action in {"grade", "known", "page", "suspend", "remove", "rewrite"}:
            return is_shown
        if action == "make":
            return is_over
        if action == "examine":
            return is_over and has_begun
        if action == "changes":
            return bool(self._changed) and (is_shown or is_over)
        return action != "take_back" or (has_begun and self._studying.sitting.can_undo)

    @property
    def _at_hand(self) -> SavedCard | None:
        return self._studying.sitting.current if self._studying.has_begun else None

    # --- what is on the screen ---

    def _open(self) -> None:
        self.do(partial(self._studying.begin, self._practice), self._opened, self.fail)

    def _opened(self, counts: CardCounts) -> None:
        standing = _("%(due)d due, %(new)d never seen") % {"due": counts.due, "new": counts.new}
        parts = [] if self._practice else [standing]  # which is that of the whole course
        self._changed = counts.stale
        if self._changed:
            parts.append(plural("%(n)d changed", "%(n)d changed", self._changed))
        self._told = " · ".join(parts)
        self._ask(counts.cards)

    def _ask(self, cards: int | None = None) -> None:
        """Ask the card at hand; where there is none, sum up. `cards` are all of the course."""
        self._show_progress()
        self._told_unfit = False
        if card := self._at_hand:
            self._tell("\n".join([*early(self._studying.sitting), *remarks(card)]))
            self.ask(card.card, _("Type the answer, or press Enter to see it"))
        else:
            self._sum_up(has_cards=cards != 0)
        self.refresh_bindings()

    def _show_progress(self) -> None:
        sitting = self._studying.sitting
        done, left = len(sitting.grades), sitting.left
        self._progress.update(total=max(1, done + left), progress=done)
        self.say(left_text(sitting), self._told)

    def _tell(self, remarks: str) -> None:
        """Say something above the next question; the answer of the last one goes away."""
        self.query_one("#remarks", Static).update(safe(remarks, "$text-warning"))
        self.query_one("#answer", Static).update("")
        self.query_one("#grades", Static).update("")

    def on_input_changed(self, event: Input.Changed) -> None:
        """A space before anything else shows the answer, as Enter does."""
        if event.value == " ":
            event.input.value = ""
            self._space_at = monotonic()
            self._show_answer("")

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self._show_answer(event.value)

    def _show_answer(self, typed: str) -> None:
        card = self._at_hand
        if card is None or self.is_busy:
            return
        if not self._told_unfit and is_unfit(typed, card.card):
            self._told_unfit = True
            self.ask_again(card.card)
            return
        compared = self._studying.sitting.compare(typed) if typed.strip() else None
        parts = [safe(answer_text(card.card)), *place_line(card.card)]
        if compared:
            colour = "success" if compared.verdict is TypedVerdict.RIGHT else "warning"
            verdict = safe(verdict_text(compared), f"bold $text-{colour}")
            shown = safe(f"› {typed_text(card.card, typed)}", "$text-muted")
            parts.insert(0, Content("\n").join([shown, verdict]))
        self.query_one("#answer", Static).update(Content("\n\n").join(parts))
        self.query_one("#grades", Static).update(self._grades(compared))
        self._field.display = False
        self._card.focus()
        # The answer comes into sight, however long the question is; a short one stays where it is.
        self.call_after_refresh(self._card.scroll_end, animate=False)
        self.refresh_bindings()

    def _grades(self, compared: Compared | None) -> Content:
        """The four grades with their keys; the one that fits what was typed stands out."""
        parts = []
        for grade, (name, verdict) in _GRADES.items():
            fits = compared is not None and compared.verdict is verdict
            key = self.app.key_of(f"study.{name}")
            told = safe(f" {key} {_(name)} ", "reverse" if fits else "bold")
            parts.append(pressable(told, f"screen.grade({grade.value})"))
        return Content("  ").join(parts)

    def _sum_up(self, *, has_cards: bool) -> None:
        sitting = self._studying.sitting
        nothing = _("Nothing is due now.")
        if not has_cards:
            nothing = _("These notes make no cards: no definitions, lists or tables in them.")
        key = self.app.key_of("study.make")
        lines = [
            reviewed_text(sitting.grades) or nothing,
            next_text(sitting.next_due, self._studying.store.now()),
            used_up_text(sitting, lambda _n: _("For more, ask for them: “give me 10 questions”.")),
            _("%(key)s makes cards anew, of notes that have changed since.") % {"key": key},
        ]
        if self._changed:
            changed = plural(
                "%(n)d card stood on what the notes no longer say; %(key)s shows it.",
                "%(n)d cards stood on what the notes no longer say; %(key)s shows them.",
                self._changed,
                key=self.app.key_of("study.changes"),
            )
            lines.append(changed)
        self._tell("")
        self.show(safe("\n\n".join(filter(None, lines))))
        self._card.focus()

    # --- what is done ---

    def action_grade(self, grade: int) -> None:
        def graded(review: Review) -> None:
            self._go_on(graded_text(review, self._studying.store.now()))

        self.do(partial(self._studying.sitting.grade, Grade(grade)), graded)

    def action_known(self) -> None:
        """Grade it as good, unless the space bar is held, or was pressed twice by accident."""
        before, self._space_at = self._space_at, monotonic()
        if self._space_at - before > _AGAIN_S:
            self.action_grade(Grade.GOOD.value)

    def action_suspend(self) -> None:
        self._leave_card(self._studying.sitting.suspend, _("Set aside; %(key)s takes it back."))

    def action_remove(self) -> None:
        self._leave_card(self._studying.sitting.delete, _("Deleted; %(key)s brings it back."))

    def _leave_card(self, leave: Callable[[], None], told: str) -> None:
        told %= {"key": self.app.key_of("study.undo")}
        self.do(leave, lambda _none: self._go_on(told))

    def action_take_back(self) -> None:
        def undone(was_done: bool) -> None:
            if was_done:
                self._go_on(_("Taken back."))
            else:
                self._told = _("There is nothing to take back.")
                self._show_progress()

        self.do(self._studying.sitting.undo, undone)

    def action_rewrite(self) -> None:
        def rewrite(texts: tuple[str, str]) -> None:
            self.do(partial(self._studying.sitting.edit, *texts), rewritten)

        def rewritten(_card: SavedCard) -> None:
            self._told = _("Saved.")
            self._ask()

        if at_hand := self._at_hand:
            self.ask_for(EditCardModal(at_hand.card), rewrite)

    def action_page(self) -> None:
        if card := self._at_hand:
            if card.card.origin:
                self.open_origin(card.card.origin)
            else:
                self.notify(_("This card is your own: it stands on no page."))

    def action_make(self) -> None:
        self.say(_("Making cards of your notes ..."))
        self.do(self._studying.make, lambda _merged: self._open())

    def action_changes(self) -> None:
        """Show the cards that stood on what the notes no longer say; then go on."""

        def show(changes: list[Change]) -> None:
            if changes:
                self.app.push_screen(ChangesScreen(self._studying, changes), left)

        def left(_none: object) -> None:
            self.do(self._studying.look_again, self._opened)

        self.do(self._studying.changes, show)

    def action_examine(self) -> None:
        self.dismiss(self.app.action_examine)

    def _go_on(self, told: str) -> None:
        """Go to the next card; `told` is what was done to the one before."""
        self._told = told
        self.do(self._studying.sitting.advance, lambda _card: self._ask(), self.fail)

    def fail(self, error: TutorError) -> None:
        self._progress.update(total=1, progress=0)
        self._tell("")
        super().fail(error)
