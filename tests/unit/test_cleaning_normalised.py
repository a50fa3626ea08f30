"""The form that an index matches."""

from __future__ import annotations

import pytest

from tutor.ingest.cleaning.characters import normalised


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("¿Qué es una RED neuronal?", "que es una red neuronal"),
        ("El pingüino de la señal pequeña", "el pinguino de la senal pequena"),
        ("clasiﬁcación eﬁciente", "clasificacion eficiente"),
        ("k-means, F1-score y BERT", "k means f1 score y bert"),
        ("learning_rate = 0.01", "learning_rate 0 01"),
        ("∇L(θ) ≤ α·β", "l θ α β"),
        ("ΣΑΣ", "σασ"),
        ("σ²_µ", "σ2_μ"),
        ("𝑥𝑖 ∈ ℝ", "xi r"),
        ("Straße", "strasse"),
        ("  dos\tespacios \n y líneas ", "dos espacios y lineas"),
        ("pala\u200bbra re\xadcortada", "palabra recortada"),
        ("", ""),
        ("— … ! ●", ""),
    ],
)
def test_what_an_index_matches(text: str, form: str) -> None:
    assert normalised(text) == form
