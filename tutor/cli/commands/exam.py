"""`tutor exam`: questions without a word until the end, then a score and what to practise."""

from __future__ import annotations

import click
from click.core import ParameterSource

from tutor.cli import diagnostics
from tutor.cli.cards import (
    asked,
    cards_to_ask,
    chosen_documents,
    opened_cards,
    selection,
    tell_cardless,
    write_answer,
)
from tutor.cli.commands.study import review
from tutor.cli.diagnostics import TimeIsOver, next_line, next_line_within
from tutor.cli.options import TOPIC, Numbers, filter_options
from tutor.cli.output import Styled, table, wrapped, write, write_json
from tutor.config import Config
from tutor.courses import Course
from tutor.i18n import _
from tutor.presentation.cards import (
    exam_standing,
    over_text,
    score_text,
    typed_text,
    unfit_text,
    weak_text,
)
from tutor.search.filters import FilterChoice
from tutor.study.exams import QUESTIONS, Exam, ExamSitting, weak_sections
from tutor.study.practice import LONGEST_MINUTES, MOST, ExamWanted
from tutor.study.saved import SavedCard
from tutor.study.store import StudyStore
from tutor.study.typed import may_be_answer


@click.command(name="exam", help=_("Sit an exam on the cards: no answers until the end."))
@filter_options
@TOPIC
@click.option(
    "--questions",
    type=click.IntRange(1, MOST),
    default=QUESTIONS,
    show_default=True,
    metavar=_("N"),
    help=_("How many questions."),
)
@click.option(
    "--minutes",
    type=Numbers(0, LONGEST_MINUTES, min_open=True),
    metavar=_("N"),
    help=_("Time limit; an answer that comes later does not count."),
)
@click.option("--results", is_flag=True, help=_("List the exams so far instead."))
@click.option("--json", "as_json", is_flag=True, help=_("With --results: print them as JSON."))
@click.pass_context
def command(
    context: click.Context,
    topic: str,
    questions: int,
    minutes: float | None,
    results: bool,
    as_json: bool,
    choice: FilterChoice,
) -> None:
    config, course = context.obj.course()
    if results or as_json:
        with opened_cards(config, course) as store:
            _list(store.exams.of_course(course.name), as_json=as_json)
        return
    with cards_to_ask(config, course) as store:
        is_counted = context.get_parameter_source("questions") is not ParameterSource.DEFAULT
        which = selection(course, choice, topic)
        documents = chosen_documents(course, which)
        wanted = ExamWanted(questions, minutes, which, is_counted, documents=documents)
        _hold(config, course, store, wanted)


def examine(config: Config, course: Course, wanted: ExamWanted) -> None:
    """Hold the exam that a line of a conversation asks for. Raises `StudyError`, `StoreError`."""
    with cards_to_ask(config, course) as store:
        _hold(config, course, store, wanted)


def _hold(config: Config, course: Course, store: StudyStore, wanted: ExamWanted) -> None:
    """Ask, tell the score, and practise what was wrong if that is wanted."""
    sitting = wanted.begun(store, course.name)
    tell_cardless(wanted.documents, store, course)
    exam = _sit(sitting)
    if exam:
        failed = [card for card in sitting.questions if card.number in exam.failed]
        _tell(exam, failed)
        if failed and _wants_practice():
            numbers = [saved.number for saved in failed]
            review(config, course, store, which=wanted.which, only=numbers)


def _sit(sitting: ExamSitting) -> Exam | None:
    """Ask all questions, or as many as time and the input last for."""
    diagnostics.line(
        wrapped(_("Type each answer, or Enter to leave it out; q ends. Answers come at the end."))
    )
    try:
        while saved := sitting.current:
            write(Styled(exam_standing(sitting), "cyan"))
            write(Styled(asked(saved.card), bold=True))
            line = next_line_within(sitting.left_s)
            if line is None or (line.strip() == "q" and not may_be_answer("q", saved.card)):
                break
            if sitting.is_unfit(line):
                diagnostics.line(unfit_text(saved.card))
            else:
                sitting.answer(line)
    except TimeIsOver as over:
        sitting.run_out(over.typed)
        diagnostics.line("")
    except KeyboardInterrupt:
        diagnostics.line("")
    if told := over_text(sitting):
        write(wrapped(told))
    return sitting.end()


def _tell(exam: Exam, failed: list[SavedCard]) -> None:
    """The score, the right answers to what was not right, and where to read on."""
    write()
    write(Styled(score_text(exam), bold=True))
    for saved in failed:
        write("\n" + asked(saved.card))
        if typed := exam.typed.get(saved.number, "").strip():
            answer = typed_text(saved.card, typed)
            write(wrapped(_("You wrote: %(answer)s") % {"answer": answer}, "  "))
        write_answer(saved.card)
    if weak := weak_sections(failed):
        write("\n" + _("To read again:"))
        for origin, n in weak:
            write(wrapped(weak_text(origin, n), "  "))


def _wants_practice() -> bool:
    """Whether what was not right is to be reviewed at once."""
    diagnostics.line(_("Enter practises these now; anything else ends."))
    try:
        line = next_line()
    except KeyboardInterrupt:
        return False
    return line is not None and not line.strip()


def _list(exams: list[Exam], *, as_json: bool) -> None:
    if as_json:
        write_json(list(map(_record, exams)))
    elif exams:
        heading = [_("Exam"), _("Questions"), _("Answered"), _("Right"), _("Changed")]
        rows = [
            (
                f"{exam.begun.astimezone():%Y-%m-%d %H:%M}",
                len(exam.questions),
                len(exam.verdicts),
                exam.right,
                exam.changed or None,
            )
            for exam in exams
        ]
        write(table([heading, *rows]))
        if any(exam.changed for exam in exams):
            diagnostics.line(_("Changed: questions on what the notes no longer say."))
    else:
        diagnostics.line(_("There are no exams yet."))


def _record(exam: Exam) -> dict[str, object]:
    low, high = exam.interval
    return {
        "begun": exam.begun,
        "ended": exam.ended,
        "questions": len(exam.questions),
        "answered": len(exam.verdicts),
        "right": exam.right,
        "changed": exam.changed,
        "low": round(low, 4),
        "high": round(high, 4),
    }
