"""Names that are no valid UTF-8: readable everywhere, and each its own."""

from __future__ import annotations

import json
import os
import pickle
import sys
from hashlib import sha256
from pathlib import Path

import pytest

from tests import pdfs
from tutor.courses import choose_course, find_note, list_courses, note_files, note_path
from tutor.errors import StoreError, TutorError, UnreadablePdf
from tutor.ingest.metadata.file_names import parse_file_name
from tutor.ingest.reading.document import read_pdf
from tutor.model import SourceId, readable_name, source_id
from tutor.viewer import NoViewerError

ALIKE = (b"Ex\xe1men.pdf", b"Ex\xe9men.pdf")
"""In the console both are called `Ex?men.pdf`."""


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    folder.mkdir()
    probe = folder / os.fsdecode(b"\xe1")
    try:
        probe.touch()
    except OSError:
        pytest.skip("this file system takes valid names only")
    probe.unlink()
    return folder


def test_a_valid_name_is_left_alone() -> None:
    for path in ("Exámen.pdf", "tema 1/Ex\ufffdmen.pdf", "日本語.pdf"):
        assert readable_name(path) == path
        assert source_id(path) == sha256(path.encode()).hexdigest()[:16]


def test_names_that_look_alike_are_told_apart() -> None:
    names = [readable_name(os.fsdecode(name)) for name in (*ALIKE, b"Ex\xef\xbf\xbdmen.pdf")]
    assert len(set(names)) == 3
    for name in names:
        assert name.startswith("Ex\ufffdmen")
        assert name.endswith(".pdf")
        assert name.encode().decode() == name
    assert len({source_id(os.fsdecode(name)) for name in ALIKE}) == 2


@pytest.mark.skipif(sys.platform == "win32", reason="names are bytes on POSIX only")
def test_an_identity_is_made_of_the_bytes_on_the_disk() -> None:
    for name in ALIKE:
        assert source_id(os.fsdecode(name)) == sha256(name).hexdigest()[:16]


def test_week_date_and_version_are_read_from_such_a_name_too() -> None:
    name = readable_name(os.fsdecode(b"03_SEMANA_\xc1I_20250915_2.pdf"))
    fields = parse_file_name(name)
    assert (fields.week, str(fields.date), fields.version) == (3, "2025-09-15", "2")


def test_two_files_that_look_alike_are_two_notes(notes: Path) -> None:
    folder = notes / "curso" / os.fsdecode(b"pr\xe1cticas")
    folder.mkdir(parents=True)
    for name in ALIKE:
        (folder / os.fsdecode(name)).write_bytes(name)
    course = choose_course(notes, notes.parent / "stores", "curso")
    files = note_files(course)
    assert len({file.id for file in files}) == len({file.relative for file in files}) == 2
    for file in files:
        json.dumps(file.relative, ensure_ascii=False).encode()
        assert find_note(course.notes, file.relative) == file.path
        assert note_path(course.notes, file.relative) == file.path


def test_a_course_is_called_by_a_readable_name(notes: Path) -> None:
    raw = os.fsdecode(b"F\xedsica")
    (notes / raw).mkdir()
    (notes / raw / "a.pdf").write_bytes(b"")
    stores = notes.parent / "stores"
    (course,) = list_courses(notes, stores)
    assert course.name == course.store.name == readable_name(raw)
    assert course.notes == notes / raw
    assert choose_course(notes, stores, raw) == choose_course(notes, stores, course.name) == course


def test_stores_below_such_a_name_are_refused_with_a_remedy(notes: Path) -> None:
    stores = notes.parent / os.fsdecode(b"\xe1") / "stores"
    with pytest.raises(StoreError, match="UTF-8") as caught:
        list_courses(notes, stores)
    assert "stores_dir" in caught.value.remedy


def test_an_error_is_valid_unicode_whatever_it_speaks_of() -> None:
    raw = os.fsdecode(b"Ex\xe1men.pdf")
    error = TutorError(raw, raw)
    assert error.message == error.remedy == "Ex\ufffdmen.pdf"
    handed_over = pickle.loads(pickle.dumps(UnreadablePdf("truncated", raw, raw)))
    assert handed_over.message == handed_over.remedy == "Ex\ufffdmen.pdf"
    NoViewerError(Path(raw), 1).place.encode()


@pytest.mark.parametrize("backend", ["pdfium", "pdfminer"])
def test_such_a_pdf_is_read(notes: Path, backend: str) -> None:
    path = pdfs.one_column(notes / "a.pdf").rename(notes / os.fsdecode(ALIKE[0]))
    assert read_pdf(path, SourceId("s"), backend=backend).pages[0].text.strip()  # pyrefly: ignore[bad-argument-type]
