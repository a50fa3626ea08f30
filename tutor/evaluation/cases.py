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

from tutor.errors import NotesError, command
from tutor.i18n import _
from tutor.model import Turn

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
class Place:
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
    places: tuple[Place, ...] = ()
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
class Problem:
    """What is wrong with a line, counted from 1. `left_out` says that its case was not loaded."""

    line: int
    reason: str
    left_out: bool = True

    def __str__(self) -> str:
        return _("line %(line)d: %(reason)s") % {"line": self.line, "reason": self.reason}


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

    model_config = ConfigDict(strict=True, extra="ignore")

    id: _Text
    question: _Text
    lang: str = ""
    kind: str = ""
    answer: str = ""
    file: str | None = None
    page: _Page | None = None
    also: tuple[Place, ...] = ()
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
        if not self.answerable and self.model_fields_set & {"file", "page", "snippet", "also"}:
            raise _BadLineError(_("a question without answer cannot have a place"))
        places = self._places() if self.answerable else ()
        for place in places if course is not None else ():
            _check(place, course or {})
        return Case(
            id=self.id,
            question=self.question,
            language=self.lang,
            kind=self.kind,
            answer=self.answer,
            places=places,
            snippet=self.snippet,
            answerable=self.answerable,
            near=self.near,
            split=self.split,
            history=tuple(Turn(t.question, t.question, t.answer) for t in self.history),
            standalone=self.standalone or self.question,
            needs_rewriting=bool(self.history)
            if self.needs_rewriting is None
            else self.needs_rewriting,
        )

    def _places(self) -> tuple[Place, ...]:
        if not self.file or not self.page:
            name = "page" if self.file else "file"
            raise _BadLineError(_("the field %(name)s is missing") % {"name": name})
        return (Place(self.file, self.page), *self.also)


def load_cases(
    source: Path | Traversable, course: Mapping[str, int] | None = None
) -> tuple[list[Case], list[Problem]]:
    """The cases of a file of JSON lines, in its order, and what was wrong with the others.

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
            % {"path": source, "reason": error.strerror or type(error).__name__},
            _("Give the path of a file of JSON lines; without one the sample questions are used."),
        ) from error
    cases: dict[str, Case] = {}
    problems: list[Problem] = []
    for number, text in enumerate(content.removeprefix(b"\xef\xbb\xbf").split(b"\n"), start=1):
        if not text.strip():
            continue
        try:
            line, unknown = _line(text)
            if unknown:
                reason = _("unknown fields, ignored: %(names)s") % {"names": unknown}
                problems.append(Problem(number, reason, left_out=False))
            if not line.accepted:
                continue
            case = line.case(course)
            if case.id in cases:
                raise _BadLineError(_("the id %(id)s is taken already") % {"id": _short(case.id)})
            cases[case.id] = case
        except _BadLineError as error:
            problems.append(Problem(number, str(error)))
    return list(cases.values()), problems


def choose_cases(
    request: Request, documents: Mapping[str, int]
) -> tuple[list[Case], Sequence[Problem]]:
    """The cases that a request asks for, and what was wrong with others.

    `documents` has the pages of each document of the course by its path; a limit takes cases from
    all over the file. Raises `NotesError` where there is no case to ask.
    """
    if request.source == SAMPLE:
        _check_sample(documents)
        cases, problems = [*sample_questions(), *sample_followups()], list[Problem]()
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
        reasons = "; ".join(str(problem) for problem in problems[:3])
        raise NotesError(
            _("No question is left to ask: %(n)d of %(source)s were read, none fits.")
            % {"n": len(cases), "source": request.source}
            + (f" {reasons}" if reasons else ""),
            _("Choose another --split or --kind (%(kinds)s), or mend the file.") % {"kinds": kinds},
        )
    return evenly(chosen, request.limit or len(chosen)), problems


def evenly(cases: Sequence[Case], count: int) -> list[Case]:
    """So many cases from all over a list, in its order; all where there are fewer."""
    count = min(count, len(cases))
    return [cases[place * len(cases) // count] for place in range(count)]


def sample_questions() -> list[Case]:
    """The questions over the sample course, development and test split."""
    return _sample("questions.jsonl")


def further_questions(name: str) -> list[Case]:
    """The questions of another file that comes with the program, development and test split.

    `questions_near.jsonl` asks the sample course, mostly for what it only seems to say;
    `questions_public.jsonl` asks public courses whose PDFs are not distributed here.
    """
    return _sample(name)


def sample_followups() -> list[Case]:
    """Questions after a conversation over the sample course.

    Most lean on it; those with `needs_rewriting` false only look so.
    """
    return _sample("followups.jsonl")


def is_sample_course(documents: Mapping[str, int]) -> bool:
    """Whether the course has every document that the sample questions are about."""
    return all(place.file in documents for case in sample_questions() for place in case.places)


def conversation_cases(documents: Mapping[str, int]) -> list[Case]:
    """Follow-ups and changes of topic over the documents of a course, by path and pages.

    They are about the sample course, and about public courses whose PDFs are not distributed here.
    """
    names = ("followups.jsonl", "conversations.jsonl", "conversations_public.jsonl")
    return [
        case
        for name in names
        for case in _sample(name)
        if all(place.file in documents for place in case.places[:1])
    ]


def _sample(name: str) -> list[Case]:
    cases, _problems = load_cases(files("tutor.evaluation") / "data" / name)
    return cases


def _check_sample(documents: Mapping[str, int]) -> None:
    if not is_sample_course(documents):
        raise NotesError(
            _("There are no questions for this course: the sample questions are about another."),
            _("Give a file with --cases, or let questions be written: %(command)s")
            % {"command": command("eval --generate 40")},
        )


def _line(text: bytes) -> tuple[_Record, str]:
    """The line's fields, and the names of those that are not known."""
    try:
        record = json.loads(text.decode("utf-8"))
        json.dumps(record, ensure_ascii=False).encode("utf-8")  # half of a surrogate pair
    except UnicodeError as error:
        raise _BadLineError(_("not UTF-8")) from error
    except (ValueError, RecursionError) as error:
        raise _BadLineError(_("not valid JSON")) from error
    if not isinstance(record, dict):
        raise _BadLineError(_("not a JSON object"))
    try:
        # As JSON, whose lists may become tuples where types are taken strictly.
        line = _Record.model_validate_json(json.dumps(record))
    except ValidationError as error:
        raise _BadLineError(_why(error.errors()[0], record)) from error
    return line, ", ".join(map(_short, sorted(record.keys() - _Record.model_fields.keys())))


def _why(problem: Mapping[str, Any], record: Mapping[str, Any]) -> str:
    top, last = str(problem["loc"][0]), str(problem["loc"][-1])
    if problem["type"] in {"missing", "string_pattern_mismatch"}:
        return _("the field %(name)s is missing") % {"name": last}
    value = _short(json.dumps(record.get(top), ensure_ascii=False))
    return _("the field %(name)s is not as expected: %(value)s") % {"name": top, "value": value}


def _check(place: Place, course: Mapping[str, int]) -> None:
    pages = course.get(place.file)
    if pages is None:
        raise _BadLineError(_("the course has no document %(file)s") % {"file": _short(place.file)})
    if place.page > pages:
        raise _BadLineError(
            _("%(file)s has no page %(page)d") % {"file": _short(place.file), "page": place.page}
        )


def _short(text: str) -> str:
    """A strange text, fit to be shown in one line, each control character as U+FFFD; not long."""
    shown = "".join(c if c.isprintable() else "�" for c in text)
    return shown if len(shown) <= _SHOWN else shown[: _SHOWN - 1] + "…"
