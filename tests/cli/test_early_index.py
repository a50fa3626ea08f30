"""A course is asked by words as soon as it is read, whatever becomes of the run after that."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.csv
import pyarrow.parquet as pq
import pytest

from tests import pdfs
from tests.course import CLUSTERS, NEURAL, Workspace, make_workspace
from tests.slow import also_slow

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals")
QUESTION = "¿Qué mide la silueta?"
CITED = "08_SEMANA_AI_20250922_1.pdf"


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """A course that takes seconds to embed, not indexed."""
    workspace = make_workspace(tmp_path_factory.mktemp("long"))
    for n in range(2):
        paragraphs = [f"Observación {n}.{i}: {text}" for i in range(7) for text in NEURAL]
        pdfs.one_column(workspace.notes / f"largo{n}.pdf", paragraphs, title=f"Largo {n}")
    return workspace


@pytest.fixture(scope="module")
def at_once(course: Workspace, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The contents of its index, made by a run that had no need of a generation without vectors."""
    workspace = Workspace(tmp_path_factory.mktemp("at_once"))
    workspace.notes.mkdir()
    shutil.copy(course.notes / CITED, workspace.notes)
    assert workspace.run_here("index").returncode == 0
    shutil.copytree(course.notes, workspace.notes, dirs_exist_ok=True)
    before = workspace.manifest()["generation"]
    assert workspace.run_here("index", "--rebuild").returncode == 0
    assert workspace.manifest()["generation"] == before + 1
    return _contents(workspace)


@pytest.fixture
def unindexed(course: Workspace, tmp_path: Path) -> Workspace:
    return _copy(course, tmp_path)


OF_ITS_OWN = {"generation", "created", "checksum", "files"}
"""What the manifest says of one generation; the files' checksums are of vectors' last bits, too."""


def _copy(course: Workspace, root: Path) -> Workspace:
    shutil.copytree(course.notes, root / "notes")
    return Workspace(root)


def _contents(workspace: Workspace) -> dict[str, Any]:
    """What an index holds, without Chroma's files and what is a generation's own.

    A vector's last bit depends on the texts that it was embedded with.
    """
    record = workspace.manifest()
    folder = workspace.store / f"generation-{record['generation']:06d}"
    held: dict[str, Any] = {k: v for k, v in record.items() if k not in OF_ITS_OWN}
    for path in folder.rglob("*"):
        name = str(path.relative_to(folder))
        if name.startswith("chroma") or not path.is_file():
            continue
        if path.suffix == ".parquet" and name.startswith("vectors_"):
            rows = pq.ParquetFile(path).read()
            held[f"{name}: vectors"] = np.array(rows["vector"].to_pylist())
            held[name] = rows.drop(["vector"]).to_pylist()
        elif path.suffix == ".csv":
            rows = pyarrow.csv.read_csv(path)
            columns = "chunk_id strategy source_id path first_page last_page".split()
            held[name] = rows.select(columns).to_pylist()
        elif name == "sentences/vectors.npy":
            held[name] = np.load(path)
        else:
            held[name] = path.read_bytes()
    return held


def _assert_same(found: dict[str, Any], expected: dict[str, Any]) -> None:
    assert found.keys() == expected.keys()
    for name, value in expected.items():
        if isinstance(value, np.ndarray):
            np.testing.assert_allclose(found[name], value, atol=1e-3, err_msg=name)
        else:
            assert found[name] == value, name


def _by_words(workspace: Workspace) -> bool:
    """Whether the index in force is one without vectors."""
    return (workspace.store / "manifest.json").exists() and not workspace.manifest()["vectors"]


def _embedding(workspace: Workspace) -> bool:
    """Whether the index in force is one without vectors, and some have been made since."""
    journal = workspace.store / "journal.bin"
    return _by_words(workspace) and journal.exists() and journal.stat().st_size > 30_000


def _until(process: subprocess.Popen[str], condition: Callable[[], bool]) -> None:
    while not condition():
        assert process.poll() is None
        time.sleep(0.01)


def _indexing(
    workspace: Workspace, condition: Callable[[Workspace], bool]
) -> subprocess.Popen[str]:
    """A run of the indexer that has come so far."""
    process = workspace.start("index")
    _until(process, lambda: condition(workspace))
    return process


@pytest.mark.parametrize("point", [_by_words, _embedding])
def test_a_run_killed_after_its_first_commit_is_finished_without_reading_again(
    unindexed: Workspace, at_once: dict[str, Any], point: Callable[[Workspace], bool]
) -> None:
    process = _indexing(unindexed, point)
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    assert _by_words(unindexed)
    summary = unindexed.json_here("index")["default"]
    assert summary["read"] == 0
    assert summary["documents"] == 5
    assert (summary["reused"] > 0) or point is _by_words
    assert len(list(unindexed.store.glob("generation-*"))) == 1
    assert not (unindexed.store / "journal.bin").exists()
    _assert_same(_contents(unindexed), at_once)


def test_the_index_is_that_of_a_run_without_an_early_one(
    unindexed: Workspace, at_once: dict[str, Any]
) -> None:
    done = unindexed.run_here("index")
    assert "can be asked by words" in done.stderr
    assert unindexed.manifest()["generation"] == 2
    _assert_same(_contents(unindexed), at_once)


def test_a_question_asked_while_another_process_indexes_is_answered_by_words(
    unindexed: Workspace,
) -> None:
    process = _indexing(unindexed, _by_words)
    os.killpg(process.pid, signal.SIGSTOP)  # its lock stays
    try:
        answered = unindexed.run_here("ask", QUESTION)
        refused = unindexed.run_here("ask", "Who won the world cup?")
        dense = unindexed.run_here("ask", QUESTION, TUTOR_RETRIEVAL_MODE="dense")
        assert _by_words(unindexed)
    finally:
        os.killpg(process.pid, signal.SIGCONT)
    assert process.wait() == 0
    process.communicate()
    assert answered.returncode == refused.returncode == 0
    assert CITED in answered.stdout
    assert answered.stderr.count("Still indexing: for now") == 1
    assert "waiting for it" not in answered.stderr
    assert "The notes do not cover this" in refused.stdout
    assert dense.stdout == answered.stdout
    whole = unindexed.run_here("ask", QUESTION)
    assert CITED in whole.stdout
    assert "Still indexing" not in whole.stderr


@pytest.mark.parametrize("command", ["ask", *also_slow("search")])
def test_asking_a_course_without_an_index_answers_before_it_is_complete(
    unindexed: Workspace, command: str
) -> None:
    process = unindexed.start(command, QUESTION)
    output, errors = process.communicate()
    assert process.returncode == 0
    assert CITED in output
    told = [errors.index(words) for words in ("Still indexing", "The index is complete")]
    assert told == sorted(told)
    assert unindexed.manifest()["vectors"]


def test_an_answer_that_is_broken_off_leaves_an_index_that_is_finished_later(
    unindexed: Workspace, at_once: dict[str, Any]
) -> None:
    process = unindexed.start("ask", QUESTION)
    _until(process, lambda: _embedding(unindexed))
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate()
    assert process.returncode == 130
    assert CITED in output
    assert "Traceback" not in errors
    assert unindexed.json_here("ask", QUESTION)["citations"]
    _assert_same(_contents(unindexed), at_once)


def test_a_program_gets_the_answer_of_the_whole_index(unindexed: Workspace) -> None:
    record = unindexed.json_here("ask", QUESTION)
    assert not any("Still indexing" in notice for notice in record["notices"])
    assert record["answerability"]["answerable"]


def test_what_needs_vectors_says_so_or_does_without(unindexed: Workspace) -> None:
    process = _indexing(unindexed, _by_words)
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    health = {check["name"]: check for check in unindexed.json_here("doctor", codes=(0, 1))}
    assert health["store default"]["severity"] == "warn"
    assert "tutor index" in health["store default"]["remedy"]
    assert unindexed.json_here("stats")["strategies"]["fixed"]["chunks"] > 0
    (unindexed.notes / CITED).unlink()
    (unindexed.notes / CITED).symlink_to(unindexed.root / "nowhere")
    summary = unindexed.json_here("index", codes=(8,))["default"]  # it stays, cut anew
    assert summary["documents"] == 5
    assert unindexed.json_here("ask", CLUSTERS[1][:40])["citations"][0]["file"] == CITED
