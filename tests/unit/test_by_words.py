"""A course whose vectors are still being made is searched by words, with nothing else."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.stores import DIM, LOCAL, SPACE, apply, make_changes
from tutor.answer.answerability import judge
from tutor.app import make_agent, make_hybrid
from tutor.config import Config
from tutor.errors import StoreError
from tutor.index.store import StoreReader, open_store
from tutor.index.store.upkeep import is_intact
from tutor.index.store.writer import commit, load_contents
from tutor.model import Answerability, Strategy, Vectors, source_id
from tutor.search.contextual import Found
from tutor.search.hybrid import LEXICAL
from tutor.search.retrieval import retrieve
from tutor.timing import Stopwatch

SIZES = {"entropia.pdf": 3, "siluetas.pdf": 2}


class NoEmbedder:
    """Refuses to embed."""

    identity, device, dim = "none", "cpu", DIM

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        raise AssertionError(texts)

    embed_passages = embed_queries


@pytest.fixture
def reader(tmp_path: Path) -> Iterator[StoreReader]:
    store = tmp_path / "course"
    store.mkdir()
    changes = make_changes(SIZES)
    added = {
        strategy: (chunks, np.empty((len(chunks), 0), np.float32))
        for strategy, (chunks, _vectors) in changes.added.items()
    }
    nothing = load_contents(store, None, 0)
    words = replace(changes, skipped=(), added=added)
    commit(store, None, nothing, words, LOCAL, vectors=False)
    with open_store(store, SPACE, LOCAL) as opened:
        yield opened


def _asked(
    reader: StoreReader, question: str, earlier: str = "", only: str = "", k: int = 4
) -> Found:
    return retrieve(
        question,
        reader,
        NoEmbedder(),
        strategy=Strategy.FIXED,
        k=k,
        stopwatch=Stopwatch(),
        hybrid=make_hybrid(Config.model_validate({"retrieval": {"mode": "dense"}}), reader),
        only=frozenset({source_id(only)}) if only else None,
        earlier=earlier,
    )


def _paths(found: Found) -> list[str]:
    return [hit.source.path for hit in found.hits]


def test_the_passages_that_hold_the_words_are_found(reader: StoreReader) -> None:
    found = _asked(reader, "¿Qué dice siluetas?")
    assert set(_paths(found)) == {"siluetas.pdf"}
    assert all(set(hit.retrievers) == {LEXICAL} for hit in found.hits)
    assert [hit.rank for hit in found.hits] == list(range(1, len(found.hits) + 1))
    assert _asked(reader, "¿Qué dice siluetas?", only="entropia.pdf").hits == []
    assert _asked(reader, "the world cup").hits == []


def test_a_follow_up_is_led_by_the_question_before(reader: StoreReader) -> None:
    assert set(_paths(_asked(reader, "¿y el mundial?", "¿Qué dice siluetas?"))) == {"siluetas.pdf"}
    both = _asked(reader, "¿y el fragmento?", "¿Qué dice siluetas?", k=1)
    assert _paths(both) == ["siluetas.pdf"]


def test_what_points_back_leans_before_there_are_vectors(reader: StoreReader) -> None:
    before = "¿Qué dice siluetas?"
    assert [
        _asked(reader, one, before).is_follow_up for one in ("su fórmula", "quién la propuso")
    ] == [
        True,
        True,
    ]
    assert not _asked(reader, "¿Qué dice entropía?", before).is_follow_up
    assert not _asked(reader, "su fórmula").is_follow_up


def test_words_alone_tell_what_the_notes_lack(reader: StoreReader) -> None:
    config = Config.model_validate({"engine": "extractive"})
    reference = make_agent(config, reader, NoEmbedder()).reference(Strategy.FIXED)
    assert reference is not None

    def verdict(question: str) -> Answerability:
        return judge(question, _asked(reader, question).hits, reference)

    assert not verdict("¿Qué dice siluetas?").doubtful
    assert verdict("¿Qué dice la fotosíntesis de siluetas?").doubtful
    assert not verdict("the world cup").answerable


def test_what_needs_vectors_is_refused_with_a_remedy(reader: StoreReader) -> None:
    with pytest.raises(StoreError, match="no vectors yet") as caught:
        reader.search(Strategy.FIXED, np.ones(DIM, np.float32), 1)
    assert "tutor index" in caught.value.remedy
    assert not is_intact(reader.store_folder, reader.manifest, LOCAL)
    assert len(reader.chunks(Strategy.FIXED).chunks) == 5
    assert reader.chunks(Strategy.FIXED).vectors.shape == (5, 0)


def test_an_index_of_words_that_is_gone_says_so(reader: StoreReader) -> None:
    shutil.rmtree(reader.store_folder / reader.manifest.folder / "lexical_fixed")
    with pytest.raises(StoreError, match=r"lexical_fixed.* is missing"):
        _asked(reader, "¿Qué dice siluetas?")


def test_threads_that_read_the_same_files_do_not_disturb_each_other(tmp_path: Path) -> None:
    apply(tmp_path / "course", None, make_changes({"a.pdf": 400}))
    for _turn in range(10):
        with open_store(tmp_path / "course", SPACE, LOCAL) as opened, ThreadPoolExecutor(4) as each:
            read = [each.submit(opened.dense, Strategy.FIXED) for _ in range(2)]
            fetched = [each.submit(opened.fetch, Strategy.FIXED, [row]) for row in (0, 399)]
            assert all(len(one.result().vectors) == 400 for one in read)
            assert [one.result()[0].ordinal for one in fetched] == [0, 399]
