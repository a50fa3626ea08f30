"""What befalls the processes that read is told as it is, and costs nothing that was there."""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests import pdfs
from tests.slow import also_slow

if TYPE_CHECKING:
    from tests.course import Workspace

NAME = "08_SEMANA_AI_20250922_1.pdf"

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")


def _kill_readers_of(path: Path, session: int) -> None:
    """Kill the processes of a session that have the file open, all but its leader."""
    for folder in Path("/proc").glob("[0-9]*"):
        process = int(folder.name)
        try:
            # Its leader, the indexer, opens the file, too, to hash it.
            is_reader = process != session and os.getsid(process) == session
            if is_reader and any(file.readlink() == path for file in (folder / "fd").iterdir()):
                os.kill(process, signal.SIGKILL)
        except OSError:
            continue


def _index_under_fire(workspace: Workspace) -> str:
    """Index while every process that reads `NAME` is killed; gives what was said."""
    # Slow to read, and of no harm to this machine: its readers do not live long.
    process = workspace.start("index", TUTOR_READING_MEMORY_MB="8192")
    while process.poll() is None:
        _kill_readers_of(workspace.notes / NAME, process.pid)
        time.sleep(0.2)
    output, errors = process.communicate()
    assert process.returncode == 8, errors
    # A reader that is ended while it starts may say so on its own; the indexer never does.
    assert "main.py" not in errors, errors
    return output + errors


def test_killed_readers_blame_no_pdf_and_lose_no_document(indexed: Workspace) -> None:
    path = indexed.notes / NAME
    sound = path.read_bytes()
    assert indexed.run_here("index", TUTOR_READING_MEMORY_MB="8192").returncode == 0
    pdfs.nested_forms(path)
    said = _index_under_fire(indexed)
    assert f"{NAME}: The process that read it was ended from outside" in said
    first = indexed.manifest()
    assert [file["reason"] for file in first["skipped"]] == ["killed"]
    assert NAME in {entry["source"]["path"] for entry in first["indexed"]}
    assert indexed.json_here("ask", "¿Qué mide la silueta?")["citations"][0]["file"] == NAME
    assert "up to date" in _index_under_fire(indexed)  # tried again, and nothing new to write
    assert indexed.manifest() == first
    path.write_bytes(sound)
    assert indexed.run_here("index", TUTOR_READING_MEMORY_MB="8192").returncode == 0
    assert not indexed.manifest()["skipped"]


@pytest.mark.parametrize("number", [signal.SIGTERM, *also_slow(signal.SIGHUP)])
def test_who_is_ended_ends_the_readers_too_and_says_nothing(
    fresh: Workspace, number: signal.Signals
) -> None:
    process = fresh.start("index", TUTOR_READING_WORKERS="2")
    while not (fresh.store / "journal.bin").exists():  # made once the readers are started
        assert process.poll() is None
        time.sleep(0.02)
    process.send_signal(number)
    _output, errors = process.communicate()
    assert process.returncode == 128 + number
    said = [line for line in errors.splitlines() if "Indexing" not in line and "chunks" not in line]
    assert said == ["Embedding with multilingual-e5-small (bundled, CPU): so it is set."]
    end = time.monotonic() + 10
    while _others_of(process.pid) and time.monotonic() < end:
        time.sleep(0.02)  # they end by themselves once their parent is gone
    assert not _others_of(process.pid)


def _others_of(session: int) -> list[int]:
    """The processes of a session that still run."""
    others = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if os.getsid(int(folder.name)) == session:
                state = (folder / "stat").read_text().rpartition(") ")[2][0]
                others += [int(folder.name)] if state != "Z" else []
        except OSError:
            continue
    return others
