"""The system's PDF viewer, at a page."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tutor.courses import note_path
from tutor.errors import NotesError
from tutor.viewer import NoViewerError, open_page, viewer_command

DISPLAY = {"DISPLAY": ":0"}
linux = pytest.mark.skipif(sys.platform != "linux", reason="viewers of Linux")


def installed(*names: str) -> Callable[[str], str | None]:
    return lambda name: f"/usr/bin/{name}" if name in names else None


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (("evince", "xdg-open"), ["/usr/bin/evince", "--page-index=7", "/n/-a b.pdf"]),
        (("okular",), ["/usr/bin/okular", "--page", "7", "/n/-a b.pdf"]),
        (("zathura", "xpdf"), ["/usr/bin/zathura", "--page=7", "/n/-a b.pdf"]),
        (("xdg-open",), ["/usr/bin/xdg-open", "/n/-a b.pdf"]),
        ((), None),
    ],
)
def test_the_viewer_is_told_the_page(names: tuple[str, ...], expected: list[str] | None) -> None:
    command = viewer_command("linux", DISPLAY, installed(*names), Path("/n/-a b.pdf"), 7)
    assert command == expected


def test_without_a_display_there_is_no_viewer() -> None:
    assert viewer_command("linux", {}, installed("evince"), Path("/a.pdf"), 1) is None
    over_ssh = {"SSH_CONNECTION": "1 2 3 4"}
    assert viewer_command("darwin", over_ssh, installed(), Path("/a.pdf"), 1) is None
    assert viewer_command("darwin", {}, installed(), Path("/a.pdf"), 1)


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    (folder / "week 1").mkdir(parents=True)
    (folder / "week 1" / "a.pdf").write_bytes(b"%PDF-")
    (folder / "plain.txt").write_text("text")
    (tmp_path / "outside.pdf").write_bytes(b"%PDF-")
    return folder


def test_a_note_is_found_by_its_relative_path(notes: Path) -> None:
    assert note_path(notes, "week 1/a.pdf") == notes / "week 1" / "a.pdf"


@pytest.mark.parametrize(
    "relative",
    [
        "../outside.pdf",
        "week 1/../../outside.pdf",
        "/etc/passwd.pdf",
        "C:\\Windows\\a.pdf",
        "\\\\server\\share\\a.pdf",
        "plain.txt",
        "",
        "nowhere.pdf",
        "null\0.pdf",
        "x" * 5000 + ".pdf",
    ],
)
def test_nothing_but_a_pdf_of_the_notes_is_opened(notes: Path, relative: str) -> None:
    with pytest.raises(NotesError):
        note_path(notes, relative)


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Path]:
    """Installs a viewer that does what it is told, as the only one; it notes its arguments."""

    def install(does: str) -> Path:
        folder, told = tmp_path / "bin", tmp_path / "told"
        folder.mkdir()
        viewer = folder / "evince"
        viewer.write_text(f'#!/bin/sh\nfor one in "$@"; do echo "$one"; done > "{told}"\n{does}\n')
        viewer.chmod(0o755)
        monkeypatch.setenv("PATH", f"{folder}{os.pathsep}/bin{os.pathsep}/usr/bin")
        monkeypatch.setenv("DISPLAY", ":0")
        return told

    return install


@linux
@pytest.mark.parametrize("does", ["exit 0", "exec sleep 3"])
def test_a_program_goes_on_by_itself(
    notes: Path, program: Callable[[str], Path], does: str
) -> None:
    told = program(does)
    open_page(notes, "week 1/a.pdf", 12)
    assert told.read_text().splitlines() == ["--page-index=12", str(notes / "week 1" / "a.pdf")]


@linux
def test_a_program_that_fails_is_reported(notes: Path, program: Callable[[str], Path]) -> None:
    program("exit 4")
    with pytest.raises(NoViewerError) as caught:
        open_page(notes, "week 1/a.pdf", 3)
    assert caught.value.place == f"{notes / 'week 1' / 'a.pdf'}#page=3"
    assert "Page 3" in caught.value.remedy


@linux
def test_where_nothing_can_be_shown_the_place_is_told(
    notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    with pytest.raises(NoViewerError, match="no display"):
        open_page(notes, "week 1/a.pdf", 3)
