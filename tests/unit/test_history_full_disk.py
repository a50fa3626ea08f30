"""The file of conversations on a disk that is full, or fails, at any of its writes."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.course import REPO
from tests.odd_system import OddSystem, calls_in, let_fail, needs_odd_system, places
from tutor.errors import SessionError
from tutor.history import SessionStore
from tutor.model import Ending

pytestmark = needs_odd_system


@pytest.mark.parametrize("error", ["ENOSPC", "EIO"])
def test_a_full_disk_is_told_as_one_at_any_write(tmp_path: Path, error: str) -> None:
    disk = OddSystem(tmp_path, tmp_path / "stores")
    program = "from tests.unit.test_history_full_disk import talk_again_and_again as go; go()"
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path / "stores"), error],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **disk.environment, "PYTHONPATH": str(REPO), "TUTOR_LANG": "en"},
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout.splitlines()[-1])
    assert len(told) >= 20
    for call, message in told:
        assert ("The disk is full" in message) == (error == "ENOSPC"), call
        assert ("Make room" in message) == (error == "ENOSPC"), call


def talk_again_and_again() -> None:
    """In a process of its own: let one call after the other fail; prints what was said."""
    folder, error = Path(sys.argv[1]), sys.argv[2]
    told = [one for former in (False, True) for one in _failing(folder, error, former=former)]
    print(json.dumps(told))


def _failing(folder: Path, error: str, *, former: bool) -> Iterator[tuple[str, str]]:
    """Which call failed and what was said; `former`: the file has been there before."""
    state, log = Path(os.environ["ODD_STATE"]), Path(os.environ["ODD_LOG"])
    numbers = [0]
    while numbers:
        number = numbers.pop(0)
        folder.mkdir()
        let_fail(state, log, 0)
        if former:
            talk(folder)
        let_fail(state, log, number, error)
        try:
            talk(folder)
        except SessionError as raised:
            yield calls_in(log)[number - 1], f"{raised.message}\n{raised.remedy}"
        numbers = numbers if number else places(calls_in(log))
        let_fail(state, log, 0)
        shutil.rmtree(folder)


def talk(folder: Path) -> None:
    """Save a conversation of one turn."""
    with SessionStore(folder / "sessions.db") as store:
        writer = store.begin_turn(store.create("ia", "es").id, "¿Qué?")
        writer.token("Eso. ")
        writer.abandon(Ending.STOPPED)
