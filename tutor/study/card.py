"""A card: a question whose answer stands on a page of the notes, or that the student wrote."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from typing import NewType

from tutor.model import Citation, Source, SourceId
from tutor.text.language import detect_language
from tutor.text.paragraphs import unnumbered

_TOPIC = re.compile(r"\A\[[^\]]*\] ")

CardId = NewType("CardId", str)


class CardKind(StrEnum):
    """What a card asks for."""

    DEFINITION = "definition"
    """What a term is; the answer is its definition."""
    TERM = "term"
    """Which term a definition is of."""
    CLOZE = "cloze"
    """The term, number or formula that is left out of a sentence."""
    LIST = "list"
    """All items of a list, in order where `Card.ordered`."""
    ROW = "row"
    """The attribute that a table gives for what a row is about."""
    TRUE_FALSE = "true_false"
    """Whether a sentence is true; one of two `choices`."""
    CHOICE = "choice"
    """Which of several `choices` is right; one is."""
    MATCH = "match"
    """Which definition is of which term: `items` are terms, `choices` their definitions. The
    answer has a line "term → definition" for each item, in their order."""
    CODE = "code"
    """The line that is left out of a listing."""
    QUESTION = "question"
    """What a sentence of the notes says; written by a model, as the next kind."""
    WHY = "why"
    """The reason that the notes give."""
    OWN = "own"
    """A front and a back that the student wrote or imported."""


IN_OWN_WORDS = frozenset((CardKind.DEFINITION, CardKind.QUESTION, CardKind.WHY))
"""What is answered so: an answer in other words may be right."""
_PHRASE = {CardKind.ROW: 5, CardKind.OWN: 9}
"""Words of an answer from which on it is a phrase and no name, and may be said otherwise, too."""


@dataclass(frozen=True, slots=True)
class Origin:
    """The place of the notes that a card stands on: `text` is `CleanText.text[start:end]` there."""

    source_id: SourceId
    path: str
    title: str
    section: str
    first_page: int
    last_page: int
    start: int
    end: int
    text: str
    week: int | None = None
    date: dt.date | None = None

    @classmethod
    def of(
        cls, source: Source, section: str, pages: tuple[int, int], span: tuple[int, int], text: str
    ) -> Origin:
        """A place in a document: first and last page, start and end of its text."""
        about = source.id, source.path, source.title, section
        return cls(*about, *pages, *span, text, source.week, source.date)

    def overlaps(self, other: Origin) -> bool:
        """Whether both share some of the text."""
        same = self.source_id == other.source_id
        return same and self.start < other.end and other.start < self.end


@dataclass(frozen=True, slots=True)
class Card:
    """A question, its answer, and where both come from (None for what a student wrote).

    `choices` are all that can be chosen, the right one among them, in the order to show; `items`
    are the parts of an answer that has several. `subject` is the term or heading that it is about.
    `model` is the language model that wrote it, empty for a card of rules or of the student.
    """

    id: CardId
    kind: CardKind
    question: str
    answer: str
    origin: Origin | None
    subject: str = ""
    choices: tuple[str, ...] = ()
    items: tuple[str, ...] = ()
    ordered: bool = False
    language: str = "es"
    also: tuple[str, ...] = ()
    """Other names of an answer that is a term, as the notes write them."""
    model: str = ""


def card_id(kind: CardKind, question: str, answer: str) -> CardId:
    """The identity of a card: a hash of what it asks and answers, wherever that stands.

    So a card outlives a re-index, a page that moved, and a newer version of the same day's notes.
    A card that a model wrote is known by its sentence instead (`study.writing.Task.card_id`).
    """
    key = "\x1f".join((kind.value, question, answer))
    return CardId(sha256(key.encode()).hexdigest()[:24])


def bare(question: str) -> str:
    """A question without the topic in brackets that may stand before it."""
    return _TOPIC.sub("", question)


def is_said(card: Card) -> bool:
    """Whether a card is answered in one's own words: by its kind, or as its answer is a phrase."""
    phrase = _PHRASE.get(card.kind)
    return card.kind in IN_OWN_WORDS or (phrase is not None and len(card.answer.split()) >= phrase)


def own_card(front: str, back: str, origin: Origin | None = None) -> Card:
    """A card with what the student wrote, or imported."""
    identity = card_id(CardKind.OWN, front, back)
    language = detect_language(f"{front} {back}")
    return Card(identity, CardKind.OWN, front, back, origin, language=language)


def card_of_answer(question: str, answer: str, citation: Citation) -> Card:
    """A card of what was asked in a conversation, on the place that the answer cites."""
    section, pages = citation.hit.chunk.section, (citation.first_page, citation.last_page)
    span, text = citation.quote_span, citation.quote
    origin = Origin.of(citation.source, unnumbered(section), pages, span, text)
    return own_card(question, answer, origin)
