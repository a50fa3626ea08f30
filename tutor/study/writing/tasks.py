"""What a model is asked to write cards of: sentences, each with the passage that it stands in."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256

from tutor.map.definitions import STATED
from tutor.map.wording import is_readable, is_whole, stands_alone
from tutor.model import CleanText, Source, SourceId
from tutor.study.card import Card, CardId, CardKind
from tutor.study.making import course_cards
from tutor.study.making.choosing import alike, digest
from tutor.study.making.material import CardMaterial, newest_materials
from tutor.study.writing.splitting import AnswerRole, Split, split
from tutor.text.folding import folded
from tutor.text.language import Language
from tutor.text.paragraphs import ITEM, joined_lines
from tutor.text.sentences import split_sentences

_LONGEST_PASSAGE = 600
"""Characters: some 200 tokens, which a small machine reads in seconds."""
_SHORTEST, _LONGEST = 40, 280
"""Characters of a sentence."""
_MOST_OF_PASSAGE = 3
"""Sentences of a passage that cards are asked of."""
_HAS_SUBJECT = re.compile(
    r"(?:el|la|los|las|una?|unos|unas|cada|tod[oa]s?|the|an?|every|each|all)\s"
    r"|(?:si|cuando|if|when) (?:no |not )?(?:el|la|los|las|una?|cada|hay|se|the|an?|all|there)\s"
    r"|(?:con|en|para|al|with|in|for|on)\s|[^.:;,]{2,50}: "
    r"|(?-i:[A-Z][A-Za-z0-9*-]*[A-Z0-9*])[\w*-]*\s",
    re.IGNORECASE,
)
"""How a sentence begins that says what it is about: with a noun, a case, a label or an acronym."""
_FIGURE = re.compile(r"(?<![\w.,])(?!(?:1[5-9]|20)\d\d\b)\d+(?:[.,]\d+)*(?! ?%)\b")
"""A number of an example or of a calculation, for all one knows: no year, no share."""


@dataclass(frozen=True, slots=True)
class CardPassage:
    """`material.text.text[start:end]`, blocks under one heading."""

    material: CardMaterial
    topic: str
    start: int
    end: int

    @property
    def text(self) -> str:
        """As it stands in the notes."""
        return self.material.slice(self.start, self.end)


@dataclass(frozen=True, slots=True)
class Task:
    """A card to write: on the sentence at `start:end` of the document."""

    passage: CardPassage
    start: int
    end: int
    split: Split
    known: bool = False
    """Whether a card of the rules says the same."""

    @property
    def language(self) -> Language:
        """The notes' language, in which the card is written."""
        return self.passage.material.language

    @property
    def kind(self) -> CardKind:
        """What the card asks for."""
        is_why = self.split.asked is AnswerRole.REASON
        return CardKind.WHY if is_why else CardKind.QUESTION

    @property
    def sentence(self) -> str:
        """In one line, without the mark of a list."""
        return sentence_at(self.passage.material, self.start, self.end)

    @property
    def card_id(self) -> CardId:
        """The card's identity, known before it is written: what it is asked of, not its words.

        Another run words a question otherwise; it is the same card all the same.
        """
        return CardId(self._hash("card"))

    def key(self, model: str) -> str:
        """What tells, once it is kept, that this model need not be asked again."""
        return self._hash(model, self.passage.text)

    def _hash(self, *parts: str) -> str:
        own = (self.kind.value, self.language, self.passage.topic, self.sentence)
        return sha256("\x1f".join((*own, *parts)).encode()).hexdigest()[:24]


def sentence_at(material: CardMaterial, start: int, end: int) -> str:
    """A sentence of a document in one line, without the mark of a list."""
    text = material.slice(start, end)
    mark = ITEM.match(text)
    return joined_lines(text[mark.end() :] if mark else text)


def tasks(
    documents: Iterable[tuple[Source, CleanText]], topic: str = "", language: Language | None = None
) -> list[Task]:
    """What cards can be written of in these documents, about a topic, in an order that is kept.

    Passages come from all over the documents: a few are a sample of the course. `language` leaves
    only notes in that language.
    """
    given = list(documents)
    materials = newest_materials(given)
    made: defaultdict[SourceId, list[str]] = defaultdict(list)
    for card in course_cards(given):
        if card.origin:
            made[card.origin.source_id].append(_said(card))
    found = [
        passage
        for material in materials
        if language in (None, material.language)
        for passage in passages(material)
        if _is_about(passage, topic)
    ]
    found.sort(key=lambda passage: digest(passage.topic + passage.text))
    by_sentence = {
        task.sentence: task
        for passage in found
        for task in _tasks(passage, made[passage.material.source.id])
        if not _goes_on(passage, task)
    }
    return list(by_sentence.values())


def _goes_on(passage: CardPassage, task: Task) -> bool:
    """Whether a sentence of the passage begins with the verb, and so tells more of the subject."""
    verb = _plain(task.split.told).rpartition(" ")[2]
    spans = split_sentences(passage.text)
    return any(_plain(passage.text[start:end]).startswith(f"{verb} ") for start, end in spans)


def _plain(text: str) -> str:
    return " ".join(folded(text).split())


def passages(material: CardMaterial) -> list[CardPassage]:
    """The passages of a document: prose and lists, neighbours under one heading taken together."""
    found: list[CardPassage] = []
    last = None
    for part in material.parts:
        start, end = part.blocks[0].lead, part.blocks[-1].end
        if not all(block.kind in STATED for block in part.blocks):
            last = None
            continue
        if last and last.topic == part.topic and end - last.start <= _LONGEST_PASSAGE:
            start = found.pop().start
        elif end - start > _LONGEST_PASSAGE:
            continue
        last = CardPassage(material, part.topic, start, end)
        found.append(last)
    return found


def _is_about(passage: CardPassage, topic: str) -> bool:
    told = folded(f"{passage.material.source.title} {passage.topic} {passage.text}")
    return all(word in told for word in folded(topic).split())


def _tasks(passage: CardPassage, made: Sequence[str]) -> list[Task]:
    """The sentences of a passage that say something by themselves, a few of them."""
    found, language, text = [], passage.material.language, passage.text
    for first, last in split_sentences(text):
        start, end = passage.start + first, passage.start + last
        sentence = sentence_at(passage.material, start, end)
        title = passage.material.source.title
        if _is_fit(sentence) and (parted := split(sentence, language, passage.topic, title)):
            known = any(alike(sentence, card) for card in made)
            found.append(Task(passage, start, end, parted, known))
    found.sort(key=lambda task: digest(task.sentence))
    return found[:_MOST_OF_PASSAGE]


def _said(card: Card) -> str:
    """What a card of the rules says, question and answer together."""
    asked = card.subject if card.kind is CardKind.DEFINITION else card.question
    return f"{asked} {card.answer}"


def _is_fit(sentence: str) -> bool:
    return (
        _SHORTEST <= len(sentence) <= _LONGEST
        and not _FIGURE.search(sentence)
        and is_whole(sentence)
        and is_readable(sentence)
        and _HAS_SUBJECT.match(sentence) is not None
        and stands_alone(sentence)
    )
