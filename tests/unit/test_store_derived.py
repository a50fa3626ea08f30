"""What is computed from an index's contents is committed with them, or not at all."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.stores import LOCAL, SPACE, apply, make_changes
from tutor.errors import StoreError
from tutor.index.lexical import LexicalIndex
from tutor.index.store import open_store
from tutor.index.store.upkeep import is_intact

NAME = "lexical_fixed"


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "course"


def test_derived_files_are_made_from_the_new_contents(store: Path) -> None:
    first = apply(store, None, make_changes({"a.pdf": 5}))
    apply(store, first, make_changes({"a.pdf": 5, "b.pdf": 2}, new={"b.pdf"}))
    with open_store(store, SPACE, LOCAL) as reader:
        lexical = reader.derived(NAME, LexicalIndex.load)
        assert lexical
        assert lexical.passages == 7
        assert reader.derived("never made", LexicalIndex.load) is None


def test_a_lost_derived_file_is_noticed(store: Path) -> None:
    manifest = apply(store, None, make_changes({"a.pdf": 5}))
    assert is_intact(store, manifest, LOCAL)
    shutil.rmtree(store / manifest.folder / NAME)
    assert not is_intact(store, manifest, LOCAL)
    with open_store(store, SPACE, LOCAL) as reader:
        with pytest.raises(StoreError, match="missing or damaged") as raised:
            reader.derived(NAME, LexicalIndex.load)
        assert "--repair" in raised.value.remedy


def test_an_index_that_was_taken_away_lacks_nothing(store: Path) -> None:
    """A reader does not take what it cannot see for what was never made."""
    apply(store, None, make_changes({"a.pdf": 5}))
    with open_store(store, SPACE, LOCAL) as reader:
        store.rename(store.parent / "elsewhere")
        with pytest.raises(StoreError, match="was taken away"):
            reader.derived(NAME, LexicalIndex.load)
