"""A file of cards, and the clock that its reviews are dated by."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.study_cards import Clock
from tutor.study.store import FILE_NAME, StudyStore


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(tmp_path: Path, clock: Clock) -> Iterator[StudyStore]:
    with StudyStore(tmp_path / FILE_NAME, now=clock) as opened:
        yield opened
