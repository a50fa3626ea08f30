"""Accents drawn as characters of their own: what is repaired, and what is left alone."""

from __future__ import annotations

import pytest

from tutor.ingest.cleaning.characters import repaired_accents


@pytest.mark.parametrize(
    ("drawn", "meant"),
    [
        ("informaci´on", "información"),
        ("espa˜nol", "español"),
        ("est´a aqu´ı", "está aquí"),
        ("g´ıa de h´ıgado", "gía de hígado"),
        ("ling¨u´ıstica", "lingüística"),
        ("´Algebra y ´Ultimo", "Álgebra y Último"),
        ("´arbol ´unico", "árbol único"),
        ("EDUCACI´ON ESPA˜NOLA", "EDUCACIÓN ESPAÑOLA"),
        ("Fran¸cois", "François"),
        ("ma~nana, a~no y espa~nol", "mañana, año y español"),
    ],
)
def test_an_accent_before_its_letter(drawn: str, meant: str) -> None:
    assert repaired_accents(drawn) == meant


@pytest.mark.parametrize(
    ("drawn", "meant"),
    [
        ("informacio´n y cancio´n", "información y canción"),
        ("aquı´ habı´a", "aquí había"),
        ("espan˜ol", "español"),
        ("pingu¨ino", "pingüino"),
        ("n˜ao", "não"),
    ],
)
def test_an_accent_after_its_letter(drawn: str, meant: str) -> None:
    assert repaired_accents(drawn) == meant


@pytest.mark.parametrize(
    ("drawn", "meant"),
    [
        ("informacio\u0301n", "información"),
        ("espan\u0303ol", "español"),
        ("ci\u0301rculo", "círculo"),
        ("Pe\u0301rez", "Pérez"),
        ("Gda\u0144sk", "Gdańsk"),
        ("informac\u0131\u0301", "informací"),
    ],
)
def test_combining_marks(drawn: str, meant: str) -> None:
    assert repaired_accents(drawn) == meant


@pytest.mark.parametrize(
    "text",
    [
        "x ~ N(0,1)",
        "X~N(0,1) y U~Unif(0,1)",
        "modelo <- lm(y~x, data=datos)",
        "y ~ x + z",
        "https://example.org/~nadal/index.html",
        "~/notas y ~nadal",
        "tardó 5´ en total, 10´30 más",
        "usa `ls -a` y `apt`",
        "```python",
        "f´(x) = 2x",
        "los PC´s",
        "mira `n` y `a`",
        "'a' y 'n'",
        "2^n + ^a",
        "~",
        "´",
        "un~ejemplo con~otro sin~otra",
    ],
)
def test_what_is_no_detached_accent_stays(text: str) -> None:
    assert repaired_accents(text) == text


def test_lines_keep_their_number() -> None:
    drawn = "informaci´\non´\n\nespa˜nol ´\n"
    assert repaired_accents(drawn).count("\n") == drawn.count("\n")
