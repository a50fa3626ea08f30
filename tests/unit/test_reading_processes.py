"""PDFs are read in processes of their own: what befalls those is not held against the PDF."""

from __future__ import annotations

import itertools
import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from pebble import ProcessExpired

from tests import pdfs
from tests.stores import RECIPE, make_source
from tutor.config import ReadingConfig
from tutor.courses import NoteFile
from tutor.index.build.mishaps import skipped_failed
from tutor.index.build.plan import HashedFile, hash_file, make_plan
from tutor.index.build.reading_processes import Awaited, ReadingEvent, prepare_files
from tutor.index.store import Indexed, Manifest, Skipped
from tutor.ingest.prepared import Prepared
from tutor.model import Source, Strategy

linux = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
SETTINGS = ReadingConfig(ocr="off", workers=1)


def _hashed(path: Path) -> HashedFile:
    hashed = hash_file(NoteFile(path, path.name))
    assert isinstance(hashed, HashedFile)
    return hashed


def _outcomes(
    files: Sequence[HashedFile], settings: ReadingConfig = SETTINGS
) -> dict[str, Prepared | Skipped]:
    with closing(prepare_files(files, settings)) as results:
        found = [one for one in results if not isinstance(one, Awaited)]
    return {
        one.source.path if isinstance(one, Prepared) else one.path: one
        for one in found
        if not isinstance(one, Source)
    }


def _kill_reader_of(path: Path) -> bool:
    return _signal_reader_of(path, signal.SIGKILL)


def _signal_reader_of(path: Path, number: signal.Signals) -> bool:
    """Signal the process that has the file open; False if there is none now."""
    for process in multiprocessing.active_children():
        try:
            opened = [file.readlink() for file in Path(f"/proc/{process.pid}/fd").iterdir()]
        except OSError:
            continue
        if path in opened and process.pid:
            os.kill(process.pid, number)
            return True
    return False


def test_a_pdf_that_takes_too_much_memory_is_left_out_and_the_others_are_read(
    tmp_path: Path,
) -> None:
    bomb = pdfs.nested_forms(tmp_path / "bomba.pdf")
    assert bomb.stat().st_size < 3000
    sound = pdfs.one_column(tmp_path / "a.pdf", [pdfs.LIPSUM] * 30)
    settings = ReadingConfig(ocr="off", workers=1, memory_mb=256)
    outcomes = _outcomes([_hashed(bomb), _hashed(sound)], settings)
    assert isinstance(outcomes["a.pdf"], Prepared)
    skipped = outcomes["bomba.pdf"]
    assert isinstance(skipped, Skipped)
    assert skipped.reason == "memory"
    assert "256 MB" in skipped.message
    assert "reading.memory_mb" in skipped.remedy
    assert not skipped.is_passing


@linux
@pytest.mark.parametrize("kills", [1, 2])
def test_a_reader_that_is_killed_is_not_its_pdfs_fault(tmp_path: Path, kills: int) -> None:
    """Once: it is read at the second try. Twice: it is left out for now, and said so."""
    slow = pdfs.many_pages(tmp_path / "largo.pdf", 1900)
    killed = 0
    result: ReadingEvent | None = None
    with closing(prepare_files([_hashed(slow)], SETTINGS)) as results:
        for result in results:  # noqa: B007 - the last one is looked at
            if killed < kills:
                killed += _kill_reader_of(slow)
    assert killed == kills
    if kills == 1:
        assert isinstance(result, Prepared)
        assert result.source.pages == 1900
        return
    assert isinstance(result, Skipped)
    assert result.reason == "killed"
    assert result.is_passing
    assert "fault" in result.message


@linux
def test_a_process_killed_while_it_starts_costs_nothing(tmp_path: Path) -> None:
    path = pdfs.one_column(tmp_path / "a.pdf")
    killed = False
    result: ReadingEvent | None = None
    with closing(prepare_files([_hashed(path)], SETTINGS)) as results:
        for result in results:  # noqa: B007 - the last one is looked at
            for process in [] if killed else multiprocessing.active_children():
                process.kill()
                killed = True
    assert killed
    assert isinstance(result, Prepared)


@linux
def test_a_reader_that_stands_still_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tutor.index.build.reading_processes._PATIENCE", 2)
    slow = pdfs.many_pages(tmp_path / "largo.pdf", 1900)
    settings = ReadingConfig(ocr="off", workers=1, timeout_s=1)
    result: ReadingEvent | None = None
    waited_s = []
    with closing(prepare_files([_hashed(slow)], settings)) as results:
        for result in results:
            if isinstance(result, Awaited):
                assert result.path == "largo.pdf"
                waited_s.append(result.seconds)
            _signal_reader_of(slow, signal.SIGSTOP)
    assert max(waited_s) >= 1
    assert isinstance(result, Skipped)
    assert result.reason == "stalled"
    assert result.is_passing


def test_a_clock_that_jumps_stops_no_reader(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = _hashed(pdfs.many_pages(tmp_path / "largo.pdf", 1900))
    days = itertools.count(1)
    monkeypatch.setattr(time, "time", lambda: 86_400.0 * next(days))
    assert isinstance(_outcomes([slow])["largo.pdf"], Prepared)


def test_a_file_that_was_cut_is_not_remembered_by_what_it_was(tmp_path: Path) -> None:
    path = pdfs.one_column(tmp_path / "a.pdf", [pdfs.LIPSUM] * 8)
    hashed, content = _hashed(path), path.read_bytes()
    path.write_bytes(content[: len(content) // 2])
    cut = _outcomes([hashed])["a.pdf"]
    assert isinstance(cut, Skipped)
    assert cut.sha256 != hashed.sha256
    path.write_bytes(content)
    old = Manifest(1, RECIPE, (), (cut,))
    assert make_plan(old, [_hashed(path)], [], RECIPE, ()).to_read == (_hashed(path),)


def test_a_file_that_was_cut_and_came_back_is_read_as_it_is(tmp_path: Path) -> None:
    path = pdfs.one_column(tmp_path / "a.pdf", [pdfs.LIPSUM] * 8)
    content = path.read_bytes()
    path.write_bytes(content[:500])
    hashed = _hashed(path)
    path.write_bytes(content)
    found = _outcomes([hashed])["a.pdf"]
    assert isinstance(found, Prepared)
    assert found.source.sha256 == _hashed(path).sha256


def test_a_file_that_vanished_is_tried_again_in_every_run(tmp_path: Path) -> None:
    path = pdfs.one_column(tmp_path / "a.pdf")
    hashed = _hashed(path)
    path.unlink()
    gone = _outcomes([hashed])["a.pdf"]
    assert isinstance(gone, Skipped)
    assert gone.reason == "unreadable"
    assert gone.is_passing


def test_what_was_read_of_a_file_that_changes_is_not_taken(tmp_path: Path) -> None:
    """Not even at the second try, if it changes again."""
    path = pdfs.one_column(tmp_path / "a.pdf")
    with closing(prepare_files([_hashed(path)], SETTINGS)) as results:
        for result in results:  # noqa: B007 - the last one is looked at
            path.write_bytes(path.read_bytes() + b"\n")
    assert isinstance(result, Skipped)
    assert result.reason == "changed"
    assert result.is_passing


def test_authors_come_after_the_text(tmp_path: Path) -> None:
    """The model of names is loaded when the text is there, which can be embedded meanwhile."""
    lines = ["Redes neuronales", "Noelia Brenes Araya", "Óscar Montoya Prado", pdfs.LIPSUM]
    path = pdfs.one_column(tmp_path / "a.pdf", lines)
    with closing(prepare_files([_hashed(path)], SETTINGS)) as results:
        prepared, described = [one for one in results if not isinstance(one, Awaited)]
    assert isinstance(prepared, Prepared)
    assert not prepared.source.authors
    assert isinstance(described, Source)
    assert described.authors == ("Noelia Brenes Araya", "Óscar Montoya Prado")
    assert replace(described, authors=()) == prepared.source


@pytest.mark.parametrize(
    ("code", "reason", "passing"),
    [
        (-signal.SIGSEGV, "crash", False),
        (-signal.SIGABRT, "crash", False),
        (-9, "killed", True),
        (-signal.SIGTERM, "killed", True),
        (97, "memory", False),
        (98, "too_long", False),
        (99, "stalled", True),
    ],
)
@pytest.mark.skipif(sys.platform == "win32", reason="exit codes as POSIX has them")
def test_how_a_reader_ended_says_whose_fault_it_was(
    tmp_path: Path, code: int, reason: str, passing: bool
) -> None:
    hashed = _hashed(pdfs.empty(tmp_path / "a.pdf"))
    skipped = skipped_failed(hashed, ProcessExpired("", code=code), SETTINGS)
    assert (skipped.reason, skipped.is_passing) == (reason, passing)
    assert skipped.message
    assert skipped.remedy


def _file(path: Path, name: str, sha256: str) -> HashedFile:
    return HashedFile(NoteFile(path / name, name), sha256, 100)


@pytest.mark.parametrize("reason", ["killed", "stalled", "changed", "unreadable"])
def test_a_passing_reason_is_tried_again_in_every_run(tmp_path: Path, reason: str) -> None:
    """`crashed` is what former versions said of a reader that was killed, too."""
    old = Manifest(1, RECIPE, (), (Skipped("a.pdf", "sha", reason, "It failed."),))
    file = _file(tmp_path, "a.pdf", "sha")
    assert make_plan(old, [file], [], RECIPE, ()).to_read == (file,)


def test_a_document_out_of_reach_keeps_its_place_and_is_read_again_afterwards(
    tmp_path: Path,
) -> None:
    entry = Indexed(replace(make_source("a.pdf"), sha256="sha"), dict.fromkeys(Strategy, 3))
    gone = Skipped("a.pdf", "", "unreadable", "It cannot be opened.")
    plan = make_plan(Manifest(1, RECIPE, (entry,)), [], [gone], RECIPE, tuple(Strategy))
    assert plan.kept == (entry,)
    assert not plan.removed
    back = _file(tmp_path, "a.pdf", "sha")
    later = make_plan(Manifest(2, RECIPE, (entry,), (gone,)), [back], [], RECIPE, tuple(Strategy))
    assert later.to_read == (back,)
