"""A clock that jumps by decades while notes are indexed changes nothing of the index."""

from __future__ import annotations

import itertools
import os
import time
from typing import TYPE_CHECKING

from tests.odd_system import OddSystem, needs_odd_system

if TYPE_CHECKING:
    from pathlib import Path

    from tests.course import Workspace

YEAR_S = 365 * 86_400


@needs_odd_system
def test_an_index_made_under_a_jumping_clock_is_the_same(
    indexed: Workspace, tmp_path: Path
) -> None:
    system = OddSystem(tmp_path, tmp_path / "nothing")
    times = itertools.cycle([0, 70 * YEAR_S, -50 * YEAR_S])  # 2096, 1976
    for path in indexed.notes.iterdir():
        os.utime(path, (time.time() + next(times),) * 2)
    theirs = indexed.manifest()
    process = indexed.start("index", "--rebuild", typing=False, **system.environment)
    while process.poll() is None:
        system.set_clock(next(times))
        time.sleep(0.03)
    _output, errors = process.communicate()
    assert process.returncode == 0, errors
    ours = indexed.manifest()
    assert ours["generation"] > theirs["generation"]
    assert ours["indexed"] == theirs["indexed"]
    for name in ("texts.parquet", "vectors_fixed.parquet", "vectors_semantic.parquet"):
        assert ours["files"][name] == theirs["files"][name]
    system.set_clock(-50 * YEAR_S)
    again = indexed.run("index", **system.environment)
    assert "up to date" in again.stdout, again.stderr
    assert indexed.manifest() == ours
