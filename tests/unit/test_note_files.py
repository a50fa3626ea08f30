"""Which files of a folder are notes."""

from __future__ import annotations

import os
import sys
import unicodedata
from pathlib import Path
from typing import Literal, TypeAlias, get_args

import pytest

from tests.pdfs import one_column
from tutor.courses import choose_course, list_courses, note_files
from tutor.index.build.plan import hash_files

Form: TypeAlias = Literal["NFC", "NFD"]


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


def _courses(notes: Path, *names: str) -> None:
    for name in names:
        (notes / name).mkdir(parents=True)
        (notes / name / "a.pdf").touch()


@pytest.mark.parametrize(("on_disk", "typed"), [("NFD", "NFC"), ("NFC", "NFD")])
def test_a_course_is_named_however_its_accents_are_encoded(
    tmp_path: Path, on_disk: Form, typed: Form
) -> None:
    """A folder that was unzipped from a Mac has them apart from their letters."""
    name = unicodedata.normalize(on_disk, "Álgebra")
    _courses(tmp_path / "notes", name, "Redes")
    asked = unicodedata.normalize(typed, "Álgebra")
    assert choose_course(tmp_path / "notes", tmp_path / "stores", asked).name == name


@pytest.mark.skipif(sys.platform == "darwin", reason="they are one folder there")
def test_of_two_courses_whose_names_print_alike_the_one_that_was_typed_is_meant(
    tmp_path: Path,
) -> None:
    names = [unicodedata.normalize(form, "Álgebra") for form in get_args(Form)]
    _courses(tmp_path / "notes", *names)
    for name in names:
        assert choose_course(tmp_path / "notes", tmp_path / "stores", name).name == name
