"""Questions with what a right answer must hold and where it stands, kept as JSON lines.

A line that makes no sense is named with its number and left out; the others still count.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from tutor.errors import NotesError
from tutor.i18n import _
from tutor.types import Turn

if TYPE_CHECKING:
    from collections.abc import Mapping
    from importlib.resources.abc import Traversable
    from pathlib import Path

_TEXTS = (
    "id",
    "lang",
    "kind",
    "question",
    "answer",
    "file",
    "snippet",
    "split",
    "standalone",
    "generated_by",
)
_FLAGS = ("answerable", "near", "needs_rewriting", "accepted")
_FIELDS = frozenset((*_TEXTS, *_FLAGS, "page", "also", "history"))
_SHOWN = 40
"""Characters of a strange value that a problem quotes."""


@dataclass(frozen=True, slots=True)
class Place:
    """A page of a document. `file` is relative to the course folder, pages count from 1."""

    file: str
    page: int


@dataclass(frozen=True, slots=True)
class Case:
    """A question to evaluate with.

    `answer` is a reference answer, in the question's language. `places` are the pages that hold
    the answer, any of them enough, the best first; `snippet` is the passage of the first place
    that holds it, exactly as in the reading form. A case that is not answerable has no place;
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


class _BadLineError(ValueError):
    """Why a line cannot become a case, in the reader's language."""


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
    for number, line in enumerate(content.removeprefix(b"\xef\xbb\xbf").split(b"\n"), start=1):
        if not line.strip():
            continue
        try:
            case = _accepted_case(_record(line, number, problems), course)
            if case is not None and case.id in cases:
                raise _BadLineError(_("the id %(id)s is taken already") % {"id": _short(case.id)})
        except _BadLineError as error:
            problems.append(Problem(number, str(error)))
        else:
            if case is not None:
                cases[case.id] = case
    return list(cases.values()), problems


def sample_questions() -> list[Case]:
    """The questions over the sample course, development and test split."""
    return _sample("questions.jsonl")


def sample_followups() -> list[Case]:
    """Questions after a conversation over the sample course.

    Most lean on it; those with `needs_rewriting` false only look so.
    """
    return _sample("followups.jsonl")


def _sample(name: str) -> list[Case]:
    cases, _problems = load_cases(files("tutor.evaluation") / "data" / name)
    return cases


def _record(line: bytes, number: int, problems: list[Problem]) -> dict[str, Any]:
    """The line's object with the right types; its unknown fields are named and ignored."""
    try:
        record = json.loads(line.decode("utf-8"))
        json.dumps(record, ensure_ascii=False).encode(
            "utf-8"
        )  # half of a surrogate pair is no text
    except UnicodeError as error:
        raise _BadLineError(_("not UTF-8")) from error
    except (ValueError, RecursionError) as error:
        raise _BadLineError(_("not valid JSON")) from error
    if not isinstance(record, dict):
        raise _BadLineError(_("not a JSON object"))
    unknown = sorted(record.keys() - _FIELDS)
    if unknown:
        names = ", ".join(map(_short, unknown))
        reason = _("unknown fields, ignored: %(names)s") % {"names": names}
        problems.append(Problem(number, reason, left_out=False))
    for name in _TEXTS:
        _expect(isinstance(record.get(name, ""), str), name, record)
    for name in _FLAGS:
        _expect(isinstance(record.get(name, False), bool), name, record)
    return record


def _accepted_case(record: dict[str, Any], course: Mapping[str, int] | None) -> Case | None:
    """The case, if nobody rejected it and the course has its places."""
    if not record.get("accepted", True):
        return None
    case = _case(record)
    if course is not None:
        _check_places(case, course)
    return case


def _case(record: dict[str, Any]) -> Case:
    for name in ("id", "question"):
        if not record.get(name, "").strip():
            raise _BadLineError(_("the field %(name)s is missing") % {"name": name})
    answerable, history = record.get("answerable", True), _history(record)
    return Case(
        id=record["id"],
        question=record["question"],
        language=record.get("lang", ""),
        kind=record.get("kind", ""),
        answer=record.get("answer", ""),
        places=_places(record, answerable=answerable),
        snippet=record.get("snippet", ""),
        answerable=answerable,
        near=record.get("near", False),
        split=record.get("split", ""),
        history=history,
        standalone=record.get("standalone") or record["question"],
        needs_rewriting=record.get("needs_rewriting", bool(history)),
    )


def _places(record: dict[str, Any], *, answerable: bool) -> tuple[Place, ...]:
    if not answerable:
        if record.keys() & {"file", "page", "snippet", "also"}:
            raise _BadLineError(_("a question without answer cannot have a place"))
        return ()
    also = record.get("also", [])
    _expect(isinstance(also, list), "also", record)
    return tuple(_place(place) for place in (record, *also))


def _place(record: object) -> Place:
    if not isinstance(record, dict):
        raise _BadLineError(_("the field %(name)s is not as expected") % {"name": "also"})
    for name in ("file", "page"):
        if not record.get(name):
            raise _BadLineError(_("the field %(name)s is missing") % {"name": name})
    file, page = record["file"], record["page"]
    _expect(isinstance(file, str), "file", record)
    _expect(isinstance(page, int) and not isinstance(page, bool) and page > 0, "page", record)
    return Place(file, page)


def _history(record: dict[str, Any]) -> tuple[Turn, ...]:
    turns = record.get("history", [])
    _expect(isinstance(turns, list), "history", record)
    history: list[Turn] = []
    for turn in turns:
        known = isinstance(turn, dict) and turn.keys() == {"question", "answer"}
        _expect(known and all(isinstance(text, str) for text in turn.values()), "history", record)
        history.append(Turn(turn["question"], turn["question"], turn["answer"]))
    return tuple(history)


def _check_places(case: Case, course: Mapping[str, int]) -> None:
    for place in case.places:
        pages = course.get(place.file)
        if pages is None:
            raise _BadLineError(
                _("the course has no document %(file)s") % {"file": _short(place.file)}
            )
        if place.page > pages:
            raise _BadLineError(
                _("%(file)s has no page %(page)d")
                % {"file": _short(place.file), "page": place.page}
            )


def _expect(fine: bool, name: str, record: Mapping[str, Any]) -> None:
    if not fine:
        value = _short(json.dumps(record.get(name), ensure_ascii=False))
        raise _BadLineError(
            _("the field %(name)s is not as expected: %(value)s") % {"name": name, "value": value}
        )


def _short(text: str) -> str:
    """A strange text, fit to be shown in one line: no control characters, not long."""
    shown = "".join(c if c.isprintable() else "�" for c in text)
    return shown if len(shown) <= _SHOWN else shown[: _SHOWN - 1] + "…"
