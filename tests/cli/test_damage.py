"""What befalls a file of the index is said with the command that mends it, and that mends it."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.course import Workspace

QUESTION = ("ask", "¿Qué mide la silueta?", "--engine", "extractive")
Damage = Callable[[Path], object]


def _cut(path: Path) -> None:
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2])


def _one_bit(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


DAMAGES: dict[str, Damage] = {
    "missing": Path.unlink,
    "empty": lambda path: path.write_bytes(b""),
    "cut": _cut,
    "one bit": _one_bit,
}
MADE_AGAIN = (
    "sentences/vectors.npy",
    "sentences/keys.npy",
    "sentences/ranges_fixed.npy",
    "sentences/sources.json",
    "lexical_fixed/data.csc.index.npy",
    "lexical_fixed/vocab.index.json",
)
READ_AGAIN = ("texts.parquet", "blocks.parquet", "vectors_fixed.parquet")


def _generation(workspace: Workspace) -> Path:
    (folder,) = workspace.store.glob("generation-*")
    return folder


@pytest.mark.parametrize("name", MADE_AGAIN)
@pytest.mark.parametrize("damage", DAMAGES)
def test_what_is_made_from_the_texts_is_made_again(
    indexed: Workspace, name: str, damage: str
) -> None:
    sound = indexed.run_here(*QUESTION).stdout
    DAMAGES[damage](_generation(indexed) / name)
    asked = indexed.run_here(*QUESTION)
    assert asked.returncode == 5, asked.stderr
    assert name.partition("/")[0] in asked.stderr
    assert "index --repair --course default" in asked.stderr
    checked = indexed.run_here("doctor")
    assert name in checked.stdout
    assert "index --repair --course default" in checked.stdout
    repaired = indexed.run_here("index", "--repair")
    assert repaired.returncode == 0, repaired.stderr
    assert indexed.run_here(*QUESTION).stdout == sound
    assert "✗" not in indexed.run_here("doctor").stdout


@pytest.mark.parametrize("name", READ_AGAIN)
@pytest.mark.parametrize("damage", DAMAGES)
def test_lost_texts_and_vectors_name_the_rebuild(
    indexed: Workspace, name: str, damage: str
) -> None:
    DAMAGES[damage](_generation(indexed) / name)
    for arguments in (QUESTION, ("index",), ("index", "--repair")):
        done = indexed.run_here(*arguments)
        assert done.returncode == 5, done.stderr
        assert name in done.stderr
        assert "index --rebuild --course default" in done.stderr
    assert name in indexed.run_here("doctor").stdout


def test_a_plain_update_mends_what_can_be_made_again(indexed: Workspace) -> None:
    for name in MADE_AGAIN:
        _one_bit(_generation(indexed) / name)
    assert indexed.run_here("index").returncode == 0
    assert indexed.run_here(*QUESTION).returncode == 0


@pytest.mark.parametrize("damage", DAMAGES)
def test_without_chromas_database_the_files_answer(indexed: Workspace, damage: str) -> None:
    """`retrieval.mode = "dense"` asks Chroma."""
    path = _generation(indexed) / "chroma" / "chroma.sqlite3"
    DAMAGES[damage](path)
    dense = (*QUESTION, "--json")
    done = indexed.run_here(*dense, TUTOR_RETRIEVAL_MODE="dense")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["citations"]
    assert indexed.run_here("doctor").returncode == 0
    assert path.exists() is (damage != "missing")  # opening writes nothing
    assert indexed.run_here("index", "--repair").returncode == 0
    assert "repair" not in indexed.run_here("doctor").stdout


def test_a_manifest_in_which_a_page_was_changed_is_not_believed(indexed: Workspace) -> None:
    path = indexed.store / "manifest.json"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('"week": 8', '"week": 3'), encoding="utf-8")
    done = indexed.run_here(*QUESTION)
    assert (done.returncode, done.stdout) == (5, "")
    assert "manifest.json is damaged" in done.stderr
    assert "--rebuild" in done.stderr


def test_a_broken_chroma_is_opened_anew_once_it_is_mended(indexed: Workspace) -> None:
    """Chroma itself keeps what did not come up, and gives it to the next who asks."""
    from tutor.errors import StoreError
    from tutor.index.store.chroma import local_client

    folder = _generation(indexed) / "chroma"
    sound = indexed.root / "sound"
    shutil.copytree(folder, sound)
    path = folder / "chroma.sqlite3"
    path.write_bytes(b"no database" * 1000)
    with pytest.raises(StoreError), local_client(folder):
        pass
    shutil.copy(sound / "chroma.sqlite3", path)
    with local_client(folder) as client:
        assert len(client.list_collections()) == 2
