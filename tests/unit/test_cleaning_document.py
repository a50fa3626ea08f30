"""Whole documents: every step together, pages joined, offsets; on real PDFs too."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import pytest

from tests import pdfs
from tutor.ingest.cleaning.document import clean
from tutor.ingest.reading.document import read_pdf
from tutor.model import CleanText, Document, Page, SourceId

SID = SourceId("notas")


def document(*pages: str) -> Document:
    return Document(SID, tuple(Page(SID, n, text) for n, text in enumerate(pages, 1)))


def read(path: Path) -> CleanText:
    return clean(read_pdf(path, SID, ocr="off"))


# --- Pages -------------------------------------------------------------------------------------


def test_pages_are_set_apart_by_an_empty_line() -> None:
    cleaned = clean(document("Primera página.", "Segunda página."))
    assert (cleaned.text, cleaned.page_starts) == ("Primera página.\n\nSegunda página.", (0, 17))
    assert cleaned.source_id == SID


def test_a_sentence_goes_on_over_the_page_break() -> None:
    first, second = "La red neuronal aprende de los", "datos que se le dan cada época."
    cleaned = clean(document(first, second))
    assert cleaned.text == f"{first} {second}"
    assert cleaned.page_starts == (0, len(first) + 1)


def test_a_word_divided_by_the_page_break_is_joined_and_the_second_page_starts_inside_it() -> None:
    cleaned = clean(
        document("Para cada muestra el algoritmo de apren-", "dizaje corrige los pesos.")
    )
    assert cleaned.text == "Para cada muestra el algoritmo de aprendizaje corrige los pesos."
    assert cleaned.text[cleaned.page_starts[1] :].startswith("dizaje corrige")


def test_a_compound_divided_by_the_page_break_keeps_its_hyphen() -> None:
    cleaned = clean(document("Las capas de este modelo usan self-", "attention en cada bloque."))
    assert cleaned.text == "Las capas de este modelo usan self-attention en cada bloque."
    assert cleaned.text[cleaned.page_starts[1] :].startswith("attention")


@pytest.mark.parametrize(
    "second",
    ["• uno de los casos posibles", "Otra sección empieza aquí", "x = 3", "1. uno de tres"],
)
def test_a_new_unit_begins_apart_on_its_page(second: str) -> None:
    first = "La red neuronal aprende de los datos"
    assert clean(document(first, second)).text == f"{first}\n\n{second}"


def test_a_finished_sentence_ends_its_page() -> None:
    cleaned = clean(document("Así aprende la red de los datos.", "y otra cosa más dice esta hoja"))
    assert cleaned.text == "Así aprende la red de los datos.\n\ny otra cosa más dice esta hoja"


def test_a_page_without_text_starts_where_the_next_one_does() -> None:
    cleaned = clean(document("", "Uno.", "", " \n ", "Dos.", ""))
    assert cleaned.text == "Uno.\n\nDos."
    assert cleaned.page_starts == (0, 0, 6, 6, 6, 10)
    assert [cleaned.page_at(offset) for offset in (0, 3, 6, 9)] == [2, 2, 5, 5]


@pytest.mark.parametrize("pages", [(), ("",), ("", "")])
def test_a_document_without_text(pages: tuple[str, ...]) -> None:
    cleaned = clean(document(*pages))
    assert (cleaned.text, cleaned.page_starts) == ("", (0,) * len(pages))


# --- Evidence of one page helps another --------------------------------------------------------


def test_a_hyphenated_word_elsewhere_in_the_document_decides() -> None:
    text = clean(
        document("El sesgo-varianza se equilibra.", "Vea el sesgo-\nvarianza otra vez.")
    ).text
    assert text.endswith("Vea el sesgo-varianza otra vez.")
    text = clean(document("El multiagente decide.", "Cada multi-\nagente decide otra vez.")).text
    assert text.endswith("Cada multiagente decide otra vez.")


# --- Real PDFs ---------------------------------------------------------------------------------


@pytest.mark.parametrize("order", ["before", "after"])
def test_accents_drawn_apart(tmp_path: Path, order: Literal["before", "after"]) -> None:
    lines = ("El diseño de la red", "señal pequeña y niño", "regresión logística")
    text = read(pdfs.pseudo_accents(tmp_path / "a.pdf", lines, order=order)).text
    assert " ".join(text.split()) == " ".join(lines)


def test_a_narrow_hyphenated_column_gives_back_its_paragraph(tmp_path: Path) -> None:
    assert " ".join(read(pdfs.hyphenated(tmp_path / "a.pdf")).text.split()) == pdfs.LIPSUM.strip()


def test_ligatures_are_letters(tmp_path: Path) -> None:
    text = read(pdfs.ligatures(tmp_path / "a.pdf")).text
    assert "coeficiente, flujo, difícil, inflación, oficina, affine" in text


def test_running_headers_and_footers_go_and_pages_stay_where_they_are(tmp_path: Path) -> None:
    cleaned = read(pdfs.running_headers(tmp_path / "a.pdf", 6))
    assert "Semana 3" not in cleaned.text
    assert "Página" not in cleaned.text
    for number in range(1, 7):
        offset = cleaned.text.index(f"Contenido número {number}.")
        assert offset == cleaned.page_starts[number - 1]
        assert cleaned.page_at(offset) == number


def test_slides_keep_titles_and_bullets_on_their_lines(tmp_path: Path) -> None:
    decks = [(f"Tema {name}", ("Primera idea", "Segunda idea")) for name in ("uno", "dos", "tres")]
    text = read(pdfs.slides(tmp_path / "a.pdf", decks)).text
    assert [line for line in text.split("\n") if line] == [
        line for title, (one, two) in decks for line in (title, f"• {one}", f"• {two}")
    ]


def test_formulas_keep_their_lines(tmp_path: Path) -> None:
    lines = read(pdfs.formulas(tmp_path / "a.pdf")).text.split("\n")
    assert "El gradiente ∇L indica hacia dónde crece la pérdida." in lines


def test_hostile_characters_are_gone(tmp_path: Path) -> None:
    text = read(pdfs.hostile_characters(tmp_path / "a.pdf")).text
    assert "Borra la pantalla: rojo y fin" in " ".join(text.split())
    assert "Ancho cero: palabra y guion blando" in text
    assert all(char == "\n" or char.isprintable() for char in text)


def test_a_word_divided_within_a_cell_is_joined() -> None:
    rows = [
        "Miocardio\tCapa me- dia, muscular (teji- do car- díaco).",
        "Endocardio\tEvita reflujo ha- cia la aurícula; pre- y posganglionar.",
        "dog- perro\tred- conjunto de nodos",
    ]
    assert clean(document("\n".join(rows))).text.split("\n") == [
        "Miocardio | Capa media, muscular (tejido cardíaco).",
        "Endocardio | Evita reflujo hacia la aurícula; pre- y posganglionar.",
        "dog- perro | red- conjunto de nodos",
    ]


@pytest.mark.parametrize(
    ("line", "cleaned"),
    [
        ("Escultura [editar]", "Escultura"),
        ("Vocales [editar · editar código]", "Vocales"),
        ("se puede [editar] el texto", "se puede [editar] el texto"),
        ("EAT = 0, 98 ⋅ 102 + 0, 02 ⋅ 202", "EAT = 0,98 ⋅ 102 + 0,02 ⋅ 202"),
        ("x entre (0, 10) y {1, 0, 25}", "x entre (0, 10) y {1, 0, 25}"),
        ("para i = 0, 1, 2 y 0, 10, 20", "para i = 0, 1, 2 y 0, 10, 20"),
    ],
)
def test_a_wikis_buttons_go_and_a_decimal_comma_parts_nothing(line: str, cleaned: str) -> None:
    assert clean(document(line)).text == cleaned
