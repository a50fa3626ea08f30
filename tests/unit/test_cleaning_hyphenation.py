"""Words divided at line ends: made whole, without touching hyphens that belong to the word."""

from __future__ import annotations

import pytest

from tutor.ingest.cleaning.hyphenation import WordCounts, joined_words


def whole(text: str) -> str:
    return joined_words(text, WordCounts(text))


@pytest.mark.parametrize(
    ("divided", "word"),
    [
        ("apren-\ndizaje", "aprendizaje"),
        ("infor-\nmación", "información"),
        ("REGRE-\nSIÓN", "REGRESIÓN"),
        ("Algo-\nritmo", "Algoritmo"),
        ("learn-\ning", "learning"),
        ("con-\njunto", "conjunto"),
        ("sobre-\najuste", "sobreajuste"),
        ("rápida-\nmente", "rápidamente"),
    ],
)
def test_a_divided_word_is_joined(divided: str, word: str) -> None:
    assert whole(f"El {divided} sigue.") == f"El {word} sigue."


@pytest.mark.parametrize(
    ("divided", "kept"),
    [
        ("self-\nattention", "self-attention"),
        ("e-\nmail", "e-mail"),
        ("Bag-of-\nWords", "Bag-of-Words"),
        ("2020-\n2021", "2020-2021"),
        ("GPT-\n4", "GPT-4"),
        ("Kullback-\nLeibler", "Kullback-Leibler"),
        ("k-\nmeans", "k-means"),
        ("state-of-the-\nart", "state-of-the-art"),
        ("TF-\nIDF", "TF-IDF"),
        ("Q-\nlearning", "Q-learning"),
    ],
)
def test_a_hyphen_of_the_word_stays(divided: str, kept: str) -> None:
    assert whole(f"El {divided} sigue.") == f"El {kept} sigue."


def test_the_document_is_the_best_witness() -> None:
    assert whole("Un teórico-práctico y un teórico-\npráctico.").endswith("teórico-práctico.")
    assert whole("Las multicapa y las multi-\ncapa.").endswith("las multicapa.")
    assert whole("Las multi-capa y las multi-\ncapa.").endswith("las multi-capa.")


def test_the_commoner_spelling_wins() -> None:
    assert whole("online online on-line on-\nline").endswith("online")
    assert whole("online on-line on-line on-\nline").endswith("on-line")


def test_words_divided_on_lines_in_a_row() -> None:
    text = "apren-\ndizaje auto-\nmático supervi-\nsado"
    assert whole(text) == "aprendizaje automático supervisado"


@pytest.mark.parametrize(
    "text", ["a - \nb", "- uno\n- dos", "fin -\ninicio", "x--\ny", "-\n-", "3-\n"]
)
def test_dashes_lists_and_signs_stay(text: str) -> None:
    assert whole(text) == text


def test_the_vocabulary_leaves_out_parts_of_divided_words() -> None:
    vocabulary = WordCounts("El apren-\ndizaje y el e-mail")
    assert (vocabulary["apren"], vocabulary["dizaje"], vocabulary["E-Mail"]) == (0, 0, 1)
