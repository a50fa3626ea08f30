"""Vectors are left in a Parquet file that is laid out for it, and equal what pyarrow reads."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tutor.index.store import columns
from tutor.index.store.columns import VECTOR, mappable, read_vectors
from tutor.index.store.stored_rows import StoredRows
from tutor.model import Vectors


def _table(vectors: Vectors) -> pa.Table:
    dim = vectors.shape[1]
    column = pa.FixedSizeListArray.from_arrays(pa.array(vectors.reshape(-1)), dim)
    return pa.table(
        {"text": [f"texto {n} " * (n % 7) for n in range(len(vectors))], VECTOR: column}
    )


def _random(rows: int, dim: int) -> Vectors:
    return np.random.default_rng(rows).standard_normal((rows, dim)).astype(np.float32)


@given(rows=st.integers(0, 3000), dim=st.sampled_from([1, 3, 384]))
def test_stored_vectors_are_those_that_were_written(
    tmp_path_factory: pytest.TempPathFactory, rows: int, dim: int
) -> None:
    path = tmp_path_factory.mktemp("columns") / "vectors.parquet"
    vectors = _random(rows, dim)
    pq.write_table(_table(vectors), path, **mappable(["text"], dim))
    with path.open("rb") as file:
        read = read_vectors(file, dim)
    np.testing.assert_array_equal(read[:], vectors)
    assert isinstance(read, StoredRows) == bool(rows)
    column = pq.read_table(path)[VECTOR].combine_chunks().flatten().to_numpy()
    np.testing.assert_array_equal(column, vectors.reshape(-1))


def test_compressed_vectors_are_decoded(tmp_path: Path) -> None:
    vectors = _random(5000, 8)
    layout = {**mappable(["text"], 8), "compression": "snappy"}
    pq.write_table(_table(vectors), tmp_path / "v.parquet", **layout)
    with (tmp_path / "v.parquet").open("rb") as file:
        read = read_vectors(file, 8)
    np.testing.assert_array_equal(read[:], vectors)
    assert isinstance(read, np.ndarray)


def test_a_course_too_large_for_one_page_is_read_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(columns, "_LARGEST_PAGE", 4 * 8 * 100)
    vectors = _random(250, 8)
    pq.write_table(_table(vectors), tmp_path / "v.parquet", **mappable(["text"], 8))
    assert pq.read_metadata(tmp_path / "v.parquet").num_row_groups == 3
    with (tmp_path / "v.parquet").open("rb") as file:
        np.testing.assert_array_equal(read_vectors(file, 8)[:], vectors)
