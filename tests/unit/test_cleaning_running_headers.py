"""Running headers, footers and page numbers: what goes, and what must never go."""

from __future__ import annotations

import pytest

from tests.pages import without_running_headers

WORDS = "gradiente pesos capa sesgo error lote época tasa matriz vector grafo árbol".split()


def body(page: int, lines: int = 20) -> str:
    """Prose that no other page has."""
    return "\n".join(
        f"En {WORDS[(page + line) % 12]} se ve que el caso de {WORDS[(page * 5 + line) % 12]} y "
        f"{WORDS[(page // 12 + line) % 12]} no es {WORDS[line % 12]}, sino {WORDS[page % 12]}."
        for line in range(lines)
    )


def book(top: str, bottom: str, count: int = 10) -> list[str]:
    return [
        "\n\n".join(part for part in (top.format(n=n), body(n), bottom.format(n=n)) if part.strip())
        for n in range(1, count + 1)
    ]


@pytest.mark.parametrize(
    ("top", "bottom"),
    [
        ("", "{n}"),
        ("", "- {n} -"),
        ("", "Página {n} de 10"),
        ("", "{n}/10"),
        ("Inteligencia Artificial", "{n}"),
        ("Inteligencia Artificial", ""),
        ("{n} Inteligencia Artificial", ""),
        ("Inteligencia Artificial {n}", "Universidad de Sevilla"),
        ("Universidad de Sevilla\nApuntes de aprendizaje", "Página {n}"),
    ],
)
def test_running_lines_go_and_the_body_stays(top: str, bottom: str) -> None:
    assert [page.strip() for page in without_running_headers(book(top, bottom))] == [
        body(n) for n in range(1, 11)
    ]


def test_odd_and_even_pages_have_their_own_header() -> None:
    pages = [
        f"{'Redes neuronales' if n % 2 else 'A. Pérez y B. Soto'}\n\n{body(n)}\n\n{n}"
        for n in range(1, 13)
    ]
    assert [page.strip() for page in without_running_headers(pages)] == [
        body(n) for n in range(1, 13)
    ]


def test_page_numbers_that_do_not_begin_at_one() -> None:
    pages = [f"{body(n)}\n\n{n + 212}" for n in range(1, 8)]
    assert [page.strip() for page in without_running_headers(pages)] == [
        body(n) for n in range(1, 8)
    ]


def test_roman_page_numbers() -> None:
    pages = [f"{body(n)}\n\n{numeral}" for n, numeral in enumerate("i ii iii iv v vi".split())]
    assert [page.strip() for page in without_running_headers(pages)] == [body(n) for n in range(6)]


def test_a_header_of_slides_goes_and_their_titles_stay() -> None:
    pages = [
        f"Redes neuronales\n\nTema {WORDS[n]}\n\n• Uno de {WORDS[n]}\n• Y sin {WORDS[n]}\n\n"
        f"UNED 2025 {n + 1}/9"
        for n in range(9)
    ]
    for n, page in enumerate(without_running_headers(pages)):
        assert f"Tema {WORDS[n]}" in page
        assert f"• Y sin {WORDS[n]}" in page
        assert "UNED" not in page


def test_one_page_keeps_everything() -> None:
    page = f"Inteligencia Artificial\n\n{body(1)}\n\n1"
    assert without_running_headers([page])[0].startswith("Inteligencia Artificial\n\nEn ")


def test_two_pages_keep_what_they_do_not_share() -> None:
    first, second = without_running_headers(
        [f"Uno\n\n{body(1)}\n\nFin", f"Dos\n\n{body(2)}\n\nCierre"]
    )
    assert (first, second) == (f"Uno\n\n{body(1)}\n\nFin", f"Dos\n\n{body(2)}\n\nCierre")


@pytest.mark.parametrize("bottom", ["{n}", ""])
def test_two_pages_lose_their_header_and_their_numbers(bottom: str) -> None:
    pages = book("Aprendizaje automático responsable Hoja 3", bottom, 2)
    assert [page.strip() for page in without_running_headers(pages)] == [body(1), body(2)]


def test_what_is_inside_a_page_stays() -> None:
    pages = [f"{body(n, 8)}\nEsta línea está en todas.\n7\n{body(n + 20, 8)}" for n in range(10)]
    assert without_running_headers(pages) == pages


@pytest.mark.parametrize(
    "heading", ["Ejercicio {n}", "{n}. Tema", "Semana {n}", "Figura {n}", "Paso {n}:"]
)
def test_counted_headings_are_content(heading: str) -> None:
    pages = [f"{heading.format(n=n)}\n\n{body(n)}" for n in range(1, 9)]
    assert without_running_headers(pages) == pages


def test_numbers_that_do_not_count_with_the_pages_are_content() -> None:
    pages = [f"{body(n)}\n{value}" for n, value in enumerate([17, 3, 99, 42, 8, 61])]
    assert without_running_headers(pages) == pages


def test_no_page_is_left_empty_by_a_title() -> None:
    pages = [f"Redes\n\n{n}" for n in range(1, 9)]
    assert all("Redes" in page for page in without_running_headers(pages))


@pytest.mark.parametrize("pages", [[], [""], ["", "", ""], ["\n\n\n"]])
def test_pages_without_text(pages: list[str]) -> None:
    assert without_running_headers(pages) == pages
