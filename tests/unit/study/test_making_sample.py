"""Cards of the sample notes: each stands on its place, and none gives its answer away."""

from __future__ import annotations

from pathlib import Path

import pytest

from tutor.ingest.cleaning.document import clean
from tutor.ingest.metadata import describe_source
from tutor.ingest.reading.document import read_pdf
from tutor.model import CleanText, Source, source_id
from tutor.study.card import Card, CardKind
from tutor.study.making import course_cards
from tutor.text.folding import folded

NOTES = Path(__file__).resolve().parents[3] / "notes"
NAMES = (
    "01_SEMANA_AI_20250804_1.pdf",
    "01_SEMANA_AI_20250804_2.pdf",
    "12_SEMANA_AI_20251023_1.pdf",
)


WRITTEN = {CardKind.QUESTION, CardKind.WHY}
"""What only a model asks."""


@pytest.fixture(scope="module")
def documents() -> list[tuple[Source, CleanText]]:
    made = []
    for name in NAMES:
        document = read_pdf(NOTES / name, source_id(name), ocr="off")
        text = clean(document)
        made.append((describe_source(name, "", document, text, None), text))
    return made


@pytest.fixture(scope="module")
def made(documents: list[tuple[Source, CleanText]]) -> list[Card]:
    return course_cards(documents)


def test_all_kinds_but_blanks_are_made_and_none_twice(made: list[Card]) -> None:
    no_term_has_two_names = {CardKind.CLOZE}
    kinds = {card.kind for card in made}
    assert kinds == set(CardKind) - WRITTEN - {CardKind.OWN} - no_term_has_two_names
    assert len({card.id for card in made}) == len(made)
    assert len({(card.kind, folded(card.question)) for card in made}) == len(made)
    assert {card.language for card in made} == {"es", "en"}


def test_a_card_names_the_place_that_it_stands_on(
    made: list[Card], documents: list[tuple[Source, CleanText]]
) -> None:
    texts = {source.id: text for source, text in documents}
    for card in made:
        assert card.origin is not None
        origin, text = card.origin, texts[card.origin.source_id]
        assert origin.path != NAMES[0], "an older version of a lesson's notes"
        assert text.text[origin.start : origin.end] == origin.text
        assert origin.first_page == text.page_at(origin.start)
        assert 1 <= origin.first_page <= origin.last_page
        assert origin.week in (1, 12)


def test_answers_stand_in_the_notes_and_not_in_the_question(made: list[Card]) -> None:
    for card in made:
        assert card.origin is not None
        words = folded(card.origin.text)
        if card.kind in (CardKind.TERM, CardKind.CLOZE, CardKind.ROW):
            assert folded(card.answer) in words
            assert card.kind is CardKind.ROW or folded(card.answer) not in folded(card.question)
        if card.choices and card.kind is not CardKind.MATCH:
            assert card.choices.count(card.answer) == 1
        if card.items:
            assert all(folded(item)[:20] in words for item in card.items)


def test_nothing_is_asked_of_the_questions_at_the_end_or_of_the_course_itself(
    made: list[Card],
) -> None:
    sections = {card.origin.section for card in made if card.origin}
    assert not {"Preguntas de repaso", "Evaluación del curso"} & sections
    assert not [card for card in made if "35 %" in card.question]
