"""`tutor study`: the cards that are due, and some new ones, in the terminal.

A line that is typed is an answer, a grade, or a letter that does more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import click

from tutor.cli import diagnostics
from tutor.cli.cards import (
    asked,
    cards_to_ask,
    chosen_documents,
    new_texts,
    none_chosen,
    selection,
    tell_cardless,
    write_answer,
)
from tutor.cli.diagnostics import next_line
from tutor.cli.invocation import Invocation
from tutor.cli.options import TOPIC, filter_options
from tutor.cli.output import Styled, wrapped, write
from tutor.config import Config
from tutor.courses import Course, course_command
from tutor.errors import TutorError
from tutor.i18n import _
from tutor.presentation.cards import (
    cautions,
    early,
    graded_text,
    left_text,
    next_text,
    reviewed_text,
    unfit_text,
    used_up_text,
    verdict_text,
)
from tutor.search.filters import FilterChoice
from tutor.study.choices import is_unfit
from tutor.study.practice import Practice
from tutor.study.saved import SavedCard
from tutor.study.schedule import Grade, Scheduler
from tutor.study.sitting import Sitting
from tutor.study.store import StudyStore
from tutor.study.topics import Selection
from tutor.study.typed import TypedVerdict, may_be_answer

_SUGGESTED = {TypedVerdict.RIGHT: Grade.GOOD, TypedVerdict.WRONG: Grade.AGAIN}
_LETTERS = frozenset("usedoq?")


@click.command(name="study", help=_("Review the cards that are due, and learn some new ones."))
@filter_options
@TOPIC
@click.option(
    "--new",
    type=click.IntRange(0, 9999),
    metavar=_("N"),
    help=_("At most so many new cards today."),
)
@click.pass_obj
def command(invocation: Invocation, topic: str, new: int | None, choice: FilterChoice) -> None:
    config, course = invocation.course()
    with cards_to_ask(config, course) as store:
        which = selection(course, choice, topic)
        if which != Selection():
            found = store.cards(course.name, which)
            if not found:
                raise none_chosen(course, which, store)
            which = replace(which, numbers=tuple(saved.number for saved in found))
        tell_cardless(chosen_documents(course, which), store, course)
        most = config.study.new_per_day if new is None else new
        review(config, course, store, new=most, which=which)


def practise(config: Config, course: Course, practice: Practice) -> None:
    """Ask the cards that a line of a conversation asks for. Raises `StudyError`, `StoreError`."""
    with cards_to_ask(config, course) as store:
        chosen = practice.chosen(store, course.name)
        tell_cardless(practice.documents, store, course)
        review(config, course, store, only=chosen, wanted=practice.wanted)


def review(
    config: Config,
    course: Course,
    store: StudyStore,
    *,
    new: int = 0,
    which: Selection | None = None,
    only: Sequence[int] = (),
    wanted: int = 0,
) -> None:
    """Review what is due of `which` cards, and so many `new` ones; or `only` these numbers, of
    which so many were `wanted`.
    """
    scheduler = Scheduler(config.study.retention)
    sitting = Sitting(store, course.name, scheduler, new, which, only=only, wanted=wanted)
    _TerminalReview(sitting, store, course).run()


class _TerminalReview:
    """Asks the cards of a sitting until it, or the input, ends."""

    def __init__(self, sitting: Sitting, store: StudyStore, course: Course) -> None:
        self._sitting = sitting
        self._store = store
        self._course = course
        self._over = False

    def run(self) -> None:
        """Review, then sum up; Ctrl-C ends it, too. Every grade is saved when it is given."""
        try:
            while not self._over and (card := self._sitting.current or self._sitting.advance()):
                self._ask(card)
        except KeyboardInterrupt:
            self._over = True
            diagnostics.line("")
        nothing = "" if self._over else _("Nothing is due now.")
        if told := reviewed_text(self._sitting.grades) or nothing:
            write(told)
        due = None if self._over else self._sitting.next_due
        if told := next_text(due, self._store.now()):
            write(told)
        if not self._over and (told := used_up_text(self._sitting, self._more)):
            write(wrapped(told))

    def _more(self, n: int) -> str:
        again = course_command(f"study --new {n}", self._course.name)
        return _("For more: %(command)s") % {"command": again}

    def _ask(self, saved: SavedCard) -> None:
        """Ask a card: show it, compare what is typed, show the answer, take a grade."""
        write(Styled(left_text(self._sitting), "cyan"))
        for caution in (*early(self._sitting), *cautions(saved)):
            diagnostics.line(Styled(wrapped(caution), "yellow"))
        write(Styled(asked(saved.card), bold=True))
        line = self._read(
            saved, _("Type the answer, or press Enter to see it; ? explains the keys.")
        )
        if line is not None and is_unfit(line, saved.card):
            line = self._read(saved, unfit_text(saved.card))
        if line is None:
            return
        suggested = None
        if line.strip():
            compared = self._sitting.compare(line)
            suggested = _SUGGESTED.get(compared.verdict)
            colour = "green" if compared.verdict is TypedVerdict.RIGHT else "yellow"
            write(Styled(wrapped(verdict_text(compared)), colour))
        write_answer(saved.card)
        self._take_grade(saved, suggested)

    def _take_grade(self, saved: SavedCard, suggested: Grade | None) -> None:
        prompt = _("1 forgotten · 2 hard · 3 good · 4 easy")
        if suggested:
            prompt += "  " + _("(Enter: %(grade)d)") % {"grade": suggested}
        while (line := self._read(saved, prompt, grading=True)) is not None:
            text = line.strip()
            grade = Grade(int(text)) if text in {*"1234"} else None if text else suggested
            if grade:
                write(graded_text(self._sitting.grade(grade), self._store.now()) + "\n")
                return

    def _read(self, saved: SavedCard, prompt: str, *, grading: bool = False) -> str | None:
        """A line that is no letter; None once the card is left or the input has ended."""
        while True:
            diagnostics.line(prompt)
            line = next_line()
            if line is None:
                self._over = True
                return None
            letter = line.strip().lower()
            is_answer = not grading and may_be_answer(letter, saved.card)
            if letter not in _LETTERS or is_answer:
                return line
            try:
                if told := self._do(letter, saved):
                    diagnostics.line(told)
            except TutorError as error:
                diagnostics.failure(error)
            if self._over or self._sitting.current is not saved:
                return None

    def _do(self, letter: str, saved: SavedCard) -> str:
        """Do what a letter stands for; what is to be said of it."""
        told = ""
        match letter:
            case "u":
                undone = self._sitting.undo()
                told = _("Taken back.") if undone else _("There is nothing to take back.")
            case "s":
                self._sitting.suspend()
                told = _("Set aside. u takes it back.")
            case "d":
                self._sitting.delete()
                told = _("Deleted. u brings it back.")
            case "e":
                self._sitting.edit(*new_texts(saved.card))
                told = _("Saved.")
            case "o":
                told = self._open(saved)
            case "q":
                self._over = True
            case _:
                told = _help()
        return told

    def _open(self, saved: SavedCard) -> str:
        origin = saved.card.origin
        if origin is None:
            return _("This card is your own: it stands on no page.")
        from tutor.viewer import open_page  # noqa: PLC0415 - when a page is wanted

        open_page(self._course.notes, origin.path, origin.first_page)
        return ""


def _help() -> str:
    return "\n".join([
        _("Enter     shows the answer; what you type before is compared with it"),
        _("1 2 3 4   how well you knew it: forgotten, hard, good, easy"),
        _("u         takes back what you did last"),
        _("s, d      sets the card aside; deletes it"),
        _("e         rewrites the card"),
        _("o         opens the page that the answer stands on"),
        _("q         ends, as Ctrl-D does; everything is saved already"),
    ])  # fmt: skip
