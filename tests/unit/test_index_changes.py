"""What has changed in the notes is found without indexing, and told as an update would see it."""

from __future__ import annotations

import dataclasses
import os
from hashlib import sha256
from pathlib import Path

from tests.stores import RECIPE, make_source
from tutor.courses import Course
from tutor.index.build.notes_watch import NoteChanges, NotesWatch
from tutor.index.store import Indexed, Manifest, Skipped
from tutor.model import Strategy


def _course(folder: Path, **files: str) -> Course:
    notes = folder / "notes"
    notes.mkdir()
    for name, text in files.items():
        (notes / f"{name}.pdf").write_text(text)
    return Course("default", notes, folder / "stores")


def _manifest(**files: str) -> Manifest:
    indexed = tuple(
        Indexed(
            dataclasses.replace(
                make_source(f"{name}.pdf"), sha256=sha256(text.encode()).hexdigest()
            ),
            dict.fromkeys(Strategy, 1),
        )
        for name, text in files.items()
    )
    return Manifest(1, RECIPE, indexed)


def test_new_changed_and_removed_files(tmp_path: Path) -> None:
    course = _course(tmp_path, a="same", b="other", d="new")
    found = NotesWatch(course).changes(_manifest(a="same", b="former", c="gone"))
    assert found == NoteChanges(new=("d.pdf",), changed=("b.pdf",), removed=("c.pdf",))
    assert len(found) == 3


def test_a_file_that_was_refused_is_no_change(tmp_path: Path) -> None:
    course = _course(tmp_path, a="same", bad="junk")
    refused = Skipped("bad.pdf", sha256(b"junk").hexdigest(), "damaged", "It is no PDF.")
    manifest = dataclasses.replace(_manifest(a="same"), skipped=(refused,))
    assert not NotesWatch(course).changes(manifest)


def test_notes_out_of_reach_are_no_change(tmp_path: Path) -> None:
    course = Course("default", tmp_path / "nowhere", tmp_path / "stores")
    assert not NotesWatch(course).changes(_manifest(a="same"))


def test_a_change_that_keeps_size_and_time_is_seen(tmp_path: Path) -> None:
    course = _course(tmp_path, a="same")
    watch, manifest = NotesWatch(course), _manifest(a="same")
    assert not watch.changes(manifest)
    path = course.notes / "a.pdf"
    before = path.stat()
    other = course.notes / "other"
    other.write_text("emas")
    os.utime(other, ns=(before.st_atime_ns, before.st_mtime_ns))
    other.replace(path)
    assert watch.changes(manifest).changed == ("a.pdf",)


def test_a_file_is_read_again_only_when_it_looks_different(tmp_path: Path) -> None:
    course = _course(tmp_path, a="same")
    watch = NotesWatch(course)
    assert not watch.changes(_manifest(a="same"))
    (course.notes / "a.pdf").chmod(0)  # its ctime changes
    (course.notes / "a.pdf").chmod(0o600)
    assert not watch.changes(_manifest(a="same"))
