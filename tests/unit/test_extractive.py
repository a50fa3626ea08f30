"""Answers made of quotes: exact, in reading order, without repetitions, or none at all."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest

from tests.passages import make_hit
from tutor.chunking import detect_language, split_sentences
from tutor.embedding import BundledEmbedder
from tutor.extractive import Quote, best_sentences, compose, quote_answer

if TYPE_CHECKING:
    from tutor.types import Hit

NEURAL = (
    "Redes neuronales\n\nUna red neuronal es un modelo formado por capas de neuronas conectadas. "
    "¿Cómo aprende una red neuronal? La red neuronal aprende ajustando sus pesos con descenso de "
    "gradiente."
)
TREES = "Un árbol de decisión parte los datos con preguntas. Su profundidad se limita con la poda."
WEATHER = "El clima de la capital es templado y lluvioso durante casi todo el año."


@pytest.fixture(scope="module")
def embedder() -> BundledEmbedder:
    return BundledEmbedder()


def _quotes(question: str, hits: list[Hit], embedder: BundledEmbedder) -> list[str]:
    return [
        quote.hit.chunk.text[quote.start : quote.end]
        for quote in quote_answer(question, hits, embedder, split_sentences, detect_language)
    ]


def test_whole_statements_are_quoted_in_reading_order(embedder: BundledEmbedder) -> None:
    hits = [make_hit(TREES, path="t.pdf"), make_hit(NEURAL, path="n.pdf", rank=2)]
    quotes = _quotes("¿Qué es una red neuronal y cómo aprende?", hits, embedder)
    assert quotes == [
        "Una red neuronal es un modelo formado por capas de neuronas conectadas.",
        "La red neuronal aprende ajustando sus pesos con descenso de gradiente.",
    ]


def test_an_english_question_is_answered_from_spanish_notes(embedder: BundledEmbedder) -> None:
    hits = [make_hit(WEATHER, path="w.pdf"), make_hit(NEURAL, path="n.pdf", rank=2)]
    quotes = _quotes("How does a neural network learn?", hits, embedder)
    assert any("aprende ajustando sus pesos" in quote for quote in quotes)


def test_passages_without_a_whole_statement_give_nothing(embedder: BundledEmbedder) -> None:
    heading = make_hit("Redes neuronales\n\n¿Qué es una red neuronal? x = 3 + 4 y + 5 z")
    assert _quotes("¿Qué es una red neuronal?", [heading], embedder) == []


def test_poor_sentences_are_no_company_for_a_good_one(embedder: BundledEmbedder) -> None:
    hits = [make_hit(NEURAL), make_hit(WEATHER, path="w.pdf", rank=2)]
    quotes = _quotes("¿Qué es una red neuronal?", hits, embedder)
    assert quotes
    assert WEATHER not in quotes


def test_two_versions_give_one_sentence_the_newer(embedder: BundledEmbedder) -> None:
    old = "La entropía mide la incertidumbre de una variable aleatoria en bits."
    new = "La entropía mide la incertidumbre de la variable aleatoria, en bits."
    hits = [
        make_hit(old, path="v1.pdf", day=date(2025, 8, 4), version="1"),
        make_hit(new, path="v2.pdf", rank=2, day=date(2025, 8, 4), version="2"),
    ]
    assert _quotes("¿Qué mide la entropía?", hits, embedder) == [new]


def test_overlapping_windows_give_a_sentence_once(embedder: BundledEmbedder) -> None:
    sentence = "La tasa de aprendizaje fija el tamaño de cada paso."
    hits = [
        make_hit(f"{TREES} {sentence}"),
        make_hit(f"{sentence} {WEATHER}", rank=2, start=len(TREES) + 1),
    ]
    assert _quotes("¿Qué fija la tasa de aprendizaje?", hits, embedder) == [sentence]


def test_a_fragment_at_a_windows_edge_is_not_a_sentence(embedder: BundledEmbedder) -> None:
    window = (
        "uronal es una función de sus pesos y de sus entradas. La red neuronal tiene capas ocul"
    )
    quotes = _quotes("¿Qué es una red neuronal?", [make_hit(window, start=700)], embedder)
    assert quotes == []


def test_composed_text_is_exactly_its_citations(embedder: BundledEmbedder) -> None:
    hits = [make_hit(NEURAL, path="n.pdf"), make_hit(TREES, path="t.pdf", rank=2, start=50)]
    quotes = [Quote(hits[0], 18, 89, 0.9), Quote(hits[1], 0, 51, 0.8)]
    text, citations = compose(quotes, lambda _source, offset: 1 + offset // 50)
    assert text == f"{NEURAL[18:89]}\n\n{TREES[:51]}"
    for citation in citations:
        assert text[citation.start : citation.end] == citation.quote
    assert (citations[1].first_page, citations[1].last_page) == (2, 3)


def test_the_best_sentence_of_each_passage_is_found(embedder: BundledEmbedder) -> None:
    hits = [make_hit(NEURAL, path="n.pdf"), make_hit(TREES, path="t.pdf", rank=2)]
    best = best_sentences(
        "¿Cómo aprende una red neuronal?", hits, embedder, split_sentences, detect_language
    )
    start, end = best[hits[0].chunk.id]
    assert "ajustando sus pesos" in NEURAL[start:end]
    assert hits[1].chunk.id in best


def test_no_passages_no_answer(embedder: BundledEmbedder) -> None:
    assert (
        quote_answer("¿Qué es la entropía?", [], embedder, split_sentences, detect_language) == []
    )
    assert compose([], lambda _source, _offset: 1) == ("", ())


def test_a_labelled_definition_is_quoted_with_its_label(embedder: BundledEmbedder) -> None:
    text = (
        "Se escoge el atributo con mayor ganancia de información de todos. "
        "Definición (Ganancia de información). Es la reducción de la entropía al partir un nodo."
    )
    quotes = _quotes("¿Qué es la ganancia de información?", [make_hit(text)], embedder)
    assert quotes[-1] == text[66:]
    best = quote_answer(
        "¿Qué es la ganancia de información?",
        [make_hit(text)],
        embedder,
        split_sentences,
        detect_language,
    )
    assert max(best, key=lambda quote: quote.support).start == 66
