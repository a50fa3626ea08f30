"""How often texts have a word: what wordfreq says, which is not imported for it."""

from __future__ import annotations

import pytest
from wordfreq import zipf_frequency

from tutor.text.folding import folded
from tutor.text.words import UNSEEN, is_general, zipf


@pytest.mark.parametrize(
    "word", ["red", "Perceptrón", "GRADIENT", "función", "λ", "SVM", "retropropagación", "x₁", "Aᵀ"]
)
def test_a_word_is_as_frequent_as_wordfreq_says(word: str) -> None:
    said = max(zipf_frequency(word, "es", "small"), zipf_frequency(folded(word), "en", "small"))
    assert zipf(word) == max(said, UNSEEN)


def test_a_number_is_nothing_rare() -> None:
    assert zipf("¹²") > zipf("perceptrón") == UNSEEN


def test_general_words_may_lack_their_accents() -> None:
    assert is_general("funcion")
    assert not is_general("retropropagacion")
