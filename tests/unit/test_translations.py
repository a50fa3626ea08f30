"""English words in Spanish, and which language a question is in."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest

from tutor.answer.quoting.definitions import DefinitionQuestion, term_of
from tutor.text.terms import (
    content_words,
    passage_terms,
    question_language,
    question_terms,
    question_words,
    spanish_stems,
)

LINES = files("tutor.text").joinpath("translations.txt").read_text("utf-8").splitlines()


def test_each_line_is_a_word_and_one_to_four_spanish_ones() -> None:
    assert len(LINES) > 4000
    form = re.compile(r"[a-z]+: [a-zñáéíóúü]+(?: [a-zñáéíóúü]+){0,3}")
    assert not [line for line in LINES if not form.fullmatch(line)]
    assert sorted(LINES) == LINES


@pytest.mark.parametrize(
    ("english", "spanish"),
    [
        ("Which layers does the network have?", "La red tiene tres capas."),
        ("How is the tree pruned?", "La poda del árbol"),
        ("What are the weaknesses?", "Una debilidad"),
        ("When was the search chosen?", "Elegir una búsqueda"),
    ],
)
def test_an_english_question_finds_spanish_words(english: str, spanish: str) -> None:
    held = set(passage_terms(spanish, "es"))
    forms = question_terms(english, "en")
    assert sum(not held.isdisjoint(term) for term in forms) == 2 or len(forms) == 1
    assert content_words(spanish) & question_words(english, "en").keys()


def test_a_spanish_question_is_not_translated() -> None:
    assert question_words("red", "es") == {"red": "red"}
    assert "roj" in question_words("red", "en")


def test_an_unknown_word_has_no_translation() -> None:
    assert not spanish_stems("backpropagatron")


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("¿Qué es una red?", "es"),
        ("red neuronal", "es"),
        ("pasos k-means", "es"),
        ("fórmula entropía", "es"),
        ("gradient descent formula", "en"),
        ("k-means steps", "en"),
        ("List steps", "en"),
        ("What is dropout?", "en"),
        ("who won ImageNet 2012", "en"),
        ("premios de la WHO", "es"),
        ("A*", "es"),
        ("", "es"),
    ],
)
def test_a_short_question_is_known_by_its_words(question: str, language: str) -> None:
    assert question_language(question) == language


def test_what_no_function_word_tells_is_spoken_as_usual() -> None:
    assert question_language("learning rate", "es") == "es"
    assert question_language("red neuronal", "en") == "en"
    assert question_language("¿Qué es una red?", "en") == "es"


@pytest.mark.parametrize(
    ("question", "heading"),
    [
        ("What is overfitting?", "3.2 Sobreajuste"),
        ("what does the loss function do?", "La función de pérdida"),
        ("¿Qué hace el optimizador Adam?", "Adam"),
        ("¿Para qué sirve el dropout?", "4. Dropout"),
        ("validación cruzada", "Validación cruzada"),
        ("¿Cómo funcionan los árboles?", "Árbol"),
        ("What is attention used for?", "2.1 La atención"),
    ],
)
def test_a_heading_is_what_is_asked_for(question: str, heading: str) -> None:
    asked = DefinitionQuestion.asked_for(question)
    assert asked is not None
    assert asked.names(heading)
    assert not asked.names(f"{heading} en imágenes médicas")
    assert not asked.names("Resumen")


def test_a_definition_in_spanish_is_what_an_english_question_asks_for() -> None:
    asked = DefinitionQuestion.asked_for("What is a decision tree?")
    assert asked is not None
    assert asked.heads("Definición (Árbol de decisión). Un modelo que pregunta.")
    assert asked.heads("Árbol de decisión: modelo que pregunta.")
    assert asked.says("Un árbol de decisión es un modelo que pregunta.")
    assert not asked.says("Un árbol es un grafo.")
    assert not asked.heads("Árbol de juego: cada nodo es una jugada.")


@pytest.mark.parametrize("question", ["", "?", "el algoritmo", "¿Por qué se poda un árbol así?"])
def test_what_asks_for_no_term_has_no_heading(question: str) -> None:
    asked = DefinitionQuestion.asked_for(question)
    assert asked is None or not asked.names("Algoritmo")


@pytest.mark.parametrize("question", ["tipos de aprendizaje", "pasos de k-means", "list of losses"])
def test_what_asks_for_a_list_is_no_term(question: str) -> None:
    assert DefinitionQuestion.asked_for(question) is None


@pytest.mark.parametrize(
    ("question", "alone"),
    [
        ("¿Qué es SMOTE?", True),
        ("explícame el descenso de gradiente", True),
        ("What is the halting problem?", True),
        ("pasos de PCA", True),
        ("dame un ejemplo de regularización", True),
        ("¿Qué es eso?", False),
        ("ventajas del método", False),
        ("ejemplo de uso", False),
        ("explícame el segundo", False),
        ("What are its advantages?", False),
        ("¿y su fórmula?", False),
        ("dame un ejemplo", False),
    ],
)
def test_what_names_its_term_leans_on_no_question_before(question: str, alone: bool) -> None:
    assert bool(term_of(question)) is alone
