"""Every event of a run passes through a line unharmed, and what is no event is none."""

from __future__ import annotations

import pytest

from tests.stores import RECIPE
from tutor.errors import StoreError
from tutor.index.build import (
    Committing,
    FileSkipped,
    Planned,
    Progress,
    RunDone,
    Searchable,
    Summary,
    WaitingForLock,
)
from tutor.index.build.json_lines import Completed, Failed, event_of, failure_line, line_of
from tutor.index.store import Manifest, Skipped

EVENTS = [
    WaitingForLock(),
    WaitingForLock(searchable=True),
    Planned("curso", 3, 2, 1),
    FileSkipped(Skipped("a\nb\ud800.pdf", "", "damaged", "Está rota.", "Bórrala.")),
    Progress("a.pdf", 1, 2, 30, 16, 40, 3.5, None),
    Progress("", 2, 2, 60, 40, 40, 3.5, 12.0, 7, 90),
    Searchable(),
    Committing(),
]


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: type(event).__name__)
def test_an_event_comes_back_as_it_was(event: WaitingForLock) -> None:
    line = line_of(event)
    assert "\n" not in line
    assert line.isascii()
    assert event_of(line) == event


def test_the_end_is_told_in_counts() -> None:
    summary = Summary(Manifest(1, RECIPE, ()), 3, 0, 0, 20, 5, changed=True, seconds={"total": 2.5})
    assert event_of(line_of(RunDone(summary))) == Completed(True, 3, 0, 0, 20, 5, 0, 0, 2.5)
    failure = event_of(failure_line(StoreError("It failed.", "Do this.")))
    assert failure == Failed("It failed.", "Do this.")


@pytest.mark.parametrize(
    "line",
    [
        "",
        "a warning of some library",
        "[1, 2]",
        "7",
        "null",
        '{"event": "unheard-of"}',
        '{"event": ["progress"]}',
        '{"event": "progress", "files": "many"}',
        '{"event": "planned"',
        "[" * 100_000,
    ],
)
def test_what_is_no_event_is_none(line: str) -> None:
    assert event_of(line) is None
