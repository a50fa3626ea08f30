"""The file of a map: made once, made anew when it is of no use, and read by many."""

from __future__ import annotations

import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path

import pytest
from filelock import FileLock

from tests.unit.map.courses import SEARCH, TREES, manifest_of, map_file
from tutor.errors import MapError
from tutor.map import files
from tutor.map.course_map import CourseMap
from tutor.map.files import find_map, make_map, opened, rows_of
from tutor.map.graph import EDGES, MAP_VERSION, NODES
from tutor.model import CleanText, SourceId

DOCUMENTS = [SEARCH, TREES]
_NOT_ON_WINDOWS = () if sys.platform == "win32" else ("i*j?", "k\\l", 'm"n')
TEXTS = {source.id: text for source, text in DOCUMENTS}


def test_a_map_is_made_once_and_leaves_nothing_beside_it(tmp_path: Path) -> None:
    path = map_file(tmp_path, DOCUMENTS)
    made = path.stat().st_mtime_ns
    assert map_file(tmp_path, DOCUMENTS) == path
    assert path.stat().st_mtime_ns == made
    assert {one.name for one in tmp_path.iterdir()} == {path.name, "map.lock"}


def test_another_generation_has_a_map_of_its_own_and_the_former_one_goes(tmp_path: Path) -> None:
    first = map_file(tmp_path, DOCUMENTS)
    second = map_file(tmp_path, [TREES], generation=2)
    assert not first.exists()
    with opened(second) as connection:
        assert CourseMap(second, connection).state.nodes["Document"] == 1


def test_a_generation_of_the_same_number_and_other_documents_has_another_map(
    tmp_path: Path,
) -> None:
    map_file(tmp_path, DOCUMENTS)
    assert find_map(tmp_path, manifest_of([TREES])) is None


def test_a_map_of_another_version_is_made_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(files, "MAP_VERSION", MAP_VERSION - 1)
        older = map_file(tmp_path, DOCUMENTS)
    assert find_map(tmp_path, manifest_of(DOCUMENTS)) is None
    assert map_file(tmp_path, DOCUMENTS) != older


@pytest.mark.parametrize("name", ["a [b] c", "d'e", "f{g,h}", "ñ 50%", *_NOT_ON_WINDOWS])
def test_any_folder_can_hold_a_map(tmp_path: Path, name: str) -> None:
    folder = tmp_path / name
    folder.mkdir()
    with opened(map_file(folder, DOCUMENTS)) as connection:
        assert rows_of(connection, "MATCH (d:Document) RETURN count(d)") == [[2]]


@pytest.mark.parametrize("harm", ["cut", "flipped", "emptied", "foreign"])
def test_a_broken_map_is_made_anew(tmp_path: Path, harm: str) -> None:
    path = map_file(tmp_path, DOCUMENTS)
    whole = path.read_bytes()
    middle = len(whole) // 2
    path.write_bytes(
        {
            "cut": whole[:middle],
            "flipped": whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1 :],
            "emptied": b"",
            "foreign": b"SQLite format 3\x00" + bytes(4096),
        }[harm]
    )
    told: list[str] = []
    again = make_map(
        tmp_path, manifest_of(DOCUMENTS), TEXTS.__getitem__, lambda: told.append("making")
    )
    assert told == ["making"]
    with opened(again) as connection:
        assert rows_of(connection, "MATCH (c:Concept) RETURN count(c)")[0][0] > 3


def test_what_a_killed_run_left_is_removed(tmp_path: Path) -> None:
    (tmp_path / "map-000001.new").write_bytes(b"half")
    (tmp_path / "map-000001.new.wal").write_bytes(b"half")
    path = map_file(tmp_path, DOCUMENTS)
    assert {one.name for one in tmp_path.iterdir()} == {path.name, "map.lock"}


def test_a_run_that_breaks_off_leaves_the_former_map(tmp_path: Path) -> None:
    path = map_file(tmp_path, DOCUMENTS)

    def unreadable(source: SourceId) -> CleanText:
        raise KeyError(source)

    changed = replace(manifest_of(DOCUMENTS), generation=2)
    with pytest.raises(KeyError):
        make_map(tmp_path, changed, unreadable)
    assert {one.name for one in tmp_path.iterdir()} == {path.name, "map.lock"}


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "map.lock").mkdir()
    with pytest.raises(MapError, match="written"):
        map_file(tmp_path, DOCUMENTS)


def test_a_map_that_is_being_made_is_left_off(tmp_path: Path) -> None:
    """However often it is asked before, so that no step is too long, and nothing is left."""
    asked = 0

    def after(questions: int) -> bool:
        nonlocal asked
        asked += 1
        return asked > questions

    def made(questions: int) -> Path:
        nonlocal asked
        asked = 0
        manifest = manifest_of(DOCUMENTS)
        return make_map(tmp_path, manifest, TEXTS.__getitem__, stopped=lambda: after(questions))

    for questions in range(10):
        with pytest.raises(MapError, match="Stopped"):
            made(questions)
        assert not list(tmp_path.glob("map-*"))
    assert made(1000).exists()
    assert asked > len(EDGES) + len(NODES)


def test_who_waits_for_a_map_can_leave(tmp_path: Path) -> None:
    with FileLock(tmp_path / "map.lock"), pytest.raises(MapError, match="Stopped"):
        make_map(tmp_path, manifest_of(DOCUMENTS), TEXTS.__getitem__, stopped=lambda: True)


READER = """
import sys
from pathlib import Path
from tutor.map.files import opened, rows_of
with opened(Path(sys.argv[1])) as connection:
    print(rows_of(connection, "MATCH (c:Concept) RETURN count(c)")[0][0], flush=True)
    sys.stdin.readline()
    print(rows_of(connection, "MATCH (c:Concept) RETURN count(c)")[0][0], flush=True)
"""


def test_two_processes_read_a_map_while_a_third_replaces_it(tmp_path: Path) -> None:
    path = map_file(tmp_path, DOCUMENTS)
    readers = [
        subprocess.Popen(
            [sys.executable, "-c", READER, str(path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={"PYTHONPATH": str(Path(__file__).resolve().parents[3])},
        )
        for _number in range(2)
    ]
    counts = [reader.stdout.readline() for reader in readers if reader.stdout]
    assert counts[0] == counts[1] != "0\n"
    assert map_file(tmp_path, [TREES], generation=2) != path
    rest = [reader.communicate("\n")[0] for reader in readers]
    assert rest == counts
    assert [reader.returncode for reader in readers] == [0, 0]


def test_who_comes_at_the_same_time_waits_for_the_one_map(tmp_path: Path) -> None:
    made: list[Path] = []
    told: list[str] = []

    def work() -> None:
        manifest = manifest_of(DOCUMENTS)
        made.append(make_map(tmp_path, manifest, TEXTS.__getitem__, lambda: told.append("x")))

    threads = [threading.Thread(target=work) for _number in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(made)) == 1
    assert told == ["x"]
