"""Vectors that were paid for survive a kill at any byte."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.stores import DIM, unit_vectors
from tutor.index.store.journal import Journal, text_key

KEYS = [text_key(f"text {i}") for i in range(4)]


def _filled(folder: Path) -> Journal:
    journal = Journal(folder, "model", DIM)
    journal.begin({})
    journal.append(zip(KEYS[:2], unit_vectors(2), strict=True))
    journal.append(zip(KEYS[2:], unit_vectors(2, seed=1), strict=True))
    return journal


def test_what_was_appended_is_loaded(tmp_path: Path) -> None:
    vectors = _filled(tmp_path).load()
    assert list(vectors) == KEYS
    np.testing.assert_array_equal(vectors[KEYS[0]], unit_vectors(2)[0])
    np.testing.assert_array_equal(vectors[KEYS[3]], unit_vectors(2, seed=1)[1])


@pytest.mark.parametrize("lost", [1, 30, 68, 69, 100])
def test_a_torn_end_costs_only_itself(tmp_path: Path, lost: int) -> None:
    journal = _filled(tmp_path)
    path = tmp_path / "journal.bin"
    path.write_bytes(path.read_bytes()[:-lost])
    kept = 4 - -(-lost // 68)
    assert list(journal.load()) == KEYS[:kept]
    journal.begin(journal.load())
    journal.append([(KEYS[3], unit_vectors(1)[0])])
    assert list(journal.load()) == [*KEYS[:kept], KEYS[3]]


def test_a_record_of_zeros_after_a_power_cut_is_not_believed(tmp_path: Path) -> None:
    journal = _filled(tmp_path)
    path = tmp_path / "journal.bin"
    path.write_bytes(path.read_bytes()[:-68] + b"\0" * 67 + b"\1")
    assert list(journal.load()) == KEYS[:3]


def test_another_embedders_vectors_are_not_taken(tmp_path: Path) -> None:
    _filled(tmp_path)
    assert Journal(tmp_path, "other", DIM).load() == {}
    assert Journal(tmp_path, "model", DIM + 1).load() == {}


def test_cleared_is_gone(tmp_path: Path) -> None:
    journal = _filled(tmp_path)
    journal.clear()
    journal.clear()
    assert journal.load() == {}
