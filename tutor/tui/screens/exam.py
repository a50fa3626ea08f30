"""An exam: a question after the other without a word, then the score; and the plan until it."""

from __future__ import annotations

from datetime import date
from functools import partial

from textual import on
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Input, OptionList, ProgressBar, Static

from tutor.errors import TutorError
from tutor.i18n import _
from tutor.presentation.cards import (
    answer_text,
    exam_standing,
    over_text,
    question_text,
    score_text,
    typed_text,
    weak_text,
)
from tutor.presentation.plans import forgotten, plan_text, progress_text, standing
from tutor.study.card import Origin
from tutor.study.exams import Exam, ExamSitting, weak_sections
from tutor.study.planning import FORGET, Plan
from tutor.study.practice import ExamWanted, Practice
from tutor.study.progress import TopicProgress
from tutor.study.saved import SavedCard
from tutor.tui.base import ItemList, safe
from tutor.tui.keys import N_, keys_of
from tutor.tui.screens.dialogs import ConfirmModal
from tutor.tui.screens.study import CardScreen, StudyScreen, place_line

_TICK_S = 1.0
"""How often the time that is left is looked at, and shown anew."""


class WeakSections(ItemList[tuple[Origin, int]]):
    """Sections to read again; Enter opens the page."""

    BINDINGS = keys_of("weak")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Pages are those of what was wrong, which is longer than this."""
        return not action.startswith("page_") and super().check_action(action, parameters)


class ExamScreen(CardScreen):
    """Left with what opens another exam, if one is wanted after what was wrong is reviewed."""

    BINDINGS = keys_of("exam")
    DOES = N_("Exam")

    def __init__(self, wanted: ExamWanted | None = None) -> None:
        super().__init__()
        self._wanted = wanted or ExamWanted()
        self._sitting: ExamSitting | None = None
        self._failed: list[SavedCard] = []

    def body(self) -> ComposeResult:
        yield ProgressBar(show_percentage=False, show_eta=False)
        with VerticalScroll(id="card"):
            yield Static(id="question")
        yield WeakSections()
        yield Input(classes="field")

    def on_mount(self) -> None:
        self.query_one(WeakSections).display = False
        self.say(_("Opening the cards ..."))
        self.do(partial(self._studying.examine, self._wanted), self._ask, self.fail)
        self.set_interval(_TICK_S, self._tick)

    def can(self, action: str) -> bool:
        """What was wrong is practised at the end."""
        return action != "practise" or bool(self._failed)

    def _ask(self, sitting: ExamSitting) -> None:
        """Ask the question at hand; where there is none, end."""
        self._sitting = sitting
        self._progress.update(total=len(sitting.questions), progress=sitting.at)
        if saved := sitting.current:
            self.say(exam_standing(sitting))
            self.ask(saved.card, _("Type the answer; Enter goes on"))
        else:
            self._end(sitting)

    def _tick(self) -> None:
        """Show the time that is left; where none is, end with what stands in the field."""
        if (sitting := self._sitting) is None or self.is_busy:
            return
        self.say(exam_standing(sitting))
        if sitting.is_late:
            self._answer(sitting, self._field.value)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        if (sitting := self._sitting) is None or self.is_busy:
            return
        if (saved := sitting.current) and sitting.is_unfit(event.value):
            self.ask_again(saved.card)
        else:
            self._answer(sitting, event.value)

    def _answer(self, sitting: ExamSitting, typed: str) -> None:
        """Save an answer, and go on; what is typed when the time is over is the last one."""
        give = sitting.run_out if sitting.is_late else sitting.answer
        self.do(partial(give, typed), lambda _none: self._ask(sitting), self.fail)

    def _end(self, sitting: ExamSitting) -> None:
        self._sitting = None
        self.do(sitting.end, partial(self._show_score, sitting), self.fail)

    def _show_score(self, sitting: ExamSitting, exam: Exam | None) -> None:
        if exam is None:
            self.dismiss()
            return
        self._failed = [saved for saved in sitting.questions if saved.number in exam.failed]
        self.say(_("Result"))
        self._progress.update(progress=len(sitting.questions))
        late = over_text(sitting)
        wrong = _("Below is what was not right, and nothing else.") if self._failed else ""
        parts = [safe("\n".join(filter(None, (late, score_text(exam), wrong))), "bold")]
        parts += [_corrected(saved, exam.typed.get(saved.number, "")) for saved in self._failed]
        self.show(Content("\n\n").join(parts))
        weak, sections = self.query_one(WeakSections), weak_sections(self._failed)
        weak.border_title = _("To read again")
        weak.fill(sections, lambda entry: safe(weak_text(*entry)), at=0)
        weak.display = bool(sections)
        (weak if sections else self._card).focus()
        self.refresh_bindings()

    @on(OptionList.OptionSelected)
    def _open_page(self) -> None:
        if entry := self.query_one(WeakSections).current:
            self.open_origin(entry[0])

    def action_practise(self) -> None:
        """Review these over the result, which is there again afterwards."""
        numbers = tuple(saved.number for saved in self._failed)
        practice = Practice(len(numbers), numbers=numbers)
        self.ask_for(StudyScreen(practice), self.dismiss)

    def action_leave(self) -> None:
        """End; while questions are left, ask before."""
        if (sitting := self._sitting) is None:
            self.dismiss()
        elif not sitting.at:
            self._end(sitting)
        else:
            told = _("End the exam? Questions without an answer count as wrong.")
            self.ask_for(ConfirmModal(told), lambda _yes: self._give_up(sitting))

    def _give_up(self, sitting: ExamSitting) -> None:
        if self._sitting is sitting:  # else its time was over while it was asked
            self._end(sitting)

    def fail(self, error: TutorError) -> None:
        """During an exam what fails is tried again."""
        if self._sitting:
            self.app.report(error)
        else:
            super().fail(error)


def _corrected(saved: SavedCard, typed: str) -> Content:
    """A question that was not answered right, with what was typed and what is right."""
    given = _("Your answer: %(answer)s  ✗") % {"answer": typed_text(saved.card, typed)}
    right = _("Right: %(answer)s") % {"answer": answer_text(saved.card)}
    parts = [safe(question_text(saved.card)), safe(given, "$text-error")]
    return Content("\n").join([*parts, safe(right, "$text-success"), *place_line(saved.card)])


# --- before it ---


class ExamDay(Input):
    """The day of an exam, and what it is about."""

    BINDINGS = keys_of("exam_day")


class _StandingScreen(CardScreen):
    """How one stands; left with what opens the review, if that is wanted now."""

    BINDINGS = keys_of("plan")

    def action_review(self) -> None:
        self.dismiss(self.app.action_study)


class PlanScreen(_StandingScreen):
    """What is to be done each day until an exam."""

    DOES = N_("Plan")

    def __init__(self, said: str = "") -> None:
        """`said` names the day; where it does not, that of the last plan is taken."""
        super().__init__()
        self._said = said

    def body(self) -> ComposeResult:
        with VerticalScroll(id="card"):
            yield Static(id="question")
        told = _("Day of the exam (2026-12-10), and of what if not of all; empty: forget it")
        yield ExamDay(self._said, classes="field", placeholder=told)

    def on_mount(self) -> None:
        self._look()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self._said = event.value.strip() or FORGET
        self._look()

    def _look(self) -> None:
        self.say(_("Opening the cards ..."))
        work = partial(self._studying.plan, self._said, self.app.preferences)
        self.do(work, self._show_plan, self.fail)

    def _show_plan(self, plan: Plan | None) -> None:
        self.say(standing(plan, date.today()) if plan else "")
        new = self.workspace.config.study.new_per_day
        self.show(safe(plan_text(plan, new) if plan else forgotten()))
        self._field.value = plan.said if plan else ""

    def show(self, text: Content) -> None:
        """Show this; another day can be given below it."""
        super().show(text)
        self._field.display = True
        self._field.focus()


class ProgressScreen(_StandingScreen):
    """How much of each document is known."""

    DOES = N_("Progress")

    def body(self) -> ComposeResult:
        with VerticalScroll(id="card"):
            yield Static(id="question")
        yield Input(classes="field", disabled=True)

    def on_mount(self) -> None:
        self.say(_("Opening the cards ..."))
        self.do(self._studying.progress, self._show_progress, self.fail)

    def _show_progress(self, topics: list[TopicProgress]) -> None:
        self.say("")
        room = self.query_one("#question").size.width - self._card.styles.scrollbar_size_vertical
        self.show(safe(progress_text(topics, room)))
        self._card.focus()
