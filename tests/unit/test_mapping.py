"""What was read of a mapped array is in the process's memory no more once it is let go."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from tutor.index.store.dense import let_go


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux says what is in memory")
def test_what_is_let_go_is_in_memory_no_more_and_stays_what_it_is(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", np.arange(3_000_000))
    array = np.asarray(np.load(tmp_path / "a.npy", mmap_mode="r"))
    total = array.sum()
    assert _resident(tmp_path / "a.npy") > 0
    let_go(array[10:])
    assert _resident(tmp_path / "a.npy") == 0
    assert array.sum() == total


def test_an_array_that_is_not_mapped_stays_what_it_is() -> None:
    array = np.arange(5)
    let_go(array)
    assert array.tolist() == [0, 1, 2, 3, 4]


def _resident(path: Path) -> int:
    """Kilobytes of a mapped file in this process's memory."""
    lines = iter(Path("/proc/self/smaps").read_text().splitlines())
    next(line for line in lines if line.endswith(str(path)))
    return int(next(line for line in lines if line.startswith("Rss:")).split()[1])
