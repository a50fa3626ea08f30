"""Questions from a course's own notes: what is asked, what is left out, what a student can edit."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.stores import LOCAL
from tutor.embedding import BundledEmbedder
from tutor.evaluation.cases import load_cases
from tutor.evaluation.generation import (
    Tally,
    case_line,
    generate,
)
from tutor.evaluation.metrics import Relevance
from tutor.index.store import Indexed, Recipe, VectorSpace, open_store
from tutor.index.store.writer import IndexChanges, commit, load_contents
from tutor.ingest.chunking import chunks_of
from tutor.model import Block, BlockKind, CleanText, Source, SourceId, Strategy, source_id

if TYPE_CHECKING:
    from tutor.evaluation.cases import Case
    from tutor.index.store import StoreReader

SPACE = VectorSpace("bundled-for-tests", 384, 1)
MLP = (
    "Un perceptrón multicapa (MLP) es una red neuronal formada por capas completamente "
    "conectadas. El umbral se escoge con los datos de validación, nunca con los de prueba. "
    "Los pesos pequeños se inicializan al azar para romper la simetría entre las neuronas; la "
    "tasa de aprendizaje baja durante el entrenamiento hasta que la pérdida deja de mejorar."
)
NOTES = {
    "busqueda.pdf": "A* es una búsqueda informada que publicaron Hart, Nilsson y Raphael. "
    "Un algoritmo de "
    "búsqueda se juzga con cuatro criterios:\n• completitud: ¿encuentra una solución?\n"
    "• optimalidad: ¿es la mejor?\n• tiempo;\n• memoria.\n\n"
    "La búsqueda en árbol no recuerda los estados visitados, mientras que la búsqueda en grafo "
    "guarda los explorados.",
    "redes.pdf": MLP,
    "redes-2.pdf": MLP,
    "grupos.pdf": "Definición (Ganancia de información). Es la reducción de la entropía al partir "
    "el conjunto según un atributo.\n\nEste método es un ejemplo de lo que no debe hacerse nunca "
    "en clase. El síntoma de siempre es ese.",
    "agentes.pdf": "Un agente racional es un sistema que elige la acción con la mayor utilidad "
    "esperada según lo que percibe de su entorno.\n\n"
    "Definición (Frontera). Es el conjunto de los estados alcanzados que faltan por expandir.",
    "vacio.pdf": "",
}


@pytest.fixture(scope="module")
def embedder() -> BundledEmbedder:
    return BundledEmbedder()


def _clean(source: SourceId, text: str) -> CleanText:
    """The text with its paragraphs and definitions as blocks."""
    blocks = [
        Block(
            BlockKind.DEFINITION if part[0].startswith("Definición") else BlockKind.PARAGRAPH,
            *part.span(),
            part.start(),
        )
        for part in re.finditer(r"(?s)\S.*?(?=\n\n|\Z)", text)
    ]
    return CleanText(source, text, (0,), tuple(blocks))


@pytest.fixture(scope="module")
def reader(
    tmp_path_factory: pytest.TempPathFactory, embedder: BundledEmbedder
) -> Iterator[StoreReader]:
    store = tmp_path_factory.mktemp("stores") / "course"
    store.mkdir()
    texts = {source_id(path): _clean(source_id(path), text) for path, text in NOTES.items()}
    chunks = {s: [c for text in texts.values() for c in chunks_of(text, s)] for s in Strategy}
    indexed = tuple(
        Indexed(
            Source(source_id(path), path, path, path, 1),
            {s: sum(c.source_id == source_id(path) for c in chunks[s]) for s in Strategy},
            (0,),
        )
        for path in NOTES
    )
    added = {
        s: (found, embedder.embed_passages([c.text for c in found])) for s, found in chunks.items()
    }
    changes = IndexChanges(Recipe(SPACE, 1, "tests"), indexed, (), set(), added, texts)
    commit(store, None, load_contents(store, None, 384), changes, LOCAL)
    with open_store(store, SPACE, LOCAL) as opened:
        yield opened


def _generated(
    reader: StoreReader, embedder: BundledEmbedder, n: int = 50, **options: Any
) -> list[Case]:
    return list(generate(reader, embedder, n, **options))


def test_every_case_stands_where_it_says(reader: StoreReader, embedder: BundledEmbedder) -> None:
    tally = Tally()
    generated = _generated(reader, embedder, tally=tally)
    assert len({one.question for one in generated}) == len(generated) == tally["kept"] >= 4
    texts = {source.path: reader.text(key).text for key, source in reader.sources.items()}
    for one in generated:
        first = one.places[0]
        assert one.snippet in texts[first.file]
        Relevance(one, reader)


def test_the_same_text_in_two_documents_is_asked_once_and_both_places_count(
    reader: StoreReader, embedder: BundledEmbedder
) -> None:
    generated = _generated(reader, embedder)
    (one,) = [one for one in generated if "multicapa" in one.question]
    assert {place.file for place in one.places} == {"redes.pdf", "redes-2.pdf"}


def test_a_seed_repeats_the_cases_and_n_limits_them(
    reader: StoreReader, embedder: BundledEmbedder
) -> None:
    first = _generated(reader, embedder, 3, seed=7)
    assert first == _generated(reader, embedder, 3, seed=7)
    assert len({one.places[0].file for one in first}) == 3
    assert _generated(reader, embedder, 0) == []


def test_a_student_can_edit_and_reject(
    reader: StoreReader, embedder: BundledEmbedder, tmp_path: Path
) -> None:
    generated = _generated(reader, embedder, 3)
    lines = [case_line(case) for case in generated]
    path = tmp_path / "mine.jsonl"
    path.write_text("".join(lines), encoding="utf-8")
    cases, problems = load_cases(path, dict.fromkeys(NOTES, 1))
    assert problems == []
    assert cases == generated
    rejected = {**json.loads(lines[0]), "accepted": False}
    edited = {**json.loads(lines[1]), "question": "¿Y esto qué es?"}
    path.write_text("\n".join(json.dumps(line) for line in (rejected, edited)), encoding="utf-8")
    cases, problems = load_cases(path)
    assert problems == []
    assert [case.question for case in cases] == ["¿Y esto qué es?"]


def test_what_the_cards_of_the_notes_ask(reader: StoreReader, embedder: BundledEmbedder) -> None:
    generated = {one.question: one for one in _generated(reader, embedder)}
    one = generated["¿Cómo se define «Ganancia de información»?"]
    assert (one.kind, one.language) == ("definition", "es")
    assert one.answer.startswith("Es la reducción de la entropía")
    assert one.snippet.startswith("Definición (Ganancia de información).")
