"""An update leaves the index's derived files as a fresh build would make them."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from tests.course import FILES
from tests.pdfs import one_column
from tutor.app import find_course, open_course
from tutor.config import load_config
from tutor.embedding import BundledEmbedder
from tutor.index.build import Completed, IndexOptions, Progress, index_course
from tutor.index.lexical import LexicalIndex, lexical_name
from tutor.index.store import StoreReader, sentences
from tutor.index.store.manifest import find_manifest, write_manifest
from tutor.model import Strategy, Vectors

if TYPE_CHECKING:
    from tests.course import Workspace
    from tutor.config import Config
    from tutor.embedding.embedder import Embedder
    from tutor.index.build import IndexEvent

QUESTIONS = ("¿Qué calcula la retropropagación?", "k-means", "información", "entropía de un nodo")


@pytest.fixture(scope="module")
def embedder() -> BundledEmbedder:
    return BundledEmbedder()


def _settings(root: Path, **extra: str) -> Config:
    names = {"TUTOR_READING_WORKERS": "1", "TUTOR_EMBEDDER_PRECISION": "float32"}
    return load_config(root, {**names, **extra})


class Counting:
    """An embedder that notes the passages it is given."""

    def __init__(self, embedder: BundledEmbedder) -> None:
        self.identity, self.device, self.dim = embedder.identity, embedder.device, embedder.dim
        self.embed_queries = embedder.embed_queries
        self.texts: list[str] = []
        self._embedder = embedder

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        self.texts += texts
        return self._embedder.embed_passages(texts)


def _index(config: Config, embedder: Embedder) -> tuple[Completed, list[IndexEvent]]:
    events = list(index_course(find_course(config), config, embedder, IndexOptions()))
    assert isinstance(events[-1], Completed)
    return events[-1], events


def _words(reader: StoreReader, strategy: Strategy) -> LexicalIndex:
    words = reader.derived(lexical_name(strategy), LexicalIndex.load)
    assert words
    return words


def _contents(config: Config, embedder: BundledEmbedder) -> dict[str, object]:
    """What retrieval asks, in a form that can be compared."""
    found: dict[str, object] = {}
    with open_course(config, find_course(config), embedder) as reader:
        for strategy in Strategy:
            lexical, rows = _words(reader, strategy), reader.chunks(strategy).chunks
            assert reader.sentences is not None
            ids = [chunk.id for chunk in reader.fetch(strategy, range(len(rows)))]
            assert ids == [chunk.id for chunk in rows]
            for question in QUESTIONS:
                scores = lexical.score(question).evidence
                found[f"{strategy} {question}"] = {
                    key: round(float(score), 4) for key, score in zip(ids, scores, strict=True)
                }
            for row, key in enumerate(ids):
                own = slice(*reader.sentences.ranges[strategy][row])
                vectors = reader.sentences.vectors[own].astype(np.float32)
                assert np.linalg.norm(vectors, axis=1) == pytest.approx(1, abs=1e-2)
                found[f"{strategy} {key}"] = reader.sentences.spans[own].tolist()
    return found


def test_an_update_equals_a_fresh_build(
    indexed: Workspace, tmp_path: Path, embedder: BundledEmbedder
) -> None:
    (indexed.notes / next(iter(FILES))).unlink()
    convolution = "La convolución desliza un filtro sobre la imagen. Cada paso suma los productos."
    one_column(indexed.notes / "10.pdf", (convolution, "El relleno conserva el tamaño."))
    grown = _settings(indexed.root)
    summary, events = _index(grown, embedder)
    shutil.copytree(indexed.notes, tmp_path / "fresh" / "notes")
    fresh = _settings(tmp_path / "fresh")
    _index(fresh, embedder)
    assert _contents(grown, embedder) == _contents(fresh, embedder)
    assert (summary.read, summary.removed) == (1, 1)
    told = [event for event in events if isinstance(event, Progress) and event.sentences_found]
    assert told[-1].sentences_done == told[-1].sentences_found
    assert told[-1].seconds_left == 0
    before = [event for event in events if isinstance(event, Progress) and event not in told]
    assert before[-1].chunks_done == before[-1].chunks_found > 0
    assert before[-1].files_done == before[-1].files == 1
    assert before[-1].seconds_left is None or before[-1].seconds_left > 0  # sentences come still


def test_an_index_from_before_gets_derived_files_without_embedding_chunks(
    indexed: Workspace, embedder: BundledEmbedder
) -> None:
    config = _settings(indexed.root)
    expected = _contents(config, embedder)
    store = find_course(config).store
    write_manifest(store, replace(find_manifest(store), derived={}))
    summary, _events = _index(config, embedder)
    assert (summary.changed, summary.read, summary.embedded) == (True, 0, 0)
    assert _contents(config, embedder) == expected
    assert not _index(config, embedder)[0].changed


def test_a_text_is_embedded_once_wherever_it_stands(
    tmp_path: Path, fresh: Workspace, embedder: BundledEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In chunks and sentences, in both strategies, in two documents, in a former generation."""
    first, second, _third = FILES
    content = (fresh.notes / first).read_bytes()
    notes = tmp_path / "few" / "notes"
    notes.mkdir(parents=True)
    (notes / first).write_bytes(content)
    config = _settings(notes.parent)
    counting = Counting(embedder)
    _index(config, counting)
    assert len(counting.texts) == len(set(counting.texts))
    (notes / second).write_bytes(content + b"\n% the same text\n")
    monkeypatch.setattr(sentences, "SENTENCES_VERSION", "another choice of sentences")
    before = len(counting.texts)
    summary, _events = _index(config, counting)
    assert [summary.read, summary.documents] == [1, 2]
    assert counting.texts[before:] == []


def test_sentences_can_be_left_out(fresh: Workspace, embedder: BundledEmbedder) -> None:
    config = _settings(fresh.root, TUTOR_RETRIEVAL_SENTENCES="false")
    _index(config, embedder)
    with open_course(config, find_course(config), embedder) as reader:
        assert reader.sentences is None
        assert len(reader.dense(Strategy.FIXED).vectors)
