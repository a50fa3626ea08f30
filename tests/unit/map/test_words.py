"""Which ways of writing a name are the same name."""

from __future__ import annotations

import pytest

from tutor.map.words import key_of, runs_of_words


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Árboles de decisión", "arbol de decision"),
        ("descenso del gradiente", "Descenso de gradiente"),
        ("redes neuronales", "Red neuronal"),
        ("decision trees", "decision tree"),
        ("CNNs", "CNN"),
        ("valores propios", "valor propio"),
        ("clases", "clase"),
    ],
)
def test_names_that_differ_in_number_accents_and_articles_have_one_key(
    one: str, other: str
) -> None:
    assert key_of(one) == key_of(other) != ()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("aprendizaje no supervisado", "aprendizaje supervisado"),
        ("poda", "poder"),
        ("agrupamiento", "agrupa"),
        ("A*", "a"),
        ("SE", "se"),
    ],
)
def test_names_of_different_things_have_different_keys(one: str, other: str) -> None:
    assert key_of(one) != key_of(other)


def test_runs_end_at_signs_and_function_words_and_know_their_places() -> None:
    text = "El descenso de gradiente, con la tasa de aprendizaje: todo."
    runs = [[text[start:end] for start, end in run.spans] for run in runs_of_words(text)]
    assert ["descenso", "gradiente"] in runs
    assert ["tasa", "aprendizaje"] in runs
