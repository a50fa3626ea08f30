"""Grades outlive the process that gave them, and two processes do not lose each other's."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from tests.study_cards import course
from tutor.study.store import FILE_NAME, StudyStore

REPO = Path(__file__).resolve().parents[3]
GRADE = """
import sys
from pathlib import Path
from tutor.study.schedule import Grade, Scheduler
from tutor.study.store import StudyStore
store = StudyStore(Path(sys.argv[1]))
scheduler = Scheduler(0.9)
numbers = store.new("ia", 10**6)
"""
GRADE_ONE_BY_ONE = (
    GRADE
    + """
for number in numbers:
    store.grade(number, Grade.GOOD, scheduler)
    print(number, flush=True)
"""
)
GRADE_ALL = (
    GRADE
    + """
print("ready", flush=True)
sys.stdin.read(1)
for number in numbers:
    store.grade(number, Grade.GOOD, scheduler)
store.close()
"""
)
BEGIN = """
import sys
from pathlib import Path
from tests.study_cards import course
from tutor.study.store import StudyStore
print("ready", flush=True)
sys.stdin.read(1)
with StudyStore(Path(sys.argv[1])) as store:
    store.merge("ia", course(20))
"""


@contextmanager
def running(code: str, path: Path) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(
        [sys.executable, "-c", code, str(path)],
        env={**os.environ, "PYTHONPATH": str(REPO)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def all_at_once(code: str, path: Path, n: int) -> list[int]:
    """The exit codes of processes that begin when all of them are ready."""
    with running(code, path) as one, running(code, path) as two, running(code, path) as three:
        processes = [one, two, three][:n]
        for process in processes:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
        for process in processes:
            assert process.stdin is not None
            process.stdin.write("!")
            process.stdin.close()
        return [process.wait() for process in processes]


@pytest.mark.parametrize("after", [1, 7, 40])
def test_a_kill_loses_no_grade_that_was_given(tmp_path: Path, after: int) -> None:
    path = tmp_path / FILE_NAME
    with StudyStore(path) as store:
        store.merge("ia", course(500))
    with running(GRADE_ONE_BY_ONE, path) as process:
        assert process.stdout is not None
        told = [int(process.stdout.readline()) for _each in range(after)]
        process.send_signal(signal.SIGKILL)
        told += map(int, process.stdout.read().split())
        assert process.wait() == -signal.SIGKILL
    with StudyStore(path) as store:
        saved = {number for number in range(1, 501) if store.get(number).schedule}
        assert saved >= set(told)
        assert len(saved) <= len(told) + 1
        assert store.counts("ia").reviews == len(saved)  # a grade and its schedule, or neither
        assert len(store.cards("ia")) == 500
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_two_processes_grade_the_same_cards_at_once(tmp_path: Path) -> None:
    path = tmp_path / FILE_NAME
    with StudyStore(path) as store:
        store.merge("ia", course(40))
    assert all_at_once(GRADE_ALL, path, 2) == [0, 0]
    with StudyStore(path) as store:
        assert store.counts("ia").reviews == 80
        # Twice good is known for days; a grade that was lost would leave a card in its minutes.
        assert store.counts("ia").known == 40


def test_many_processes_begin_the_same_file(tmp_path: Path) -> None:
    path = tmp_path / "stores" / FILE_NAME
    assert all_at_once(BEGIN, path, 3) == [0, 0, 0]
    with StudyStore(path) as store:
        assert len(store.cards("ia")) == 20
