"""English words in Spanish, and which language a question is in."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest

from tutor.answer.asked import term_of
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
    ("question", "alone"),
    [
        ("¿Qué es SMOTE?", True),
        ("explícame el descenso de gradiente", True),
        ("What is the halting problem?", True),
        ("pasos de PCA", True),
        ("dame un ejemplo de regularización", True),
        ("y qué es el románico", True),
        ("¿Qué establece el principio de superposición?", True),
        ("código de la poda en Python", True),
        ("¿Qué es eso?", False),
        ("ventajas del método", False),
        ("ejemplo de uso", False),
        ("explícame el segundo", False),
        ("What are its advantages?", False),
        ("¿y su fórmula?", False),
        ("dame un ejemplo", False),
        ("el algoritmo", False),
        ("¿Por qué se poda un árbol así?", False),
        ("?", False),
        ("", False),
    ],
)
def test_what_names_its_term_leans_on_no_question_before(question: str, alone: bool) -> None:
    assert bool(term_of(question)) is alone
