"""Odd files that are written to, read or left over."""

from __future__ import annotations

import csv
import os
import sys
from contextlib import redirect_stdout, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.course import Workspace


@pytest.fixture
def session(indexed: Workspace) -> str:
    assert indexed.run_here("chat", typed="¿Qué mide la silueta?\n").returncode == 0
    (saved,) = indexed.json_here("sessions")
    return str(saved["id"])


def test_a_link_is_written_through(indexed: Workspace, session: str) -> None:
    target, link = indexed.root / "target.md", indexed.root / "link.md"
    target.write_text("before")
    link.symlink_to(target)
    done = indexed.run_here("sessions", "export", session, "--output", str(link), "--force")
    assert done.returncode == 0, done.stderr
    assert link.is_symlink()
    assert "silueta" in target.read_text(encoding="utf-8")


@pytest.mark.skipif(sys.platform == "win32", reason="no named pipes in folders")
def test_what_is_no_file_is_written_to_and_stays(indexed: Workspace, session: str) -> None:
    """A named pipe here; `--output /dev/full --force` would have put a file in its place."""
    pipe = indexed.root / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        done = indexed.run_here("sessions", "export", session, "--output", str(pipe), "--force")
        heard = os.read(reader, 1_000_000).decode()
    finally:
        os.close(reader)
    assert done.returncode == 0, done.stderr
    assert "silueta" in heard
    assert pipe.is_fifo()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is full")
@pytest.mark.parametrize(
    "command",
    [
        ("stats", "--json"),
        ("stats", "--files"),
        ("ask", "¿Qué es un árbol?"),
        ("ask", "¿Qué es un árbol?", "--json"),
        ("search", "árbol"),
        ("config", "show"),
        ("index", "--progress", "json"),
        ("doctor",),
    ],
)
def test_an_output_that_is_full(
    indexed: Workspace, command: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    full = Path("/dev/full").open("w", encoding="utf-8")  # noqa: SIM115 - closing it fails, too
    with redirect_stdout(full):
        code = indexed.exit_code_here(*command)
    with suppress(OSError):
        full.close()
    assert code == 1
    errors = capsys.readouterr().err
    assert "The output cannot be written: No space left on device." in errors
    assert "Traceback" not in errors


def test_no_name_is_no_file(indexed: Workspace, session: str) -> None:
    done = indexed.run_here("sessions", "export", session, "--output", "", "--force")
    assert done.returncode != 0
    assert ". cannot be written: Is a directory." in done.stderr


@pytest.mark.parametrize("text", ["a=" + "[" * 20_000 + "]" * 20_000, "a." * 5_000 + "b = 1"])
def test_settings_that_are_nested_too_deeply(indexed: Workspace, text: str) -> None:
    (indexed.root / "tutor.toml").write_text(text)
    done = indexed.run_here("config", "show")
    assert (done.returncode, done.stdout) == (3, "")
    assert "not valid TOML" in done.stderr
    assert len(done.stderr) < 1_000


def test_a_file_name_is_no_formula_in_the_csv(fresh: Workspace) -> None:
    for path in list(fresh.notes.glob("*.pdf")):
        path.rename(path.with_name(f"={path.name}"))
    assert fresh.run_here("index").returncode == 0
    (folder,) = fresh.store.glob("generation-*")
    with (folder / "vectors_fixed.csv").open(encoding="utf-8") as file:
        assert all(row["path"].startswith("'=") for row in csv.DictReader(file))
    assert fresh.json_here("ask", "¿Qué mide la silueta?")["citations"][0]["file"].startswith("=")


def test_what_a_killed_rebuild_left_goes_with_the_next_run(indexed: Workspace) -> None:
    (indexed.store / "generation-000009").mkdir()
    (indexed.store / "journal.bin").write_bytes(b"x" * 1000)
    assert "up to date" in indexed.run_here("index").stdout
    names = {path.name for path in indexed.store.iterdir() if not path.name.startswith("map")}
    assert names == {"generation-000002", "manifest.json", "writer.lock"}
    assert len(list(indexed.store.glob("map-*"))) == 1


@pytest.mark.skipif(sys.platform == "win32", reason="no devices in folders")
def test_a_link_to_an_endless_device_is_left_out_aloud(indexed: Workspace) -> None:
    (indexed.notes / "zero.pdf").symlink_to("/dev/zero")
    (indexed.notes / "loop").symlink_to(indexed.notes)
    done = indexed.run_here("index")
    assert done.returncode == 8, done.stderr
    assert "zero.pdf: It cannot be opened: it is not a regular file." in done.stderr
    assert "loop" not in done.stderr
    assert len(indexed.manifest()["indexed"]) == 3
