"""What an update does follows from the notes and the manifest alone."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from tests.stores import RECIPE, make_source
from tutor.courses import NoteFile
from tutor.index.build.plan import HashedFile, hash_files, make_plan
from tutor.index.store import Indexed, Manifest, Skipped
from tutor.model import Strategy

BOTH = tuple(Strategy)


def _file(path: str, sha256: str | None = None) -> HashedFile:
    return HashedFile(NoteFile(Path(path), path), sha256 or f"sha of {path}", 100)


def _manifest(*paths: str, skipped: tuple[Skipped, ...] = ()) -> Manifest:
    indexed = tuple(Indexed(make_source(path), dict.fromkeys(Strategy, 3)) for path in paths)
    return Manifest(1, RECIPE, indexed, skipped)


def test_nothing_changed_nothing_to_do() -> None:
    plan = make_plan(_manifest("a.pdf"), [_file("a.pdf")], [], RECIPE, BOTH)
    assert not plan.changed
    assert not plan.to_read
    assert [entry.source.path for entry in plan.kept] == ["a.pdf"]


def test_new_changed_and_removed_files() -> None:
    files = [_file("a.pdf"), _file("b.pdf", "other"), _file("d.pdf")]
    plan = make_plan(_manifest("a.pdf", "b.pdf", "c.pdf"), files, [], RECIPE, BOTH)
    assert [hashed.file.relative for hashed in plan.to_read] == ["b.pdf", "d.pdf"]
    assert plan.removed == (make_source("c.pdf").id,)
    assert plan.changed


def test_texts_without_chunks_are_cut_and_not_read_again() -> None:
    known = _manifest("a.pdf", "b.pdf").texts_only()
    gone = Skipped("b.pdf", "", "unreadable", "It cannot be opened.")
    plan = make_plan(known, [_file("a.pdf")], [gone], RECIPE, BOTH)
    assert plan.changed
    assert not plan.to_read + plan.kept + plan.removed
    assert [entry.source.path for entry in plan.to_cut] == ["a.pdf", "b.pdf"]


def test_of_equal_files_the_indexed_one_stays() -> None:
    files = [_file("a.pdf", "same"), _file("b.pdf", "same")]
    first = make_plan(None, files, [], RECIPE, BOTH)
    assert [hashed.file.relative for hashed in first.to_read] == ["a.pdf"]
    assert [(file.path, file.reason) for file in first.skipped] == [("b.pdf", "duplicate")]
    indexed = Indexed(replace(make_source("b.pdf"), sha256="same"), dict.fromkeys(Strategy, 3))
    second = make_plan(Manifest(1, RECIPE, (indexed,)), files, [], RECIPE, BOTH)
    assert not second.to_read
    assert [file.path for file in second.skipped] == ["a.pdf"]


def test_a_file_that_was_refused_is_tried_again_only_when_it_or_the_reading_changes() -> None:
    refused = Skipped("x.pdf", "sha of x.pdf", "encrypted", "It is encrypted.")
    old = _manifest("a.pdf", skipped=(refused,))
    files = [_file("a.pdf"), _file("x.pdf")]
    assert not make_plan(old, files, [], RECIPE, BOTH).changed
    changed = [_file("a.pdf"), _file("x.pdf", "other")]
    assert make_plan(old, changed, [], RECIPE, BOTH).to_read == (changed[1],)
    with_ocr = replace(RECIPE, reading="another reader")
    assert len(make_plan(old, files, [], with_ocr, BOTH).to_read) == 2


def test_a_strategy_that_was_not_built_is_cut_from_the_known_text() -> None:
    entry = Indexed(make_source("a.pdf"), {Strategy.FIXED: 3})
    old = Manifest(1, RECIPE, (entry,))
    plan = make_plan(old, [_file("a.pdf")], [], RECIPE, BOTH)
    assert plan.to_cut == (entry,)
    assert not plan.to_read
    assert not make_plan(old, [_file("a.pdf")], [], RECIPE, (Strategy.FIXED,)).changed


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="has no named pipes")
@pytest.mark.parametrize("kind", ["pipe", "endless", "folder"])
def test_what_has_no_end_is_not_waited_for(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "a.pdf"
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "endless":
        path.symlink_to("/dev/zero")
    else:
        path.mkdir()
    hashed, skipped = hash_files([NoteFile(path, "a.pdf")])
    assert not hashed
    assert [file.reason for file in skipped] == ["unreadable"]
