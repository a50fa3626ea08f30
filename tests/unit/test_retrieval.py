"""Passages are found by meaning, by words and by their sentences, over a real index and model."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from tests.stores import LOCAL
from tutor.embedding import BundledEmbedder
from tutor.errors import StoreError
from tutor.index.lexical import LexicalIndex, lexical_name
from tutor.index.store import Indexed, Recipe, StoreReader, VectorSpace, open_store, tables
from tutor.index.store.journal import text_key
from tutor.index.store.manifest import write_manifest
from tutor.index.store.sentences import Sentences
from tutor.index.store.writer import IndexChanges, commit, load_contents
from tutor.ingest.chunking import chunks_of
from tutor.model import CleanText, Hit, Source, SourceId, Strategy, Turn, source_id
from tutor.search.contextual import earlier_question, longer, shown
from tutor.search.hybrid import DENSE, LEXICAL, SENTENCE, Hybrid, cosine_std, fused, semantic_scores
from tutor.search.retrieval import retrieve
from tutor.timing import Stopwatch

if TYPE_CHECKING:
    from tutor.index.store import StoreReader
    from tutor.search.contextual import Found

NOTES = {
    "a.pdf": "La búsqueda A* expande el nodo con menor f(n) = g(n) + h(n). Si la heurística es "
    "admisible, el primer camino que encuentra es óptimo.",
    "redes.pdf": "Una red neuronal se entrena con retropropagación. El gradiente del error se "
    "calcula capa por capa, desde la salida hasta la entrada.",
    "arboles.pdf": "Un árbol de decisión divide los datos según la ganancia de información. La "
    "poda evita el sobreajuste.",
    "grupos.pdf": "K-means asigna cada punto al centroide más cercano y vuelve a calcular los "
    "centroides hasta que no cambian.",
    "curso.pdf": "El curso se evalúa con tres exámenes y un proyecto. El examen XJ-900 es el "
    "jueves.",
    "vacio.pdf": "",
}
SPACE = VectorSpace("bundled-for-tests", 384, 1)
STRATEGY = Strategy.SEMANTIC


@pytest.fixture(scope="module")
def embedder() -> BundledEmbedder:
    return BundledEmbedder()


def build(
    store: Path,
    embedder: BundledEmbedder,
    *,
    derived: bool = True,
    notes: Mapping[str, str] = NOTES,
    authors: Sequence[str] = (),
) -> None:
    """An index of these notes, each PDF with its title for its path."""
    store.mkdir(parents=True)
    texts = {
        source_id(path): CleanText.plain(source_id(path), text) for path, text in notes.items()
    }
    chunks = {s: [c for text in texts.values() for c in chunks_of(text, s)] for s in Strategy}
    indexed = tuple(
        Indexed(
            Source(source_id(path), path, path, path, 1, authors=tuple(authors)),
            {s: sum(c.source_id == source_id(path) for c in chunks[s]) for s in Strategy},
            (0,),
        )
        for path in notes
    )
    files = Sentences()
    sentences = files.collect(texts.values())
    rows = embedder.embed_passages(sentences)
    vectors = {text_key(t): row for t, row in zip(sentences, rows, strict=True)}
    added = {
        s: (found, embedder.embed_passages([c.text for c in found])) for s, found in chunks.items()
    }
    changes = IndexChanges(Recipe(SPACE, 1, "tests"), indexed, (), set(), added, texts)
    contents = load_contents(store, None, 384)
    manifest = commit(
        store, None, contents, changes, LOCAL, sentences=files, sentence_vectors=vectors
    )
    if not derived:
        write_manifest(store, replace(manifest, derived={}))


@pytest.fixture(scope="module")
def reader(
    tmp_path_factory: pytest.TempPathFactory, embedder: BundledEmbedder
) -> Iterator[StoreReader]:
    store = tmp_path_factory.mktemp("stores") / "course"
    build(store, embedder)
    with open_store(store, SPACE, LOCAL) as opened:
        yield opened


def hybrid_over(reader: StoreReader) -> Hybrid:
    def lexical(strategy: Strategy) -> LexicalIndex | None:
        return reader.derived(lexical_name(strategy), LexicalIndex.load)

    return Hybrid(reader, lexical)


def ask(
    question: str,
    reader: StoreReader,
    embedder: BundledEmbedder,
    hybrid: Hybrid | None = None,
    k: int = 4,
) -> list[Hit]:
    return retrieve(
        question,
        reader,
        embedder,
        strategy=STRATEGY,
        k=k,
        stopwatch=Stopwatch(),
        hybrid=hybrid,
    ).hits


@pytest.mark.parametrize(
    ("question", "path"),
    [
        ("¿Cuándo es óptimo el camino de A*?", "a.pdf"),
        ("How is a neural network trained?", "redes.pdf"),
        ("How do you avoid overfitting in a tree?", "arboles.pdf"),
        ("XJ-900", "curso.pdf"),
        ("k-means", "grupos.pdf"),
    ],
)
def test_the_passage_that_answers_comes_first(
    reader: StoreReader, embedder: BundledEmbedder, question: str, path: str
) -> None:
    assert ask(question, reader, embedder, hybrid_over(reader))[0].source.path == path


def test_hits_are_ranked_and_keep_what_the_retrievers_said(
    reader: StoreReader, embedder: BundledEmbedder
) -> None:
    question = "¿Qué evita la poda de un árbol?"
    hits = ask(question, reader, embedder, hybrid_over(reader))
    vector = embedder.embed_queries([question])[0]
    assert [hit.rank for hit in hits] == [1, 2, 3, 4]
    assert sorted((hit.score for hit in hits), reverse=True) == [hit.score for hit in hits]
    for hit in hits:
        cosine = float(embedder.embed_passages([hit.chunk.text])[0] @ vector)
        assert hit.retrievers[DENSE].score == pytest.approx(cosine, abs=1e-3)
        assert hit.retrievers[SENTENCE].score >= 0.5
        assert hit.source.id == hit.chunk.source_id
    assert hits[0].retrievers[LEXICAL].rank == 1
    assert hits[0].retrievers[LEXICAL].score > 0


def test_without_hybrid_it_is_the_cosine_alone(
    reader: StoreReader, embedder: BundledEmbedder
) -> None:
    question = "¿Qué es la retropropagación?"
    hits = ask(question, reader, embedder)
    vector = embedder.embed_queries([question])[0]
    expected = reader.search(STRATEGY, vector, 4)
    assert [(hit.chunk, hit.score) for hit in hits] == expected
    assert [set(hit.retrievers) for hit in hits] == [{DENSE}] * 4


def test_an_index_without_derived_files_is_asked_by_meaning(
    tmp_path: Path, embedder: BundledEmbedder
) -> None:
    build(tmp_path / "old", embedder, derived=False)
    with open_store(tmp_path / "old", SPACE, LOCAL) as old:
        hits = ask("¿Qué es la poda?", old, embedder, hybrid_over(old))
        assert len(hits) == 4
        assert all(LEXICAL not in hit.retrievers for hit in hits)


@pytest.mark.parametrize("with_hybrid", [True, False])
@pytest.mark.parametrize("derived", [True, False])
def test_only_the_passages_of_some_documents_are_wanted(
    tmp_path: Path, embedder: BundledEmbedder, *, with_hybrid: bool, derived: bool
) -> None:
    build(tmp_path / "course", embedder, derived=derived)
    question = "¿Cuándo es óptimo el camino de A*?"
    vector = embedder.embed_queries([question])[0]
    with open_store(tmp_path / "course", SPACE, LOCAL) as course:
        for paths in (["redes.pdf"], ["grupos.pdf", "arboles.pdf", "vacio.pdf"], ["vacio.pdf"]):
            only = frozenset(map(source_id, paths))
            hits = retrieve(
                question,
                course,
                embedder,
                strategy=STRATEGY,
                k=4,
                stopwatch=Stopwatch(),
                hybrid=hybrid_over(course) if with_hybrid else None,
                only=only,
            ).hits
            table = course.chunks(STRATEGY)
            wanted = {c.id for c in table.chunks if c.source_id in only}
            assert {hit.chunk.id for hit in hits} == wanted
            assert [hit.rank for hit in hits] == list(range(1, len(wanted) + 1))
            for hit in hits:
                (cosine,) = embedder.embed_passages([hit.chunk.text]) @ vector
                assert hit.retrievers[DENSE].score == pytest.approx(float(cosine), abs=1e-3)


def test_all_chunks_may_be_asked_for(reader: StoreReader, embedder: BundledEmbedder) -> None:
    hits = ask("red", reader, embedder, hybrid_over(reader), k=50)
    assert len({hit.chunk.id for hit in hits}) == len(hits) == 5


@pytest.mark.parametrize("question", ["", "¿?", "\u200b", "de la que", "x" * 5000])
def test_a_question_without_words_still_finds_by_meaning(
    reader: StoreReader, embedder: BundledEmbedder, question: str
) -> None:
    hits = ask(question, reader, embedder, hybrid_over(reader))
    assert len(hits) == 4
    assert all(LEXICAL not in hit.retrievers for hit in hits)


def test_without_chroma_the_files_answer_the_same(
    tmp_path: Path, embedder: BundledEmbedder
) -> None:
    build(tmp_path / "course", embedder)
    question = "¿Qué evita el sobreajuste?"
    with open_store(tmp_path / "course", SPACE, LOCAL) as sound:
        expected = ask(question, sound, embedder, hybrid_over(sound))
        shutil.rmtree(tmp_path / "course" / sound.manifest.folder / "chroma")
    with open_store(tmp_path / "course", SPACE, LOCAL) as broken:
        assert ask(question, broken, embedder, hybrid_over(broken)) == expected
        assert not broken.degraded


@pytest.mark.parametrize(
    "damaged",
    [
        "vectors_semantic.parquet",
        "lexical_semantic/vocab.index.json",
        "lexical_semantic/passages.json",
        "sentences/spans.npy",
        "sentences/sources.json",
    ],
)
def test_a_damaged_file_is_a_store_error_with_the_command_that_mends_it(
    tmp_path: Path, embedder: BundledEmbedder, reader: StoreReader, damaged: str
) -> None:
    shutil.copytree(reader.store_folder, tmp_path / "course")
    (tmp_path / "course" / reader.manifest.folder / damaged).write_bytes(b"{")
    with open_store(tmp_path / "course", SPACE, LOCAL) as broken:
        with pytest.raises(StoreError) as caught:
            ask("poda", broken, embedder, hybrid_over(broken))
        mends = "--rebuild" if damaged.startswith("vectors") else "--repair"
        assert mends in caught.value.remedy


def test_the_best_sentence_of_a_chunk_is_known(
    reader: StoreReader, embedder: BundledEmbedder
) -> None:
    vector = embedder.embed_queries(["¿Cómo se evita el sobreajuste?"])[0]
    row = reader.dense(STRATEGY).nearest(vector, 1)[0]
    chunk = reader.fetch(STRATEGY, [row])[0]
    assert reader.sentences is not None
    found = reader.sentences.nearest_spans(STRATEGY, [row], vector)[0]
    assert found is not None
    start, end = found[1]
    assert reader.text(chunk.source_id).text[start:end] == "La poda evita el sobreajuste."


def test_more_chunks_than_are_compared_one_by_one_are_found_all_the_same(
    reader: StoreReader, embedder: BundledEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    vector = embedder.embed_queries(["¿Cómo se evita el sobreajuste?"])[0]
    monkeypatch.setattr(tables, "EXACT_ROWS", 0)
    with StoreReader(reader.store_folder, reader.manifest, LOCAL) as many:
        assert many.dense(STRATEGY).products
        assert many.dense(STRATEGY).nearest(vector, 4) == reader.dense(STRATEGY).nearest(vector, 4)
        assert len(many.dense(STRATEGY).nearest(vector, 4)) == 4


def test_evidence_adds_up_on_the_scale_of_cosines() -> None:
    cosines = np.array([0.8, 0.9], np.float32)
    means = semantic_scores(cosines, cosines, np.full_like(cosines, np.nan))
    assert means == pytest.approx(cosines)
    silent, nobody = np.zeros(2, np.float32), np.zeros(2, bool)
    assert fused(means, silent, nobody, 0.02) == pytest.approx(cosines)
    assert fused(means, np.array([1, 0], np.float32), nobody, 0.1)[0] > means[1]
    assert fused(means, silent, np.array([False, True]), 0.1)[1] == pytest.approx(0.8)


def test_what_stands_over_a_passage_counts_as_far_as_it_is_nearer_than_most() -> None:
    cosines = np.full(3, 0.8, np.float32)
    near, unknown, far = semantic_scores(cosines, cosines, np.array([0.9, np.nan, 0.7], np.float32))
    assert near > unknown > far
    assert unknown == pytest.approx(0.8)


def test_the_spread_of_next_to_nothing_is_not_nothing() -> None:
    vector = np.array([1, 0], np.float32)
    assert cosine_std(np.tile(vector, (3, 1)), vector) > 0
    assert cosine_std(np.empty((0, 2), np.float32), vector) > 0


def after(
    earlier: str,
    question: str,
    reader: StoreReader,
    embedder: BundledEmbedder,
    only: frozenset[SourceId] | None = None,
) -> Found:
    return retrieve(
        question,
        reader,
        embedder,
        strategy=STRATEGY,
        k=3,
        stopwatch=Stopwatch(),
        hybrid=hybrid_over(reader),
        only=only,
        earlier=earlier,
    )


def test_a_follow_up_is_read_with_the_question_before(
    reader: StoreReader, embedder: BundledEmbedder
) -> None:
    for earlier, path in (("¿Qué es K-means?", "grupos.pdf"), ("¿Qué es A*?", "a.pdf")):
        found = after(earlier, "dame un ejemplo", reader, embedder)
        assert found.is_follow_up
        assert path in {hit.source.path for hit in found.hits[:2]}
        assert [hit.rank for hit in found.hits] == [1, 2, 3]


@pytest.mark.parametrize(
    ("question", "leans"),
    [
        ("¿Cuándo es su examen XJ-900?", True),
        ("¿Cuándo es el examen XJ-900?", False),
        ("desventajas", True),
        ("quién lo propuso", True),
        ("¿y cómo acabó?", True),
        ("la tercera", True),
        ("cómo acabó el examen XJ-900", False),
        ("examen XJ-900", False),
        ("y el examen XJ-900", True),
    ],
)
def test_a_short_question_that_points_back_or_goes_on_leans(
    reader: StoreReader, embedder: BundledEmbedder, question: str, *, leans: bool
) -> None:
    assert after("¿Qué es K-means?", question, reader, embedder).is_follow_up is leans


def test_a_change_of_topic_finds_what_it_would_find_alone(
    reader: StoreReader, embedder: BundledEmbedder
) -> None:
    question = "¿Cuándo es el examen XJ-900?"
    found = after("¿Qué es K-means?", question, reader, embedder)
    assert not found.is_follow_up
    assert found.hits == ask(question, reader, embedder, hybrid_over(reader), k=3)


def test_without_an_earlier_question_nothing_is_read_into_it(
    reader: StoreReader, embedder: BundledEmbedder
) -> None:
    found = after("", "dame un ejemplo", reader, embedder)
    assert not found.is_follow_up
    assert found.hits == ask("dame un ejemplo", reader, embedder, hybrid_over(reader), k=3)


def test_a_follow_up_stays_within_the_documents_asked(
    reader: StoreReader, embedder: BundledEmbedder
) -> None:
    only = frozenset([source_id("redes.pdf")])
    found = after("¿Qué es K-means?", "dame un ejemplo", reader, embedder, only)
    assert {hit.source.path for hit in found.hits} == {"redes.pdf"}
    nothing = after("¿Qué es K-means?", "¿y más?", reader, embedder, frozenset())
    assert nothing.hits == []


def test_a_conversation_keeps_the_question_that_opened_its_topic() -> None:
    opening = Turn("¿Qué es A*?", "¿Qué es A*?", "Un algoritmo.")
    assert earlier_question([], "¿por qué?") == ""
    assert earlier_question([opening], "¿por qué?") == "¿Qué es A*?"
    assert earlier_question([Turn("¿Qué es A*?", "", "Un algoritmo.")], "¿y?") == "¿Qué es A*?"
    second = Turn("¿y su costo?", shown("¿Qué es A*?", "¿y su costo?"), "Exponencial.")
    assert second.standalone == "¿Qué es A*? · ¿y su costo?"
    earlier = earlier_question([opening, second], "¿por qué?")
    assert longer(earlier, "¿por qué?") == "¿Qué es A*? ¿y su costo? ¿por qué?"
    third = Turn("¿por qué?", shown(earlier, "¿por qué?"), "Por eso.")
    assert third.standalone == "¿Qué es A*? · ¿por qué?"
    assert earlier_question([opening, second, third], "¿y?") == "¿Qué es A*? · ¿por qué?"


def test_a_question_that_leant_on_another_opens_a_topic_if_it_has_a_subject() -> None:
    asked = "cuánta agua filtra el riñón"
    drift = Turn(asked, shown("¿Qué es A*?", asked), "")
    assert earlier_question([drift], "a qué edad crece el hueso") == asked
    assert earlier_question([drift], "¿por qué?") == drift.standalone
