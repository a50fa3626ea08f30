"""What a model is asked to write cards of: sentences, each with the passage that it stands in."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import chain

from tutor.map.definitions import STATED
from tutor.map.wording import is_readable, is_whole, stands_alone
from tutor.model import CleanText, Source, SourceId
from tutor.study.card import Card, CardId, CardKind
from tutor.study.making import course_cards
from tutor.study.making.choosing import alike, digest
from tutor.study.making.material import CardMaterial, newest_materials
from tutor.study.writing.splitting import COPULA, AnswerRole, Split, split
from tutor.text.folding import folded
from tutor.text.language import Language
from tutor.text.paragraphs import ITEM, joined_lines
from tutor.text.sentences import split_sentences
from tutor.text.terms import content_words

_LONGEST_PASSAGE = 600
"""Characters: some 200 tokens, which a small machine reads in seconds."""
_SHORTEST, _LONGEST = 40, 280
"""Characters of a sentence."""
_FEWEST_TORN = 4
"""Spaces of a heading in lower case that is no name."""
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
_SHOWN = re.compile(
    r"(?<!por )\bejemplos?\b|(?<!for )\bexamples?\b|\b(?:fig(?:ura|ure|\.)|tabla|table) ?\d"
    r"|^(?:R?>|>>>|\$) ",
    re.IGNORECASE | re.MULTILINE,
)
"""An example, a figure or lines of a program: what comes behind them tells of these."""
_GOES_ON = re.compile(r"\s+(?:también|además|asimismo|also|in addition)\b", re.IGNORECASE)
"""How a sentence begins behind one that says only a part."""
_ARTICLE = re.compile(r"\AEl ")
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
    sentences = list(chain.from_iterable(map(_sentences, materials)))
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
        if not (_say_more(sentences, task) or _goes_on(passage, task))
    }
    return list(by_sentence.values())


def _sentences(material: CardMaterial) -> Iterator[tuple[frozenset[str], str]]:
    """All sentences of a document, each with its words."""
    for block in material.text.blocks:
        text = material.slice(block.start, block.end)
        for start, end in split_sentences(text):
            said = text[start:end]
            yield content_words(said), _plain(said)


def _say_more(sentences: Iterable[tuple[frozenset[str], str]], task: Task) -> bool:
    """Whether another sentence tells the same before an answer, so that there are two answers.

    It has all of its words, or the same subject to begin with; of what ends in "is", which has no
    words of its own, the same row of words.
    """
    words, row, own = content_words(task.split.told), _plain(task.split.told), _plain(task.sentence)
    verb = row.rpartition(" ")[2]
    subject = row.removesuffix(verb)
    return any(
        (row in said if verb in COPULA else words <= others or said.startswith(subject))
        and own not in said
        for others, said in sentences
    )


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
    heading = passage.topic.rpartition(" › ")[2]
    if heading[:1].islower() and heading.count(" ") >= _FEWEST_TORN:  # torn from a sentence
        return []
    found, language, text = [], passage.material.language, passage.text
    for first, last in split_sentences(text):
        start, end = passage.start + first, passage.start + last
        sentence = sentence_at(passage.material, start, end)
        title = passage.material.source.title
        fit = _is_fit(sentence) and not _SHOWN.search(text, 0, first)
        parted = split(sentence, language, passage.topic, title) if fit else None
        if parted and not _GOES_ON.match(text, last):
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
        and stands_alone(_ARTICLE.sub("Un ", sentence))  # no "él" without its accent
    )
