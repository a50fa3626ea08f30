"""Which files of a folder are notes."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.pdfs import one_column
from tutor.courses import list_courses, note_files


@pytest.mark.skipif(os.name == "nt", reason="named pipes")
def test_what_would_keep_its_reader_waiting_is_no_note(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    one_column(notes / "a.pdf", ("La fuerza es masa por aceleración.",))
    os.mkfifo(notes / "pipe.pdf")
    (notes / "gone.pdf").symlink_to(tmp_path / "nowhere.pdf")
    (course,) = list_courses(notes, tmp_path / "stores")
    assert [file.relative for file in note_files(course)] == ["a.pdf", "gone.pdf"]
