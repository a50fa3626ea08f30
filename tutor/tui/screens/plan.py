"""What to review on each day until an exam."""

from __future__ import annotations

from datetime import date
from functools import partial

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Input, Static

from tutor.i18n import _
from tutor.presentation.plans import forgotten, plan_text, standing
from tutor.study.planning import FORGET, Plan
from tutor.tui.base import safe
from tutor.tui.keys import N_, keys_of
from tutor.tui.screens.card import CardScreen


class ExamDay(Input):
    """The day of an exam, and what it is about."""

    BINDINGS = keys_of("exam_day")


class PlanScreen(CardScreen):
    """Left with what opens the review, if that is wanted now."""

    BINDINGS = keys_of("plan")
    DOES = N_("Plan")

    def __init__(self, said: str = "") -> None:
        """`said` names the day; where it does not, that of the last plan is taken."""
        super().__init__()
        self._said = said

    def body(self) -> ComposeResult:
        with VerticalScroll(id="card"):
            yield Static(id="question")
        told = _("Day of the exam (2026-12-10), and weeks if not all; empty: forget it")
        yield ExamDay(self._said, classes="field", placeholder=told)

    def on_mount(self) -> None:
        self._look()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self._said = event.value.strip() or FORGET
        self._look()

    def _look(self) -> None:
        self.say(_("Opening the cards ..."))
        kept = self.app.preferences
        work = partial(self._studying.plan, self._said, kept, making=self.making)
        self.do(work, self._show_plan, self.fail)

    def _show_plan(self, plan: Plan | None) -> None:
        self.say(standing(plan, date.today()) if plan else "")
        new = self.workspace.config.study.new_per_day
        self.show(safe(plan_text(plan, new) if plan else forgotten()))
        self._field.value = plan.said if plan else ""

    def action_review(self) -> None:
        self.dismiss(self.app.action_study)

    def show(self, text: Content) -> None:
        """Show this; another day can be given below it."""
        super().show(text)
        self._field.display = True
        self._field.focus()
