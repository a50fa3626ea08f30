"""Indexing from the app: by itself, stopped, killed, and noticed when others do it."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from textual.widgets import Static

from tests import pdfs
from tests.course import NEURAL, TREES, Workspace
from tests.tui.stage import playing, settings, until
from tutor.errors import ExitCode
from tutor.events import Finished, Retrieved
from tutor.index.store import read_manifest
from tutor.index.store.upkeep import writer_lock
from tutor.tui.widgets.turn import TurnView
from tutor.tui.workspace.index_run import IndexProcess, IndexRun, Phase, environment
from tutor.tui.workspace.workspace import open_workspace

if TYPE_CHECKING:
    import subprocess

    from tutor.tui.app import TutorApp


def _process_of(run: IndexProcess) -> subprocess.Popen[str]:
    return run._process


def _until_working(runs: Iterator[IndexRun]) -> IndexRun:
    return next(run for run in runs if run.progress)


def _welcome(app: TutorApp) -> str:
    return str(app.chat.query_one("#welcome", Static).content)


def _lengthen(workspace: Workspace) -> None:
    for n in range(2):
        paragraphs = [f"Observación {n}.{i}: {text}" for i in range(6) for text in NEURAL]
        pdfs.one_column(workspace.notes / f"largo{n}.pdf", paragraphs)


async def test_a_course_without_an_index_gets_one_and_opens(fresh: Workspace) -> None:
    async with playing(fresh, size=(80, 24)) as (app, pilot):
        await until(pilot, lambda: app.indexer.running)
        # what was opened by words may be whole already, before its process says so
        await until(pilot, lambda: not app.indexer.running)
        await until(
            pilot, lambda: not app.workspace.needs_index and "by words" not in _welcome(app)
        )
        assert app.indexer.run is not None
        assert app.indexer.run.phase is Phase.DONE
        assert app.indexer.activity == ""
        assert app.workspace.problem is None


async def test_the_first_screen_says_that_a_file_was_left_out_but_not_of_a_copy(
    fresh: Workspace,
) -> None:
    whole = next(fresh.notes.glob("*.pdf")).read_bytes()
    (fresh.notes / "copia.pdf").write_bytes(whole)
    (fresh.notes / "roto.pdf").write_bytes(whole[: len(whole) // 2])
    assert fresh.run("index").returncode == ExitCode.PARTIAL
    async with playing(fresh, size=(80, 24)) as (app, pilot):
        await until(pilot, lambda: "1 file was left out of the index; F5 says why" in _welcome(app))


@pytest.mark.skipif(os.name == "nt", reason="signals")
async def test_a_course_is_asked_by_words_until_its_index_is_complete(
    fresh: Workspace, tmp_path: Path
) -> None:
    process = fresh.start("index")
    while not (fresh.store / "manifest.json").exists():
        time.sleep(0.01)
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    fresh.store.rename(tmp_path / "by_words")
    lock = writer_lock(fresh.store)  # as another process holds it

    with lock:
        async with playing(fresh, size=(80, 24)) as (app, pilot):
            await until(pilot, lambda: app.indexer.run and app.indexer.run.phase is Phase.WAITING)
            assert app.workspace.needs_index
            await pilot.press(*"silueta", "enter")  # is asked once it can be
            for path in sorted((tmp_path / "by_words").glob("*-000001")):
                path.rename(fresh.store / path.name)
            (tmp_path / "by_words" / "manifest.json").rename(fresh.store / "manifest.json")
            await until(pilot, lambda: "by words only" in _welcome(app))
            former = app.workspace.opened
            assert former
            assert former.store.words_only
            await until(pilot, lambda: app.chat.query(TurnView) and not app.chat.is_answering)
            conversation = app.workspace.conversation
            assert conversation is not None
            answer = app.workspace.sessions.turns(conversation.session.id)[0].answer
            assert answer
            assert answer.citations
            lock.release()
            await until(pilot, lambda: "by words only" not in _welcome(app))
            opened = app.workspace.opened
            assert opened
            assert not opened.store.words_only


def test_a_stopped_run_goes_on_where_it_was(fresh: Workspace) -> None:
    _lengthen(fresh)
    config = settings(fresh, TUTOR_RETRIEVAL_SENTENCES="false")
    process = IndexProcess(config, "default")
    runs = process.follow(IndexRun("default"))
    _until_working(runs)
    process.cancel()
    *_before, last = runs
    assert last.phase is Phase.CANCELLED
    former = read_manifest(fresh.store)
    assert former is None or not former.vectors
    *_before, last = IndexProcess(
        settings(fresh, TUTOR_RETRIEVAL_SENTENCES="false"), "default"
    ).follow(IndexRun("default"))
    assert last.phase is Phase.DONE
    assert last.completed is not None
    assert last.completed.documents == 5


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_a_killed_run_fails_with_a_remedy_and_leaves_no_process(fresh: Workspace) -> None:
    _lengthen(fresh)
    process = IndexProcess(settings(fresh, TUTOR_RETRIEVAL_SENTENCES="false"), "default")
    runs = process.follow(IndexRun("default"))
    _until_working(runs)
    group = _process_of(process).pid
    os.kill(group, signal.SIGKILL)
    *_before, last = runs
    assert last.phase is Phase.FAILED
    assert last.failed is not None
    assert last.failed.remedy
    process.close()


def test_a_failure_of_the_indexer_is_told(fresh: Workspace) -> None:
    *_before, last = IndexProcess(settings(fresh), "nowhere").follow(IndexRun("nowhere"))
    assert last.phase is Phase.FAILED
    assert last.failed is not None
    assert "nowhere" in last.failed.message
    assert last.failed.remedy


async def test_a_fault_of_ours_ends_the_run_and_is_told(
    fresh: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    processes: list[subprocess.Popen[str]] = []
    as_it_is = IndexProcess.follow

    def follow(process: IndexProcess, run: IndexRun) -> Iterator[IndexRun]:
        processes.append(_process_of(process))
        with closing(as_it_is(process, run)) as runs:
            yield next(runs)
            raise ValueError("a line of another version")

    monkeypatch.setattr(IndexProcess, "follow", follow)
    async with playing(fresh) as (app, pilot):
        await until(pilot, lambda: app.indexer.run and app.indexer.run.is_over)
        run = app.indexer.run
        assert run is not None
        assert run.phase is Phase.FAILED
        assert run.failed is not None
        assert "a line of another version" in run.failed.message
        assert processes[0].returncode is not None


def test_the_process_has_the_settings_in_force(fresh: Workspace) -> None:
    config = settings(fresh).varied({"embedder.batch_size": 7, "retrieval.sentences": False})
    found = environment(config, {"PATH": "/bin"})
    assert found["TUTOR_EMBEDDER_BATCH_SIZE"] == "7"
    assert found["TUTOR_RETRIEVAL_SENTENCES"] == "False"
    assert found["TUTOR_ROOT"] == str(fresh.root)
    assert "TUTOR_EMBEDDER_MODEL" not in found


async def test_an_index_that_another_process_made_is_taken_up(indexed: Workspace) -> None:
    pdfs.one_column(indexed.notes / "nuevo.pdf", TREES)

    async with playing(indexed, size=(80, 24)) as (app, pilot):
        await until(pilot, lambda: app.indexer.offer)
        assert app.indexer.offer == "1 file has changed: F5, then i, updates"
        await asyncio.to_thread(indexed.run, "index")
        app.indexer.look()
        await until(
            pilot,
            lambda: app.workspace.opened and len(app.workspace.opened.store.manifest.indexed) == 4,
        )
        await until(pilot, lambda: not app.indexer.offer)


def test_an_answer_in_progress_is_finished_from_the_former_index(indexed: Workspace) -> None:
    workspace = open_workspace(settings(indexed))
    answer = workspace.ask("¿Qué es una red neuronal?")
    assert any(isinstance(event, Retrieved) for event in answer)
    former = workspace.opened
    assert former is not None
    pdfs.one_column(indexed.notes / "nuevo.pdf", TREES)
    assert indexed.run_here("index").returncode == 0
    assert workspace.is_outdated()
    workspace.open()
    assert workspace.opened is not None
    assert workspace.opened.store is not former.store
    assert former.lease.begin()  # held by the answer
    former.lease.end()
    assert isinstance(list(answer)[-1], Finished)
    assert not former.lease.begin()  # closed with it
    assert isinstance(list(workspace.ask("¿Qué es una red neuronal?"))[-1], Finished)
    workspace.close()
