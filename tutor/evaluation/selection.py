"""Which cases are asked: a file's or the sample's, of a split or a kind, or some of them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tutor.errors import NotesError, command
from tutor.evaluation.cases import load_cases, sample_followups, sample_questions
from tutor.evaluation.comparison import CLASSIC
from tutor.i18n import _

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tutor.evaluation.cases import Case, Problem
    from tutor.evaluation.provenance import Request

SAMPLE = "sample"
"""The source of the questions that come with the program."""
ALL = "all"
SPLITS = ("dev", "test", ALL)


def choose_cases(
    request: Request, documents: Mapping[str, int]
) -> tuple[list[Case], Sequence[Problem]]:
    """The cases that a request asks for, and what was wrong with others.

    `documents` has the pages of each document of the course by its path. Raises `NotesError`
    where there is no case to ask.
    """
    problems: Sequence[Problem]
    if request.source == SAMPLE:
        cases, problems = _sample(documents), []
    else:
        cases, problems = load_cases(Path(request.source), documents)
    found = _selected(cases, request)
    if not found:
        kinds = ", ".join(sorted({case.kind for case in cases if case.kind}))
        reasons = "; ".join(str(problem) for problem in problems[:3])
        raise NotesError(
            _("No question is left to ask: %(n)d of %(source)s were read, none fits.")
            % {"n": len(cases), "source": request.source}
            + (f" {reasons}" if reasons else ""),
            _("Choose another --split or --kind (%(kinds)s), or mend the file.") % {"kinds": kinds},
        )
    return found, problems


def is_sample_course(documents: Mapping[str, int]) -> bool:
    """Whether the course has every document that the sample questions are about."""
    return all(place.file in documents for case in sample_questions() for place in case.places)


def _sample(documents: Mapping[str, int]) -> list[Case]:
    if not is_sample_course(documents):
        raise NotesError(
            _("There are no questions for this course: the sample questions are about another."),
            _("Give a file with --cases, or let questions be written: %(command)s")
            % {"command": command("eval --generate 40")},
        )
    return [*sample_questions(), *sample_followups()]


def _selected(cases: Sequence[Case], request: Request) -> list[Case]:
    """A limit takes cases from all over the file, in its order."""
    found = [
        case
        for case in cases
        if request.split in {ALL, case.split}
        and request.kind in {None, case.kind, CLASSIC.get(case.kind)}
    ]
    limit = request.limit
    if limit is None or limit >= len(found):
        return found
    return [found[place * len(found) // limit] for place in range(limit)]
