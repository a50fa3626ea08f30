"""The student's own cards: a front and a back, maybe on a place of the notes."""

from __future__ import annotations

from tutor.model import Citation
from tutor.study.card import Card, CardKind, Origin, card_id
from tutor.text.language import detect_language


def own_card(front: str, back: str, origin: Origin | None = None) -> Card:
    """A card with what the student wrote, or imported."""
    identity = card_id(CardKind.OWN, front, back)
    language = detect_language(f"{front} {back}")
    return Card(identity, CardKind.OWN, front, back, origin, language=language)


def card_of_answer(question: str, answer: str, citation: Citation) -> Card:
    """A card of what was asked in a conversation, on the place that the answer cites."""
    source = citation.source
    start, end = citation.quote_span
    origin = Origin(
        source_id=source.id,
        path=source.path,
        title=source.title,
        section=citation.hit.chunk.section,
        first_page=citation.first_page,
        last_page=citation.last_page,
        start=start,
        end=end,
        text=citation.quote,
        week=source.week,
        date=source.date,
    )
    return own_card(question, answer, origin)
