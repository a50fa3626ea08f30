"""Writes of a commit fail in turn, also those of Chroma, SQLite and Arrow: nothing is lost.

`scripts/fail_writes.py` does the same to whole commands.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest

from tests.course import REPO
from tests.odd_system import OddSystem, calls_in, let_fail, needs_odd_system, places
from tests.slow import also_slow
from tests.stores import DIM, LOCAL, SPACE, apply, make_changes, unit_vectors
from tutor.errors import StoreError
from tutor.index.store import open_store, read_manifest
from tutor.index.store.writer import load_contents
from tutor.model import Strategy

pytestmark = needs_odd_system
FORMER = make_changes({"a.pdf": 5, "b.pdf": 3})
LATER = make_changes({"a.pdf": 6, "c.pdf": 4})


@pytest.mark.parametrize("error", ["ENOSPC", *also_slow("EIO")])
def test_wherever_a_commit_cannot_write_the_former_index_stays(tmp_path: Path, error: str) -> None:
    store = tmp_path / "made"
    apply(store, None, FORMER)
    disk = OddSystem(tmp_path, tmp_path / "stores")
    program = "from tests.unit.test_failing_disk import commit_again_and_again as go; go()"
    done = subprocess.run(
        [sys.executable, "-c", program, str(store), str(tmp_path / "stores"), error],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **disk.environment, "PYTHONPATH": str(REPO), "TUTOR_LANG": "en"},
    )
    assert done.returncode == 0, done.stderr
    outcome = json.loads(done.stdout.splitlines()[-1])
    assert outcome["faults"] == []
    assert outcome["refused"] >= 5


def commit_again_and_again() -> None:
    """In a process of its own: let one call after the other fail; prints what was wrong."""
    made, folder, error = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
    state, log = Path(os.environ["ODD_STATE"]), Path(os.environ["ODD_LOG"])
    folder.mkdir()
    shutil.copytree(made, folder / "sound")
    let_fail(state, log, 0)
    apply(folder / "sound", read_manifest(folder / "sound"), LATER)
    refused, faults = 0, []
    every = 8  # of the kinds of calls; each error takes others
    for number in places(calls_in(log))[len(error) % every :: every]:
        store = folder / str(number)
        shutil.copytree(made, store)
        message = ""
        let_fail(state, log, number, error)
        try:
            apply(store, read_manifest(store), LATER)
        except StoreError as raised:
            message = f"{raised.message}\n{raised.remedy}"
        call = calls_in(log)[number - 1 : number]
        let_fail(state, log, 0)
        refused += bool(message)
        faults += [f"{call}: {fault}" for fault in faults_of(store, made, message, error)]
        shutil.rmtree(store)
    print(json.dumps({"refused": refused, "faults": faults}))


def faults_of(store: Path, made: Path, message: str, error: str) -> Iterator[str]:
    """What is wrong after a commit that was refused with that message, or was not."""
    manifest = read_manifest(store)
    former = manifest == read_manifest(made)
    assert manifest
    if former != bool(message):
        yield f"{'the former' if former else 'the new'} one in force: {message}"
    if former and files_of(store) != files_of(made):
        yield "the former one is another"
    if message:
        yield from faults_told(message, error)
    expected = {len(chunks) for chunks, _v in (FORMER if former else LATER).added.values()}
    for strategy in Strategy:
        with open_store(store, SPACE, LOCAL) as reader:
            found = reader.search(strategy, unit_vectors(1)[0], 99)
            if {len(found)} != expected or reader.degraded:
                yield f"{len(found)} found, {reader.degraded}"
    contents = load_contents(store, manifest, DIM)
    again = apply(store, manifest, LATER)
    if {path.name for path in store.iterdir()} != {again.folder, "manifest.json"}:
        yield f"left over: {sorted(path.name for path in store.iterdir())}"
    if not former and contents.texts != LATER.texts:
        yield "other texts"


def faults_told(message: str, error: str) -> Iterator[str]:
    """What is wrong with what was said."""
    if "cannot be written" not in message and "Chroma" not in message:
        yield f"not told: {message}"
    if (error == "ENOSPC") != ("Free some space" in message):
        yield f"wrong remedy: {message}"


def files_of(store: Path) -> dict[str, str]:
    """The files of the first generation, without Chroma's, which change while in use."""
    return {
        path.relative_to(store).as_posix(): sha256(path.read_bytes()).hexdigest()
        for path in store.glob("generation-000001/**/*")
        if path.is_file() and "chroma" not in path.parts
    }
