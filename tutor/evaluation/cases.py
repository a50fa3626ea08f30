"""Questions with what a right answer must hold and where it stands, kept as JSON lines.

A line that makes no sense is named with its number and left out; the others still count.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError
from pydantic_core import ErrorDetails

from tutor.courses import course_command
from tutor.errors import NotesError, reason_of
from tutor.i18n import _
from tutor.model import Turn
from tutor.text.terminal import shortened

SAMPLE = "sample"
"""The source of the questions that come with the program."""
ALL = "all"
SPLITS = ("dev", "test", ALL)
FORMULAS, TECHNIQUES, CONCEPTS = CLASSIC_KINDS = ("formulas", "techniques", "concepts")
CLASSIC = {
    "formula": FORMULAS,
    "technique": TECHNIQUES,
    "procedure": TECHNIQUES,
    "concept": CONCEPTS,
    "definition": CONCEPTS,
}
"""The three kinds of question by which strategies are usually compared; others stay themselves."""
_SHOWN = 40
"""Characters of a strange value that a problem quotes."""


_Text = Annotated[str, StringConstraints(pattern=r"\S")]
_Page = Annotated[int, Field(gt=0)]


@dataclass(frozen=True, slots=True)
class CasePlace:
    """A page of a document. `file` is relative to the course folder, pages count from 1."""

    file: _Text
    page: _Page


@dataclass(frozen=True, slots=True)
class Case:
    """A question to evaluate with.

    `answer` is a reference answer, in the question's language. `places` are the pages that hold
    the answer, any of them enough, the best first; `snippet` is the passage of the first place
    that holds it, exactly as in the display text. A case that is not answerable has no place;
    `near` says that the notes do treat its topic. `split` is `dev`, on which settings may be
    fitted, or `test`. `standalone` is the question as it reads without `history`.
    """

    id: str
    question: str
    language: str = ""
    kind: str = ""
    answer: str = ""
    places: tuple[CasePlace, ...] = ()
    snippet: str = ""
    answerable: bool = True
    near: bool = False
    split: str = ""
    history: tuple[Turn, ...] = ()
    standalone: str = ""
    needs_rewriting: bool = False

    @property
    def pages(self) -> tuple[tuple[str, int], ...]:
        """The places as pairs of file and page."""
        return tuple((place.file, place.page) for place in self.places)


@dataclass(frozen=True, slots=True)
class Request:
    """What an evaluation was asked for, in the words of the command line.

    `split` `all` means every case; `options` are the settings that the command line changed.
    """

    course: str
    source: str
    split: str
    kind: str | None
    limit: int | None
    compare: str | None
    answers: bool
    judge: str | None
    options: Mapping[str, Any]


class _BadLineError(ValueError):
    """Why a line cannot become a case, in the reader's language."""


@dataclass(frozen=True, slots=True)
class _Said:
    """A turn of a conversation."""

    question: str
    answer: str


class _Record(BaseModel):
    """The fields of a line, each of its type."""

    model_config = ConfigDict(strict=True, extra="allow")

    id: _Text
    question: _Text
    lang: str = ""
    kind: str = ""
    answer: str = ""
    file: _Text | None = None
    page: _Page | None = None
    also: tuple[CasePlace, ...] = ()
    snippet: str = ""
    answerable: bool = True
    near: bool = False
    split: str = ""
    history: tuple[_Said, ...] = ()
    standalone: str = ""
    needs_rewriting: bool | None = None
    accepted: bool = True
    generated_by: str = ""

    def case(self, course: Mapping[str, int] | None) -> Case:
        """The case, its places looked up in the course."""
        given = self.model_fields_set & {"file", "page", "snippet", "also"}
        if not self.answerable and given:
            raise _BadLineError(_("a question without answer cannot have a place"))
        places: tuple[CasePlace, ...] = ()
        if self.answerable:
            if not self.file or not self.page:
                name = "page" if self.file else "file"
                raise _BadLineError(_("the field %(name)s is missing") % {"name": name})
            places = (CasePlace(self.file, self.page), *self.also)
        for place in places if course is not None else ():
            if reason := why_missing(place, course or {}):
                raise _BadLineError(reason)
        leans = self.needs_rewriting
        same: dict[str, Any] = {name: value for name, value in self if name in Case.__slots__}
        other: dict[str, Any] = {
            "language": self.lang,
            "places": places,
            "history": tuple(Turn(t.question, t.question, t.answer) for t in self.history),
            "standalone": self.standalone or self.question,
            "needs_rewriting": bool(self.history) if leans is None else leans,
        }
        return Case(**(same | other))


def load_cases(
    source: Path | Traversable, course: Mapping[str, int] | None = None
) -> tuple[list[Case], list[str]]:
    """The cases of a file of JSON lines, in its order, and what was wrong with which line.

    With `course` (pages of each document by course-relative path), cases that name a file or a
    page that the course does not have are left out, too. A case with `accepted` false, which is
    a generated one that a student rejected, is passed over. Raises `NotesError` when the file
    itself cannot be read.
    """
    try:
        content = source.read_bytes()
    except OSError as error:
        raise NotesError(
            _("The questions in %(path)s cannot be read: %(reason)s.")
            % {"path": source, "reason": reason_of(error)},
            _("Give the path of a file of JSON lines; without one the sample questions are used."),
        ) from error
    cases: dict[str, Case] = {}
    problems: list[str] = []
    for number, text in enumerate(content.removeprefix(b"\xef\xbb\xbf").split(b"\n"), start=1):
        case, reason = _read_line(text, course) if text.strip() else (None, "")
        if case and case.id in cases:
            reason = _("the id %(id)s is taken already") % {"id": _short(case.id)}
        elif case:
            cases[case.id] = case
        if reason:
            problems.append(_("line %(line)d: %(reason)s") % {"line": number, "reason": reason})
    return list(cases.values()), problems


def _read_line(text: bytes, course: Mapping[str, int] | None) -> tuple[Case | None, str]:
    """The case of a line, if it has one that was not rejected, and what is wrong with the line."""
    try:
        record = _Record.model_validate_json(text)
        if not record.accepted:
            return None, ""
        unknown = ", ".join(map(_short, sorted(record.model_extra or ())))
        reason = _("unknown fields, ignored: %(names)s") % {"names": unknown}
        return record.case(course), reason if unknown else ""
    except ValidationError as error:
        return None, _why(error.errors()[0])
    except _BadLineError as error:
        return None, str(error)


def choose_cases(request: Request, documents: Mapping[str, int]) -> tuple[list[Case], list[str]]:
    """The cases that a request asks for, and what was wrong with others.

    `documents` has the pages of each document of the course by its path; a limit takes cases from
    all over the file. Raises `NotesError` where there is no case to ask.
    """
    if request.source == SAMPLE:
        cases, problems = [*sample_questions(), *shipped_cases("followups.jsonl")], list[str]()
        if not all(place.file in documents for case in cases for place in case.places):
            raise _no_questions(request.course)
    else:
        cases, problems = load_cases(Path(request.source), documents)
    chosen = [
        case
        for case in cases
        if request.split in {ALL, case.split}
        and request.kind in {None, case.kind, CLASSIC.get(case.kind)}
    ]
    if not chosen:
        kinds = ", ".join(sorted({case.kind for case in cases if case.kind}))
        reasons = "; ".join(problems[:3])
        raise NotesError(
            _("No question is left to ask: %(n)d of %(source)s were read, none fits.")
            % {"n": len(cases), "source": request.source}
            + (f" {reasons}" if reasons else ""),
            _("Choose another --split or --kind (%(kinds)s), or mend the file.") % {"kinds": kinds}
            if kinds
            else _("Choose another file, or mend this one."),
        )
    return evenly(chosen, request.limit or len(chosen)), problems


def evenly(cases: Sequence[Case], count: int) -> list[Case]:
    """So many cases from all over a list, in its order; all where there are fewer."""
    count = min(count, len(cases))
    return [cases[place * len(cases) // count] for place in range(count)]


def sample_questions() -> list[Case]:
    """The questions over the sample course, development and test split."""
    return shipped_cases("questions.jsonl")


def shipped_cases(name: str) -> list[Case]:
    """The cases of a file that comes with the program, development and test split.

    `followups.jsonl` asks after a conversation over the sample course; most lean on it, those with
    `needs_rewriting` false only look so. `questions_near.jsonl` asks it mostly for what it only
    seems to say; `questions_public.jsonl` asks public courses whose PDFs are not distributed here.
    """
    cases, _problems = load_cases(files("tutor.evaluation") / "data" / name)
    return cases


def _no_questions(course: str) -> NotesError:
    return NotesError(
        _("There are no questions for this course: the sample questions are about another."),
        _("Give a file with --cases, or let questions be written: %(command)s")
        % {"command": course_command("eval --generate 40", course)},
    )


def _why(problem: ErrorDetails) -> str:
    """What the first problem of a line is."""
    if not problem["loc"]:
        broken = problem["type"] == "json_invalid"
        return _("not valid JSON") if broken else _("not a JSON object")
    name = str(problem["loc"][-1])
    if problem["type"] in {"missing", "string_pattern_mismatch"}:
        return _("the field %(name)s is missing") % {"name": name}
    value = _short(json.dumps(problem["input"], ensure_ascii=False))
    where = ".".join(map(str, problem["loc"]))
    return _("the field %(name)s is not as expected: %(value)s") % {"name": where, "value": value}


def why_missing(place: CasePlace, course: Mapping[str, int]) -> str:
    """Why a place is not in a course, whose documents' pages are given; empty where it is."""
    pages, where = course.get(place.file), {"file": _short(place.file), "page": place.page}
    if pages is None:
        return _("the course has no document %(file)s") % where
    return "" if place.page <= pages else _("%(file)s has no page %(page)d") % where


def _short(text: str) -> str:
    """A strange text, fit to be shown in one line; not long."""
    return shortened(text, _SHOWN)
