"""`tutor map` on a real course: made at need, and never in the way of the index."""

from __future__ import annotations

import json
import subprocess
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from tests.course import COMMAND, Workspace
from tutor.errors import ExitCode


def map_files(workspace: Workspace) -> list[Path]:
    return sorted(workspace.store.glob("map-*"))


def test_a_map_that_is_there_is_only_read(indexed: Workspace) -> None:
    (path,) = map_files(indexed)
    before = path.stat().st_mtime_ns
    shown = indexed.run_here("map")
    assert shown.returncode == 0, shown.stderr
    assert "Making the map" not in shown.stderr
    assert path.stat().st_mtime_ns == before


def test_a_map_that_is_gone_or_broken_is_made_again_and_said(indexed: Workspace) -> None:
    (path,) = map_files(indexed)
    path.write_bytes(path.read_bytes()[:-100])
    for _time in range(2):
        shown = indexed.run_here("map", "--json")
        assert shown.returncode == 0, shown.stderr
        assert shown.stderr.count("Making the map") == 1
        assert json.loads(shown.stdout)["nodes"]["Document"] == 3
        for made in map_files(indexed):
            made.unlink()


def test_an_index_run_makes_no_map(fresh: Workspace) -> None:
    assert fresh.run_here("index").returncode == 0
    assert not map_files(fresh)


def test_a_map_that_cannot_be_made_leaves_the_index_as_it_is(indexed: Workspace) -> None:
    for path in (*map_files(indexed), indexed.store / "map.lock"):
        path.unlink(missing_ok=True)
    (indexed.store / "map.lock").mkdir()
    assert indexed.run_here("ask", "¿Qué es una red neuronal?").returncode == 0
    refused = indexed.run_here("map")
    assert refused.returncode == ExitCode.STORE
    assert "cannot be written" in refused.stderr


def test_an_interrupted_run_loses_nothing(indexed: Workspace) -> None:
    (path,) = map_files(indexed)
    path.unlink()
    (indexed.store / f"{path.name.rpartition('-')[0]}.new").write_bytes(b"half a map")
    assert indexed.run_here("map", "communities").returncode == 0
    assert [one.suffix for one in map_files(indexed)] == [".lbug"]


def test_a_course_without_an_index_says_so(fresh: Workspace) -> None:
    refused = fresh.run_here("map")
    assert refused.returncode == ExitCode.STORE
    assert "tutor index" in refused.stderr


@pytest.mark.parametrize("name", ["ÁRBOL", "los arboles"])
def test_a_concept_is_shown_with_its_pages(indexed: Workspace, name: str) -> None:
    record = json.loads(indexed.run_here("map", "show", name, "--json").stdout)
    assert record["name"] == "árbol"
    assert record["weeks"] == [7]
    assert record["documents"][0]["file"] == "07_SEMANA_AI_20250915_1.pdf"
    assert all(one["places"][0]["page"] for one in record["neighbours"])


def test_two_processes_at_once_both_have_the_map(indexed: Workspace) -> None:
    for path in map_files(indexed):
        path.unlink()
    command = ["map", "query", "MATCH (d:Document) RETURN count(d)", "--json"]
    running = [
        subprocess.Popen(
            [*COMMAND, *command],
            env=indexed.environment(),
            cwd=indexed.root,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _number in range(2)
    ]
    for process in running:
        output, errors = process.communicate()
        assert process.returncode == 0, errors
        assert json.loads(output)["rows"] == [[3]]
    assert len(map_files(indexed)) == 1


@pytest.mark.parametrize(
    "query", ["CREATE (d:Week {number: 1})", "MATCH (d) RETRN d", "LOAD FROM 'x'"]
)
def test_a_query_that_is_refused_leaves_with_the_code_of_a_wrong_use(
    indexed: Workspace, query: str
) -> None:
    refused = indexed.run_here("map", "query", query)
    assert refused.returncode == ExitCode.USAGE
    assert refused.stdout == ""
    assert "MATCH" in refused.stderr


def test_a_node_that_a_query_returns_is_shown_by_its_name(indexed: Workspace) -> None:
    asked = "MATCH (d:Document)-[r:IN_WEEK]->(w:Week) RETURN d, r, w ORDER BY d.path LIMIT 1"
    shown = indexed.run_here("map", "query", asked).stdout
    record = indexed.json_here("map", "query", asked)["rows"][0]
    assert shown.splitlines()[1].split("  ")[0] == record[0]["title"]
    assert shown.splitlines()[1].split()[-2:] == ["IN_WEEK", str(record[2]["number"])]


@pytest.mark.parametrize("ending", ["graphml", "json", "mmd", "svg"])
def test_every_export_can_be_read(indexed: Workspace, ending: str) -> None:
    file = indexed.root / f"map.{ending}"
    assert indexed.run_here("map", "export", str(file)).returncode == 0
    text = file.read_text(encoding="utf-8")
    if ending == "json":
        assert json.loads(text)["nodes"]
    elif ending == "mmd":
        assert text.startswith("graph LR\n")
    else:
        assert ET.fromstring(text).tag.endswith(ending)


def test_an_export_over_a_file_is_refused_unless_it_is_forced(indexed: Workspace) -> None:
    file = indexed.root / "notes.json"
    file.write_text("mine", encoding="utf-8")
    refused = indexed.run_here("map", "export", str(file))
    assert refused.returncode == ExitCode.FAILURE
    assert "is already there." in refused.stderr
    assert "--force" in refused.stderr
    assert file.read_text(encoding="utf-8") == "mine"
    assert indexed.run_here("map", "export", str(file), "--force").returncode == 0
    assert json.loads(file.read_text(encoding="utf-8"))["nodes"]


def test_an_export_onto_a_folder_is_refused_in_spanish(indexed: Workspace) -> None:
    file = str(indexed.root)
    refused = indexed.run_here("--lang", "es", "map", "export", file, "--format", "svg")
    assert refused.returncode == ExitCode.USAGE
    assert "es una carpeta" in " ".join(refused.stderr.split())
    assert "directory" not in refused.stderr


def test_an_export_into_a_folder_that_is_missing_is_refused_in_words(indexed: Workspace) -> None:
    file = indexed.root / "missing" / "map.json"
    refused = indexed.run_here("--lang", "es", "map", "export", str(file))
    assert refused.returncode == ExitCode.FAILURE
    assert f"La carpeta {file.parent} no existe." in " ".join(refused.stderr.split())
    assert "partial" not in refused.stderr
