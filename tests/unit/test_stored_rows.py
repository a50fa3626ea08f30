"""Rows of a large array are read from its file, and are what NumPy reads there."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tutor.index.store import rows, stored_rows
from tutor.index.store.rows import DenseRows
from tutor.index.store.stored_rows import LARGE, StoredRows, read_array

ROWS = np.random.default_rng(0).standard_normal((50, 7)).astype(np.float32)


@pytest.fixture
def saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> StoredRows:
    monkeypatch.setattr(stored_rows, "LARGE", 1)
    np.save(tmp_path / "rows.npy", ROWS)
    found = read_array(tmp_path / "rows.npy")
    assert isinstance(found, StoredRows)
    return found


@given(rows=st.lists(st.integers(0, 49)))
def test_picked_rows_are_those_of_the_array(
    tmp_path_factory: pytest.TempPathFactory, rows: list[int]
) -> None:
    path = tmp_path_factory.mktemp("rows") / "rows.bin"
    path.write_bytes(b"head" + ROWS.tobytes())
    with path.open("rb") as file:
        stored = StoredRows(file, np.float32, ROWS.shape, 4)
    np.testing.assert_array_equal(stored[rows], ROWS[np.array(rows, int)])


@pytest.mark.parametrize(
    "part", [slice(None), slice(3, 9), slice(0, 50, 7), slice(60, 70), slice(-2, None)], ids=str
)
def test_parts_are_those_of_the_array(saved: StoredRows, part: slice) -> None:
    assert len(saved) == len(ROWS)
    np.testing.assert_array_equal(saved[part], ROWS[part])


def test_where_the_system_cannot_read_at_a_place_it_is_gone_to(
    saved: StoredRows, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(os, "preadv")
    np.testing.assert_array_equal(saved[[4, 5, 30]], ROWS[[4, 5, 30]])


@pytest.mark.parametrize("part", [slice(None), slice(3, 40, 5), slice(0, 0)], ids=str)
def test_cosines_with_many_rows_are_computed_block_by_block(
    saved: StoredRows, monkeypatch: pytest.MonkeyPatch, part: slice
) -> None:
    monkeypatch.setattr(rows, "EXACT_ROWS", 8)
    found = DenseRows(saved).cosines(part, ROWS[0])
    np.testing.assert_allclose(found, ROWS[part] @ ROWS[0], rtol=1e-5)


def test_a_small_array_is_held_and_a_damaged_file_told(tmp_path: Path) -> None:
    np.save(tmp_path / "rows.npy", ROWS)
    np.testing.assert_array_equal(read_array(tmp_path / "rows.npy"), ROWS)
    (tmp_path / "rows.npy").write_bytes(b"nothing of this kind")
    with pytest.raises(ValueError, match="magic"):
        read_array(tmp_path / "rows.npy")


def test_a_file_that_became_shorter_is_told(tmp_path: Path) -> None:
    path = tmp_path / "rows.bin"
    path.write_bytes(ROWS.tobytes())
    with path.open("rb") as file:
        stored = StoredRows(file, np.float32, ROWS.shape, 0)
    path.write_bytes(ROWS.tobytes()[:-1])
    with pytest.raises(EOFError):
        stored[[49]]


@pytest.mark.skipif(os.name == "nt", reason="an open file stays there")
def test_rows_outlive_the_name_of_their_file(saved: StoredRows, tmp_path: Path) -> None:
    (tmp_path / "rows.npy").unlink()
    np.testing.assert_array_equal(saved[:], ROWS)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux says what is in memory")
def test_what_is_read_here_and_there_takes_no_memory(tmp_path: Path) -> None:
    np.save(tmp_path / "rows.npy", np.zeros((4 * LARGE // 8, 2)))
    stored = read_array(tmp_path / "rows.npy")
    assert isinstance(stored, StoredRows)
    before = _resident()
    for row in range(0, len(stored), len(stored) // 64):
        stored[[row]]
    assert _resident() - before < LARGE // 1024


def _resident() -> int:
    """Kilobytes of this process's memory."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("VmRSS:")).split()[1])
