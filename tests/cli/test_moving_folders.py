"""Folders that come and go: said as what they are, and what was indexed stays."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest

from tests import pdfs
from tests.course import COMMAND

if TYPE_CHECKING:
    from pathlib import Path

    from tests.course import Workspace

QUESTION = ("ask", "¿Qué mide la silueta?")
NAME = "08_SEMANA_AI_20250922_1.pdf"


def test_a_current_folder_that_was_deleted(fresh: Workspace, tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    script = 'cd "$0" && rmdir "$0" && exec "$@"'
    done = subprocess.run(
        ["sh", "-c", script, str(gone), *COMMAND, "doctor"],
        env=fresh.environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 3
    assert done.stderr == (
        "Error: The current folder no longer exists.\n  → Go to another one: cd FOLDER\n"
    )


def in_folders(workspace: Workspace) -> Path:
    """Index a course `ia` with a folder `tema`; gives that folder."""
    theme = workspace.notes / "ia" / "tema"
    theme.mkdir(parents=True)
    for path in workspace.notes.glob("*.pdf"):
        path.rename((theme if path.name == NAME else theme.parent) / path.name)
    assert workspace.run_here("index").returncode == 0
    return theme


def test_a_folder_that_becomes_a_link_is_still_the_folder(fresh: Workspace) -> None:
    theme = in_folders(fresh)
    theme.rename(fresh.root / "elsewhere")
    theme.symlink_to(fresh.root / "elsewhere")
    for name, target in {"zzz": theme, "around": fresh.root, "own": fresh.notes / "ia"}.items():
        (theme.parent / name).symlink_to(target)
    assert "up to date" in fresh.run_here("index").stdout
    (fresh.root / "elsewhere").rename(fresh.root / "unplugged")
    done = fresh.run_here("index")
    assert done.returncode == 8
    assert "tema: It cannot be opened: No such file or directory" in done.stderr
    assert "0 removed" in done.stdout
    assert fresh.json_here(*QUESTION)["citations"][0]["file"] == f"tema/{NAME}"
    (fresh.root / "unplugged").rename(fresh.root / "elsewhere")
    assert fresh.run_here("index").returncode == 0


@pytest.mark.parametrize("instead", ["nothing", "a file", "no folder", "an empty folder"])
def test_notes_that_went_away_are_answered_from_the_index(indexed: Workspace, instead: str) -> None:
    before = indexed.manifest()
    indexed.notes.rename(indexed.root / "elsewhere")
    if instead == "a file":
        indexed.notes.write_text("no folder")
    elif instead == "no folder":
        indexed.notes.symlink_to(indexed.root / "nowhere")
    elif instead == "an empty folder":  # where a disk is mounted
        indexed.notes.mkdir()
    done = indexed.run_here("index")
    assert done.returncode == 4
    assert str(indexed.notes) in done.stderr
    assert indexed.json_here(*QUESTION)["citations"][0]["file"] == NAME
    assert indexed.manifest() == before


def test_notes_that_go_away_while_they_are_read(indexed: Workspace) -> None:
    """Its index stays, and takes in what was added when they are back."""
    added = indexed.notes / "10_SEMANA_AI_20251006_1.pdf"
    pdfs.many_pages(added, 1900)  # slow to read
    process = indexed.start("index")
    assert process.stderr
    line = ""
    while "Indexing" not in line:
        line = process.stderr.readline()
        assert line, "it ended"
    indexed.notes.rename(indexed.root / "elsewhere")
    output, errors = process.communicate()
    assert process.returncode == 8, errors
    assert f"{added.name}: It cannot be opened: No such file or directory" in errors
    assert "Traceback" not in errors
    assert "0 removed" in output
    assert indexed.json_here(*QUESTION)["citations"][0]["file"] == NAME
    (indexed.root / "elsewhere").rename(indexed.notes)
    pdfs.one_column(added, title="Quick to read")
    assert indexed.run_here("index").returncode == 0
    assert len(indexed.manifest()["indexed"]) == 4


@pytest.mark.parametrize("folder", ["stores", "stores/default"])
def test_an_index_that_goes_away_while_one_talks_still_answers(
    indexed: Workspace, folder: str
) -> None:
    process = indexed.start("chat", "--strategy", "semantic", typing=True, PYTHONUNBUFFERED="1")
    assert process.stdin
    assert process.stdout
    print("¿Qué es una red neuronal?", file=process.stdin, flush=True)
    seen = ""
    while "09_SEMANA_AI_20250929_1.pdf" not in seen:
        piece = process.stdout.read(1)
        assert piece, seen
        seen += piece
    (indexed.root / folder).rename(indexed.root / "elsewhere")
    output, errors = process.communicate("/fijo\n¿Qué mide la silueta?\n¿Quién ganó el mundial?\n")
    assert process.returncode == 0, errors
    assert NAME in output
    assert "cannot tell" not in errors
    assert "Traceback" not in errors
    assert not (indexed.root / folder).exists()
