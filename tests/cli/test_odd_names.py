"""The commands on notes, courses and folders whose names are no valid UTF-8."""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path

import pytest

from tests import pdfs
from tests.course import CLUSTERS, NEURAL, TREES, Workspace

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="file systems take any bytes here")


def test_one_bad_name_costs_nothing(indexed: Workspace) -> None:
    """A broken PDF, two whose names print alike, and a course, all named in Latin-1."""
    bad, *alike = (
        indexed.notes / os.fsdecode(name)
        for name in (b"Ex\xe1men.pdf", b"pr\xe1ctica.pdf", b"pr\xe9ctica.pdf")
    )
    bad.write_bytes(b"%PDF-1.4 broken")
    texts = ("La convolución suma productos de una imagen.", "La entropía mide el desorden.")
    for path, text in zip(alike, texts, strict=True):
        pdfs.one_column(indexed.root / "a.pdf", (text,)).rename(path)
    done = indexed.run_here("index")
    assert done.returncode == 8, done.stderr
    assert "Traceback" not in done.stderr
    assert len(indexed.manifest()["indexed"]) == 5
    assert len({entry["source"]["id"] for entry in indexed.manifest()["indexed"]}) == 5
    (skipped,) = indexed.manifest()["skipped"]
    assert skipped["path"].startswith("Ex\ufffdmen ~")
    pdfs.one_column(indexed.notes / "nuevo.pdf", ("El perceptrón separa clases.",))
    assert indexed.json_here("index", codes=(8,))["default"]["read"] == 1
    hits = indexed.json_here("search", "la convolución suma productos")["hits"]
    assert hits[0]["file"].startswith("pr\ufffdctica ~")
    for command in (("stats", "--files"), ("index", "--progress", "json")):
        done = indexed.run_here(*command)
        assert "Traceback" not in done.stderr, command


def test_a_course_with_such_a_name(fresh: Workspace) -> None:
    raw = os.fsdecode(b"F\xedsica")
    (fresh.notes / raw).mkdir()
    pdfs.one_column(fresh.root / "a.pdf", TREES).rename(fresh.notes / raw / "a.pdf")
    summary = fresh.json_here("index", "--all")
    (name,) = summary.keys() - {"default"}
    assert summary[name]["documents"] == 1
    question = "¿Qué mide la ganancia de información?"
    for ask in (
        fresh.json("--course", raw, "ask", question),
        fresh.json_here("--course", name, "ask", question),
    ):
        assert ask["citations"][0]["file"] == "a.pdf"
    refused = fresh.run("--course", os.fsdecode(b"\xe1"), "ask", "hola")
    assert refused.returncode == 4
    assert "Traceback" not in refused.stderr


def test_a_folder_with_such_a_name(tmp_path: Path) -> None:
    root = tmp_path / os.fsdecode(b"Inform\xe1tica")
    workspace = Workspace(root)
    workspace.notes.mkdir(parents=True)
    for name, text in (("a.pdf", NEURAL), ("b.pdf", CLUSTERS)):
        shutil.move(pdfs.one_column(tmp_path / name, text), workspace.notes / name)
    for command in (("index",), ("ask", "hola"), ("stats",)):
        done = workspace.run_here(*command)
        assert done.returncode == 5, (command, done.stderr)
        assert "stores_dir" in done.stderr
        assert "Traceback" not in done.stderr
    for command in (("doctor",), ("config", "path")):
        done = workspace.run(*command, PYTHONIOENCODING="utf-8:strict")
        assert "Traceback" not in done.stderr, command
    assert "Inform\ufffdtica" in done.stdout
    elsewhere = {"TUTOR_STORES_DIR": str(tmp_path / "stores")}
    done = workspace.run_here("index", **elsewhere)
    assert done.returncode == 0, done.stderr
    asked = workspace.run_here("ask", "¿Qué es la silueta?", "--json", **elsewhere)
    record = json.loads(asked.stdout)
    assert record["citations"][0]["file"] == "b.pdf"
    named = {**elsewhere, "TUTOR_NOTES_DIR": str(workspace.notes), "TUTOR_ROOT": str(tmp_path)}
    for arguments in (("index",), ("config", "show", "--json")):
        done = workspace.run_here(*arguments, **named)
        assert done.returncode == 0, done.stderr
