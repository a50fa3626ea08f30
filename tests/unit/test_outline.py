"""Questions about whole documents, and the outlines that answer them."""

from __future__ import annotations

from datetime import date

import pytest

from tutor.answer import outline as outlines
from tutor.answer.outline import digest, openings, outline, overview
from tutor.answer.quoting import compose
from tutor.evaluation.cases import sample_questions
from tutor.model import Block, BlockKind, CleanText, Source, SourceId
from tutor.search.filters import Recogniser

_TEXT = """Redes neuronales

1 Índice

2 La neurona

Definición (Neurona). Una neurona suma sus entradas y aplica una función. Es antigua.

2.1 El perceptrón

Perceptrón: es un clasificador binario lineal.

Ejemplo: es el caso de la función AND, que aprende en pocas pasadas.

3 Entrenamiento (y II)

Los pesos se ajustan por descenso de gradiente mientras la pérdida de validación baja."""
_KINDS = {
    "Redes neuronales": (BlockKind.HEADING, 1),
    "1 Índice": (BlockKind.HEADING, 2),
    "2 La neurona": (BlockKind.HEADING, 2),
    "2.1 El perceptrón": (BlockKind.HEADING, 3),
    "3 Entrenamiento (y II)": (BlockKind.HEADING, 2),
    "Los pesos": (BlockKind.PARAGRAPH, 0),
}


def _document(name: str, version: str = "1", day: int = 1) -> tuple[Source, CleanText]:
    blocks, start = [], 0
    for part in _TEXT.split("\n\n"):
        kind, level = next(
            (kind for words, kind in _KINDS.items() if part.startswith(words)),
            (BlockKind.DEFINITION, 0),
        )
        blocks.append(Block(kind, start, start + len(part), start, level))
        start += len(part) + 2
    identity = SourceId(name)
    source = Source(identity, name, "Redes neuronales", "", 2, 5, date(2025, 9, day), version, ())
    second_page = _TEXT.index("2.1 El")
    return source, CleanText(identity, _TEXT, (0, second_page), tuple(blocks))


def _outline(*documents: tuple[Source, CleanText]) -> str:
    texts = {source.id: text for source, text in documents}
    return compose(outline([s for s, _text in documents], texts.__getitem__), "\n")[0]


def test_an_outline_has_headings_and_definitions_and_no_notes() -> None:
    assert _outline(_document("a.pdf")) == (
        "- **Redes neuronales (2025-09-01)**\n"
        "  - La neurona\n"
        "    - Neurona: Una neurona suma sus entradas y aplica una función.\n"
        "    - El perceptrón\n"
        "      - Perceptrón: es un clasificador binario lineal.\n"
        "  - Entrenamiento"
    )


def test_a_single_document_is_told_with_how_each_part_begins() -> None:
    source, document = _document("a.pdf")
    lines = overview([source], {source.id: document}.__getitem__)
    assert compose(lines, "\n")[0] == (
        "- **Redes neuronales (2025-09-01)**\n"
        "  - **La neurona**\n"
        "    - Definición (Neurona). Una neurona suma sus entradas y aplica una función.\n"
        "    - **El perceptrón**\n"
        "      - Perceptrón: es un clasificador binario lineal.\n"
        "  - **Entrenamiento**\n"
        "    - Los pesos se ajustan por descenso de gradiente mientras la pérdida de validación"
        " baja."
    )
    of_two = overview([source, _document("b.pdf", day=2)[0]], lambda _id: document)
    assert "Los pesos" not in compose(of_two, "\n")[0]


def test_a_section_is_told_whole_where_there_is_room_else_by_its_beginnings(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    source, document = _document("a.pdf")
    section = next(part for part in document.sections if part.title == "2 La neurona")
    (whole,) = digest(source, document, section)
    assert "Es antigua." in whole.text
    assert "función AND" in whole.text
    monkeypatch.setattr(outlines, "DIGEST", 60)
    told = compose(digest(source, document, section), "\n")[0]
    assert "aplica una función.\n" in told
    assert "Es antigua" not in told
    assert "Ejemplo" not in told


def test_every_line_leads_to_its_page_and_words() -> None:
    source, document = _document("a.pdf")
    text, citations = compose(outline([source], {source.id: document}.__getitem__), "\n")
    assert [text[c.start : c.end] for c in citations] == text.split("\n")
    assert [c.first_page for c in citations] == [1, 1, 1, 2, 2, 2]
    assert citations[2].quote == (
        "Definición (Neurona). Una neurona suma sus entradas y aplica una función."
    )
    assert citations[3].quote == "2.1 El perceptrón"


def test_of_a_day_the_last_version_counts() -> None:
    text = _outline(_document("a1.pdf", "1"), _document("a2.pdf", "2"), _document("b.pdf", day=4))
    assert text.count("(2025-09-01)") == 1
    assert text.count("(2025-09-04)") == 1


def test_documents_of_one_day_without_a_version_are_all_told() -> None:
    told = _outline(_document("theory", ""), _document("practice", ""))
    assert told.count("Redes neuronales") == 2


def test_many_documents_are_told_by_their_titles() -> None:
    text = _outline(*(_document(f"{day}.pdf", day=day) for day in range(1, 12)))
    assert len(text.split("\n")) == 11


def test_a_model_reads_how_sections_begin() -> None:
    source, document = _document("a.pdf")
    lines = outline([source], {source.id: document}.__getitem__)
    read = [hit.chunk.text for hit in openings(lines)]
    assert len(read) == len(set(read))
    assert read[-1].startswith("Los pesos se ajustan")


@pytest.mark.parametrize(
    "question",
    [
        "temas del curso",
        "¿De qué trata el curso?",
        "¿Cuál es el temario?",
        "resume los apuntes",
        "what topics does the course cover?",
        "¿qué vimos en clase?",
    ],
)
def test_a_question_about_the_course_is_known(question: str) -> None:
    assert Recogniser(()).recognise(question).whole


@pytest.mark.parametrize(
    "question", ["¿y eso?", "dame más", "¿Qué diferencia hay?", "hola", "¿y en los apuntes?", ""]
)
def test_a_question_that_leans_is_none(question: str) -> None:
    assert not Recogniser(()).recognise(question).whole


def test_no_question_with_a_subject_gets_an_outline() -> None:
    recogniser = Recogniser(())
    taken = [
        case.question for case in sample_questions() if recogniser.recognise(case.question).whole
    ]
    assert taken == []


def test_a_part_that_only_counts_is_named_by_the_heading_right_below_it() -> None:
    headings = ("Redes", "Parte 1", "La neurona", "Parte II", "Tema 3", "¿Preguntas?")
    blocks, start, parts = [], 0, []
    for place, title in enumerate(headings):
        for words, kind in ((title, BlockKind.HEADING), ("Esto es lo que dice.", None)):
            if kind or title != "Parte 1":
                level = 3 if place == 2 else 1
                kind_told = kind or BlockKind.PARAGRAPH
                blocks.append(Block(kind_told, start, start + len(words), start, level))
                parts.append(words)
                start += len(words) + 2
    source, _text = _document("a.pdf")
    document = CleanText(source.id, "\n\n".join(parts), (0,), tuple(blocks))
    told = _outline((source, document))
    assert "- Parte 1: La neurona\n" in told
    assert "- Parte II\n" in told  # with its own text below it
    assert told.count("La neurona") == 1
    assert "Preguntas" not in told
