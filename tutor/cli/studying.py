"""A sitting of review in the terminal: a line is an answer, a grade, or a letter that does more."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from tutor.cli import diagnostics
from tutor.cli.cards import asked, cards_to_ask, new_texts, write_answer
from tutor.cli.output import Styled, wrapped, write
from tutor.cli.prompting import edit_lines, next_line
from tutor.config import Config
from tutor.courses import Course
from tutor.errors import TutorError
from tutor.i18n import _, ngettext
from tutor.presentation.amounts import counted
from tutor.presentation.cards import (
    cautions,
    graded_text,
    next_text,
    reviewed_text,
    verdict_text,
)
from tutor.study.practice import Practice
from tutor.study.rows import SavedCard
from tutor.study.schedule import Grade, Scheduler
from tutor.study.sitting import Sitting
from tutor.study.store import Selection, StudyStore
from tutor.study.typed import TypedVerdict, compare
from tutor.text.folding import folded

_SUGGESTED = {TypedVerdict.RIGHT: Grade.GOOD, TypedVerdict.WRONG: Grade.AGAIN}


def practise(config: Config, course: Course, practice: Practice) -> None:
    """Ask the cards that somebody asked for. Raises `StudyError`, `StoreError`."""
    with cards_to_ask(config, course) as store:
        review(config, course, store, only=practice.chosen(store, course.name))


def review(
    config: Config,
    course: Course,
    store: StudyStore,
    *,
    new: int = 0,
    which: Selection | None = None,
    only: Sequence[int] = (),
) -> None:
    """Review what is due of `which` cards, and so many `new` ones; or `only` these numbers."""
    scheduler = Scheduler(config.study.retention)
    sitting = Sitting(store, course.name, scheduler, new, which, only=only)
    TerminalReview(sitting, store, course.notes).run()


class TerminalReview:
    """Asks the cards of a sitting until it, or the input, ends."""

    def __init__(self, sitting: Sitting, store: StudyStore, notes: Path) -> None:
        """`notes` is the folder of the course's PDFs, whose pages can be opened."""
        self._sitting = sitting
        self._store = store
        self._notes = notes
        self._over = False
        self._actions: dict[str, Callable[[SavedCard], None]] = {
            "u": self._undo,
            "s": self._suspend,
            "e": self._edit,
            "d": self._delete,
            "o": self._open,
            "q": self._quit,
            "?": self._help,
        }

    def run(self) -> None:
        """Review, then sum up; Ctrl-C ends it, too. Every grade is saved when it is given."""
        edit_lines()
        try:
            while not self._over and (card := self._sitting.current or self._sitting.advance()):
                self._ask(card)
        except KeyboardInterrupt:
            self._over = True
            diagnostics.line("")
        self._sum_up()

    def _ask(self, card: SavedCard) -> None:
        """Ask a card until it is left, by whatever way."""
        write(Styled(self._standing(), "cyan"))
        for caution in cautions(card):
            diagnostics.line(Styled(wrapped(caution), "yellow"))
        write(Styled(asked(card.card), bold=True))
        line = self._read(
            card, _("Type the answer, or press Enter to see it; ? explains the keys.")
        )
        if line is None:
            return
        suggested = None
        if line.strip():
            compared = compare(line, card.card)
            suggested = _SUGGESTED.get(compared.verdict)
            colour = "green" if compared.verdict is TypedVerdict.RIGHT else "yellow"
            write(Styled(wrapped(verdict_text(compared)), colour))
        write_answer(card.card)
        self._take_grade(card, suggested)

    def _standing(self) -> str:
        left, back = self._sitting.left, self._sitting.coming_back
        told = counted(ngettext("%(n)d card left", "%(n)d cards left", left), left)
        if back:
            told += " · " + counted(ngettext("%(n)d comes back", "%(n)d come back", back), back)
        return told

    def _take_grade(self, card: SavedCard, suggested: Grade | None) -> None:
        prompt = _("1 forgotten · 2 hard · 3 good · 4 easy")
        if suggested:
            prompt += "  " + _("(Enter: %(grade)d)") % {"grade": suggested}
        while (line := self._read(card, prompt, grading=True)) is not None:
            text = line.strip()
            grade = suggested if not text else Grade(int(text)) if text in {*"1234"} else None
            if grade:
                self._graded(grade)
                return

    def _graded(self, grade: Grade) -> None:
        review = self._sitting.grade(grade)
        write(graded_text(review, self._store.now()) + "\n")

    def _read(self, card: SavedCard, prompt: str, *, grading: bool = False) -> str | None:
        """A line that is no command; None once the card is left or the input has ended."""
        while True:
            diagnostics.line(prompt)
            line = next_line()
            if line is None:
                self._over = True
                return None
            action = self._actions.get(line.strip().lower())
            own = not grading and folded(line.strip()) == folded(card.card.answer)
            if action is None or own:
                return line
            try:
                action(card)
            except TutorError as error:
                diagnostics.failure(error)
            if self._over or self._sitting.current is not card:
                return None

    def _undo(self, _card: SavedCard) -> None:
        if self._sitting.undo():
            diagnostics.line(_("Taken back."))
        else:
            diagnostics.line(_("There is nothing to take back."))

    def _suspend(self, _card: SavedCard) -> None:
        self._sitting.suspend()
        diagnostics.line(_("Set aside. u takes it back."))

    def _delete(self, _card: SavedCard) -> None:
        self._sitting.delete()
        diagnostics.line(_("Deleted. u brings it back."))

    def _edit(self, card: SavedCard) -> None:
        self._sitting.edit(*new_texts(card.card))
        diagnostics.line(_("Saved."))

    def _open(self, card: SavedCard) -> None:
        origin = card.card.origin
        if origin is None:
            diagnostics.line(_("This card is your own: it stands on no page."))
            return
        from tutor.viewer import open_page  # noqa: PLC0415 - when a page is wanted

        open_page(self._notes, origin.path, origin.first_page)

    def _quit(self, _card: SavedCard) -> None:
        self._over = True

    def _help(self, _card: SavedCard) -> None:
        for line in (
            _("Enter     shows the answer; what you type before is compared with it"),
            _("1 2 3 4   how well you knew it: forgotten, hard, good, easy"),
            _("u         takes back what you did last"),
            _("s, d      sets the card aside; deletes it"),
            _("e         rewrites the card"),
            _("o         opens the page that the answer stands on"),
            _("q         ends, as Ctrl-D does; everything is saved already"),
        ):
            diagnostics.line(line)

    def _sum_up(self) -> None:
        nothing = "" if self._over else _("Nothing is due now.")
        if told := reviewed_text(self._sitting.grades) or nothing:
            write(told)
        due = None if self._over else self._sitting.next_due
        if told := next_text(due, self._store.now()):
            write(told)
