"""Every event of a run passes through a line unharmed, and what is no event is none."""

from __future__ import annotations

import pytest

from tutor.index.build import (
    Committing,
    Completed,
    Failed,
    Planned,
    Progress,
    Searchable,
    WaitingForLock,
)
from tutor.index.build.events import event_of, line_of
from tutor.index.store import Skipped

EVENTS = [
    WaitingForLock(),
    WaitingForLock(searchable=True),
    Planned("curso", 3, 2, 1),
    Skipped("a\nb\ud800.pdf", "", "damaged", "Está rota.", "Bórrala."),
    Progress("a.pdf", 1, 2, 30, 16, 40, 3.5, None),
    Progress("", 2, 2, 60, 40, 40, 3.5, 12.0, 7, 90),
    Searchable(),
    Committing(),
    Completed(
        changed=True,
        read=3,
        unchanged=0,
        embedded=20,
        reused=5,
        documents=3,
        pages=9,
        seconds=2.5,
        seconds_chunks=1.5,
    ),
    Failed("It failed.", "Do this."),
]


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: type(event).__name__)
def test_an_event_comes_back_as_it_was(event: WaitingForLock) -> None:
    line = line_of(event)
    assert "\n" not in line
    assert line.isascii()
    assert event_of(line) == event


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
