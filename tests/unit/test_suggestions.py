"""Questions made of headings and definitions."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

from tests.passages import make_hit
from tutor.i18n import set_language
from tutor.model import Block, BlockKind, Citation, CleanText, Source, SourceId
from tutor.presentation.suggestions import example_questions, next_questions, topics_by_week
from tutor.tui.screens.models import fitting_model

PARTS = (
    (BlockKind.HEADING, "Redes"),
    (BlockKind.HEADING, "1 La neurona artificial:"),
    (BlockKind.DEFINITION, "Definición (Neurona, 1943). Suma sus entradas."),
    (BlockKind.PARAGRAPH, "Una neurona no sabe XOR."),
    (BlockKind.HEADING, "2 ¿Qué es XOR?"),
    (BlockKind.HEADING, "3 Ejercicios"),
    (BlockKind.HEADING, "¿Preguntas?"),
    (BlockKind.HEADING, "4 Índice de figuras"),
    (BlockKind.HEADING, "5 Introducción"),
    (BlockKind.HEADING, "Definiciones"),
    (BlockKind.HEADING, "Ventajas e inconvenientes"),
    (BlockKind.HEADING, "¿Cuáles son las ventajas?"),
    (BlockKind.HEADING, "Acerca de este texto ... 2"),
    (BlockKind.HEADING, "Qué sigue . . . . 31"),
    (BlockKind.HEADING, "Práctica 3"),
    (BlockKind.HEADING, "Evaluación del curso"),
    (BlockKind.HEADING, "Gianfranco Zambonni"),
    (BlockKind.HEADING, "de enero de 2023"),
)
NOTHING_UNDER_THEM = {"Redes", "Gianfranco Zambonni", "de enero de 2023"}


UNDER_IT = "Lo que se dice. " * 8


def clean_text(identity: SourceId) -> CleanText:
    text, blocks = "", []
    for kind, words in PARTS:
        level = 1 if words == "Redes" else 2 if kind is BlockKind.HEADING else 0
        blocks.append(Block(kind, len(text), len(text) + len(words), len(text), level))
        text += f"{words}\n\n"
        if level and words not in NOTHING_UNDER_THEM:
            blocks.append(Block(BlockKind.PARAGRAPH, len(text), len(text) + len(UNDER_IT), 0))
            text += f"{UNDER_IT}\n\n"
    return CleanText(identity, text, (0,), tuple(blocks))


def store(*sources: Source) -> Any:
    return SimpleNamespace(sources={one.id: one for one in sources}, text=clean_text)


def source(path: str, title: str, week: int | None) -> Source:
    return Source(SourceId(path), path, title, "", 1, week)


COURSE = store(
    source("1a.pdf", "Agentes", 1), source("1b.pdf", "Redes", 1), source("2.pdf", "Redes", 2)
)


def test_examples_come_from_different_documents_definitions_first() -> None:
    set_language("es")
    neuron = "¿Qué se entiende por «Neurona»?"
    heading = "Explica «La neurona artificial»."
    assert example_questions(COURSE, 1) == [neuron]
    assert example_questions(COURSE, 5) == [neuron, heading, "¿Qué es XOR?"]
    assert example_questions(store(), 5) == []


def test_examples_are_others_after_each_conversation_and_none_that_was_asked() -> None:
    set_language("es")
    neuron, heading, xor = example_questions(COURSE, 5)
    assert example_questions(COURSE, 5, [neuron]) == [heading, xor]
    assert example_questions(COURSE, 5, [neuron, heading, xor]) == []

    assert example_questions(COURSE, 1, (), 1) == [heading]
    assert example_questions(COURSE, 5, (), 4) == [heading, xor, neuron]
    assert example_questions(store(), 5, (), 3) == []


def test_the_first_page_of_a_book_is_its_title_page() -> None:
    set_language("es")
    neuron, heading, xor = example_questions(COURSE, 5)

    def of_pages(pages: int) -> Any:
        def text(identity: SourceId) -> CleanText:
            one = clean_text(identity)
            second = one.text.index("2 ¿Qué es XOR?")
            return replace(one, page_starts=(0, *[second] * (pages - 1)))

        return SimpleNamespace(sources=COURSE.sources, text=text)

    assert example_questions(of_pages(10), 5) == [neuron, heading, xor]
    assert example_questions(of_pages(100), 5) == [neuron, xor]


def test_the_topics_of_a_week_are_named_once() -> None:
    assert topics_by_week(COURSE) == [(1, ["Agentes", "Redes"]), (2, ["Redes"])]


def test_what_comes_next_in_the_document_is_offered_and_nothing_asked_already() -> None:
    set_language("es")
    hit = make_hit("Una neurona no sabe XOR.", path="2.pdf")
    start = clean_text(SourceId("2.pdf")).text.index("Una neurona") - hit.chunk.start
    cited = Citation(0, 5, hit, start, start + 5, 1, 1, 0.9)
    course = store(hit.source)
    asked = ["¿Qué se entiende por «Neurona»?"]
    heading = "Explica «La neurona artificial»."
    assert next_questions(course, cited, asked, 5) == ["¿Qué es XOR?", heading]
    assert next_questions(course, cited, [*asked, "¿qué es xor?"], 5) == [heading]
    assert next_questions(store(), cited, (), 5) == []
    whole = len(clean_text(SourceId("2.pdf")).text)
    quoted = replace(cited, quote_start=-hit.chunk.start, quote_end=whole - hit.chunk.start)
    assert next_questions(course, quoted, (), 5) == []


def test_a_small_machine_is_advised_a_small_model() -> None:
    assert fitting_model(4) == "llama3.2:1b"
    assert fitting_model(8) == fitting_model(0) == "llama3.2:3b"
    assert fitting_model(32) == "llama3.1:8b"
