"""Generated cases as lines that a student can edit, and what became of the proposals."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tutor.i18n import _

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from tutor.evaluation.cases import Case


@dataclass(frozen=True, slots=True)
class GeneratedCase:
    """A case and who made it: `rules/1`, or a model's name. Accepted until a student says no."""

    case: Case
    generated_by: str
    accepted: bool = True

    def record(self) -> dict[str, Any]:
        """As a line of a file of cases, to be edited and read by `load_cases`."""
        case = self.case
        first, *others = case.places
        record: dict[str, Any] = {
            "id": case.id,
            "accepted": self.accepted,
            "lang": case.language,
            "kind": case.kind,
            "question": case.question,
            "answer": case.answer,
            "file": first.file,
            "page": first.page,
            "snippet": case.snippet,
            "answerable": True,
            "generated_by": self.generated_by,
        }
        if others:
            record["also"] = [{"file": place.file, "page": place.page} for place in others]
        return record


@dataclass(slots=True)
class Tally:
    """What became of the proposals, counted while they are made."""

    proposed: int = 0
    repeated: int = 0
    copied: int = 0
    unsupported: int = 0
    not_found: int = 0
    kept: int = 0
    failed: int = 0
    """Chunks of which the model made nothing usable."""
    kinds: Counter[str] = field(default_factory=Counter)
    documents: Counter[str] = field(default_factory=Counter)


def case_lines(cases: Iterable[GeneratedCase]) -> Iterator[str]:
    """The cases as JSON lines, each with its line break."""
    for case in cases:
        yield json.dumps(case.record(), ensure_ascii=False) + "\n"


def tally_rows(tally: Tally) -> list[list[str]]:
    """What became of the proposals, as rows of a table, its heading first."""
    return [
        [_("questions"), ""],
        [_("proposed"), str(tally.proposed)],
        [_("asked before"), str(tally.repeated)],
        [_("copies of the text"), str(tally.copied)],
        [_("answer not supported"), str(tally.unsupported)],
        [_("source not found again"), str(tally.not_found)],
        [_("kept"), str(tally.kept)],
    ]
