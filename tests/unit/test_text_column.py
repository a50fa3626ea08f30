"""Texts are found in a Parquet file that is laid out for it, and equal what pyarrow reads."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tutor.index.store import columns
from tutor.index.store.columns import (
    TEXT,
    VECTOR,
    mappable,
    read_text_column,
    vector_column,
)
from tutor.index.store.rows import TextColumn
from tutor.index.store.stored_rows import StoredRows

MANY = [f"párrafo {n} " * (n % 50) for n in range(3000)]


def write(path: Path, texts: list[str], **otherwise: object) -> None:
    table = pa.table(
        {
            TEXT: pa.array(texts, pa.large_string()),
            VECTOR: vector_column(np.ones((len(texts), 8), np.float32)),
        }
    )
    pq.write_table(table, path, **{**mappable([], 8), **otherwise})


def read(path: Path) -> TextColumn:
    with path.open("rb") as file:
        return read_text_column(file)


def said(column: TextColumn) -> list[str]:
    return [column.text(row) for row in range(len(column.starts))]


@given(
    texts=st.lists(st.text(max_size=200).map(lambda text: text.encode(errors="ignore").decode()))
)
def test_texts_are_those_that_were_written(
    tmp_path_factory: pytest.TempPathFactory, texts: list[str]
) -> None:
    path = tmp_path_factory.mktemp("columns") / "texts.parquet"
    write(path, texts)
    assert said(read(path)) == texts
    assert pq.read_table(path)[TEXT].to_pylist() == texts


@pytest.mark.parametrize(
    "otherwise",
    [
        {"compression": "snappy"},
        {"use_dictionary": True},
        {"write_statistics": True},
        {"data_page_size": 1000},
        {"data_page_version": "2.0"},
        {"row_group_size": 700},
    ],
    ids=str,
)
def test_another_layout_is_decoded(tmp_path: Path, otherwise: dict[str, object]) -> None:
    write(tmp_path / "t.parquet", MANY, **otherwise)
    assert said(read(tmp_path / "t.parquet")) == MANY


@pytest.mark.parametrize("count", [8, 63, 64, 1000, 100_000])
def test_as_many_texts_as_there_may_be_are_found_where_they_stand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, count: int
) -> None:
    monkeypatch.setattr(columns, "LARGE", 1)
    write(tmp_path / "t.parquet", [f"texto {n}" for n in range(count)])
    found = read(tmp_path / "t.parquet")
    assert isinstance(found.data, StoredRows)
    assert found.text(count - 1) == f"texto {count - 1}"


def test_a_page_of_other_lengths_is_not_taken_for_texts(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    write(path, ["uno", "dos"])
    path.write_bytes(path.read_bytes().replace(b"\x03\0\0\0uno", b"\x09\0\0\0uno"))
    with pytest.raises((OSError, pa.ArrowException)):
        read(path)


@pytest.mark.skipif(os.name == "nt", reason="an open file stays there")
def test_many_texts_are_left_in_their_file_and_outlive_their_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(columns, "LARGE", 1)
    write(tmp_path / "t.parquet", MANY)
    column = read(tmp_path / "t.parquet")
    (tmp_path / "t.parquet").unlink()
    assert said(column) == MANY
