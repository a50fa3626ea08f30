"""Which files of a folder are notes."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.pdfs import one_column
from tutor.courses import list_courses, note_files
from tutor.index.build.plan import hash_files


@pytest.mark.skipif(os.name == "nt", reason="named pipes")
def test_what_would_keep_its_reader_waiting_is_left_out_with_the_reason(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    one_column(notes / "a.pdf", ("La fuerza es masa por aceleración.",))
    os.mkfifo(notes / "pipe.pdf")
    (notes / "gone.pdf").symlink_to(tmp_path / "nowhere.pdf")
    (course,) = list_courses(notes, tmp_path / "stores")
    files = note_files(course)
    assert [file.relative for file in files] == ["a.pdf", "gone.pdf", "pipe.pdf"]
    hashed, skipped = hash_files(files)
    assert [one.file.relative for one in hashed] == ["a.pdf"]
    assert [one.path for one in skipped] == ["gone.pdf", "pipe.pdf"]
    assert "it is not a regular file" in skipped[1].message
