"""What is computed from an index's contents is committed with them, or not at all."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.stores import DIM, LOCAL, SPACE, make_update
from tutor.errors import StoreError
from tutor.index.store import Manifest, open_store, read_manifest
from tutor.index.store.upkeep import is_intact
from tutor.index.store.writer import Update, commit, load_contents
from tutor.model import Strategy

if TYPE_CHECKING:
    from tutor.index.store import Derivation
    from tutor.index.store.tables import Contents


@dataclass
class Counts:
    """Counts the chunks."""

    name: str = "counts.json"
    version: str = "1"

    def write(self, path: Path, contents: Contents) -> None:
        path.write_text(json.dumps({s: len(t.chunks) for s, t in contents.tables.items()}))


class Folder(Counts):
    def write(self, path: Path, contents: Contents) -> None:
        path.mkdir()
        (path / "texts").write_text(str(len(contents.texts)))


class FullDisk(Counts):
    def write(self, path: Path, contents: Contents) -> None:
        raise OSError(28, "No space left on device")


@pytest.fixture
def store(tmp_path: Path) -> Path:
    folder = tmp_path / "course"
    folder.mkdir()
    return folder


def _commit(
    store: Path, old: Manifest | None, update: Update, *derivations: Derivation
) -> Manifest:
    contents = load_contents(store, old, DIM)
    return commit(store, old, contents, update, LOCAL, derivations=derivations)


def test_derived_files_are_made_from_the_new_contents(store: Path) -> None:
    _commit(store, None, make_update({"a.pdf": 5}), Counts(), Folder("folder"))
    with open_store(store, SPACE, LOCAL) as reader:
        counts, folder = reader.derived_path("counts.json"), reader.derived_path("folder")
        assert counts
        assert json.loads(counts.read_text()) == {s.value: 5 for s in Strategy}
        assert folder
        assert (folder / "texts").read_text() == "1"
        assert reader.derived_path("manifest.json") is None


def test_a_generation_without_derived_files_says_so(store: Path) -> None:
    _commit(store, None, make_update({"a.pdf": 5}))
    with open_store(store, SPACE, LOCAL) as reader:
        assert reader.derived_path("counts.json") is None


def test_a_lost_derived_file_is_noticed(store: Path) -> None:
    manifest = _commit(store, None, make_update({"a.pdf": 5}), Counts())
    assert is_intact(store, manifest, LOCAL)
    (store / manifest.folder / "counts.json").unlink()
    assert not is_intact(store, manifest, LOCAL)
    with open_store(store, SPACE, LOCAL) as reader:
        assert reader.derived_path("counts.json") is None
        assert reader.derived("never made", Path.read_text) is None
        with pytest.raises(StoreError, match="missing or damaged") as raised:
            reader.derived("counts.json", Path.read_text)
        assert "--repair" in raised.value.remedy


def test_an_index_that_was_taken_away_lacks_nothing(store: Path) -> None:
    """A reader does not take what it cannot see for what was never made."""
    _commit(store, None, make_update({"a.pdf": 5}), Counts())
    with open_store(store, SPACE, LOCAL) as reader:
        store.rename(store.parent / "elsewhere")
        with pytest.raises(StoreError, match="was taken away"):
            reader.derived("counts.json", Path.read_text)


def test_a_failure_while_deriving_leaves_the_former_index(store: Path) -> None:
    first = _commit(store, None, make_update({"a.pdf": 5}), Counts())
    with pytest.raises(StoreError, match="No space left"):
        _commit(store, first, make_update({"b.pdf": 2}), FullDisk())
    assert read_manifest(store) == first
    assert is_intact(store, first, LOCAL)
