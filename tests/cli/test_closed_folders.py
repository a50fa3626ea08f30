"""Folders and files that may not be read: said as what they are, and nothing leaves the index."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.rights import closed

if TYPE_CHECKING:
    from tests.course import Workspace

QUESTION = ("ask", "¿Qué mide la silueta?")
NAME = "08_SEMANA_AI_20250922_1.pdf"


def test_notes_that_may_not_be_read_are_answered_from_the_index(indexed: Workspace) -> None:
    before = indexed.manifest()
    with closed(indexed.notes):
        assert indexed.json_here(*QUESTION)["citations"][0]["file"] == NAME
        assert indexed.run_here("stats").returncode == 0
        checked = indexed.run_here("doctor")
        assert checked.returncode == 1
        assert (
            f"The notes folder {indexed.notes} cannot be read: Permission denied" in checked.stdout
        )
        done = indexed.run_here("index")
        assert done.returncode == 4
        assert f"{indexed.notes} cannot be read: Permission denied" in done.stderr
        assert "permiso denegado" in indexed.run_here("index", TUTOR_LANG="es").stderr
    assert indexed.manifest() == before


@pytest.mark.parametrize("where", ["stores", "stores/default", "stores/default/generation-000002"])
def test_an_index_that_may_not_be_read(indexed: Workspace, where: str) -> None:
    with closed(indexed.root / where):
        for arguments in (QUESTION, ("stats",), ("index",), ("search", "silueta")):
            done = indexed.run_here(*arguments)
            assert (done.returncode, done.stdout) == (5, ""), done.stderr
            assert f"{where}" in done.stderr
            assert "Permission denied" in done.stderr
            assert "--rebuild" not in done.stderr
        checked = indexed.run_here("doctor")
        assert checked.returncode == 1
        assert "cannot be read: Permission denied" in checked.stdout
    assert indexed.run_here(*QUESTION).returncode == 0


@pytest.mark.parametrize("mode", [0o000, 0o400])
def test_what_is_in_a_folder_that_may_not_be_read_stays_in_the_index(
    fresh: Workspace, mode: int
) -> None:
    below = fresh.notes / "ia" / "tema" / "uno"
    below.mkdir(parents=True)
    for path in fresh.notes.glob("*.pdf"):
        path.rename((below if path.name == NAME else fresh.notes / "ia") / path.name)
    assert fresh.run_here("index").returncode == 0
    with closed(fresh.notes / "ia" / "tema", mode=mode):
        done = fresh.run_here("index")
        assert done.returncode == 8, done.stderr
        assert "tema" in done.stderr
        assert "Permission denied" in done.stderr
        assert "0 removed" in done.stdout
        again = fresh.run_here("index")
        assert "up to date" in again.stdout
        answer = fresh.json_here(*QUESTION)
    assert answer["citations"][0]["file"] == f"tema/uno/{NAME}"
    assert fresh.run_here("index").returncode == 0
    (below / NAME).unlink()
    assert "1 removed" in fresh.run_here("index").stdout


def test_a_course_that_may_not_be_read_is_no_empty_course(fresh: Workspace) -> None:
    course = fresh.notes / "ia"
    course.mkdir()
    for path in fresh.notes.glob("*.pdf"):
        path.rename(course / path.name)
    assert fresh.run_here("index").returncode == 0
    with closed(course):
        done = fresh.run_here("index")
        assert done.returncode == 4
        assert f"{course} cannot be read" in done.stderr
        assert fresh.run_here(*QUESTION).returncode == 0


def test_folders_of_the_system_are_no_notes(indexed: Workspace) -> None:
    for name in ("lost+found", "System Volume Information", "$RECYCLE.BIN"):
        (indexed.notes / name).mkdir()
    with closed(*(path for path in indexed.notes.iterdir() if path.is_dir())):
        assert indexed.run_here("index").returncode == 0


def test_conversations_that_may_not_be_read(indexed: Workspace) -> None:
    with closed(indexed.root / "stores"):
        done = indexed.run_here("sessions", "list")
    assert done.returncode == 1
    assert "Permission denied" in done.stderr
    assert "sessions.db" in done.stderr
