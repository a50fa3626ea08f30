"""What came of one case in one setting, as a record that survives on disk.

A run's folder holds `run.json`, which says what was evaluated, and `outcomes.jsonl`, a line per
outcome, written as soon as it is there: a run that is killed loses the case it was at.
"""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from tutor.errors import NotesError, StoreError
from tutor.i18n import _

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

RUN_FILE = "run.json"
OUTCOMES_FILE = "outcomes.jsonl"


@dataclass(frozen=True, slots=True)
class Passage:
    """A passage that was found: where it stands, its first words, and what it is worth."""

    file: str
    first_page: int
    last_page: int
    text: str
    on_page: bool
    holds_snippet: bool


@dataclass(frozen=True, slots=True)
class Reply:
    """What was answered. `rubric` is None where no judge gave one."""

    text: str
    abstained: bool
    model: str
    citations: tuple[str, ...] = ()
    rubric: int | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """One case in one setting.

    `measures` are numbers by name, missing where a measure is not defined for the case; `seconds`
    are per stage. `failure` says why there is nothing, `judge_failure` why only the judge's marks
    are missing: both are empty where all went well.
    """

    case: str
    setting: str
    question: str
    language: str = ""
    kind: str = ""
    split: str = ""
    answerable: bool = True
    searched: str = ""
    measures: Mapping[str, float] = field(default_factory=dict)
    seconds: Mapping[str, float] = field(default_factory=dict)
    passages: tuple[Passage, ...] = ()
    reply: Reply | None = None
    failure: str = ""
    judge_failure: str = ""

    @property
    def key(self) -> tuple[str, str]:
        """Case and setting: there is one outcome of each pair."""
        return self.case, self.setting


class RunFolder:
    """The folder of a run. Raises `StoreError` when it cannot be written."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def begin(self, record: Mapping[str, Any]) -> None:
        """Make the folder and say what is evaluated."""
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            partial = self.path / f"{RUN_FILE}.partial"
            partial.write_text(json.dumps(record, ensure_ascii=False, indent=1), encoding="utf-8")
            partial.replace(self.path / RUN_FILE)
        except OSError as error:
            raise self._not_written(error) from error

    def record(self) -> dict[str, Any]:
        """What was evaluated. Raises `NotesError` where this is no run's folder."""
        try:
            record = json.loads((self.path / RUN_FILE).read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise NotesError(
                _("There is no evaluation in %(path)s.") % {"path": self.path},
                _("Give the folder of a run, as `tutor eval` prints it at its end."),
            ) from error
        return dict(record)

    def outcomes(self) -> list[Outcome]:
        """Every outcome, the latest of each case and setting; a torn line is passed over."""
        try:
            lines = (self.path / OUTCOMES_FILE).read_bytes().split(b"\n")
        except FileNotFoundError:
            return []
        found: dict[tuple[str, str], Outcome] = {}
        for line in filter(None, lines):
            try:
                outcome = _from_json(json.loads(line))
            except (ValueError, KeyError, TypeError):
                continue
            found[outcome.key] = outcome
        return list(found.values())

    def append(self, outcome: Outcome) -> None:
        """Write an outcome down for good."""
        line = json.dumps(asdict(outcome), ensure_ascii=False, allow_nan=False)
        content = line.encode("utf-8", "replace") + b"\n"
        try:
            with (self.path / OUTCOMES_FILE).open("a+b") as file:
                if file.tell() and not _ends_whole(file):
                    content = b"\n" + content
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise self._not_written(error) from error

    def write(self, name: str, text: str) -> Path:
        """Write a file beside the outcomes."""
        path = self.path / name
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", errors="replace")
        except OSError as error:
            raise self._not_written(error) from error
        return path

    def _not_written(self, error: OSError) -> StoreError:
        return StoreError(
            _("The evaluation cannot be written to %(path)s: %(reason)s.")
            % {"path": self.path, "reason": error.strerror or type(error).__name__},
            _("Make room or choose another folder with --out, then go on with --resume."),
        )


def _ends_whole(file: Any) -> bool:
    """Whether the last line is complete: a kill may have torn it."""
    file.seek(-1, os.SEEK_END)
    return bool(file.read(1) == b"\n")


def _from_json(record: dict[str, Any]) -> Outcome:
    reply = record["reply"]
    if reply:
        reply = Reply(**{**reply, "citations": tuple(reply["citations"])})
    passages = tuple(Passage(**passage) for passage in record["passages"])
    return Outcome(**{**record, "reply": reply, "passages": passages})
