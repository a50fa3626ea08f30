"""A store is changed whole or not at all, and says what to do when it cannot be used."""

from __future__ import annotations

import errno
import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pyarrow.csv
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.stores import DIM, LOCAL, SPACE, apply, make_changes, make_chunks, unit_vectors
from tutor.errors import StoreError
from tutor.index.lexical import LexicalIndex
from tutor.index.store import Manifest, StoreReader, chroma, open_store, read_manifest, writer
from tutor.index.store.rows import DenseRows
from tutor.index.store.upkeep import is_intact, remove_leftovers
from tutor.index.store.writer import load_contents
from tutor.model import Strategy, source_id


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "course"


def _all_found(store: Path, strategy: Strategy) -> set[str]:
    with open_store(store, SPACE, LOCAL) as reader:
        return {chunk.text for chunk, _score in reader.search(strategy, unit_vectors(1)[0], 1000)}


def test_chroma_finds_what_an_exact_search_finds(store: Path) -> None:
    apply(store, None, make_changes({"a.pdf": 40, "b.pdf": 30}))
    for strategy in Strategy:
        with open_store(store, SPACE, LOCAL) as reader:
            table = reader.chunks(strategy)
            for vector in unit_vectors(5, seed=9):
                found = reader.search(strategy, vector, 4)
                scores = table.vectors @ vector
                best = np.argsort(-scores)[:4]
                assert [chunk for chunk, _score in found] == [table.chunks[row] for row in best]
                assert [score for _chunk, score in found] == pytest.approx(scores[best], abs=1e-5)
            assert not reader.degraded


def test_an_update_changes_only_what_it_names(store: Path) -> None:
    first = apply(store, None, make_changes({"a.pdf": 5, "b.pdf": 3, "c.pdf": 2}))
    second = apply(
        store, first, make_changes({"a.pdf": 5, "b.pdf": 4, "d.pdf": 1}, new={"b.pdf", "d.pdf"})
    )
    expected = {
        chunk.text
        for path, n in {"a.pdf": 5, "b.pdf": 4, "d.pdf": 1}.items()
        for chunk in make_chunks(path, n, Strategy.FIXED)
    }
    for strategy in Strategy:
        assert _all_found(store, strategy) == expected
    assert is_intact(store, second, LOCAL)


def test_an_update_leaves_alone_what_comes_back_as_it_was(store: Path) -> None:
    first = apply(store, None, make_changes({"a.pdf": 5, "b.pdf": 3}))
    before = _written(store, first)
    same = apply(store, first, make_changes({"a.pdf": 5, "b.pdf": 3}, new={"a.pdf"}))
    assert _written(store, same) == before
    grown = apply(store, same, make_changes({"a.pdf": 6, "b.pdf": 3}, new={"a.pdf"}))
    after = _written(store, grown)
    assert len(after) == len(before) + len(Strategy)
    assert before.items() <= after.items()
    assert {chunk.text for chunk in make_chunks("a.pdf", 6, Strategy.FIXED)} <= _all_found(
        store, Strategy.FIXED
    )


def _written(store: Path, manifest: Manifest) -> dict[str, int]:
    """When Chroma was given each chunk: numbers that grow."""
    database = store / manifest.folder / "chroma" / "chroma.sqlite3"
    with closing(sqlite3.connect(database)) as opened:
        rows = opened.execute("SELECT embedding_id, seq_id FROM embeddings").fetchall()
        return {key: int(number) for key, number in rows}


def test_vector_files_trace_every_chunk_to_its_page(store: Path) -> None:
    manifest = apply(store, None, make_changes({"a.pdf": 3}))
    for strategy in Strategy:
        base = store / manifest.folder / f"vectors_{strategy.value}"
        parquet = pq.read_table(f"{base}.parquet")
        csv = pyarrow.csv.read_csv(f"{base}.csv")
        for column in ("chunk_id", "strategy", "source_id", "path", "first_page", "last_page"):
            assert parquet[column].to_pylist() == csv[column].to_pylist()
        rows = np.array(parquet["vector"].to_pylist())
        columns = np.array([csv[f"v{i}"].to_pylist() for i in range(DIM)]).T
        np.testing.assert_allclose(rows, columns, atol=1e-6)


def test_contents_come_back_as_they_were_written(store: Path) -> None:
    changes = make_changes({"a.pdf": 3, "b.pdf": 2})
    manifest = apply(store, None, changes)
    assert read_manifest(store) == manifest
    contents = load_contents(store, manifest, DIM)
    assert contents.texts == changes.texts
    for strategy in Strategy:
        chunks, vectors = changes.added[strategy]
        rows = dict(
            zip(
                [c.id for c in contents.tables[strategy].chunks],
                contents.tables[strategy].vectors,
                strict=True,
            )
        )
        assert set(contents.tables[strategy].chunks) == set(chunks)
        for chunk, vector in zip(chunks, vectors, strict=True):
            np.testing.assert_array_equal(rows[chunk.id], vector)


def test_a_reader_keeps_its_generation_while_another_is_committed(store: Path) -> None:
    first = apply(store, None, make_changes({"a.pdf": 5}))
    with open_store(store, SPACE, LOCAL) as reader:
        before = reader.search(Strategy.FIXED, unit_vectors(1)[0], 3)
        apply(store, first, make_changes({"z.pdf": 5}, seed=5))
        after = reader.search(Strategy.FIXED, unit_vectors(1)[0], 3)
        # Chroma opens files as it likes; without it the answer is the same.
        assert [chunk for chunk, _score in after] == [chunk for chunk, _score in before]
        reader.degraded = "gone"
        again = reader.search(Strategy.FIXED, unit_vectors(1)[0], 3)
        assert [chunk.id for chunk, _score in again] == [chunk.id for chunk, _score in before]
        assert reader.text(before[0][0].source_id).text
    assert not (store / first.folder).exists()


def test_a_reader_whose_generation_was_replaced_blames_nothing(store: Path) -> None:
    first = apply(store, None, make_changes({"a.pdf": 5}))
    with open_store(store, SPACE, LOCAL) as reader:
        apply(store, first, make_changes({"z.pdf": 5}, seed=5))
        found = reader.search(Strategy.FIXED, unit_vectors(1)[0], 3)
        assert {chunk.source_id for chunk, _score in found} == {source_id("a.pdf")}
        assert not reader.degraded
    with StoreReader(store, first, LOCAL) as late, pytest.raises(StoreError) as raised:
        late.text(source_id("a.pdf"))
    assert raised.value.message == "Another run has just replaced the index."


def test_an_index_that_was_taken_away_is_not_called_damaged(store: Path) -> None:
    manifest = apply(store, None, make_changes({"a.pdf": 5}))
    store.rename(store.parent / "elsewhere")
    with pytest.raises(StoreError) as raised:
        load_contents(store, manifest, DIM)
    assert "was taken away" in raised.value.message
    assert "--rebuild" not in raised.value.remedy


def test_what_a_killed_writer_left_is_ignored_and_removed(store: Path) -> None:
    manifest = apply(store, None, make_changes({"a.pdf": 5}))
    leftover = store / "generation-000002"
    leftover.mkdir()
    (leftover / "vectors_fixed.parquet").write_bytes(b"half")
    (store / "manifest.json.partial").write_text("{")
    assert len(_all_found(store, Strategy.FIXED)) == 5
    remove_leftovers(store, manifest)
    assert not leftover.exists()
    assert not (store / "manifest.json.partial").exists()
    assert apply(store, manifest, make_changes({"a.pdf": 6})).generation == 2


@pytest.mark.parametrize("damage", ["missing", "garbage"])
def test_without_chroma_the_vector_files_answer(store: Path, damage: str) -> None:
    manifest = apply(store, None, make_changes({"a.pdf": 9}))
    chroma = store / manifest.folder / "chroma"
    with open_store(store, SPACE, LOCAL) as reader:
        healthy = reader.search(Strategy.FIXED, unit_vectors(1)[0], 3)
    if damage == "missing":
        chroma.rename(store / "elsewhere")
    else:
        (chroma / "chroma.sqlite3").write_bytes(b"garbage" * 1000)
    with open_store(store, SPACE, LOCAL) as reader:
        reader.warm_up()
        found = reader.search(Strategy.FIXED, unit_vectors(1)[0], 3)
        assert [chunk for chunk, _ in found] == [chunk for chunk, _ in healthy]
        assert reader.degraded
    assert not is_intact(store, manifest, LOCAL)


def test_a_missing_index_names_the_command(store: Path) -> None:
    with pytest.raises(StoreError) as caught:
        open_store(store, SPACE, LOCAL)
    assert "tutor --course course index" in caught.value.remedy


@pytest.mark.parametrize(
    ("configured", "what"),
    [
        (replace(SPACE, embedder="other"), "embedder"),
        (replace(SPACE, dim=9), "vector length"),
        (replace(SPACE, chunking=2), "chunking"),
    ],
)
def test_another_space_is_refused_with_the_rebuild_command(
    store: Path, configured: object, what: str
) -> None:
    apply(store, None, make_changes({"a.pdf": 1}))
    with pytest.raises(StoreError) as caught:
        open_store(store, configured, LOCAL)  # pyrefly: ignore[bad-argument-type]
    assert what in caught.value.message
    assert "tutor index --rebuild --course course" in caught.value.remedy


@pytest.mark.parametrize(
    ("content", "what"),
    [
        ("{", "damaged"),
        ("[]", "damaged"),
        ('{"schema": 2}', "damaged"),
        ('{"schema": 1}', "another version"),
        ('{"schema": 99}', "another version"),
        ("\x00\xff", "damaged"),
    ],
)
def test_a_damaged_manifest_is_no_traceback(store: Path, content: str, what: str) -> None:
    store.mkdir()
    (store / "manifest.json").write_text(content, encoding="latin-1")
    with pytest.raises(StoreError, match=what) as caught:
        read_manifest(store)
    assert "--rebuild" in caught.value.remedy


def test_opening_and_asking_leaves_the_durable_files_alone(store: Path) -> None:
    apply(store, None, make_changes({"a.pdf": 9}))
    files = [path for path in store.rglob("*") if path.is_file() and "chroma" not in path.parts]
    before = {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in files}
    _all_found(store, Strategy.SEMANTIC)
    after = [path for path in store.rglob("*") if path.is_file() and "chroma" not in path.parts]
    assert {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in after} == before


def test_a_disk_that_takes_no_more_leaves_the_former_index(store: Path) -> None:
    apply(store, None, make_changes({"a.pdf": 5}))
    script = (
        "import resource, sys; from pathlib import Path\n"
        "from tests.stores import apply, make_changes\n"
        "from tutor.index.store import read_manifest\n"
        "from tutor.errors import StoreError\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))\n"
        "store = Path(sys.argv[1])\n"
        "try: apply(store, read_manifest(store), make_changes({'b.pdf': 2000}))\n"
        "except StoreError as error: print(error)\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", script, str(store)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "TUTOR_LANG": "en"},
    )
    assert "cannot be written" in run.stdout, run.stderr
    assert len(_all_found(store, Strategy.FIXED)) == 5
    assert [path.name for path in store.glob("generation-*")] == ["generation-000001"]


def _no_room(*_arguments: object, **_names: object) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


def test_a_disk_that_is_full_wherever_something_is_written(
    store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At every place in turn the former index stays in force, and nothing else is left."""
    first = apply(store, None, make_changes({"a.pdf": 5}))
    failures: list[tuple[object, str, Callable[..., object]]] = [
        (os, "fsync", _no_room),
        (writer, "write_chunks", _no_room),
        (writer, "write_texts", _no_room),
        (LexicalIndex, "save", _no_room),
        (writer, "write_manifest", _no_room),
        (shutil, "copystat", _no_room),  # of Chroma's folder: `copytree` makes an error of its own
        (chroma, "closing", _full_database),
        (chroma, "change_collection", _chroma_is_full),
    ]
    for module, name, failure in failures:
        with monkeypatch.context() as patched:
            patched.setattr(module, name, failure)
            patched.setattr(shutil, "disk_usage", lambda _path: SimpleNamespace(free=0))
            with pytest.raises(StoreError) as raised:
                apply(store, first, make_changes({"b.pdf": 7}))
        assert "Free some space" in raised.value.remedy, name
        assert read_manifest(store) == first, name
        assert [path.name for path in store.glob("generation-*")] == [first.folder], name
    assert len(_all_found(store, Strategy.FIXED)) == 5


def _full_database(*_arguments: object) -> None:
    raise sqlite3.OperationalError("database or disk is full")


def _chroma_is_full(*_arguments: object, **_options: object) -> None:
    raise StoreError("Error in compaction: Failed to apply logs to the metadata segment", "repair")


def test_threads_read_the_same_files_at_once(store: Path) -> None:
    """As a question does that is embedded while the index is being loaded."""
    manifest = apply(store, None, make_changes({"a.pdf": 2000}))
    for _attempt in range(20):
        with StoreReader(store, manifest, LOCAL) as reader, ThreadPoolExecutor(4) as threads:
            loaded = [threads.submit(reader.dense, Strategy.FIXED) for _thread in range(4)]
            texts = [threads.submit(reader.fetch, Strategy.FIXED, [7]) for _thread in range(4)]
            assert {len(one.result().vectors) for one in loaded} == {2000}
            assert len({one.result()[0].text for one in texts}) == 1


def test_the_manifest_is_plain_json(store: Path) -> None:
    apply(store, None, make_changes({"a.pdf": 1}))
    record = json.loads((store / "manifest.json").read_text())
    assert record["indexed"][0]["source"]["path"] == "a.pdf"
    assert record["collections"] == {"fixed": "chroma_fixed", "semantic": "chroma_semantic"}


@pytest.mark.parametrize("degraded", [False, True])
def test_a_search_of_some_documents_is_exact_after_updates_too(
    store: Path, *, degraded: bool
) -> None:
    first = apply(store, None, make_changes({"b.pdf": 7, "d.pdf": 0, "z.pdf": 30}))
    sizes = {"a.pdf": 5, "b.pdf": 9, "d.pdf": 0, "z.pdf": 30}
    apply(store, first, make_changes(sizes, seed=3, new={"a.pdf", "b.pdf"}))
    with open_store(store, SPACE, LOCAL) as reader:
        reader.degraded = "no Chroma" if degraded else ""
        for strategy in Strategy:
            table = reader.chunks(strategy)
            for paths in (["a.pdf"], ["b.pdf", "z.pdf"], ["d.pdf"], ["a.pdf", "z.pdf"], []):
                only = frozenset(map(source_id, paths))
                vector = unit_vectors(1, seed=9)[0]
                rows = [i for i, c in enumerate(table.chunks) if c.source_id in only]
                assert reader.rows_in(strategy, only).tolist() == rows
                cosines = {table.chunks[i].id: float(table.vectors[i] @ vector) for i in rows}
                best = sorted(cosines, key=lambda key: -cosines[key])[:6]
                found = reader.search(strategy, vector, 6, only)
                assert [chunk.id for chunk, _cosine in found] == best
                assert [cosine for _chunk, cosine in found] == pytest.approx(
                    [cosines[key] for key in best], abs=1e-6
                )


@given(
    st.integers(1, 60).flatmap(lambda n: st.tuples(st.just(n), st.sets(st.integers(0, n - 1)))),
    st.integers(1, 70),
)
def test_the_nearest_among_some_rows_are_those_of_an_exact_search(
    rows: tuple[int, set[int]], k: int
) -> None:
    n, some = rows
    vectors, vector = unit_vectors(n), unit_vectors(1, seed=1)[0]
    dense = DenseRows(vectors)
    among = np.array(sorted(some), np.intp)
    cosines = vectors @ vector
    assert dense.nearest(vector, k, among) == sorted(some, key=lambda row: -cosines[row])[:k]
